# SPDX-License-Identifier: Apache-2.0
"""JSON Lines: an object in each line."""
from __future__ import annotations

import contextlib
import json
from typing import Any, Iterator, Mapping, Sequence

from .batch import ROWS, BadPart, Batch, RowBatch, Shape, with_made
from .compression import Input, Output

#: Where the text of a line goes that is no object.
INVALID = "invalid_line"


class JsonLinesReader:
    """Lines that are blank are no rows; one that is no object is a row with a fault, and stays as it is. A file that is
    an array is a BadPart, though some of its lines may be objects."""

    names: Sequence[str] | None = None

    def __init__(self, path: str, shape: Shape):
        self._input = Input(path)
        self.share, self.close = self._input.share, self._input.close

    def batches(self) -> Iterator[Batch]:
        batch, first = RowBatch([]), True
        for number, line in enumerate(self._input.lines(), 1):
            text = line.decode("utf-8", "surrogateescape")
            if number == 1:
                text = text.removeprefix("\ufeff")
            if not text.strip():
                continue
            if first and text.lstrip().startswith("["):
                raise BadPart(f"{self._input.path}: it begins with an array; JSON Lines have one object in each line")
            first = False
            try:
                row = json.loads(text)
                if not isinstance(row, dict):
                    raise ValueError(f"expected an object, not {type(row).__name__}")
            except (ValueError, RecursionError) as error:
                batch.faults[len(batch.found)] = f"invalid_argument: line {number}: {error}"
                row = {INVALID: text.rstrip("\r\n")}
            batch.found.append(row)
            if len(batch) == ROWS:
                yield batch
                batch = RowBatch([])
        if batch.found:
            yield batch


def rows_naming(path: str, names: Sequence[str]) -> Iterator[RowBatch]:
    """The rows that may have a key of these, found without reading the others as JSON."""
    spelled = {json.dumps(name, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
               for name in names for ascii_only in (True, False)}
    file = Input(path)
    try:
        for line in file.lines():
            if not any(name in line for name in spelled):
                continue
            with contextlib.suppress(ValueError, RecursionError):  # a row with a fault, which is said elsewhere
                row = json.loads(line.decode("utf-8-sig", "surrogateescape"))
                if isinstance(row, dict):
                    yield RowBatch([row])
    finally:
        file.close()


def _plain(value: object) -> Any:
    """What JSON has no form for, which rows of other formats may hold."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)


class JsonLinesWriter:
    """An object in each line, its characters as UTF-8."""

    def __init__(self, path: str, shape: Shape):
        self._output, self._kinds = Output(path, shape.compression), shape.kinds
        self.close = self._output.close

    def write(self, batch: Batch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> None:
        for row in with_made(batch, made, kept, self._kinds):
            line = json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=_plain)
            try:
                data = line.encode()
            except UnicodeEncodeError:  # a lone surrogate, which JSON can only spell
                data = json.dumps(row, separators=(",", ":"), default=_plain).encode()
            self._output.stream.write(data + b"\n")
