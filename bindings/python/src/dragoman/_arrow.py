# SPDX-License-Identifier: Apache-2.0
"""A stage over tables of Arrow. Columns that it does not make keep their types and are not copied."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from ._engines import BATCH_CHARACTERS, arrow, cuts
from .corpus import Stage
from .corpus.formats.arrow_types import made_types, with_made_types
from .corpus.outcome import NUMBERS
from .corpus.paths import leaves

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]

__all__ = ["ArrowStage"]

_ROW = "\0row"


class ArrowStage:
    """Translates tables in batches of so many characters. It is picklable, as the stage is."""

    def __init__(self, stage: Stage, batch_characters: int = BATCH_CHARACTERS):
        arrow()
        if batch_characters < 1:
            raise ValueError(f"batch_characters is {batch_characters}; expected at least 1")
        self.stage, self.batch_characters = stage, batch_characters

    def made(self, schema: pyarrow.Schema) -> dict[str, Any]:
        """The types of the columns that it makes or changes. Raises KeyError for a column that is missing."""
        pa = arrow()
        found = made_types(schema, [("number" if kind in NUMBERS else "text", output)
                                    for _, kind, output in self.stage.outputs])
        if self.stage.error_column:
            found[self.stage.error_column] = pa.string()
        if self.stage.filters and self.stage.filters.action == "mark":
            found[self.stage.filters.column] = pa.string()
        return found

    def schema(self, schema: pyarrow.Schema) -> pyarrow.Schema:
        """What becomes of a schema."""
        return with_made_types(schema, self.made(schema))

    def __call__(self, table: pyarrow.Table) -> Iterator[pyarrow.Table]:
        """The table in parts, in its order."""
        made, schema = self.made(table.schema), self.schema(table.schema)
        there = dict.fromkeys(table.column_names)
        paths = [column.resolved(there) for column in self.stage.columns]
        needed = dict.fromkeys(steps[0] for steps in paths)
        if self.stage.source_language_column is not None:
            if self.stage.source_language_column not in there:
                raise KeyError(f"there is no column {self.stage.source_language_column!r} of source languages; the "
                               f"rows have {', '.join(map(repr, there))}")
            needed[self.stage.source_language_column] = None
        values = {name: table.column(name).to_pylist() for name in needed}
        sizes = [sum(_size(values[steps[0]][row], steps[1:]) for steps in paths) for row in range(table.num_rows)]
        if not table.num_rows:
            yield self._joined(table, {name: [] for name in made}, made, schema)
        for begin, end in cuts(sizes, self.batch_characters):
            batch: dict[str, list[Any]] = {name: column[begin:end] for name, column in values.items()}
            batch[_ROW] = list(range(begin, end))
            found = self.stage(batch)
            rows = found[_ROW]
            part = table.slice(begin, end - begin) if len(rows) == end - begin else table.take(rows)
            yield self._joined(part, found, made, schema)

    def _joined(self, part: pyarrow.Table, found: dict[str, list[Any]], made: dict[str, Any],
                schema: pyarrow.Schema) -> pyarrow.Table:
        pa = arrow()
        columns = [pa.array(found[field.name], made[field.name]) if field.name in made else part.column(field.name)
                   for field in schema]
        return pa.Table.from_arrays(columns, schema=schema)


def _size(cell: Any, steps: tuple[str, ...]) -> int:
    try:
        return sum(len(text) for text in leaves(cell, steps) if isinstance(text, str))
    except TypeError:  # the stage says what is wrong with the row
        return 0
