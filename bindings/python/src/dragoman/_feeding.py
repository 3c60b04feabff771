# SPDX-License-Identifier: Apache-2.0
"""Any number of texts through one job, which is fed as its translations are taken."""
from __future__ import annotations

import ctypes
import queue
import re
from typing import (TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence, Sized, Tuple,
                    TypeVar, Union)

from ._closing import Closing
from ._jobs import Job
from ._library import Handle, check, lib
from ._progress import FedProgress, Teller
from ._text import Places, Sequences, Strings
from .errors import InvalidArgumentError
from .results import Translation, translations

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._jobs import Event

_SLICE_MS = 100  # Python looks after signals, and at what failed beside, this often
_EVENT_MS = 10  # and a stream after events
_NOTHING: Any = object()  # None may be what a program gave by mistake

Receiver = Callable[["Event | None"], None]
Submit = Callable[["dict[int, Places]", Receiver], Job]
Text = Union[str, Tuple[str, Union[Sequence[str], None]]]  # alone, or with the tokens that its translation begins with


class _Feed:
    """A job, and the texts that it has taken without giving their translations yet."""

    def __init__(self, submit: Submit, ahead: int, progress: FedProgress | None, receive: Receiver = lambda _: None,
                 total: int | None = None):
        self.texts: dict[int, Places] = {}
        self._job = submit(self.texts, receive)
        self._ahead = ahead
        self._progress = Teller(progress, total)
        self._fed = self._done = 0

    def feed(self, item: Text) -> bool:
        """Whether the job took the text; else there is no room before it gives a translation."""
        if len(self.texts) >= self._ahead:
            return False
        text, prefix = item if isinstance(item, tuple) else (item, None)
        given = Strings([text], "texts", self._fed)
        forced = None if prefix is None else Sequences([prefix], "prefixes", self._fed)
        taken = ctypes.c_size_t()
        self.texts[self._fed] = Places(text)  # its events may come at once
        try:
            with self._job.handle as pointer:
                check(lib.dragoman_job_feed_texts(pointer, given.data, 1, forced and forced.data, 0, ctypes.byref(taken)))
        except InvalidArgumentError as error:  # the library has been given one
            raise InvalidArgumentError(re.sub(r"^(texts|prefixes)\[0\]", rf"\1[{self._fed}]", str(error))) from None
        finally:
            if not taken.value:
                del self.texts[self._fed]
        self._fed += taken.value
        return bool(taken.value)

    @property
    def full(self) -> bool:
        return len(self.texts) >= self._ahead

    def finish(self) -> None:
        with self._job.handle as pointer:
            check(lib.dragoman_job_finish(pointer))

    def wait(self, milliseconds: int) -> Handle | None:
        """A result, or None if none came in time. Raises the error that ended the job."""
        found = ctypes.c_void_p()
        with self._job.handle as pointer:
            check(lib.dragoman_job_next_result(pointer, milliseconds, ctypes.byref(found)))
        return None if found.value is None else Handle(found.value, lib.dragoman_result_destroy, "result")

    def take(self, result: Handle | None) -> list[Translation]:
        if result is None:
            return []
        with result as pointer:
            count = lib.dragoman_result_count(pointer)
        found = translations(result, [self.texts.pop(self._done + place).text for place in range(count)])
        self._done += count
        self._progress.tell(self._done, None)
        return found

    def close(self) -> None:
        self._progress.close()
        self._job.cancel()  # whoever waits for a result
        self._job.close()


def _steps(feed: _Feed, texts: Iterable[Text], slice_ms: int) -> Iterator[list[Translation]]:
    """Reads while there is room and gives results that have come; waits for a slice only when it can do neither. What is
    wrong with a text, or with the iterable, is raised when what came before has been given."""
    rest, held, ended = iter(texts), _NOTHING, False
    failed: Exception | None = None
    try:
        while not ended or feed.texts:
            while not ended and not feed.full:
                try:
                    held = next(rest, _NOTHING) if held is _NOTHING else held
                    ended = held is _NOTHING
                    fed = not ended and feed.feed(held)
                except Exception as error:  # noqa: BLE001, raised below
                    failed, ended = error, True
                if ended:
                    feed.finish()
                elif fed:
                    held = _NOTHING
                else:
                    break
                yield feed.take(feed.wait(0))
            if feed.texts:
                yield feed.take(feed.wait(slice_ms))
        if failed is not None:
            raise failed
    finally:
        feed.close()


def _length(texts: object) -> int | None:
    return len(texts) if isinstance(texts, Sized) else None


