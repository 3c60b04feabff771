# SPDX-License-Identifier: Apache-2.0
"""Parquet, by pyarrow. What is read keeps its types; columns that are made are added."""
from __future__ import annotations

import contextlib
import importlib
import os
from typing import Any, Iterator, Mapping, Sequence

from .batch import ROWS, BadPart, Batch, Shape, reading, with_made

_GROUP = 1 << 16  # rows of a row group


def _arrow() -> Any:
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError:
        raise ImportError("Parquet needs the package pyarrow: pip install pyarrow") from None


@contextlib.contextmanager
def _reading(path: str) -> Iterator[None]:
    """Pages that are broken are errors of Arrow, of the system without a number, or of texts."""
    try:
        with reading(path):
            yield
    except (_arrow().ArrowException, UnicodeDecodeError) as error:
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
        arrow = _arrow()
        with _reading(path):
            self._file = arrow.parquet.ParquetFile(path)
        self._arrow, self._path = arrow, path
        self._rows: int = max(self._file.metadata.num_rows, 1)
        self._read = 0
        self.names: Sequence[str] | None = list(self._file.schema_arrow.names)

    def batches(self) -> Iterator[Batch]:
        with _reading(self._path):
            if not self._file.metadata.num_rows:  # so that a file without rows keeps its columns
                yield ArrowBatch(self._arrow.RecordBatch.from_pylist([], schema=self._file.schema_arrow), self._path)
                self._read = self._rows
            for batch in self._file.iter_batches(batch_size=ROWS):
                self._read += int(batch.num_rows)
                yield ArrowBatch(batch, self._path)

    def share(self) -> float:
        return self._read / self._rows

    def close(self) -> None:
        self._file.close()


class ParquetWriter:
    """The columns of the first batch, whose types the others must have. Compressed by Zstandard."""

    def __init__(self, path: str, shape: Shape):
        self._arrow = _arrow()
        self._path = path
        self._types = {"text": self._arrow.string(), "number": self._arrow.float64()}
        self._kinds = shape.kinds
        self._writer: Any = None
        self._schema: Any = None
        self._waiting: list[Any] = []
        self._rows = 0

    def write(self, batch: Batch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> None:
        arrow = self._arrow
        try:
            if isinstance(batch, ArrowBatch):
                table = self._joined(batch, made, kept)
            else:
                table = arrow.Table.from_pylist(list(with_made(batch, made, kept, self._kinds)))
                table = self._typed(table)
            if self._schema is None:
                self._schema = table.schema
            self._waiting.append(table.cast(self._schema))
        except (arrow.ArrowException, ValueError) as error:
            raise BadPart(f"{self._path}: rows of different types: {error}") from error
        self._rows += table.num_rows
        if self._rows >= _GROUP:
            self._flush()

    def _joined(self, batch: ArrowBatch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> Any:
        table = self._arrow.Table.from_batches([batch.table])
        for name, values in made.items():
            kind = self._types.get(self._kinds.get(name, "any"))
            if kind is None and self._schema is not None and name in self._schema.names:
                kind = self._schema.field(name).type
            column = self._arrow.array(values, type=kind)
            at = table.schema.get_field_index(name)
            table = table.append_column(name, column) if at < 0 else table.set_column(at, name, column)
        return table if len(kept) == len(batch) else table.take(self._arrow.array(list(kept), type=self._arrow.int64()))

    def _typed(self, table: Any) -> Any:
        """Columns that were made have their types even where all values are missing."""
        fields = [field.with_type(self._types.get(self._kinds.get(field.name, "any"), field.type))
                  for field in table.schema]
        return table.cast(self._arrow.schema(fields))

    def _flush(self) -> None:
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._path, self._schema, compression="zstd")
        self._writer.write_table(self._arrow.concat_tables(self._waiting), row_group_size=_GROUP)
        self._waiting, self._rows = [], 0

    def close(self) -> None:
        if self._schema is None:
            raise BadPart(f"{self._path}: no rows, and so no columns")
        if self._waiting or self._writer is None:
            self._flush()
        self._writer.close()
        with open(self._path, "rb+") as file:
            os.fsync(file.fileno())
