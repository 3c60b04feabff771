# SPDX-License-Identifier: Apache-2.0
"""Files that may be compressed, as their names say. What is written is the same bytes each time."""
from __future__ import annotations

import gzip
import io
import os
from typing import BinaryIO, Iterator, cast

from .batch import BadPart, reading
from .zstd import Frames, zstandard

SUFFIXES = (".gz", ".zst")
_LEVEL = {".gz": 6, ".zst": 3}
_BLOCK = 1 << 20


def suffix_of(name: str) -> str:
    return next((end for end in SUFFIXES if name.lower().endswith(end)), "")


class Input:
    """A file that is read, of which it is known how far. Several members or frames are read as one. One that is cut off is
    a BadPart."""

    def __init__(self, path: str):
        self.path = path
        with reading(path):
            self._file = open(path, "rb")
            self._size = os.fstat(self._file.fileno()).st_size
        end = suffix_of(path)
        if end and not self._size:  # even what has no rows has bytes when it is packed
            self._file.close()
            raise BadPart(f"{path}: it has no bytes, which no whole {end} file is")
        self.stream: BinaryIO = self._file
        if end == ".gz":
            self.stream = cast(BinaryIO, gzip.GzipFile(fileobj=self._file))
        elif end == ".zst":
            self.stream = io.BufferedReader(Frames(self._file), _BLOCK)

    def lines(self) -> Iterator[bytes]:
        """Lines of any length with their ends, as LF ends them."""
        try:
            with reading(self.path):
                yield from self.stream
        except EOFError as error:
            raise BadPart(f"{self.path}: {error}") from error
        except Exception as error:
            if type(error).__name__ in ("ZstdError", "error"):  # zstandard's, and zlib's
                raise BadPart(f"{self.path}: {error}") from error
            raise

    def share(self) -> float:
        return min(self._file.tell() / self._size, 1.0) if self._size else 1.0

    def close(self) -> None:
        self.stream.close()
        self._file.close()


class Output:
    """A file that is written."""

    def __init__(self, path: str, compression: str):
        self._file = open(path, "wb")
        self.stream: BinaryIO = self._file
        if compression == ".gz":
            self.stream = cast(BinaryIO, gzip.GzipFile("", "wb", _LEVEL[compression], self._file, mtime=0))
        elif compression == ".zst":
            compressor = zstandard().ZstdCompressor(level=_LEVEL[compression])
            self.stream = compressor.stream_writer(self._file, closefd=False)

    def close(self) -> None:
        """All of it is on the disk then."""
        if self.stream is not self._file:
            self.stream.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
