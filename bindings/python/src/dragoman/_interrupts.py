# SPDX-License-Identifier: Apache-2.0
"""Exceptions of signal handlers, such as KeyboardInterrupt, that Python raises on entering a callback. No `try` of the
callback covers its entry, ctypes can only pass them to `sys.unraisablehook`, and the C call goes on with whatever stood
where the callback's answer belongs. So while the main thread is in a call that calls back, the hook keeps them for it."""
from __future__ import annotations

import sys
import threading
from types import CodeType
from typing import TYPE_CHECKING, Any, Callable, TypeVar

if TYPE_CHECKING:
    from ._ending import ReturningCall

Function = TypeVar("Function", bound=Callable[..., Any])

_callbacks: set[CodeType] = set()


def callback(function: Function) -> Function:
    """Of a function that the library calls and that catches everything: what comes out of it came at its entry."""
    _callbacks.add(function.__code__)
    return function


def in_main_thread() -> bool:
    """Where Python runs signal handlers."""
    return threading.get_ident() == threading.main_thread().ident


class Hook:
    """`sys.unraisablehook` during a call. Others of the program may come before and after it."""

    def __init__(self, call: ReturningCall):
        self._call: ReturningCall | None = call
        self._before = sys.unraisablehook
        sys.unraisablehook = self

    def __call__(self, found: sys.UnraisableHookArgs) -> None:
        trace = found.exc_traceback
        if self._call is None or trace is None or trace.tb_frame.f_code not in _callbacks or not in_main_thread():
            self._before(found)
        elif self._call.raised is None:
            self._call.raised = found.exc_value

    def remove(self) -> None:
        self._call = None
        if sys.unraisablehook is self:
            sys.unraisablehook = self._before
