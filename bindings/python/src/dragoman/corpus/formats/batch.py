# SPDX-License-Identifier: Apache-2.0
"""What readers give and writers take."""
from __future__ import annotations

import contextlib
import errno
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Protocol, Sequence

from ..paths import Output

#: Rows that readers give at once.
ROWS = 1024


class BadPart(Exception):
    """A file that cannot be read as what it should be. The others can."""


@contextlib.contextmanager
def reading(path: str) -> Iterator[None]:
    """Where a file of the input is read and nothing is written: what fails is that file, which other parts do not need.
    Inside a generator only its own errors count."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise BadPart(f"{path}: {error.strerror or error}") from error


@dataclass(frozen=True)
class Shape:
    """How files are read and written, as far as their formats leave it open."""

    text_column: str = "text"
    """Of lines, and of the segments of TMX."""
    header: bool = True
    """Of CSV and TSV; without one columns are "0", "1" and so on."""
    delimiter: str = ","
    """Of CSV and TSV; set by `reader` and `writer`."""
    compression: str = ""
    """Of a file that is written: ".gz", ".zst" or none; of one that is read the end of its name counts."""
    source_language: str | None = None
    """Of segments of TMX; None: what its header says."""
    target_language: str | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Of columns that are made: "text", "number" or "any"; "cell": a column of the input with texts in its cells."""
    outputs: Sequence[tuple[str, Output]] = ()
    """Where the columns of texts come from: "text" or "number", and the path."""
    names: Sequence[str] = ()
    """All columns of the rows that are written as CSV and TSV, found by `survey`."""
    schema: Any = None
    """Of rows without types that are written as Parquet, found by `survey`."""


class Batch(Protocol):
    """Some rows of a part."""

    @property
    def faults(self) -> Mapping[int, str]:
        """Rows that could not be read, and why."""

    def __len__(self) -> int: ...

    def columns(self, names: Sequence[str]) -> dict[str, list[Any]]:
        """Those of these columns that the rows have."""

    def rows(self) -> list[dict[str, Any]]:
        """The rows as objects."""


@dataclass
class RowBatch:
    """Rows that are objects. Not all need have the same columns."""

    found: list[dict[str, Any]]
    faults: dict[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.found)

    def columns(self, names: Sequence[str]) -> dict[str, list[Any]]:
        known = {key for row in self.found for key in row}
        return {name: [row.get(name) for row in self.found] for name in names if name in known}

    def rows(self) -> list[dict[str, Any]]:
        return self.found


def with_made(batch: Batch, made: Mapping[str, list[Any]], kept: Sequence[int],
              kinds: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The rows that are kept, with the columns that were made. A row without a column of the input stays without it."""
    rows = batch.rows()
    for place in kept:
        row = dict(rows[place])
        for name, values in made.items():
            if name in row or values[place] is not None or kinds.get(name) != "cell":
                row[name] = values[place]
        yield row


class Reader(Protocol):
    """A part that is read from its beginning."""

    names: Sequence[str] | None
    """Its columns; None where each row has its own."""

    def batches(self) -> Iterator[Batch]:
        """All rows. Raises BadPart."""

    def share(self) -> float:
        """How much of the part has been read, 0 to 1."""

    def close(self) -> None: ...


class Writer(Protocol):
    """A part that is made."""

    def write(self, batch: Batch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> None:
        """Adds the rows of a batch that are kept, with the columns that were made of it."""

    def close(self) -> None:
        """Writes the rest, to the disk."""
