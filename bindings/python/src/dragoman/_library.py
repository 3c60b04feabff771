# SPDX-License-Identifier: Apache-2.0
"""The shared library: where it is, its functions, and handles that many threads may use and one may close."""
from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import sys
import threading
from typing import Any, Callable, Iterator

from . import _abi
from .errors import BY_STATUS, InternalError

def _names(library: str) -> list[str]:
    return {"win32": [f"{library}.dll"], "darwin": [f"lib{library}.dylib"]}.get(
        sys.platform, [f"lib{library}.so", f"lib{library}.so.{_abi.VERSION_MAJOR}"])


def _candidates() -> list[str]:
    named = os.environ.get("DRAGOMAN_LIBRARY")
    if named:
        return [named]
    package = pathlib.Path(__file__).resolve().parent
    names = _names("dragoman")
    inside = [package / "_native" / folder / name for folder in ("lib", "bin") for name in names]
    return [str(path) for path in inside if path.exists()] or names[::-1]


def _open(names: list[str], fault: str) -> ctypes.CDLL:
    faults = []
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            faults.append(str(error))
    raise ImportError(f"{fault}: " + "; ".join(faults))


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    library.dragoman_version.restype = ctypes.c_uint32
    major, minor = divmod(library.dragoman_version() // 100, 100)
    if major != _abi.VERSION_MAJOR or minor < _abi.VERSION_MINOR:
        raise ImportError(f"{library._name} is version {major}.{minor}; this package needs "
                          f"{_abi.VERSION_MAJOR}.{_abi.VERSION_MINOR} or a later {_abi.VERSION_MAJOR}.x")
    for name, (result, parameters) in _abi.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = parameters
    return library


lib = _declare(_open(_candidates(), "the dragoman library was not found (DRAGOMAN_LIBRARY can name it)"))


def beside(library: str) -> ctypes.CDLL:
    """Another library of an installation."""
    folder, names = pathlib.Path(lib._name).parent, _names(library)
    there = [str(folder / name) for name in names if (folder / name).exists()]
    return _open(there or names[::-1], f"the library {library} was not found beside {lib._name}")


def check(status: int) -> None:
    """Raises the exception of a status, with the library's message. On the thread that made the call."""
    if status:
        message = (lib.dragoman_last_error() or b"").decode("utf-8", "replace")
        raise BY_STATUS.get(status, InternalError)(message or lib.dragoman_status_name(status).decode())


def create(function: Callable[..., int], *arguments: Any) -> int:
    """The handle that a function gives through its last parameter."""
    handle = ctypes.c_void_p()
    check(function(*arguments, ctypes.byref(handle)))
    assert handle.value is not None
    return handle.value


@contextlib.contextmanager
def unless_raised(made: ctypes.c_void_p, destroy: Callable[[Any], None]) -> Iterator[None]:
    """Destroys what a call made where an exception of its callbacks comes out instead."""
    try:
        yield
    except BaseException:
        destroy(made)
        raise


def read(handle: Handle, value: Any, function: Callable[..., int], *place: int) -> Any:
    """`value`, filled by a function that takes a handle, places in it and a pointer."""
    with handle as pointer:
        check(function(pointer, *place, ctypes.byref(value)))
    return value


_forks = 0  # before this process


def _forked() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class Handle:
    """Owns a C handle. `with handle as pointer` keeps it alive through a call while another thread may close it."""

    def __init__(self, pointer: int, destroy: Callable[[int], None], what: str):
        self._pointer: int | None = pointer
        self._destroy = destroy
        self._what = what
        self._users = 0
        self._closed = False
        self._lock = threading.Lock()
        self._made_after = _forks

    def _locked(self) -> threading.Lock:
        if self._made_after != _forks:  # a thread that only the parent has may hold it
            self._made_after, self._lock = _forks, threading.Lock()
        return self._lock

    def __enter__(self) -> int:
        with self._locked():
            if self._closed or self._pointer is None:
                raise ValueError(f"this {self._what} is closed")
            self._users += 1
            return self._pointer

    def __exit__(self, *_: object) -> None:
        with self._locked():
            self._users -= 1
            pointer = self._take()
        if pointer is not None:
            self._destroy(pointer)

    def _take(self) -> int | None:
        if not self._closed or self._users:
            return None
        pointer, self._pointer = self._pointer, None
        return pointer

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Ends the handle, after the calls that use it now. Closing twice does nothing."""
        with self._locked():
            self._closed = True
            pointer = self._take()
        if pointer is not None:
            self._destroy(pointer)

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None and not self._users:
            pointer, self._pointer = self._pointer, None
            self._destroy(pointer)  # type: ignore[arg-type]


def struct(kind: type[ctypes.Structure]) -> Any:
    """A zeroed struct that knows its size."""
    value = kind()
    value.struct_size = ctypes.sizeof(kind)
    return value
