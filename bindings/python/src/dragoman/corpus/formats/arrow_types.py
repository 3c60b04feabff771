# SPDX-License-Identifier: Apache-2.0
"""Types of Arrow that columns have once a stage has made its own."""
from __future__ import annotations

import importlib
from typing import Any, Iterable, Sequence

from ..paths import STAR, Output


def arrow() -> Any:
    """pyarrow, with its module for Parquet."""
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError:
        raise ImportError("Parquet needs the package pyarrow: pip install pyarrow") from None


def _listed(steps: Sequence[str], leaf: Any) -> Any:
    """A list for each star."""
    for step in steps:
        leaf = arrow().list_(leaf) if step == STAR else leaf
    return leaf


def _with_field(kind: Any, steps: Sequence[str], name: str, leaf: Any) -> Any:
    """A type with a field beside the one that the path leads to, or in its place."""
    pa = arrow()
    if not steps:
        return leaf
    if pa.types.is_null(kind):  # all values are missing
        return kind
    if steps[0] == STAR:
        if not (pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)):
            raise TypeError(f"columns: expected a list for *, not {kind}")
        inner = _with_field(kind.value_type, steps[1:], name, leaf)
        return pa.large_list(inner) if pa.types.is_large_list(kind) else pa.list_(inner)
    if not pa.types.is_struct(kind):
        raise TypeError(f"columns: expected an object with {steps[0]!r}, not {kind}")
    fields = {kind.field(place).name: kind.field(place).type for place in range(kind.num_fields)}
    if len(steps) == 1:
        fields[name] = leaf
    elif steps[0] in fields:
        fields[steps[0]] = _with_field(fields[steps[0]], steps[1:], name, leaf)
    return pa.struct(list(fields.items()))


def made_types(schema: Any, outputs: Iterable[tuple[str, Output]]) -> dict[str, Any]:
    """The columns that outputs of "text" or "number" make or change. Raises KeyError for a column that is missing,
    TypeError where a path does not fit a column."""
    pa = arrow()
    there = dict.fromkeys(schema.names)
    found: dict[str, Any] = {}
    for kind, output in outputs:
        steps = output.path.resolved(there)
        leaf = pa.float64() if kind == "number" else pa.string()
        if output.is_inside(there):
            before = found.get(steps[0], schema.field(steps[0]).type)
            found[steps[0]] = _with_field(before, steps[1:], output.key, leaf)
        else:
            found[output.spelled] = _listed(steps[1:], leaf)
    return found


def with_made_types(schema: Any, made: dict[str, Any]) -> Any:
    """A schema with the types of columns that were made: those that it has in their places, the others behind them."""
    pa = arrow()
    left = dict(made)
    kept = [pa.field(field.name, left.pop(field.name)) if field.name in left else field for field in schema]
    return pa.schema(kept + [pa.field(name, kind) for name, kind in left.items()])
