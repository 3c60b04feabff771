# SPDX-License-Identifier: Apache-2.0
"""Translations as they appear: iterators over the events of a job."""
from __future__ import annotations

import queue
from typing import TYPE_CHECKING, Any, Callable

from ._closing import Closing
from ._jobs import Count, Event, Job
from ._progress import Progress, Teller
from .results import Translation, translations

if TYPE_CHECKING:
    import asyncio
    from types import TracebackType

    from typing_extensions import Self

__all__ = ["Stream", "AsyncStream", "Event"]

Receiver = Callable[[Any], None]  # of events, and None at the end
Submit = Callable[[Receiver], Job]


class _Stream:
    def __init__(self, texts: list[str]):
        self._texts = texts
        self._job: Job
        self._wake: Receiver
        self._found: list[Translation] | None = None

    def _end(self) -> None:
        """Takes the result, or raises the error that ended the job."""
        if self._found is None:
            try:
                self._found = translations(self._job.take(), self._texts)
            except BaseException:
                self._wake(None)  # whoever reads again, too
                raise
            finally:
                self._job.close()

    @property
    def translations(self) -> list[Translation]:
        """All translations, once the last event was read. Raises RuntimeError before."""
        if self._found is None:
            raise RuntimeError("the stream has not been read to its end")
        return self._found

    def close(self) -> None:
        """Stops the translation."""
        self._job.close()
        self._wake(None)  # whoever waits for the next event


class Stream(_Stream, Closing):
    """An iterator over `Event`s, and a context manager that stops what is left."""

    def __init__(self, submit: Submit, texts: list[str]):
        super().__init__(texts)
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._wake = self._events.put
        self._job = submit(self._wake)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        event = None if self._found is not None else self._events.get()
        if event is None:
            self._end()
            raise StopIteration
        return event


def _forward(loop: asyncio.AbstractEventLoop, receive: Receiver) -> Receiver:
    """For the library's thread, what calls a function on the event loop's."""
    def forward(event: Event | Count | None) -> None:
        loop.call_soon_threadsafe(receive, event)
    return forward


class AsyncStream(_Stream):
    """The same for `async for` and `async with`."""

    def __init__(self, submit: Submit, texts: list[str]):
        import asyncio
        super().__init__(texts)
        loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._wake = self._events.put_nowait
        self._job = submit(_forward(loop, self._wake))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        event = None if self._found is not None else await self._events.get()
        if event is None:
            self._end()
            raise StopAsyncIteration
        return event

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        self.close()


async def wait(submit: Submit, progress: Progress | None) -> int:
    """The result of a job. Cancelling the task cancels the job; an exception in `progress` does, and comes out."""
    import asyncio
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()
    teller = Teller(progress)

    def receive(event: Count | None) -> None:
        if ended.done():
            return
        try:
            if event is None:
                ended.set_result(None)
            else:
                teller.tell(event.done, event.total)
        except BaseException as error:  # noqa: BLE001, raised again where it is awaited
            ended.set_exception(error)

    job = submit(_forward(loop, receive))
    try:
        await ended
        return job.take()
    finally:
        job.close()
        teller.close()
