# SPDX-License-Identifier: Apache-2.0
"""The parent of the process that translates: it gives it parts, starts it again when it was killed, and ends it."""
from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from typing import Any, Callable, Sequence

from .job import Job
from .log import Log
from .parts import Part
from .progress import Progress

_LOG_SECONDS = 10.0
#: A worker that ends so often without a row done is not started again. It takes 7 starts to set the first row aside.
_MOST_IDLE = 16
#: Likewise before its model is loaded.
_MOST_UNREADY = 3
_END_SECONDS = 30.0


class Stopped(Exception):
    """A signal asks for the end."""

    def __init__(self, number: int):
        super().__init__(signal.Signals(number).name)
        self.number = number


class Fatal(Exception):
    """What no other part would be without. `kind` is of the worker's event."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


def ended_how(code: int) -> str:
    """How a process ended, in words."""
    if code < 0:
        try:
            return f"signal {-code}, {signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"


class Supervisor:
    """Does the parts of a shard, in their order."""

    def __init__(self, job: Job, parts: Sequence[Part], log: Log, progress: Progress):
        self._job, self._left, self._log, self._progress = job, list(parts), log, progress
        self._parts = {part.name: part for part in parts}
        self._told: dict[str, int] = {}
        """How many rows of a part, from the first one, are counted or were there before this run."""
        self._events: queue.Queue[dict[str, Any] | int] = queue.Queue()
        self._process: subprocess.Popen[str] | None = None
        self._idle_starts = self._unready_starts = 0
        self._ready = False
        self._logged = time.monotonic()
        self._crash = ""
        self.failed: dict[str, str] = {}
        """Parts that could not be done, and why."""

    def signal(self, number: int, _frame: object) -> None:
        """A handler for signals that end the program."""
        self._events.put(number)

    def run(self) -> None:
        """Raises Stopped and Fatal."""
        how = "the process ended"
        try:
            while self._left:
                self._start(how)
                ended = self._follow()
                if ended is None:
                    return
                how = self._crash or ended
                self._progress.worker_ended()
                self._note_crash(how)
        finally:
            self._end()

    def _start(self, how: str) -> None:
        self._crash, self._ready = "", False
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        process = subprocess.Popen([sys.executable, "-m", "dragoman.corpus.worker"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env=environment, text=True, encoding="utf-8")
        self._process = process
        self._send(self._job.to_json())
        for place, part in enumerate(self._left):
            self._send(json.dumps({"part": asdict(part), "how": how if place == 0 else "the process ended",
                                   "told": self._told.get(part.name)}))
        self._send(json.dumps({"end": True}))
        threading.Thread(target=self._read, args=(process,), daemon=True).start()

    def _send(self, line: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # its end comes as an event

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.endswith("\n"):
                self._events.put(json.loads(line))
        self._events.put({"event": "ended", "code": process.wait()})

    def _follow(self) -> str | None:
        """Until the worker ends; how, or None if it has done all."""
        handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "begun": self._on_begun, "rows": self._on_rows, "done": self._on_done, "part_failed": self._on_failed,
            "part_busy": self._on_failed, "ready": self._on_ready, "crash": self._on_crash, "fatal": self._on_fatal}
        while True:
            event = self._events.get()
            if isinstance(event, int):
                raise Stopped(event)
            if event["event"] == "ended":
                return None if event["code"] == 0 and not self._left else ended_how(event["code"])
            if event["event"] in handlers:
                handlers[event["event"]](event)
            else:
                self._log.add(event.pop("event"), **event)

    def _on_begun(self, event: dict[str, Any]) -> None:
        self._told.setdefault(event["part"], event["rows"])
        if event["rows"] or event["alone"]:
            self._log.add("resumed", part=event["part"], rows=event["rows"], alone=event["alone"])

    def _on_rows(self, event: dict[str, Any]) -> None:
        self._told[event["part"]] = event["done"]
        for row, error in event["row_errors"]:
            self._log.add("row_error", part=event["part"], row=row, error=error)
        if event["rows"] > event["errors"]:
            self._idle_starts = 0
        self._progress.add(event["part"], event)
        if time.monotonic() - self._logged >= _LOG_SECONDS:
            self._logged = time.monotonic()
            self._log.add("progress", part=event["part"], **self._progress.numbers())

    def _on_done(self, event: dict[str, Any]) -> None:
        self._idle_starts = 0
        part = self._parts[event["part"]]
        self._left.remove(part)
        self._progress.part_done(part.name)
        self._log.add("part_done", part=part.name, target=part.target, rows=event["rows"], kept=event["kept"],
                      seconds=round(self._progress.seconds, 3), share=round(self._progress.share, 6))

    def _on_failed(self, event: dict[str, Any]) -> None:
        part = self._parts[event["part"]]
        self._left.remove(part)
        self.failed[part.name] = event["error"]
        self._progress.part_done(part.name)
        self._progress.say(f"dragoman.corpus: {event['error']}")
        self._log.add(event["event"], part=part.name, error=event["error"])

    def _on_ready(self, _: dict[str, Any]) -> None:
        self._ready = True

    def _on_crash(self, event: dict[str, Any]) -> None:
        self._crash = event["error"]

    def _on_fatal(self, event: dict[str, Any]) -> None:
        raise Fatal(event["kind"], event["error"])

    def _note_crash(self, how: str) -> None:
        part = self._left[0] if self._left else None
        self._log.add("worker_ended", part=part and part.name, how=how)
        self._progress.say(f"dragoman.corpus: the process that translates ended ({how})"
                           + (f" in {part.source}; starting it again" if part else ""))
        self._idle_starts += 1
        self._unready_starts = 0 if self._ready else self._unready_starts + 1
        if self._idle_starts >= _MOST_IDLE or self._unready_starts >= _MOST_UNREADY:
            raise Fatal("error", f"the process that translates ended {self._idle_starts} times in a row without a row "
                                 f"done: {how}")

    def _end(self) -> None:
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
