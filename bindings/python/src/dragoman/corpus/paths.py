# SPDX-License-Identifier: Apache-2.0
"""Where texts lie in rows: `text`, `meta.title`, `messages.*.content`, `lines.*`."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, Sequence

STAR = "*"


def is_list(value: object) -> bool:
    """Arrays of NumPy and Arrow come as lists of rows do."""
    return not isinstance(value, (str, bytes, Mapping)) and hasattr(value, "__len__") and hasattr(value, "__iter__")


class ColumnPath:
    """A column, or a place inside its cells: keys of objects, and `*` for all elements of a list. A column whose name
    has dots is meant before a path is."""

    def __init__(self, spelled: str):
        self.spelled = spelled
        self.steps = tuple(spelled.split("."))
        if not all(self.steps) or self.steps[0] == STAR:
            raise ValueError(f"columns: {spelled!r} is no path; expected a column, or keys and * with dots between, "
                             "such as messages.*.content")

    def resolved(self, columns: Mapping[str, Any]) -> tuple[str, ...]:
        """The column and the steps inside it. Raises KeyError with what there is."""
        if self.spelled in columns:
            return (self.spelled,)
        if self.steps[0] in columns:
            return self.steps
        raise KeyError(f"there is no column {self.spelled!r}; the rows have "
                       f"{', '.join(map(repr, columns)) or 'none'}")


def leaves(value: Any, steps: tuple[str, ...]) -> Iterator[Any]:
    """The values that the rest of a path leads to, in order; None where a key or an object is missing."""
    if not steps:
        yield value
    elif steps[0] == STAR:
        if value is not None:
            if not is_list(value):
                raise TypeError(f"expected a list for *, not {type(value).__name__}")
            for element in value:
                yield from leaves(element, steps[1:])
    elif value is None:
        yield None
    elif isinstance(value, Mapping):
        yield from leaves(value.get(steps[0]), steps[1:])
    else:
        raise TypeError(f"expected an object with {steps[0]!r}, not {type(value).__name__}")


def nested(value: Any, steps: tuple[str, ...], found: Iterator[Any]) -> Any:
    """Values for the leaves, in lists as deep as the path has stars."""
    if not steps:
        return next(found)
    if steps[0] == STAR:
        return None if value is None else [nested(element, steps[1:], found) for element in value]
    return next(found) if value is None else nested(value.get(steps[0]), steps[1:], found)


def with_sibling(value: Any, steps: tuple[str, ...], key: str, found: Iterator[Any]) -> Any:
    """A copy of a cell with `key` beside each leaf; with the leaf's own key in its place. Where the path ends in a
    list, its elements are replaced."""
    if not steps:
        return next(found)
    if steps[0] == STAR:
        return None if value is None else [with_sibling(element, steps[1:], key, found) for element in value]
    if value is None:
        next(found)
        return None
    copy = dict(value)
    if len(steps) == 1:
        copy[key] = next(found)
    else:
        copy[steps[0]] = with_sibling(value.get(steps[0]), steps[1:], key, found)
    return copy


class Output:
    """Where the values of one kind go for one path: a column of their own, or beside the texts inside their cells."""

    def __init__(self, path: ColumnPath, spelled: str):
        self.path, self.spelled = path, spelled
        steps = tuple(spelled.split("."))
        self.inside = len(path.steps) > 1 and len(steps) == len(path.steps) and steps[:-1] == path.steps[:-1]
        self.key = steps[-1]
        if STAR in steps and not self.inside:
            raise ValueError(f"outputs: {spelled!r} is not beside {path.spelled!r}; expected "
                             f"{'.'.join((*path.steps[:-1], 'NAME'))}, or a column")

    def is_inside(self, columns: Mapping[str, Any]) -> bool:
        """Whether the values go into cells, and not into a column of their own."""
        return self.inside and self.path.spelled not in columns

    def place(self, columns: dict[str, list[Any]], rows: Sequence[list[Any] | None]) -> None:
        """Puts in each row's values for the leaves of its path; None where a cell has not the path's shape."""
        if not rows:
            columns.setdefault(self.path.steps[0] if self.inside else self.spelled, [])
            return
        steps = self.path.resolved(columns)
        inside = self.is_inside(columns)
        made = []
        for value, values in zip(columns[steps[0]], rows):
            if values is None:
                made.append(value if inside else None)
            elif inside:
                made.append(with_sibling(value, steps[1:], self.key, iter(values)))
            else:
                made.append(nested(value, steps[1:], iter(values)))
        columns[steps[0] if inside else self.spelled] = made
