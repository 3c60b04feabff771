# SPDX-License-Identifier: Apache-2.0
"""Jobs of the library: translations on a thread of its own, whose events come back to Python."""
from __future__ import annotations

import atexit
import ctypes
import os
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, NamedTuple, Sequence, Union

from . import _abi
from ._ending import ReturningCall, end_calls
from ._library import Handle, check, create, lib
from ._text import Places, read_string, read_tokens
from .options import defaults, fill

if TYPE_CHECKING:
    from ._text import Sequences, Strings
    from .options import Call

__all__ = ["Event"]


@dataclass(frozen=True)
class Event:
    """What has become of a sentence while its text is being translated."""

    kind: Literal["partial", "sentence"]
    """"sentence": it is translated; "partial": the best translation so far, and the next may differ."""
    input: int
    """Which of the texts."""
    sentence: int
    """Which of its sentences; they may come in any order."""
    source: str
    source_span: tuple[int, int]
    """(begin, end) in characters of the text."""
    text: str
    """The translation."""
    kept: int
    """So many characters are as they were in the event before of this sentence: `text == before[:kept] + delta`."""
    delta: str
    """The characters that follow them, which are new. Where `kept` is less than the length of what was there, the search
    has found another beginning better."""
    tokens: list[str]
    score: float
    done: int
    """Sentences translated so far."""
    total: int
    """Of so many; 0 while that is not known."""


#: By their places; of a job that is fed, those whose translations have not been taken.
Texts = Union[Sequence[Places], Mapping[int, Places]]


class Count(NamedTuple):
    """Of an event, where no more is wanted."""

    done: int
    total: int


def _event(raw: _abi.Event, texts: Texts | None, shown: dict[tuple[int, int], str]) -> Event:
    """`shown`: texts of sentences at work."""
    given = texts[raw.input] if texts is not None else Places("")
    place, found, kept = (raw.input, raw.sentence), read_string(raw.text), 0
    before = shown.pop(place, "")
    if before:
        kept = len(os.path.commonprefix([before, found]))
    if raw.kind == _abi.EventKind.PARTIAL:
        shown[place] = found
    span = given.span(raw.source.begin, raw.source.end)
    return Event(
        kind="partial" if raw.kind == _abi.EventKind.PARTIAL else "sentence", input=raw.input, sentence=raw.sentence,
        source=given.text[slice(*span)], source_span=span, text=found, kept=kept, delta=found[kept:], tokens=read_tokens(raw.tokens),
        score=raw.score, done=raw.done, total=raw.total)


_jobs: weakref.WeakSet[Job] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """The library's threads must not call into a Python that has ended."""
    end_calls()  # no daemon adds a job after this
    for job in list(_jobs):
        try:
            job.stop()
        except ValueError:  # closed
            pass


def _forked() -> None:
    """Only the parent has the jobs' thread."""
    global _jobs
    _jobs = weakref.WeakSet()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class Job:
    """A translation that was submitted. `on_event` gets its events, `counted` as a `Count`, and at the end None, on the
    library's thread."""

    def __init__(self, translator: Handle, inputs: Strings | Sequences, prefixes: Sequences | None, call: Call,
                 texts: Texts | None, on_event: Callable[[Any], None], *, sentences: bool = False,
                 partial: bool = False, counted: bool = False, priority: int = 0, fed: bool = False):
        self._translator: Handle | None = translator  # its end would be the job's
        self._texts = texts
        self._on_event = on_event
        self._counted = counted
        self._shown: dict[tuple[int, int], str] = {}
        self._callback = _abi.EventFn(self._receive)  # lives as long as the job
        options: Any = defaults(_abi.JobOptions)
        options.on_event = self._callback
        fill(options, {"priority": priority, "fed": fed})
        options.events = (1 << _abi.EventKind.END | sentences << _abi.EventKind.SENTENCE |
                          partial << _abi.EventKind.PARTIAL)
        submit = lib.dragoman_submit_tokens if texts is None else lib.dragoman_submit_texts
        call.struct.progress = _abi.ProgressFn()  # events tell more
        made = ctypes.c_void_p()
        with ReturningCall(), translator as pointer:
            try:
                check(submit(pointer, inputs.data, inputs.count, prefixes and prefixes.data, ctypes.byref(call.struct),
                             ctypes.byref(options), ctypes.byref(made)))
                assert made.value is not None
                self._handle = Handle(made.value, lib.dragoman_job_destroy, "job")
                _jobs.add(self)
            except BaseException:  # a signal's: Python raises it when the call has come back, and the job is at work
                if hasattr(self, "_handle"):
                    self._handle.close()
                elif made:
                    lib.dragoman_job_destroy(made)
                raise

    def _receive(self, raw: Any, _user: int | None) -> None:
        try:
            event = raw.contents
            if event.kind == _abi.EventKind.END:
                self._on_event(None)
            elif self._counted:
                self._on_event(Count(event.done, event.total))
            else:
                self._on_event(_event(event, self._texts, self._shown))
        except RuntimeError:  # the event loop has ended, and nobody waits
            pass

    @property
    def handle(self) -> Handle:
        return self._handle

    def cancel(self) -> None:
        with self._handle as pointer:
            check(lib.dragoman_job_cancel(pointer))

    def stop(self) -> None:
        """Cancels it and waits for its end."""
        with self._handle as pointer:
            check(lib.dragoman_job_cancel(pointer))
            check(lib.dragoman_job_wait(pointer, -1, None))

    def take(self) -> int:
        """The result; waits for the job. Raises the error that ended it."""
        with self._handle as pointer:
            return create(lib.dragoman_job_take_result, pointer)

    def close(self) -> None:
        """Cancels what has not ended. No event follows."""
        self._handle.close()
        self._translator = None

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._handle.close()  # before the callback goes
