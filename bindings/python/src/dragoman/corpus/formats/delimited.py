# SPDX-License-Identifier: Apache-2.0
"""CSV (RFC 4180), whose fields may be quoted and then hold line breaks, and TSV, whose fields are not."""
from __future__ import annotations

import csv
import json
import re
import sys
from typing import Any, Callable, Iterator, Mapping, Sequence, cast

from .batch import ROWS, BadPart, Batch, RowBatch, Shape, with_made
from .compression import Input, Output
from .tabbed import TabbedRows, tabbed_line


class DelimitedReader:
    """Rows as text. A row with more or fewer fields than the header is one with a fault: what is missing is empty, what
    is too much is left out."""

    def __init__(self, path: str, shape: Shape):
        csv.field_size_limit(sys.maxsize)  # texts of any length
        self._input = Input(path)
        self.share, self.close = self._input.share, self._input.close
        lines = (line.decode("utf-8-sig" if number == 0 else "utf-8", "surrogateescape")
                 for number, line in enumerate(self._input.lines()))
        self._rows = TabbedRows(lines) if shape.delimiter == "\t" else csv.reader(lines, strict=True)
        self._path = path
        self._first = self._next()
        header = self._first or []
        self.names: Sequence[str] | None = header if shape.header else [str(place) for place in range(len(header))]
        if len(set(self.names)) < len(self.names):
            raise BadPart(f"{path}: two columns have one name: {', '.join(self.names)}")
        if shape.header:
            self._first = None

    def _next(self) -> list[str] | None:
        """Blank lines are no rows."""
        try:
            return next((row for row in self._rows if row), None)
        except csv.Error as error:
            raise BadPart(f"{self._path}: line {self._rows.line_num}: {error}") from error

    def batches(self) -> Iterator[Batch]:
        names = list(self.names or ())
        batch = RowBatch([])
        row, self._first = self._first or self._next(), None
        while row is not None:
            if len(row) != len(names):
                batch.faults[len(batch)] = (f"invalid_argument: line {self._rows.line_num}: {len(row)} fields, "
                                            f"expected {len(names)}")
            batch.found.append(dict(zip(names, [*row[:len(names)], *[""] * (len(names) - len(row))])))
            if len(batch) == ROWS:
                yield batch
                batch = RowBatch([])
            row = self._next()
        if batch.found:
            yield batch


def _field(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


#: Of surrogate pairs, which JSON can spell and UTF-8 cannot; without those that stand for bytes that are no UTF-8.
_HALVES = re.compile("[\ud800-\udc7f\udd00-\udfff]")


class _Lines:
    """A file for csv.writer, which gives each row in one call, and returns what that returns."""

    @staticmethod
    def write(line: str) -> str:
        return line.removesuffix("\r\n") + "\n"


#: Fields that hold LF or CR, which readers take for a line's end as well, are quoted.
_csv_line: Callable[[Sequence[str]], str] = csv.writer(cast(Any, _Lines), lineterminator="\r\n").writerow


class DelimitedWriter:
    """Rows with the columns that `survey` found. Missing values are empty fields, lists and objects JSON."""

    def __init__(self, path: str, shape: Shape):
        self._output = Output(path, shape.compression)
        self._kinds, self._names = shape.kinds, shape.names
        self._line = tabbed_line if shape.delimiter == "\t" else _csv_line
        if shape.header and self._names:
            self._put([self._line(self._names)])

    def write(self, batch: Batch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> None:
        self._put([self._line([_field(row.get(name)) for name in self._names])
                   for row in with_made(batch, made, kept, self._kinds)])

    def _put(self, lines: Sequence[str]) -> None:
        text = "".join(lines)
        try:
            data = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            data = _HALVES.sub("\ufffd", text).encode("utf-8", "surrogateescape")
        self._output.stream.write(data)

    def close(self) -> None:
        self._output.close()
