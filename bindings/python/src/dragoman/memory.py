# SPDX-License-Identifier: Apache-2.0
"""What was translated before, by models and by people."""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass

from . import _abi
from ._closing import HandleOwner
from ._library import Handle, check, create, lib, read, struct
from ._text import Strings, path_bytes
from .options import c_text, defaults, fill

__all__ = ["MemoryCounts", "TranslationMemory"]


@dataclass(frozen=True)
class MemoryCounts:
    """What a memory has, and what it was asked since it was made."""
    entries: int        #: answers in memory
    bytes: int          #: that they take
    evicted: int        #: answers that went from memory for others
    file_entries: int   #: answers in the file
    file_bytes: int     #: that they take
    hits: int           #: sentences whose answer was in memory
    file_hits: int      #: in the file only
    misses: int         #: in neither
    segments: int       #: units of translation memories
    exact_matches: int  #: sentences that one of them translated
    fuzzy_matches: int  #: sentences with segments that are like them
    recorded: int       #: translations in the record
    file_waiting: int   #: answers that are not in the file yet
    file_lost: int      #: that never will be
    file_failures: int  #: times that the file could not be read or written


class TranslationMemory(HandleOwner):
    """Answers of models and segments of translation memories, for the option `memory`. Any number of calls, threads and
    translators may use one.

    path: a file of SQLite that keeps answers, made if there is none.
    cache_bytes, file_bytes: most bytes of answers in memory and in the file.
    min_similarity, max_matches: of segments that are offered for a sentence.
    record: keep translations for `write_tmx`.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, cache_bytes: int | None = None,
                 file_bytes: int | None = None, min_similarity: float | None = None, max_matches: int | None = None,
                 record: bool = False):
        options = defaults(_abi.MemoryOptions)
        fill(options, {"cache_bytes": cache_bytes, "file_bytes": file_bytes, "min_similarity": min_similarity,
                       "max_matches": max_matches, "record": int(record)})
        if path is not None:
            options.path = path_bytes(path)
        pointer = create(lib.dragoman_memory_create, ctypes.byref(options))
        self._handle = Handle(pointer, lib.dragoman_memory_destroy, "translation memory")

    def load_tmx(self, path: str | os.PathLike[str]) -> int:
        """Reads a translation memory; returns how many of its units were of use."""
        count = ctypes.c_size_t()
        with self._handle as pointer:
            check(lib.dragoman_memory_load_tmx(pointer, path_bytes(path), ctypes.byref(count)))
        return count.value

    def read_tmx(self, content: str) -> int:
        """The same from the content of such a file."""
        given, count = Strings([content], "content"), ctypes.c_size_t()
        with self._handle as pointer:
            check(lib.dragoman_memory_read_tmx(pointer, given.data, ctypes.byref(count)))
        return count.value

    def add(self, source_language: str, target_language: str, source: str, target: str) -> None:
        """Adds a segment and its translation."""
        texts = [Strings([source], "source"), Strings([target], "target")]
        with self._handle as pointer:
            check(lib.dragoman_memory_add(pointer, c_text("source_language", source_language),
                                          c_text("target_language", target_language), *(text.data for text in texts)))

    def write_tmx(self, path: str | os.PathLike[str]) -> None:
        """Writes what was recorded."""
        with self._handle as pointer:
            check(lib.dragoman_memory_write_tmx(pointer, path_bytes(path)))

    def clear(self) -> None:
        """Forgets everything, in the file, too."""
        with self._handle as pointer:
            check(lib.dragoman_memory_clear(pointer))

    @property
    def counts(self) -> MemoryCounts:
        """What it has, and what it was asked."""
        found = read(self._handle, struct(_abi.MemoryCounts), lib.dragoman_memory_stats)
        return MemoryCounts(*(getattr(found, name) for name in MemoryCounts.__dataclass_fields__))
