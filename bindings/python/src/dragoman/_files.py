# SPDX-License-Identifier: Apache-2.0
"""Files that the library reads from Python: bytes, open files, paths."""
from __future__ import annotations

import ctypes
import os
from typing import Any, BinaryIO, Mapping, Union

from . import _abi
from ._ending import ReturningCall
from ._interrupts import callback
from ._library import check
from .errors import InvalidArgumentError

#: bytes or another buffer, a binary file that can seek, or the path of one.
Content = Union[bytes, bytearray, memoryview, BinaryIO, "os.PathLike[str]"]


class Files(ReturningCall):
    """An array of dragoman_file; keeps what it points to, and the exception that a read raised."""

    def __init__(self, files: Mapping[str, Content]):
        self.count = len(files)
        self.data = (_abi.File * max(self.count, 1))()
        self._kept: list[Any] = []
        self._opened: list[BinaryIO] = []
        try:
            for place, (name, content) in enumerate(files.items()):
                self._add(self.data[place], name, content)
        except BaseException:
            self.close()
            raise

    def _add(self, file: _abi.File, name: str, content: Content) -> None:
        if not isinstance(name, str) or "\0" in name:
            raise InvalidArgumentError(f"{name!r} is no name of a file")
        file.name = name.encode("utf-8", "surrogateescape")
        if isinstance(content, os.PathLike):
            content = open(content, "rb")  # noqa: SIM115, closed with the others
            self._opened.append(content)
        if not isinstance(content, (bytes, bytearray, memoryview)) and hasattr(content, "read"):
            if isinstance(content.read(0), str):
                raise TypeError(f"{name}: the file is open as text, not in binary")
            content.seek(0, os.SEEK_END)  # an mmap's returns nothing before Python 3.13
            file.size = content.tell()
            file.read = self._keep(_abi.ReadFn(self._reader(content)))
        else:
            import numpy as np
            array = self._keep(np.frombuffer(content, dtype=np.uint8))  # type: ignore[arg-type]
            file.data, file.size = array.ctypes.data, array.size

    def _keep(self, thing: Any) -> Any:
        self._kept.append(thing)
        return thing

    def _reader(self, file: BinaryIO) -> Any:
        @callback
        def read(offset: int, buffer: int, size: int, _user: int | None) -> int:
            if self.stopped():
                return 1
            try:
                file.seek(offset)
                while size > 0:
                    data = file.read(size)
                    if not data:
                        return 1
                    ctypes.memmove(buffer, data, len(data))
                    buffer, size = buffer + len(data), size - len(data)
                return 0
            except BaseException as error:  # noqa: BLE001, raised again after the C call
                self.raised = error
                return 1
        return read

    def check(self, status: int) -> None:
        """Raises the exception of a file's own `read` if there was one, else that of the status."""
        if self.raised is not None:
            raise self.raised
        check(status)

    def close(self) -> None:
        for file in self._opened:
            file.close()

    def __enter__(self) -> Files:
        super().__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        super().__exit__()
