# SPDX-License-Identifier: Apache-2.0
"""Columns of tables: pandas, Polars and Hugging Face's datasets, none of which is needed here. What comes out are plain
strings; missing cells stay as they are; each different text is translated once."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence

from ._text import is_missing
from .errors import InvalidArgumentError, UnsupportedError

if TYPE_CHECKING:
    from .options import Progress, TranslateOptions
    from .translator import Translator

__all__ = ["ColumnMap"]

#: Translates different texts.
Translate = Callable[["list[str]"], Sequence[str]]


class _Cells:
    """The values of a column, and the different texts among them."""

    def __init__(self, values: Iterable[Any], name: str, labels: Iterable[Any] | None = None):
        self.values = list(values)
        places = list(range(len(self.values)) if labels is None else labels)
        for value, label in zip(self.values, places):
            if isinstance(value, str):
                try:
                    value.encode()
                except UnicodeEncodeError as error:
                    raise InvalidArgumentError(f"{name}[{label!r}]: a lone surrogate at {error.start}") from None
            elif not is_missing(value):
                raise TypeError(f"{name}[{label!r}]: expected str or a missing value, not {type(value).__name__} "
                                f"({value!r})")

    @property
    def texts(self) -> list[str]:
        return [str(value) for value in self.values if isinstance(value, str)]

    def replaced(self, found: Mapping[str, str]) -> list[Any]:
        return [found[value] if isinstance(value, str) else value for value in self.values]


def _translate(columns: Sequence[_Cells], translate: Translate) -> list[list[Any]]:
    texts = list(dict.fromkeys(text for cells in columns for text in cells.texts))
    found = dict(zip(texts, map(str, translate(texts)))) if texts else {}
    return [cells.replaced(found) for cells in columns]


def _cells(series: Any, name: str | None = None) -> _Cells:
    given = getattr(series, "name", None)
    name = name or (str(given) if given is not None else "series")
    labels = getattr(series, "index", None)
    return _Cells(series, name, None if labels is None or callable(labels) else labels)


def _like(series: Any, values: list[Any]) -> Any:
    """A column of the kind of `series`."""
    if callable(getattr(series, "index", 0)) or not hasattr(series, "dtype"):  # a list
        return values
    if hasattr(series, "index"):  # of pandas
        text = series.dtype == object or str(series.dtype).startswith("str")
        return type(series)(values, index=series.index, name=series.name, dtype=series.dtype if text else None)
    if hasattr(series, "to_frame"):  # of Polars
        return type(series)(series.name, values)
    import numpy as np
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def translate_series(series: Any, translate: Translate) -> Any:
    if isinstance(series, (str, bytes, Mapping)) or hasattr(series, "columns") or not hasattr(series, "__iter__"):
        raise TypeError(f"series: expected a column or a list of texts, not {type(series).__name__}")
    return _like(series, _translate([_cells(series)], translate)[0])


def translate_dataframe(frame: Any, columns: str | Iterable[str] | Mapping[str, str], translate: Translate) -> Any:
    if not hasattr(frame, "assign") and not hasattr(frame, "with_columns"):
        raise TypeError(f"frame: expected a data frame of pandas or Polars, not {type(frame).__name__}")
    names = _names(columns)
    for name in names:
        if name not in frame.columns:
            raise InvalidArgumentError(f"columns: there is no {name!r}; the frame has "
                                       f"{', '.join(map(repr, frame.columns))}")
    found = _translate([_cells(frame[name], str(name)) for name in names], translate)
    made = {into: _like(frame[name], values) for (name, into), values in zip(names.items(), found)}
    if hasattr(frame, "assign"):  # of pandas, whose names may be no strings
        frame = frame.copy()
        for name, series in made.items():
            frame[name] = series
        return frame
    return frame.with_columns(*[series.rename(name) for name, series in made.items()])


def _names(columns: str | Iterable[str] | Mapping[str, str]) -> dict[str, str]:
    if isinstance(columns, Mapping):
        return dict(columns)
    return {name: name for name in ([columns] if isinstance(columns, str) else columns)}


_made = _forked = False


def _note_fork() -> None:
    global _forked
    _forked = _made  # a translator was at work


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


class ColumnMap:
    """A function for `map` of Hugging Face's datasets, also with `batched=True`, and for any dict of a row or of columns:
    it returns the columns that it makes. Where it is unpickled, in a process that was spawned, it loads the model that its
    path names. A process that was forked cannot use the device of its parent, so leave `num_proc` out."""

    def __init__(self, translator: Translator | None, columns: str | Iterable[str] | Mapping[str, str],
                 options: TranslateOptions, model: str | None):
        global _made
        _made = _made or translator is not None
        self._translator = translator
        self._columns, self._options, self._model = _names(columns), options, model

    def __call__(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        for name in self._columns:
            if name not in rows:
                raise InvalidArgumentError(f"columns: there is no {name!r}; the rows have {', '.join(map(repr, rows))}")
        batched = [isinstance(rows[name], list) or hasattr(rows[name], "to_pylist") for name in self._columns]
        columns = [_Cells(rows[name] if many else [rows[name]], name) for name, many in zip(self._columns, batched)]
        found = _translate(columns, self._run)
        return {into: values if many else values[0] for into, values, many in zip(self._columns.values(), found, batched)}

    def _run(self, texts: list[str]) -> Sequence[str]:
        if _forked:
            raise UnsupportedError("this process was forked and cannot use the device of its parent; leave num_proc out, "
                                   "as one process keeps the device busy")
        if self._translator is None:
            from ._default import default_translator
            self._translator = default_translator(self._model)
        return self._translator.translate(texts, options=self._options)

    def __reduce__(self) -> Any:
        if self._model is None:
            raise TypeError("a ColumnMap of a model that was not loaded from a path cannot be pickled")
        return ColumnMap, (None, self._columns, self._options, self._model)

    def __repr__(self) -> str:
        return f"<ColumnMap {self._columns}>"
