# SPDX-License-Identifier: Apache-2.0
"""Outputs that nobody has named, whose usual names the rows of the input may have already, as those of a corpus have that
this program made."""
from __future__ import annotations

from typing import Any, Mapping

from .formats.batch import BadPart, Batch
from .job import FILTERED, Job
from .paths import leaves
from .stage import Stage


class UsualNames:
    """Of the outputs of a run. What has a name that was given may replace a column."""

    def __init__(self, job: Job, stage: Stage, made_format: str):
        given = job.stage.get("outputs", ())
        named: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
        self._kinds = list(dict.fromkeys(kind for _, kind, _ in stage.outputs)) + ["error"] * bool(stage.error_column)
        self._given = {kind: name for kind, name in named.items() if isinstance(name, str)}
        self._single = len(stage.columns) == 1 and len(stage.columns[0].steps) == 1
        self._outputs = [(kind, output) for _, kind, output in stage.outputs if kind not in self._given]
        self._columns = {FILTERED: ""} if job.marks else {}
        if stage.error_column and "error" not in self._given:
            self._columns[stage.error_column] = "error"
        if made_format in ("text", "tmx"):  # they have nothing of the rows
            self._outputs, self._columns = [], {}

    def keys(self) -> list[str]:
        """Keys of objects without which no row has anything to replace."""
        ends = [output.spelled for _, output in self._outputs] + list(self._columns)
        return list(dict.fromkeys(key for end in ends for key in (end, end.rsplit(".", 1)[-1])))

    def check(self, batch: Batch, path: str) -> None:
        """Raises BadPart for rows in which something would be replaced that is not asked for."""
        taken = {name: self._columns[name] for name in batch.columns(list(self._columns))}
        for kind, output in self._outputs:
            path_names = {output.path.spelled, output.path.steps[0]} if output.inside else set()
            columns = batch.columns([output.spelled, *path_names])
            steps = tuple(output.spelled.split("."))
            if output.spelled in columns or output.is_inside(columns) and any(
                    _has(cell, steps[1:]) for cell in columns.get(steps[0], ())):
                taken[output.spelled] = kind
        if taken:
            raise BadPart(self._message(taken, path))

    def _message(self, taken: Mapping[str, str], path: str) -> str:
        there = f"{path}: its rows have {', '.join(map(repr, taken))} already"
        if FILTERED in taken:
            return f"{there}; {FILTERED!r} is where --filtered mark and --duplicates mark put the reason"
        kinds = set(taken.values())
        return (f"{there}: --outputs {self._spelled(kinds, '_2')} makes others, --outputs {self._spelled(kinds, '')} "
                "replaces what is there; either needs another folder for --output")

    def _spelled(self, kinds: set[str], end: str) -> str:
        found = []
        for kind in self._kinds:
            usual = kind if self._single or kind == "error" else f"{{column}}_{kind}"
            name = self._given.get(kind, usual + end if kind in kinds else "")
            found.append(f"{kind}={name}" if name else kind)
        return ",".join(found)


def _has(cell: Any, steps: tuple[str, ...]) -> bool:
    try:
        return any(value is not None for value in leaves(cell, steps))
    except TypeError:  # the row has an error
        return False
