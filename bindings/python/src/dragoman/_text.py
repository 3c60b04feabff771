# SPDX-License-Identifier: Apache-2.0
"""Texts, tokens and matrices in the library's shape, and back."""
from __future__ import annotations

import bisect
import ctypes
import itertools
import os
import struct
import sys
from array import array
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Sequence, cast

from . import _abi
from .errors import InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_WORD = struct.Struct("NN")


def encode(text: str) -> bytes:
    # A lone surrogate becomes bytes that are not UTF-8, and the library says in which input and where.
    return text.encode("utf-8", "surrogatepass")


def path_bytes(path: Any, what: str = "path") -> bytes | None:
    if path is None:
        return None
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{what}: expected a str or a path, not {type(path).__name__}")
    data = os.fsencode(path)
    if b"\0" in data:
        raise InvalidArgumentError(f"{what}: {path!r} holds a zero byte")
    return data


def check_texts(texts: Any, what: str) -> None:
    """Refuses what Python would go through one by one, but not as texts: the letters of bytes, the keys of a dict, the
    names of a table's columns."""
    table = hasattr(texts, "columns")
    if table or isinstance(texts, (bytes, bytearray, memoryview, Mapping)) or \
            not any(hasattr(texts, name) for name in ("__iter__", "__aiter__", "__getitem__")):
        hint = "; translate_dataframe takes tables" if table else ""
        raise TypeError(f"{what}: expected a str or an iterable of str, not {type(texts).__name__}{hint}")


def as_texts(texts: Any, what: str) -> list[str]:
    """Those of an iterable; a str is one text."""
    if isinstance(texts, str):
        return [texts]
    check_texts(texts, what)
    return cast(List[str], list(texts))


def is_missing(value: object) -> bool:
    """What pandas, NumPy and Arrow have for a cell without a value."""
    numpy = sys.modules.get("numpy")  # without it there is no number of its
    floats = float if numpy is None else (float, numpy.floating)
    return value is None or type(value).__name__ in ("NAType", "NaTType") or isinstance(value, floats) and bool(value != value)


def _not_str(what: str, place: int, value: object) -> TypeError:
    hint = "; translate_series keeps missing values" if is_missing(value) else ""
    return TypeError(f"{what}[{place}]: expected str, not {type(value).__name__} ({value!r}){hint}")


class Strings:
    """An array of dragoman_string, with the bytes it points to."""

    def __init__(self, texts: Iterable[str], what: str, first: int = 0):
        encoded = []
        for place, text in enumerate(texts, first):
            if not isinstance(text, str):
                raise _not_str(what, place, text)
            encoded.append(encode(text))
        self.count = len(encoded)
        self._bytes = ctypes.create_string_buffer(b"".join(encoded), sum(map(len, encoded)) + 1)
        at = ctypes.addressof(self._bytes)
        packed = bytearray()
        for item in encoded:
            packed += _WORD.pack(at, len(item))
            at += len(item)
        self.data = (_abi.String * max(self.count, 1)).from_buffer(packed or bytearray(_WORD.size))


class Sequences:
    """An array of dragoman_tokens, with everything it points to."""

    def __init__(self, sequences: Iterable[Sequence[str]], what: str, first: int = 0):
        lists = []
        if isinstance(sequences, str):
            raise TypeError(f"{what}: expected sequences of tokens, not a str")
        for place, tokens in enumerate(sequences, first):
            if isinstance(tokens, str):
                raise TypeError(f"{what} {place}: expected a sequence of tokens, not a str")
            lists.append(list(tokens))
        self.count = len(lists)
        self._strings = Strings(itertools.chain.from_iterable(lists), what)
        at = ctypes.addressof(self._strings.data)
        packed = bytearray()
        for tokens in lists:
            packed += _WORD.pack(at, len(tokens))
            at += len(tokens) * _WORD.size
        self.data = (_abi.Tokens * max(self.count, 1)).from_buffer(packed or bytearray(_WORD.size))


def read_string(value: _abi.String) -> str:
    return ctypes.string_at(value.data, value.size).decode("utf-8", "replace") if value.size else ""


def read_tokens(value: _abi.Tokens) -> list[str]:
    if not value.count:
        return []
    words = ctypes.string_at(value.data, value.count * _WORD.size)
    return [ctypes.string_at(data, size).decode("utf-8", "replace") for data, size in _WORD.iter_unpack(words)]


def read_ranges(value: _abi.Ranges) -> list[tuple[int, int]]:
    if not value.count:
        return []
    return list(_WORD.iter_unpack(ctypes.string_at(value.data, value.count * _WORD.size)))


def character_spans(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in bytes of UTF-8 as spans in characters."""
    if text.isascii():
        return spans
    data = encode(text)
    places, byte, character = {0: 0}, 0, 0
    for end in sorted({end for span in spans for end in span}):
        character += len(data[byte:end].decode("utf-8", "surrogatepass"))
        byte = end
        places[end] = character
    return [(places[begin], places[end]) for begin, end in spans]


_STRIDE = 64  # characters


class Places:
    """A text, and where bytes of its UTF-8 are among its characters. To find one costs the same in texts of any length."""

    def __init__(self, text: str):
        self.text = text
        self._marks: array[int] | None = None  # the byte that each stride begins with

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """A span in bytes as one in characters."""
        if self.text.isascii():
            return begin, end
        if self._marks is None:
            sizes = (len(encode(self.text[at:at + _STRIDE])) for at in range(0, len(self.text), _STRIDE))
            self._marks = array("Q", itertools.accumulate(sizes, initial=0))
        return self._character(begin, self._marks), self._character(end, self._marks)

    def _character(self, byte: int, marks: array[int]) -> int:
        stride = bisect.bisect_right(marks, byte) - 1
        first = stride * _STRIDE
        before = encode(self.text[first:first + _STRIDE])[:byte - marks[stride]]
        return min(first + len(before.decode("utf-8", "surrogatepass")), len(self.text))


class _Borrowed:
    """Numbers inside a handle, as NumPy's array interface describes them; keeps the handle alive."""

    def __init__(self, address: int, shape: tuple[int, int], owner: object):
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape,
                                    "typestr": "<f4" if sys.byteorder == "little" else ">f4"}


def read_matrix(value: _abi.Matrix, owner: object) -> npt.NDArray[np.float32]:
    """float32, (rows, cols), read-only, without a copy."""
    import numpy as np  # here: it is half of the time that an import takes
    shape = (value.rows, value.cols)
    if not value.rows or not value.cols:
        return np.zeros(shape, dtype=np.float32)
    address = ctypes.cast(value.data, ctypes.c_void_p).value
    assert address is not None
    return np.asarray(_Borrowed(address, shape, owner))
