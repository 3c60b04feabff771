# SPDX-License-Identifier: Apache-2.0
"""The process that translates. Its parent gives it parts, a line each, and reads what happens, a line each; what kills
it does not kill the parent. It ends with its parent."""
from __future__ import annotations

import json
import os
import signal
import threading
from typing import Any, Iterator, TextIO

from ..errors import DeviceLostError, Error, OutOfMemoryError
from .files import no_room
from .formats.batch import BadPart
from .job import Job
from .journal import Busy, OtherRun
from .part_work import PartWork
from .parts import Part
from .stage import Stage

#: Ends of the process that rows at work may have caused.
CRASHED = 70


def _lines() -> Iterator[str]:
    """Of standard input, without Python's file, whose lock a thread that waits would hold to the end."""
    held = b""
    while block := os.read(0, 1 << 16):
        *whole, held = (held + block).split(b"\n")
        for line in whole:
            yield line.decode()


class Worker:
    """Does parts until there is none. Events are objects with their name in "event"."""

    def __init__(self, events: TextIO):
        self._events = events
        self._lock = threading.Lock()
        self._part = ""
        self._work: PartWork | None = None
        self._parts: list[tuple[Part, str, int | None]] = []
        self._given = threading.Condition()
        self._ended = False

    def tell(self, event: str, **values: Any) -> None:
        with self._lock:
            self._events.write(json.dumps({"event": event, "part": self._part, **values}) + "\n")
            self._events.flush()

    def listen(self, lines: Iterator[str]) -> None:
        """Takes parts. When the parent is gone, or wants the end, this process goes at once: the journal has all."""
        for line in lines:
            given = json.loads(line)
            with self._given:
                if "part" in given:
                    self._parts.append((Part(**given["part"]), given["how"], given["told"]))
                self._ended = "end" in given
                self._given.notify()
        work = self._work
        try:
            if work is not None:
                work.journal.stop()
        finally:  # also where the disk is full
            os._exit(0)

    def _next(self) -> tuple[Part, str, int | None] | None:
        with self._given:
            self._given.wait_for(lambda: self._parts or self._ended)
            return self._parts.pop(0) if self._parts else None

    def run(self, job: Job) -> None:
        stage = job.made_stage()
        stage.open()
        self.tell("ready")
        while (given := self._next()) is not None:
            part, how, told = given
            self._part = part.name
            try:
                self._do(job, stage, part, how, told)
            except (BadPart, ImportError, KeyError) as error:
                self.tell("part_failed", error=str(error.args[0] if isinstance(error, KeyError) else error))
            except Busy as error:
                self.tell("part_busy", error=str(error))

    def _do(self, job: Job, stage: Stage, part: Part, how: str, told: int | None) -> None:
        work = PartWork(job, stage, part, how, told, self.tell)
        self._work = work
        try:
            work.run()
        except (BadPart, ImportError, KeyError):
            work.journal.leave()
            raise
        finally:
            self._work = None
            work.journal.close()


def main() -> None:
    """The first line of standard input is the job."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the parent's; it closes standard input
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what drivers print
    worker = Worker(events)
    try:
        lines = _lines()
        job = Job.from_json(next(lines))
        threading.Thread(target=worker.listen, args=(lines,), daemon=True).start()
        worker.run(job)
        return
    except OtherRun as error:
        worker.tell("fatal", kind="other_run", error=str(error))
    except (DeviceLostError, OutOfMemoryError, MemoryError) as error:
        worker.tell("crash", error=str(error))
        os._exit(CRASHED)
    except (ValueError, TypeError) as error:
        worker.tell("fatal", kind="error" if isinstance(error, UnicodeError) else "usage", error=str(error))
    except Exception as error:  # noqa: BLE001, the parent ends with it
        worker.tell("fatal", kind="no_room" if no_room(error) else "error", error=_named(error))


def _named(error: Exception) -> str:
    return str(error) if isinstance(error, (Error, OSError)) else f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    main()
