# SPDX-License-Identifier: Apache-2.0
"""Which language a text is in."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Iterable

from . import _abi
from ._library import Handle, check, create, lib
from ._text import Strings
from .options import c_text

__all__ = ["LanguageGuess", "detect_languages"]


@dataclass(frozen=True)
class LanguageGuess:
    """A language that a text may be in."""
    tag: str            #: BCP 47: "de", "zh-Hant"
    name: str           #: in English: "German"
    probability: float  #: that the text, or most of it, is in this language


def detect_languages(texts: Iterable[str], expected: Iterable[str] = ()) -> list[list[LanguageGuess]]:
    """For each text the languages it may be in, at most three, the most probable first; none where it has no letters of
    a known language. Needs no model.

    expected: languages that are likelier than others, such as ["en", "de"]; at most 8 are heeded, none is excluded.
    """
    given = Strings(texts, "texts")
    names = c_text("expected", ",".join(expected))
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
