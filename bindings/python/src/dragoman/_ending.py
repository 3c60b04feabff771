# SPDX-License-Identifier: Apache-2.0
"""The end of Python. When a call of the library came back into a Python that has ended, Python would end its thread
inside the library's frames, and with it the process. So the end of Python stops such calls and waits for them."""
from __future__ import annotations

import os
import threading

from ._interrupts import Hook, in_main_thread
from .errors import CancelledError

_PATIENCE_SECONDS = 60.0  # a callback of the program may wait for what never comes
_REST_SECONDS = 5.0  # some handler of the end may wait for a daemon to go on

_changed = threading.Condition()
_calls = 0
_ended_by: int | None = None  # the thread in which Python ends; it may still use the library


class _Here(threading.local):
    calls = 0  # of this thread, one within the other


_here = _Here()


def ending() -> bool:
    """Whether this thread's calls have to stop."""
    return _ended_by is not None and _ended_by != threading.get_ident()


def _rest() -> None:
    """Daemons that went on would be caught by the end, at worst while they write to stderr."""
    if not _here.calls and threading.current_thread().daemon:
        threading.Event().wait(_REST_SECONDS)


class ReturningCall:
    """While one is entered, its thread is in a call of the library that calls back."""

    #: By a callback: it comes out of the call, and until then each callback asks the library to stop.
    raised: BaseException | None = None
    _hook: Hook | None = None

    def __enter__(self) -> ReturningCall:
        global _calls
        with _changed:
            if not ending():
                _calls += 1
                _here.calls += 1
                if in_main_thread():
                    self._hook = Hook(self)
                return self
        _rest()
        raise CancelledError("Python is ending")

    def stopped(self) -> bool:
        """Whether callbacks have nothing to do but to ask for the end."""
        return ending() or self.raised is not None

    def __exit__(self, *_: object) -> None:
        global _calls
        if self._hook is not None:
            self._hook.remove()
            self._hook = None
        with _changed:
            _calls -= 1
            _here.calls -= 1
            _changed.notify_all()
        if ending():
            _rest()


def end_calls() -> None:
    """Stops the calls of other threads, and waits for them. No other begins."""
    global _ended_by
    with _changed:
        _ended_by = threading.get_ident()
        _changed.wait_for(lambda: _calls == _here.calls, _PATIENCE_SECONDS)


def _forked() -> None:
    global _changed, _calls
    _changed = threading.Condition()
    _calls = _here.calls  # other threads are not in this process


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
