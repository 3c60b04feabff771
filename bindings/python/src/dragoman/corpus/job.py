# SPDX-License-Identifier: Apache-2.0
"""What a run does, in a form that goes from process to process."""
from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from .filters import Filters
from .formats import Shape
from .outcome import NUMBERS
from .stage import Stage

DuplicatesName = Literal["translate", "mark", "drop"]

#: The column with the reason of rows that are marked.
FILTERED = "filtered"
#: Of a row whose texts came before, in whatever part.
DUPLICATE = "duplicate"


def _kind(output: str) -> str:
    return "number" if output in NUMBERS else "text"


@dataclass(frozen=True)
class Job:
    """The options that all parts share."""

    stage: dict[str, Any]
    """Arguments of `Stage`, without filters."""
    filters: dict[str, Any] | None = None
    """Arguments of `Filters`."""
    duplicates: DuplicatesName = "translate"
    output_format: str | None = None
    """None: that of each part."""
    compression: str | None = None
    """Of outputs; None: that of their names."""
    text_column: str = "text"
    header: bool = True
    rows: int = 256
    """At most so many in one call of the translator."""
    characters: int = 1 << 16
    """At most so many of texts, unless one row has more."""
    calls: int = 3
    """At once, so that the device need not wait for the next."""
    duplicates_folder: str | None = None

    @property
    def drops(self) -> bool:
        return self.filters is not None and self.filters.get("action", "drop") == "drop"

    @property
    def marks(self) -> bool:
        return self.filters is not None and not self.drops or self.duplicates == "mark"

    def made_stage(self) -> Stage:
        """It marks rows; the writer drops those that are not wanted."""
        chosen = None if self.filters is None else Filters(**{**self.filters, "action": "mark", "column": FILTERED})
        return Stage(**self.stage, filters=chosen)

    def kinds(self, stage: Stage) -> dict[str, str]:
        """The columns that outputs get, in their order, with what they hold."""
        found: dict[str, str] = {}
        for _, kind, output in stage.outputs:
            if output.inside:
                found[output.path.steps[0]] = "cell"
            else:
                found[output.spelled] = "any" if "*" in output.path.steps else _kind(kind)
        for name in (stage.error_column, FILTERED if self.marks else None):
            if name:
                found[name] = "text"
        return found

    def shape(self, stage: Stage, compression: str = "") -> Shape:
        return Shape(text_column=self.text_column, header=self.header, compression=compression,
                     source_language=stage.source_language, target_language=stage.options.get("to"),
                     kinds=self.kinds(stage),
                     outputs=tuple((_kind(kind), output) for _, kind, output in stage.outputs))

    def key(self, stage: Stage) -> dict[str, Any]:
        """What the rows of outputs depend on besides the input, in whatever format they are written."""
        given = asdict(self)
        return {**stage.parts(), "filters": self.filters,
                **{name: given[name] for name in ("duplicates", "text_column", "header")}}

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        return cls(**json.loads(text))
