# SPDX-License-Identifier: Apache-2.0
"""Hugging Face's datasets (pip install 'dragoman[datasets]').

    import datasets
    import dragoman.datasets

    pages = datasets.load_dataset("json", data_files="pages.jsonl", split="train")
    pages = pages.map(dragoman.datasets.translate(columns="text", to="de"), batched=True)
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

from ._engines import StageArguments, arrow, as_stage, fetch, needs
from .corpus import Stage
from .corpus.paths import STAR

if TYPE_CHECKING:
    import datasets  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from typing_extensions import Unpack

__all__ = ["Translate", "translate"]

_NUMBERS = ("score", "quality", "coverage")


class _Column(list[Any]):
    """Cells of a type that is known even where all are missing: datasets takes types from the first batch."""

    def __init__(self, cells: Sequence[Any], number: bool, depth: int):
        super().__init__(cells)
        self._number, self._depth = number, depth

    def __arrow_array__(self, type: Any = None) -> Any:  # noqa: A002, Arrow's name for it
        pa = arrow()
        kind = pa.float64() if self._number else pa.string()
        for _ in range(self._depth):
            kind = pa.list_(kind)
        return pa.array(list(self), type or kind)


def _cells(values: Any) -> Any:
    return values.tolist() if hasattr(values, "tolist") else values


class Translate:
    """What `translate` gives: a function for `map`, of one row or of batches. It is picklable, and its state is the
    same in all processes, so that datasets finds what it kept before."""

    def __init__(self, stage: Stage | None = None, fingerprint: str | None = None, **arguments: Unpack[StageArguments]):
        self._given = stage
        self._arguments = arguments
        self._stage = as_stage(stage, arguments)
        if fingerprint is None:
            fetch(self._stage.settings.model)
            fingerprint = self._stage.fingerprint()
        self._fingerprint = fingerprint

    def __call__(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """The columns that are made or changed."""
        there = dict.fromkeys(rows)
        needed = {column.resolved(there)[0] for column in self._stage.columns} | {self._stage.source_language_column}
        drops = self._stage.filters is not None and self._stage.filters.action == "drop"
        given = {name: _cells(rows[name]) for name in there if drops or name in needed}  # more is to decode
        if not self._are_many(given):
            found = self._stage({name: [value] for name, value in given.items()})
            if any(not cells for cells in found.values()):
                raise ValueError("filters that drop rows need batched=True")
            return {name: found[name][0] for name in self._made(given)}
        found = self._stage(given)
        return {name: found[name] if kind is None else _Column(found[name], *kind)
                for name, kind in {**dict.fromkeys(given if drops else ()), **self._made(given)}.items()}

    def _are_many(self, rows: Mapping[str, Any]) -> bool:
        """Whether cells are lists of rows."""
        paths = [column.resolved(rows) for column in self._stage.columns]
        return all(isinstance(rows[steps[0]], list) and not self._is_row(rows, steps) for steps in paths)

    @staticmethod
    def _is_row(rows: Mapping[str, Any], steps: tuple[str, ...]) -> bool:
        """Whether the rows are one row, whose cell is a list: a batch of such rows has lists in its list."""
        cell = rows[steps[0]]
        return steps[1:2] == (STAR,) and any(value is not None and not isinstance(value, list) for value in cell)

    def _made(self, columns: Mapping[str, Any]) -> dict[str, tuple[bool, int] | None]:
        """The columns that come, and whether numbers stand in how many lists; None: as deep as the column was."""
        found: dict[str, tuple[bool, int] | None] = {}
        for _, kind, output in self._stage.outputs:
            steps = output.path.resolved(columns)
            if output.inside and len(steps) > 1:
                found[steps[0]] = None
            else:
                found[output.spelled] = kind in _NUMBERS, steps.count(STAR)
        if self._stage.error_column:
            found[self._stage.error_column] = False, 0
        if self._stage.filters and self._stage.filters.action == "mark":
            found[self._stage.filters.column] = False, 0
        return found

    def features(self, features: datasets.Features) -> datasets.Features:
        """What becomes of a dataset's features, for `map(..., features=...)`.

            function = dragoman.datasets.translate(columns="messages.*.content", to="de")
            pages = pages.map(function, batched=True, features=function.features(pages.features))

        `map` finds them itself except for new keys inside of objects that are missing from a whole first batch.
        """
        from ._arrow import ArrowStage
        kinds = needs("datasets", "datasets")
        made = ArrowStage(self._stage).made(features.arrow_schema)
        return kinds.Features({**features, **{name: kinds.features.features.generate_from_arrow_type(kind)
                                              for name, kind in made.items()}})

    def __reduce__(self) -> Any:
        state = dict(sorted(self._arguments.items()))
        return _restored, (self._fingerprint, state if self._given is None else self._given)

    def __repr__(self) -> str:
        return f"<Translate {self._stage!r}>"


def _restored(fingerprint: str, state: Any) -> Translate:
    return Translate(state, fingerprint) if isinstance(state, Stage) else Translate(None, fingerprint, **state)


def translate(stage: Stage | None = None, **arguments: Unpack[StageArguments]) -> Translate:
    """A function for `map` of a dataset, of a `DatasetDict` and of an `IterableDataset`.

        pages = pages.map(dragoman.datasets.translate(columns="text", to="de"), batched=True, num_proc=2)

    Each process has a translator of its own, made at its first batch, also in processes that were forked after this one
    had used its device. One process keeps a GPU busy; several divide its memory.
    The second run takes what datasets kept of the first, as long as model (its content), version and options are the
    same. A published model is downloaded now.

    stage, arguments: a `dragoman.corpus.Stage`, or its arguments.
    """
    needs("datasets", "datasets")
    return Translate(stage, **arguments)
