# SPDX-License-Identifier: Apache-2.0
"""Which language a text is in."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Iterable, overload

from . import _abi
from ._library import Handle, check, create, lib
from ._text import Strings, as_texts
from .options import c_text

__all__ = ["LanguageGuess", "detect_languages"]


@dataclass(frozen=True)
class LanguageGuess:
    """A language that a text may be in."""
    tag: str            #: BCP 47: "de", "zh-Hant"
    name: str           #: in English: "German"
    probability: float  #: that the text, or most of it, is in this language


@overload
def detect_languages(texts: str, expected: str | Iterable[str] = ()) -> list[LanguageGuess]: ...  # type: ignore[overload-overlap]


@overload
def detect_languages(texts: Iterable[str], expected: str | Iterable[str] = ()) -> list[list[LanguageGuess]]: ...


def detect_languages(texts: Any, expected: str | Iterable[str] = ()) -> Any:
    """For each text the languages it may be in, at most three, the most probable first; none where it has no letters of
    a known language. Needs no model.

    texts: a str gives its languages, an iterable of str a list for each of them.
    expected: languages that are likelier than others, such as ["en", "de"]; at most 8 are heeded, none is excluded.
    """
    if isinstance(texts, str):
        return detect_languages([texts], expected)[0]
    given = Strings(as_texts(texts, "texts"), "texts")
    names = c_text("expected", ",".join(as_texts(expected, "expected")))
    owner = Handle(create(lib.dragoman_detect_languages, given.data, given.count, names),
                   lib.dragoman_detection_destroy, "languages")
    found = []
    with owner as pointer:
        for text in range(lib.dragoman_detection_count(pointer)):
            guesses = []
            for place in range(lib.dragoman_detection_guess_count(pointer, text)):
                guess = _abi.LanguageGuess(struct_size=ctypes.sizeof(_abi.LanguageGuess))
                check(lib.dragoman_detection_guess(pointer, text, place, ctypes.byref(guess)))
                guesses.append(LanguageGuess(guess.tag.decode(), guess.name.decode(), guess.probability))
            found.append(guesses)
    return found
