# SPDX-License-Identifier: Apache-2.0
"""Vectors of texts, from the encoder of a model."""
from __future__ import annotations

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from . import _abi
from ._library import Handle, lib, read, unless_raised
from ._text import Strings, character_spans, read_matrix, read_ranges, read_tokens
from .options import Progress, Watched, defaults, fill
from .text import TokenList

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["PoolingName", "TokenVectors"]

PoolingName = Literal["model", "mean", "cls", "pooler"]


class TokenVectors:
    """The tokens that an encoder read, and a vector for each of them."""

    def __init__(self, handle: Handle, place: int, text: str):
        self._handle, self._place, self._text = handle, place, text

    @cached_property
    def tokens(self) -> TokenList:
        """With those around the text; `ranges` says which characters each stands for."""
        ranges = read_ranges(read(self._handle, _abi.Ranges(), lib.dragoman_vectors_ranges, self._place))
        return TokenList(read_tokens(read(self._handle, _abi.Tokens(), lib.dragoman_vectors_tokens, self._place)),
                         character_spans(self._text, ranges))

    @property
    def vectors(self) -> npt.NDArray[np.float32]:
        """float32, (tokens, width), read-only."""
        return read_matrix(read(self._handle, _abi.Matrix(), lib.dragoman_vectors_get, self._place), self._handle)

    def __repr__(self) -> str:
        return f"<TokenVectors of {' '.join(self.tokens)!r}>"


def embed(model: Handle, texts: list[str], normalize: bool | None, progress: Progress | None,
          **values: Any) -> Handle:
    given = Strings(texts, "texts")
    watched = Watched(progress)
    options = defaults(_abi.EmbedOptions)
    fill(options, {**values, "normalize": {None: "model", False: "off", True: "on"}[normalize]})
    options.progress = watched.callback
    vectors = ctypes.c_void_p()
    with model as pointer, watched, unless_raised(vectors, lib.dragoman_vectors_destroy):
        watched.check(lib.dragoman_embed_texts(pointer, given.data, given.count, ctypes.byref(options),
                                               ctypes.byref(vectors)))
    assert vectors.value is not None
    return Handle(vectors.value, lib.dragoman_vectors_destroy, "vectors")


def matrix(vectors: Handle) -> npt.NDArray[np.float32]:
    return read_matrix(read(vectors, _abi.Matrix(), lib.dragoman_vectors_all), vectors)
