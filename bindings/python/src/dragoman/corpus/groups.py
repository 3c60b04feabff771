# SPDX-License-Identifier: Apache-2.0
"""Rows of a part in groups, each of which is one call of the translator."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping, Sequence

from .formats.batch import BadPart, Batch, Reader


@dataclass(frozen=True)
class Group:
    """Rows that follow each other."""

    first: int
    columns: dict[str, list[Any]]
    faults: dict[int, str]
    """By their places in the group."""
    alone: bool
    """No other goes to work with it."""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))


def _characters(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        return sum(map(_characters, value.values()))
    return sum(map(_characters, value)) if isinstance(value, (list, tuple)) else 0


def input_columns(batch: Batch, names: Sequence[str], required: Sequence[Sequence[str]]) -> dict[str, list[Any]]:
    """Columns of a batch. One that its rows do not have has missing values only."""
    found = batch.columns(names)
    for wanted in required:
        if not any(name in found for name in wanted):
            found[wanted[-1]] = [None] * len(batch)
    return found


def check_columns(reader: Reader, first: Batch | None, required: Sequence[Sequence[str]], path: str,
                  naming: Callable[[Sequence[str]], Iterator[Batch]]) -> None:
    """Raises BadPart where none of the first rows can be read, and where a column is nowhere: it may be misspelled. Where
    rows have columns of their own, one that the first of them lack is looked for in the others, which `naming` finds."""
    known = reader.names
    if first is not None and len(first) and len(first.faults) == len(first):
        hint = "; JSON Lines have one object in each line" if known is None else ""
        raise BadPart(f"{path}: none of its first {len(first)} rows can be read: {first.faults[0]}{hint}")
    if known is None and first is not None:
        known = list(dict.fromkeys(key for row in first.rows() for key in row))
    for wanted in required:
        if known is None or any(name in known for name in wanted):
            continue
        if reader.names is None and any(batch.columns(wanted) for batch in naming(wanted)):
            continue
        rows = "it has" if reader.names is not None else f"its first {len(first or ())} rows have"
        raise BadPart(f"{path}: there is no column {wanted[0]!r}; {rows} {', '.join(map(repr, known)) or 'none'}")


def groups(batches: Iterator[Batch], columns: Callable[[Batch], dict[str, list[Any]]], done: int,
           suspect: Callable[[int], int], rows: int, characters: int) -> Iterator[Group]:
    """Those from the row `done` on. A group is not of two batches, so that rows at work are found again."""
    base = 0
    for batch in batches:
        if base + len(batch) <= done:
            base += len(batch)
            continue
        cells = columns(batch)
        at = max(done - base, 0)
        while at < len(batch):
            alone = suspect(base + at)
            end = min(at + alone, len(batch)) if alone else _end(cells, at, min(at + rows, len(batch)), characters)
            found = {name: values[at:end] for name, values in cells.items()}
            faults = {place - at: fault for place, fault in batch.faults.items() if at <= place < end}
            yield Group(base + at, found, faults, alone > 0)
            at = end
        base += len(batch)


def _end(cells: Mapping[str, list[Any]], begin: int, most: int, characters: int) -> int:
    held = 0
    for row in range(begin, most):
        held += sum(_characters(values[row]) for values in cells.values())
        if held > characters:
            return max(row, begin + 1)
    return most
