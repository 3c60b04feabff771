# SPDX-License-Identifier: Apache-2.0
"""What must be known of a part before it is translated: all columns of its rows, and types for them, where the format
that it becomes has them at its beginning. A part that cannot become it is refused here, and not behind the work."""
from __future__ import annotations

import io
from dataclasses import replace
from typing import Any, Callable, Iterator

from .arrow_types import arrow
from .batch import BadPart, Reader, Shape
from .parquet import ParquetReader, made_schema

_HINT = "which Parquet has no form for; --output-format jsonl has"


def names_of(reader: Reader, shape: Shape) -> list[str]:
    """The columns of a table, and then those that are made."""
    known: dict[str, None] = dict.fromkeys(reader.names or ())
    if reader.names is None:
        for batch in reader.batches():
            for row in batch.rows():
                known.update(dict.fromkeys(row))
    made = [output.spelled for _, output in shape.outputs if not output.is_inside(known)]
    made += [name for name, kind in shape.kinds.items() if kind != "cell"]
    return list(dict.fromkeys([*known, *made]))


def _columns(reader: Reader) -> Iterator[tuple[str, list[Any]]]:
    """Those of each batch."""
    for batch in reader.batches():
        rows = batch.rows()
        for name in dict.fromkeys(key for row in rows for key in row):
            yield name, [row.get(name) for row in rows]


class _Types:
    """Of columns, as far as they are known. Raises BadPart with the name of one that has no type."""

    def __init__(self, path: str, texts: list[str]):
        self._arrow = arrow()
        self._path = path
        self.found: dict[str, Any] = dict.fromkeys(texts, self._arrow.string())
        self.promoted = False
        """Whether a type changed for one that need not have room for all values of both."""

    def array(self, name: str, values: list[Any], kind: Any = None) -> Any:
        try:
            return self._arrow.array(values, type=kind)
        except (self._arrow.ArrowException, ValueError, TypeError, OverflowError) as error:
            raise self._refused(name, error) from error

    def _refused(self, name: str, error: Exception) -> BadPart:
        return BadPart(f"{self._path}: the column {name!r} has values ({error}) {_HINT}")

    def add(self, name: str, values: list[Any]) -> None:
        pa = self._arrow
        before = self.found.get(name, pa.null())
        now = self.array(name, values, before if before == pa.string() else None).type
        try:
            both = pa.unify_schemas([pa.schema([(name, kind)]) for kind in (before, now)],
                                    promote_options="permissive").field(name).type
        except pa.ArrowException as error:
            raise self._refused(name, error) from error
        self.promoted |= any(kind not in (both, pa.null()) for kind in (before, now))
        self.found[name] = both


def _types_of(open_reader: Callable[[], Reader], path: str) -> Any:
    """A schema for rows that have none: in a second pass all values fit in, if that is in doubt after the first."""
    reader = open_reader()
    types = _Types(path, list(reader.names or ()))
    try:
        for name, values in _columns(reader):
            types.add(name, values)
    finally:
        reader.close()
    if types.promoted:
        reader = open_reader()
        try:
            for name, values in _columns(reader):
                types.array(name, values, types.found[name])
        finally:
            reader.close()
    return arrow().schema(list(types.found.items()))


def _schema(found: Any, path: str, shape: Shape) -> Any:
    """What the schema of a part becomes; None where a column of texts is missing, which is said elsewhere."""
    try:
        made = made_schema(found, shape if found.names else replace(shape, outputs=()))
        arrow().parquet.write_table(made.empty_table(), io.BytesIO())
        return made
    except KeyError:
        return None
    except (arrow().ArrowException, TypeError) as error:
        raise BadPart(f"{path}: {error}, {_HINT}") from error


def survey(open_reader: Callable[[], Reader], path: str, made_format: str, shape: Shape) -> Shape:
    """How a part is written. Raises BadPart where it cannot be."""
    if made_format not in ("csv", "tsv", "parquet"):
        return shape
    reader = open_reader()
    try:
        if made_format != "parquet":
            return replace(shape, names=names_of(reader, shape))
        if isinstance(reader, ParquetReader):
            _schema(reader.schema, path, shape)
            return shape
    finally:
        reader.close()
    return replace(shape, schema=_schema(_types_of(open_reader, path), path, shape))
