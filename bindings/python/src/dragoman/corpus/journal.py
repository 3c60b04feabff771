# SPDX-License-Identifier: Apache-2.0
"""What is known of a part's rows, in a file beside it that only grows, until the part is whole. Whatever ends the
process, what was found stays, and what was at work is known."""
from __future__ import annotations

import contextlib
import io
import json
import os
import threading
import time
import zlib
from collections import Counter
from typing import Any, BinaryIO, Iterable, Iterator, Mapping, Sequence

from .cells import RowFound
from .locks import lock, process_name
from .outcome import Outcome

#: How often a row may end the process.
MOST_CRASHES = 3
_CUT = 8  # a group that ended the process alone is cut in so many
_SYNC_SECONDS = 5.0
_LOCK_SECONDS = 10.0  # a process that was killed may take a moment to go


class OtherRun(Exception):
    """A journal, or a folder, of a run with other options."""


class Busy(Exception):
    """Another process works on the part."""


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What differs between two runs, in words."""
    names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    return "; ".join(f"{name}: {json.dumps(before.get(name))} then, {json.dumps(now.get(name))} now" for name in names)


def _packed(row: RowFound) -> list[Any]:
    texts = [None if column is None else [None if one is None else list(one.__dict__.values()) for one in column]
             for column in row.texts]
    return [texts, row.error, row.filtered]


def _unpacked(packed: list[Any]) -> RowFound:
    texts = [None if column is None else [None if one is None else Outcome(*one) for one in column]
             for column in packed[0]]
    return RowFound(texts, packed[1], packed[2])


def _whole_lines(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """Lines and where they end; a line that was cut off, and what follows it, is none."""
    end = 0
    for line in file:
        check, _, text = line.partition(b" ")
        if not line.endswith(b"\n") or check != b"%08x" % zlib.crc32(text):
            return
        end += len(line)
        yield end, json.loads(text)


def _remove(path: str, asides: Iterable[str]) -> None:
    for name in (*asides, os.path.basename(path)):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(os.path.dirname(path), name))


def remove_left(path: str) -> None:
    """Removes the journal of a part that is whole, with what its processes left, if there is one."""
    with contextlib.suppress(FileNotFoundError):
        with open(path, "rb") as file:
            asides = [line["aside"] for _, line in _whole_lines(file) if "aside" in line]
        _remove(path, asides)


class Journal:
    """Rows in their order. `key` is what they depend on; where only its "input" is another, the journal begins anew.
    Raises OtherRun, Busy, OSError."""

    def __init__(self, path: str, key: Mapping[str, Any], how: str = "the process ended"):
        self._path = path
        self._lock = threading.Lock()
        self._flying: dict[int, tuple[int, bool]] = {}
        self._suspects: dict[int, int] = {}
        self._crashes: Counter[int] = Counter()
        self._why: dict[int, str] = {}
        self._asides: list[str] = []
        self.done = 0
        """Rows that are known, from the first one."""
        self.anew = False
        """Whether it was of another input."""
        self._file = self._opened()
        self._synced = time.monotonic()
        try:
            self._begin(json.loads(json.dumps(key)), how)
        except BaseException:
            self._file.close()
            raise

    def _opened(self) -> io.FileIO:
        until = time.monotonic() + _LOCK_SECONDS
        while True:
            file = open(self._path, "a+b", buffering=0)
            try:
                free = lock(file) is not False
                if free and os.path.exists(self._path) and os.path.samestat(
                        os.fstat(file.fileno()), os.stat(self._path)):
                    return file
            except BaseException:
                file.close()
                raise
            file.close()
            if not free and time.monotonic() > until:
                raise Busy(f"{self._path}: another process works on this part")
            time.sleep(0.05)

    def _lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Whole lines, also where another process has removed the file. One caller at a time."""
        with open(os.dup(self._file.fileno()), "rb") as file:
            file.seek(0)
            yield from _whole_lines(file)

    def _begin(self, key: dict[str, Any], how: str) -> None:
        end, before = 0, None
        for end, line in self._lines():
            if before is None:
                before = line.get("key", {})
                if {**before, "input": key.get("input")} == key != before:
                    end, before, self.anew = 0, None, True
                    break
                if before != key:
                    raise OtherRun(f"{self._path} is of another run. {differences(before, key)}. With the same options "
                                   "it goes on; without that file the part begins anew.")
            self._replay(line)
        self._file.truncate(end)
        if before is None:
            self._write({"key": key})
        lost = [[first, count, alone] for first, (count, alone) in self._flying.items()]
        if lost:
            self._write({"lost": lost, "how": how})
            self._lose(lost, how)

    def _replay(self, line: dict[str, Any]) -> None:
        if "begin" in line:
            first, count, alone = line["begin"]
            self._flying[first] = count, alone
        elif "found" in line:
            self._flying.pop(line["first"], None)
            self._suspects.pop(line["first"], None)
            if line["first"] <= self.done:
                self.done = max(self.done, line["first"] + len(line["found"]))
        elif "lost" in line:
            self._lose(line["lost"], line["how"])
        elif "stop" in line:
            self._flying.clear()
        elif "aside" in line:
            self._asides.append(line["aside"])

    def _lose(self, groups: Sequence[Any], how: str) -> None:
        for first, count, alone in groups:
            self._flying.pop(first, None)
            if alone and count == 1:
                self._crashes[first] += 1
                self._why[first] = how
            step = max(-(-count // _CUT), 1) if alone else count
            for begin in range(first, first + count, step):
                self._suspects[begin] = min(step, first + count - begin)

    def _write(self, line: Mapping[str, Any]) -> None:
        text = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                left = memoryview(b"%08x " % zlib.crc32(text) + text)
                while left:
                    left = left[self._file.write(left):]
                if time.monotonic() - self._synced > _SYNC_SECONDS:
                    os.fsync(self._file.fileno())
                    self._synced = time.monotonic()
            except OSError as error:
                raise OSError(error.errno, error.strerror, self._path) from error

    def suspect(self, first: int) -> int:
        """How many rows from this one on were at work when a process ended, and go alone; 0: none."""
        return self._suspects.get(first, 0)

    @property
    def suspects(self) -> list[int]:
        return sorted(self._suspects)

    def killer(self, first: int) -> str | None:
        """Why a row is set aside; None: it is not."""
        if self._crashes[first] < MOST_CRASHES:
            return None
        return f"internal: set aside, as it ended the process {self._crashes[first]} times ({self._why[first]})"

    def begin(self, first: int, count: int, alone: bool) -> None:
        """Notes rows that go to work."""
        self._write({"begin": [first, count, alone]})

    def found(self, first: int, rows: Sequence[RowFound]) -> None:
        """Notes what became of rows; in their order."""
        assert first == self.done, f"rows {first} after {self.done}"
        self._write({"first": first, "found": [_packed(row) for row in rows]})
        self._suspects.pop(first, None)
        self.done = first + len(rows)

    def stop(self) -> None:
        """Notes that rows at work are not to blame for the end that comes. Nothing can be noted after that. A journal that
        is closed has no rows at work."""
        if self._file.closed:
            return
        self._write({"stop": True})
        self._lock.acquire()

    def rows(self) -> Iterator[RowFound]:
        """All that are known, from the first one. Where a file system has no locks for several machines, two processes
        may have found the same rows; each counts once."""
        known = 0
        for _, line in self._lines():
            if "found" in line and line["first"] <= known:
                yield from map(_unpacked, line["found"][known - line["first"]:])
                known = max(known, line["first"] + len(line["found"]))

    def close(self) -> None:
        self._file.close()

    def leave(self) -> None:
        """The part cannot be done now. A journal without rows goes."""
        if not self.done and not self._suspects:
            self.remove()

    def aside(self) -> str:
        """A file for this process to write the part into. It is removed with the journal, whoever does that."""
        folder, name = os.path.split(self._path)
        self._asides.append(f"{name.removesuffix('.journal')}.{process_name()}.partial")
        self._write({"aside": self._asides[-1]})
        return os.path.join(folder, self._asides[-1])

    def remove(self) -> None:
        """The part is whole."""
        _remove(self._path, self._asides)
        self.close()
