# SPDX-License-Identifier: Apache-2.0
"""Files of Zstandard frames that are read, in bounded memory."""
from __future__ import annotations

import importlib
import io
from typing import Any, BinaryIO

#: Windows of frames, as `zstd --long=31` makes them.
_LARGEST_WINDOW = 1 << 31
#: Bytes of a file that are unpacked at once. They may become 2^15 times as many.
_PIECE = 1 << 12


def zstandard() -> Any:
    try:
        return importlib.import_module("zstandard")
    except ImportError:
        raise ImportError("files that end in .zst need the package zstandard: pip install zstandard") from None


class Frames(io.RawIOBase):
    """What is in all frames of a file. Raises EOFError where the last one is cut off."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self._decompressor = zstandard().ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        self._frame: Any = None
        self._rest = b""  # of the file, behind the frame that has ended
        self._plain = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._plain:
            packed, self._rest = self._rest or self._file.read(_PIECE), b""
            if not packed:
                if self._frame is not None and not self._frame.eof:
                    raise EOFError("the file ended before the end of a frame was reached")
                return 0
            if self._frame is None or self._frame.eof:
                self._frame = self._decompressor.decompressobj()
            self._plain = memoryview(self._frame.decompress(packed))
            self._rest = self._frame.unused_data
        count = min(len(buffer), len(self._plain))
        buffer[:count] = self._plain[:count]
        self._plain = self._plain[count:]
        return count
