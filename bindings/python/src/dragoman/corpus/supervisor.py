# SPDX-License-Identifier: Apache-2.0
"""The parent of the process that translates: it gives it parts, starts it again when it was killed, and ends it."""
from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from typing import Any, Callable

from .endings import Fatal, Stopped, ended_how
from .job import Job
from .log import Log
from .parts import Part
from .progress import Progress
from .share import Share

_LOG_SECONDS = 10.0
_LOOK_SECONDS = 0.5  # for parts that other processes work on
#: A worker that ends so often without a row done is not started again. It takes 7 starts to set the first row aside.
_MOST_IDLE = 16
#: Likewise before its model is loaded.
_MOST_UNREADY = 3
_END_SECONDS = 30.0


class Supervisor:
    """Does the parts that a share gives, in their order."""

    def __init__(self, job: Job, share: Share, log: Log, progress: Progress):
        self._job, self._share, self._log, self._progress = job, share, log, progress
        self._part: Part | None = None
        """At work."""
        self._all_done = False
        self.stolen = 0
        """Parts of other shards that were done."""
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
            while self._part or self._wait_for_part():
                self._start(how)
                ended = self._follow()
                if ended is None:
                    return
                how = self._crash or ended
                self._progress.worker_ended()
                self._note_crash(how)
        finally:
            self._end()

    def _wait_for_part(self) -> bool:
        """Without a process that translates. False: there is nothing left to do."""
        while not self._take():
            if not self._share.waiting:
                return False
            with contextlib.suppress(queue.Empty):
                event = self._events.get(timeout=_LOOK_SECONDS)
                if isinstance(event, int):
                    raise Stopped(event)
        return True

    def _take(self) -> bool:
        self._part = self._share.next()
        for part in self._share.found_done:
            self._progress.skipped(part.name)
            self._log.add("part_done_elsewhere", part=part.name)
        self._share.found_done.clear()
        if self._part is not None and not self._share.is_own(self._part):
            self._progress.more(self._part)
        return self._part is not None

    def _start(self, how: str) -> None:
        self._crash, self._ready, self._all_done = "", False, False
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        process = subprocess.Popen([sys.executable, "-m", "dragoman.corpus.worker"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env=environment, text=True, encoding="utf-8")
        self._process = process
        self._send(self._job.to_json())
        self._give(how)
        threading.Thread(target=self._read, args=(process,), daemon=True).start()

    def _give(self, how: str = "the process ended") -> None:
        assert self._part is not None
        self._send(json.dumps({"part": asdict(self._part), "how": how, "told": self._told.get(self._part.name)}))

    def _go_on(self) -> None:
        """Gives the worker its next part, or lets it end."""
        if self._take():
            self._give()
        elif not self._share.waiting:
            self._all_done = True
            self._send(json.dumps({"end": True}))

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
            "there": self._on_there, "part_busy": self._on_busy, "ready": self._on_ready,
            "notice": self._on_notice, "crash": self._on_crash, "fatal": self._on_fatal}
        while True:
            try:
                event = self._events.get(timeout=None if self._part or self._all_done else _LOOK_SECONDS)
            except queue.Empty:
                self._go_on()
                continue
            if isinstance(event, int):
                raise Stopped(event)
            if event["event"] == "ended":
                return None if event["code"] == 0 and self._all_done else ended_how(event["code"])
            if event["event"] in handlers:
                handlers[event["event"]](event)
            else:
                self._log.add(event.pop("event"), **event)

    def _on_begun(self, event: dict[str, Any]) -> None:
        if self._part and not self._share.is_own(self._part) and event["part"] not in self._told:
            self._log.add("stolen", part=event["part"])
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
        part = self._ended_part(event)
        self._progress.part_done(part.name)
        self.stolen += not self._share.is_own(part)
        self._log.add("part_done", part=part.name, target=part.target, rows=event["rows"], kept=event["kept"],
                      seconds=round(self._progress.seconds, 3), share=round(self._progress.share, 6))
        self._go_on()

    def _ended_part(self, event: dict[str, Any]) -> Part:
        part, self._part = self._part, None
        assert part is not None and part.name == event["part"], f"{event} while {part} is at work"
        return part

    def _on_there(self, event: dict[str, Any]) -> None:
        """Another process made it meanwhile."""
        self._progress.part_done(self._ended_part(event).name)
        self._log.add("part_done_elsewhere", part=event["part"])
        self._go_on()

    def _on_busy(self, event: dict[str, Any]) -> None:
        part = self._part
        if part is None or not self._share.put_off(part):
            self._on_failed(event)
            return
        self._ended_part(event)
        if not self._share.is_own(part):
            self._progress.part_done(part.name)
        self._log.add("part_put_off", part=part.name, error=event["error"])
        self._go_on()

    def _on_failed(self, event: dict[str, Any]) -> None:
        part = self._ended_part(event)
        if self._share.is_own(part):
            self.failed[part.name] = event["error"]
        self._progress.part_done(part.name)
        self._progress.say(f"dragoman.corpus: {event['error']}")
        self._log.add(event["event"], part=part.name, error=event["error"])
        self._go_on()

    def _on_notice(self, event: dict[str, Any]) -> None:
        self._progress.say(f"dragoman.corpus: {event['text']}")
        self._log.add("notice", part=event["part"], text=event["text"])

    def _on_ready(self, _: dict[str, Any]) -> None:
        self._ready = True

    def _on_crash(self, event: dict[str, Any]) -> None:
        self._crash = event["error"]

    def _on_fatal(self, event: dict[str, Any]) -> None:
        raise Fatal(event["kind"], event["error"])

    def _note_crash(self, how: str) -> None:
        part = self._part
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
