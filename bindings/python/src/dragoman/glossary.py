# SPDX-License-Identifier: Apache-2.0
"""Terms that translations must have."""
from __future__ import annotations

import os
from typing import Iterable, Mapping

from ._closing import HandleOwner
from ._library import Handle, create, lib
from ._text import Strings, path_bytes
from .errors import InvalidArgumentError
from .options import c_text

__all__ = ["Glossary"]


class Glossary(HandleOwner):
    """Terms with what they become, for the option `glossary`. Any number of calls and threads may use one.

    path: a file of tab- or comma-separated values, or TBX (docs/terms.md).
    source_language, target_language: which terms of TBX are meant, such as "de".
    """

    def __init__(self, path: str | os.PathLike[str], *, source_language: str = "", target_language: str = ""):
        self._own(create(lib.dragoman_glossary_load, path_bytes(path), c_text("source_language", source_language),
                         c_text("target_language", target_language)))

    @classmethod
    def read(cls, content: str, *, source_language: str = "", target_language: str = "") -> Glossary:
        """The same from the content of such a file."""
        given = Strings([content], "content")
        found = cls.__new__(cls)
        found._own(create(lib.dragoman_glossary_read, given.data, c_text("source_language", source_language),
                          c_text("target_language", target_language)))
        return found

    @classmethod
    def of(cls, terms: Mapping[str, str] | Iterable[tuple[str, str]]) -> Glossary:
        """Of terms and what they become, as a dict or pairs; `"a|b"`: either."""
        lines = ["source\ttarget\n"]  # then no term is taken for a header or for the beginning of TBX
        for pair in terms.items() if isinstance(terms, Mapping) else terms:
            if isinstance(pair, str) or len(pair) != 2:
                raise TypeError(f"terms: expected pairs of a term and what it becomes, not {pair!r}")
            for text in pair:
                if not isinstance(text, str):
                    raise TypeError(f"terms: expected str, not {type(text).__name__} ({text!r})")
                if any(mark in text for mark in "\t\r\n"):
                    raise InvalidArgumentError(f"terms: {text!r} holds a tab or a line break")
            lines.append(" " + "\t".join(pair) + "\n")  # nor, behind a blank, which is cut, for a note
        return cls.read("".join(lines))

    def _own(self, pointer: int) -> None:
        self._handle = Handle(pointer, lib.dragoman_glossary_destroy, "glossary")

    def __len__(self) -> int:
        with self._handle as pointer:
            return int(lib.dragoman_glossary_count(pointer))