Item = TypeVar("Item")


class Results(Closing, Iterator[Item]):
    """An iterator over translations, or over events; closing it, also with `with`, stops what is left."""

    def __init__(self, found: Iterator[Item]):
        self._found = found

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Item:
        return next(self._found)

    def close(self) -> None:
        self._found.close()  # type: ignore[attr-defined]  # a generator's


class SizedResults(Results[Item]):
    """Of an iterable whose length is known, which is what progress bars look for."""

    def __init__(self, found: Iterator[Item], length: int):
        super().__init__(found)
        self._length = length

    def __len__(self) -> int:
        """Of all translations, also of those that have come."""
        return self._length

    def __bool__(self) -> bool:
        return True


def translate_each(submit: Submit, texts: Iterable[Text], ahead: int, progress: FedProgress | None) -> Results[Translation]:
    total = _length(texts)
    found = _translate_each(submit, texts, ahead, progress, total)
    return Results(found) if total is None else SizedResults(found, total)


def _translate_each(submit: Submit, texts: Iterable[Text], ahead: int, progress: FedProgress | None,
                    total: int | None) -> Iterator[Translation]:
    for found in _steps(_Feed(submit, ahead, progress, total=total), texts, _SLICE_MS):
        yield from found


def stream_each(submit: Submit, texts: Iterable[Text], ahead: int) -> Results[Event]:
    return Results(_stream_each(submit, texts, ahead))


def _stream_each(submit: Submit, texts: Iterable[Text], ahead: int) -> Iterator[Event]:
    events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
    steps = _steps(_Feed(submit, ahead, None, events.put), texts, _EVENT_MS)
    try:
        for _ in steps:
            while not events.empty():
                event = events.get()
                if event is not None:
                    yield event
    finally:
        steps.close()  # type: ignore[attr-defined]


async def translate_each_async(submit: Submit, texts: Iterable[Text] | AsyncIterable[Text], ahead: int,
                               progress: FedProgress | None,
                               receive: Receiver = lambda _: None) -> AsyncIterator[Translation]:
    """The same with texts read concurrently: waiting for one does not hold up translations."""
    import asyncio
    feed = _Feed(submit, ahead, progress, receive, _length(texts))
    room, fed = asyncio.Event(), asyncio.Event()

    async def read() -> None:
        try:
            async for text in _each(texts):
                while not feed.feed(text):
                    room.clear()
                    await room.wait()
                fed.set()
        except Exception:
            feed.finish()
            raise
        feed.finish()

    reader = asyncio.create_task(read())
    reader.add_done_callback(lambda _: fed.set())
    try:
        while not reader.done() or feed.texts:
            if not feed.texts:
                fed.clear()
                if not reader.done():
                    await fed.wait()
            if feed.texts:
                found = feed.take(await asyncio.to_thread(feed.wait, _SLICE_MS))
                room.set()
                for item in found:
                    yield item
        reader.result()  # what the texts raised
    finally:
        reader.cancel()
        feed.close()
        await asyncio.gather(reader, return_exceptions=True)


async def stream_each_async(submit: Submit, texts: Iterable[Text] | AsyncIterable[Text],
                            ahead: int) -> AsyncIterator[Event]:
    import asyncio
    loop = asyncio.get_running_loop()
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    room = asyncio.Event()

    def receive(event: Event | None) -> None:
        if event is not None:
            loop.call_soon_threadsafe(events.put_nowait, event)

    async def take() -> None:
        try:
            async for _ in translate_each_async(submit, texts, ahead, None, receive):
                while events.qsize() >= ahead:  # nobody reads them
                    room.clear()
                    await room.wait()
        finally:
            events.put_nowait(None)

    taker = asyncio.create_task(take())
    try:
        while (event := await events.get()) is not None:
            room.set()
            yield event
        await taker
    finally:
        taker.cancel()
        await asyncio.gather(taker, return_exceptions=True)


async def _each(texts: Iterable[Text] | AsyncIterable[Text]) -> AsyncIterator[Text]:
    import asyncio
    if isinstance(texts, AsyncIterable):
        async for text in texts:
            yield text
    elif isinstance(texts, (list, tuple)):
        for text in texts:
            yield text
            await asyncio.sleep(0)  # others of the event loop come first
    else:  # its next text may be long in coming
        rest = await asyncio.to_thread(iter, texts)
        while (text := await asyncio.to_thread(next, rest, _NOTHING)) is not _NOTHING:
            yield text
