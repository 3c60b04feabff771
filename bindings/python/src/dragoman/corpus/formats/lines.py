# SPDX-License-Identifier: Apache-2.0
"""Plain text, a row in each line, as `dragoman translate` reads and writes it."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, Sequence

from .batch import ROWS, Batch, RowBatch, Shape
from .compression import Input, Output


class LinesReader:
    """Every line is a row, blank ones as well. CR at a line's end goes with LF."""

    def __init__(self, path: str, shape: Shape):
        self._input = Input(path)
        self._column = shape.text_column
        self.names: Sequence[str] | None = [shape.text_column]
        self.share, self.close = self._input.share, self._input.close

    def batches(self) -> Iterator[Batch]:
        batch = RowBatch([])
        for line in self._input.lines():
            text = line.removesuffix(b"\n").removesuffix(b"\r")
            batch.found.append({self._column: text.decode("utf-8", "surrogateescape")})
            if len(batch) == ROWS:
                yield batch
                batch = RowBatch([])
        if batch.found:
            yield batch


class LinesWriter:
    """The one column that was made, which is the translation; an empty line where there is none. A line break inside a
    translation is a space."""

    def __init__(self, path: str, shape: Shape):
        self._output = Output(path, shape.compression)
        self.close = self._output.close
        self._column = next(iter(shape.kinds), "translation")

    def write(self, batch: Batch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> None:
        for place in kept:
            text = made[self._column][place]
            line = "" if text is None else " ".join(str(text).split("\n"))
            self._output.stream.write(line.encode("utf-8", "surrogateescape") + b"\n")
