# SPDX-License-Identifier: Apache-2.0
"""Texts, tokens and matrices in the library's shape, and back."""
from __future__ import annotations

import ctypes
import itertools
import os
import struct
from typing import Any, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from . import _abi
from .errors import InvalidArgumentError

_WORD = struct.Struct("NN")


def encode(text: str) -> bytes:
    # A lone surrogate becomes bytes that are not UTF-8, and the library says in which input and where.
    return text.encode("utf-8", "surrogatepass")


def path_bytes(path: Any) -> bytes | None:
    if path is None:
        return None
    data = os.fsencode(path)
    if b"\0" in data:
        raise InvalidArgumentError(f"path: {path!r} holds a zero byte")
    return data


class Strings:
    """An array of dragoman_string, with the bytes it points to."""

    def __init__(self, texts: Iterable[str], what: str):
        encoded = []
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f"{what}: expected str, not {type(text).__name__}")
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

    def __init__(self, sequences: Iterable[Sequence[str]], what: str):
        lists = []
        for place, tokens in enumerate(sequences):
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


class _Borrowed:
    """Numbers inside a handle, as NumPy's array interface describes them; keeps the handle alive."""

    def __init__(self, address: int, shape: tuple[int, int], owner: object):
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape,
                                    "typestr": np.dtype(np.float32).str}


def read_matrix(value: _abi.Matrix, owner: object) -> npt.NDArray[np.float32]:
    """float32, (rows, cols), read-only, without a copy."""
    shape = (value.rows, value.cols)
    if not value.rows or not value.cols:
        return np.zeros(shape, dtype=np.float32)
    address = ctypes.cast(value.data, ctypes.c_void_p).value
    assert address is not None
    return np.asarray(_Borrowed(address, shape, owner))
