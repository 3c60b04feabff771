# SPDX-License-Identifier: Apache-2.0
"""How far a shard is: a line on a terminal, and numbers for the log."""
from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import IO, Any, Sequence

from .parts import Part

_SHOW_SECONDS = 0.5


def duration(seconds: float) -> str:
    """As people say it."""
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


@dataclass
class Sums:
    """Of rows that were done in this run."""

    rows: int = 0
    characters: int = 0
    errors: int = 0
    filtered: int = 0


class Progress:
    """Rates are of this run; what is left is estimated by the sizes of parts."""

    def __init__(self, parts: Sequence[Part], shown: bool | None, stream: IO[str] | None = None):
        self.sums = Sums()
        self.parts_done = 0
        self.tokens = 0
        """Source tokens of the worker that is there now, and of those before it."""
        self._past_tokens = 0
        self._count = len(parts)
        self._sizes = {part.name: part.size for part in parts}
        self._all = sum(self._sizes.values()) or 1.0
        self._done_size = self._work = self._from = 0.0
        self._share: dict[str, float] = {}
        self._began = time.monotonic()
        self._shown_at = 0.0
        self._stream = sys.stderr if stream is None else stream
        self._shown = self._stream.isatty() if shown is None else shown
        self._line = False

    def more(self, part: Part) -> None:
        """A part of another shard is done, too."""
        self._count += 1
        self._sizes[part.name] = part.size
        self._all += part.size

    def skipped(self, part: str) -> None:
        """A part that is there from before, or that another process did."""
        self._done_size += self._sizes[part]
        self.parts_done += 1

    def add(self, part: str, event: dict[str, Any]) -> None:
        """Rows of a part are done."""
        for name in self.sums.__dataclass_fields__:
            setattr(self.sums, name, getattr(self.sums, name) + event[name])
        self.tokens = self._past_tokens + event["tokens"]
        before = self._share.setdefault(part, event["share"] * (1 - event["rows"] / max(event["done"], 1)))
        if event["share"] > before:
            self._work += (event["share"] - before) * self._sizes[part]
            self._share[part] = event["share"]
        self.show(part)

    def worker_ended(self) -> None:
        """Its counts begin anew."""
        self._past_tokens = self.tokens

    def part_done(self, part: str) -> None:
        self._share.pop(part, None)
        self._done_size += self._sizes[part]
        self.parts_done += 1

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def share(self) -> float:
        """Of the shard, 0 to 1."""
        at_work = sum(share * self._sizes[part] for part, share in self._share.items())
        return min((self._done_size + at_work) / self._all, 1.0)

    def numbers(self) -> dict[str, Any]:
        """For the log."""
        seconds = max(self.seconds, 1e-9)
        left = self.left()
        return {**vars(self.sums), "seconds": round(seconds, 3), "rows_per_second": round(self.sums.rows / seconds, 2),
                "characters_per_second": round(self.sums.characters / seconds, 1), "source_tokens": self.tokens,
                "parts_done": self.parts_done, "parts": self._count, "share": round(self.share, 6),
                "seconds_left": None if left is None else round(left, 1)}

    def left(self) -> float | None:
        """Seconds; None while there is nothing to tell them by."""
        if self._work <= 0:
            return None
        return (1 - self.share) * self._all * self.seconds / self._work

    def show(self, part: str) -> None:
        now = time.monotonic()
        if not self._shown or now - self._shown_at < _SHOW_SECONDS:
            return
        self._shown_at = now
        left = self.left()
        text = (f"{self.share:6.1%}  {self.parts_done}/{self._count} parts  {self.sums.rows:,} rows  "
                f"{self.sums.rows / max(self.seconds, 1e-9):,.1f} rows/s  "
                f"{'' if left is None else duration(left) + ' left'}  {part}")
        self._stream.write(f"\r\x1b[K{text[:119]}")
        self._stream.flush()
        self._line = True

    def say(self, text: str) -> None:
        """A line of its own."""
        self._stream.write(("\r\x1b[K" if self._line else "") + text + "\n")
        self._stream.flush()
        self._line = False
