# SPDX-License-Identifier: Apache-2.0
"""Sentences and tokens of texts."""
from __future__ import annotations

import ctypes
from typing import Any, Iterable, List, Literal, Sequence

from . import _abi
from ._library import Handle, check, create, lib
from ._text import Sequences, Strings, as_texts, character_spans, read_ranges, read_string, read_tokens
from .errors import InvalidArgumentError
from .options import c_text

__all__ = ["TokenList", "split_sentences"]

SideName = Literal["source", "target"]


def split_sentences(text: str, *, language: str | None = None, join_lines: bool = False) -> list[tuple[int, int]]:
    """Finds the sentences of a text, as `Translator.translate` does: (begin, end) in characters, so that
    `text[begin:end]` is one, without the white space and list bullets between them. Needs no model.

    language: of the text, such as "de"; None: unknown.
    join_lines: a line break is a space and a blank line ends a paragraph; else every line break ends a sentence.
    """
    given = Strings([text], "text")
    name = c_text("language", language) if language else None
    pointer = create(lib.dragoman_split_sentences, given.data, name, int(join_lines))
    owner = Handle(pointer, lib.dragoman_range_list_destroy, "list")
    with owner as ranges:
        data = lib.dragoman_range_list_data(ranges)
        spans = [(data[place].begin, data[place].end) for place in range(lib.dragoman_range_list_count(ranges))]
    return character_spans(text, spans)


def _side(name: str) -> int:
    if name.upper() not in _abi.Side.__members__:
        raise InvalidArgumentError(f"side is {name!r}: expected 'source' or 'target'")
    return _abi.Side[name.upper()]


class TokenList(List[str]):
    """The tokens of a text, and for each of them (begin, end) in characters: `text[begin:end]` is what it stands for.

    Ranges are in order and cover every character that is not white space."""

    def __init__(self, tokens: Iterable[str], ranges: list[tuple[int, int]]):
        super().__init__(tokens)
        self.ranges = ranges


def tokenize(model: Handle, texts: Iterable[str], side: str) -> list[TokenList]:
    texts = as_texts(texts, "texts")
    given = Strings(texts, "texts")
    found = []
    with model as pointer:
        lists = create(lib.dragoman_tokenize, pointer, _side(side), given.data, given.count)
    owner = Handle(lists, lib.dragoman_token_lists_destroy, "list")
    with owner as pointer:
        for place, text in enumerate(texts):
            tokens, ranges = _abi.Tokens(), _abi.Ranges()
            check(lib.dragoman_token_lists_get(pointer, place, ctypes.byref(tokens)))
            check(lib.dragoman_token_lists_ranges(pointer, place, ctypes.byref(ranges)))
            found.append(TokenList(read_tokens(tokens), character_spans(text, read_ranges(ranges))))
    return found


def has_token(model: Handle, token: str, side: str) -> bool:
    known = ctypes.c_int32()
    with model as pointer:
        check(lib.dragoman_model_has_token(pointer, _side(side), c_text("token", token), ctypes.byref(known)))
    return bool(known.value)


def detokenize(model: Handle, sequences: Iterable[Sequence[str]], side: str) -> list[str]:
    given = Sequences(sequences, "tokens")
    found = []
    with model as pointer:
        texts = create(lib.dragoman_detokenize, pointer, _side(side), given.data, given.count)
    owner = Handle(texts, lib.dragoman_text_list_destroy, "list")
    with owner as pointer:
        for place in range(lib.dragoman_text_list_count(pointer)):
            text: Any = _abi.String()
            check(lib.dragoman_text_list_get(pointer, place, ctypes.byref(text)))
            found.append(read_string(text))
    return found
