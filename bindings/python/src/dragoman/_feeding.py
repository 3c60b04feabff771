# SPDX-License-Identifier: Apache-2.0
"""Texts of any number through one job: it is fed as far as its translations are taken."""
from __future__ import annotations

import asyncio
import ctypes
from collections import deque
from typing import TYPE_CHECKING, AsyncIterable, AsyncIterator, Callable, Iterable, Iterator

from ._jobs import Job
from ._library import check, lib
from ._text import Strings
from .results import Translation, translations

if TYPE_CHECKING:
    from ._jobs import Event

_SLICE_MS = 100  # Python looks after signals, and at what failed beside, this often

Submit = Callable[[Callable[["Event | None"], None]], Job]


class _Feed:
    """A job, and the texts that it has and whose translations it has not given yet."""

    def __init__(self, submit: Submit, ahead: int, progress: Callable[[int], object] | None):
        self._job = submit(lambda _: None)
        self._ahead = ahead
        self._progress = progress
        self._done = 0
        self.texts: deque[str] = deque()

    def feed(self, text: str) -> bool:
        """Whether the job took the text; else there is no room before it gives a translation."""
        if len(self.texts) >= self._ahead:
            return False
        given = Strings([text], "texts")
        taken = ctypes.c_size_t()
        with self._job.handle as pointer:
            check(lib.dragoman_job_feed_texts(pointer, given.data, 1, None, 0, ctypes.byref(taken)))
        if taken.value:
            self.texts.append(text)
        return bool(taken.value)

    @property
    def full(self) -> bool:
        return len(self.texts) >= self._ahead

    def finish(self) -> None:
        with self._job.handle as pointer:
            check(lib.dragoman_job_finish(pointer))

    def wait(self, milliseconds: int) -> int | None:
        """A result, when there is one. Raises what the job ended with."""
        found = ctypes.c_void_p()
        with self._job.handle as pointer:
            check(lib.dragoman_job_next_result(pointer, milliseconds, ctypes.byref(found)))
        return found.value

    def take(self, result: int | None) -> list[Translation]:
        if result is None:
            return []
        count = lib.dragoman_result_count(result)
        found = translations(result, [self.texts.popleft() for _ in range(count)])
        self._done += count
        if self._progress:
            self._progress(self._done)
        return found

    def close(self) -> None:
        self._job.cancel()  # whoever waits for a result
        self._job.close()


def translate_each(submit: Submit, texts: Iterable[str], ahead: int,
                   progress: Callable[[int], object] | None) -> Iterator[Translation]:
    """Reads on while there is room, gives what is there, and waits only when there is neither."""
    feed, rest = _Feed(submit, ahead, progress), iter(texts)
    held, ended = None, False
    try:
        while not ended or feed.texts:
            while not ended and not feed.full:
                held = next(rest, None) if held is None else held
                if held is None:
                    ended = True
                    feed.finish()
                elif feed.feed(held):
                    held = None
                else:
                    break
                yield from feed.take(feed.wait(0))
            if feed.texts:
                yield from feed.take(feed.wait(_SLICE_MS))
    finally:
        feed.close()


async def translate_each_async(submit: Submit, texts: Iterable[str] | AsyncIterable[str], ahead: int,
                               progress: Callable[[int], object] | None) -> AsyncIterator[Translation]:
    """The same with the texts read beside: one that is long in coming holds no translation up."""
    feed = _Feed(submit, ahead, progress)
    room, fed = asyncio.Event(), asyncio.Event()

    async def read() -> None:
        async for text in _each(texts):
            while not feed.feed(text):
                room.clear()
                await room.wait()
            fed.set()
        feed.finish()

    reader = asyncio.create_task(read())
    reader.add_done_callback(lambda _: fed.set())
    try:
        while not reader.done() or feed.texts:
            if not feed.texts:
                fed.clear()
                if not reader.done():
                    await fed.wait()
            if reader.done():
                reader.result()  # what the texts raised
            if feed.texts:
                found = feed.take(await asyncio.to_thread(feed.wait, _SLICE_MS))
                room.set()
                for item in found:
                    yield item
        reader.result()
    finally:
        reader.cancel()
        feed.close()
        await asyncio.gather(reader, return_exceptions=True)


async def _each(texts: Iterable[str] | AsyncIterable[str]) -> AsyncIterator[str]:
    if isinstance(texts, AsyncIterable):
        async for text in texts:
            yield text
    else:
        for text in texts:
            yield text
