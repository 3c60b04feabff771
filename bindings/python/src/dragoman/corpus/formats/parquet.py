# SPDX-License-Identifier: Apache-2.0
"""Parquet, by pyarrow. What is read keeps its types; columns that are made are added."""
from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator, Mapping, Sequence

from .arrow_types import arrow, made_types, with_made_types
from .batch import ROWS, BadPart, Batch, Shape, reading, with_made

_GROUP = 1 << 16  # rows of a row group


@contextlib.contextmanager
def _reading(path: str) -> Iterator[None]:
    """Pages that are broken are errors of Arrow, of the system without a number, or of values, which may be texts that
    are no UTF-8 or times that Python has none for."""
    try:
        with reading(path):
            yield
    except (arrow().ArrowException, ValueError, OverflowError) as error:
        raise BadPart(f"{path}: {error}") from error


class ArrowBatch:
    """Rows of Arrow, and the file that they are from."""

    faults: Mapping[int, str] = {}

    def __init__(self, table: Any, path: str):
        self.table, self._path = table, path

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def columns(self, names: Sequence[str]) -> dict[str, list[Any]]:
        with _reading(self._path):
            return {name: self.table.column(name).to_pylist() for name in names if name in self.table.schema.names}

    def rows(self) -> list[dict[str, Any]]:
        with _reading(self._path):
            found: list[dict[str, Any]] = self.table.to_pylist()
        return found


class ParquetReader:
    """Row groups, a thousand rows at once."""

    def __init__(self, path: str, shape: Shape):
        with _reading(path):
            self._file = arrow().parquet.ParquetFile(path)
        self._path = path
        self._rows: int = max(self._file.metadata.num_rows, 1)
        self._read = 0
        self.schema = self._file.schema_arrow
        self.names: Sequence[str] | None = list(self.schema.names)

    def batches(self) -> Iterator[Batch]:
        with _reading(self._path):
            if not self._file.metadata.num_rows:  # so that a file without rows keeps its columns
                yield ArrowBatch(arrow().RecordBatch.from_pylist([], schema=self.schema), self._path)
                self._read = self._rows
            for batch in self._file.iter_batches(batch_size=ROWS):
                self._read += int(batch.num_rows)
                yield ArrowBatch(batch, self._path)

    def share(self) -> float:
        return self._read / self._rows

    def close(self) -> None:
        self._file.close()


def made_schema(schema: Any, shape: Shape) -> Any:
    """What a schema becomes. Raises KeyError for a column that is missing, TypeError where a path does not fit one."""
    types = {"text": arrow().string(), "number": arrow().float64()}
    made = {name: types[kind] for name, kind in shape.kinds.items() if kind in types}
    return with_made_types(schema, {**made_types(schema, shape.outputs), **made}).with_metadata(schema.metadata)


class ParquetWriter:
    """The columns of the input with their types, which rows have from `survey`. Compressed by Zstandard."""

    def __init__(self, path: str, shape: Shape):
        self._arrow = arrow()
        self._path, self._shape, self._schema = path, shape, shape.schema
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._rows = 0

    def write(self, batch: Batch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> None:
        try:
            if isinstance(batch, ArrowBatch):
                table = self._joined(batch, made, kept)
            else:
                rows = list(with_made(batch, made, kept, self._shape.kinds))
                table = self._arrow.Table.from_pylist(rows, schema=self._schema)
        except (self._arrow.ArrowException, ValueError) as error:
            raise BadPart(f"{self._path}: rows of different types: {error}") from error
        self._waiting.append(table)
        self._rows += table.num_rows
        if self._rows >= _GROUP:
            self._flush()

    def _joined(self, batch: ArrowBatch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> Any:
        pa = self._arrow
        if self._schema is None:
            self._schema = made_schema(batch.table.schema, self._shape)
        columns = [pa.array(made[field.name], type=field.type) if field.name in made
                   else batch.table.column(place) for place, field in enumerate(self._schema)]
        table = pa.Table.from_arrays(columns, schema=self._schema)
        return table if len(kept) == len(batch) else table.take(pa.array(list(kept), type=pa.int64()))

    def _flush(self) -> None:
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._path, self._schema, compression="zstd")
        tables = self._waiting or [self._schema.empty_table()]
        self._writer.write_table(self._arrow.concat_tables(tables), row_group_size=_GROUP)
        self._waiting, self._rows = [], 0

    def close(self) -> None:
        if self._waiting or self._writer is None:
            self._flush()
        self._writer.close()
        with open(self._path, "rb+") as file:
            os.fsync(file.fileno())
