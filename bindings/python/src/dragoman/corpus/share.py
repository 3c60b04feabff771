# SPDX-License-Identifier: Apache-2.0
"""What a process does next: the parts of its shard, then parts that other shards at work have not begun."""
from __future__ import annotations

import contextlib
import os
from typing import Sequence

from .journal import remove_left
from .locks import at_work
from .parts import Part, deal


class Share:
    """A shard of all parts, counted from 0. With `steal`, parts that another process works on are left to it and looked
    at again later, and whoever has nothing left takes the largest part that waits in a shard that has begun: shards that
    have not begun keep theirs, since a scheduler counts on their time. Locks of journals say who works on what."""

    def __init__(self, parts: Sequence[Part], shard: int, shards: int, folder: str, steal: bool):
        self._dealt = deal(parts, shards)
        self.parts = self._dealt[shard]
        """Of the shard, the largest first."""
        self._own = {part.name for part in self.parts}
        self._shard, self._folder, self._steal = shard, folder, steal
        self.done = [part for part in self.parts if self._is_there(part)]
        """Those that are there from before."""
        there = {part.name for part in self.done}
        self._left = [part for part in self.parts if part.name not in there]
        self._waiting: list[Part] = []
        self._others = {place: [part for part in dealt if not os.path.exists(part.target)]
                        for place, dealt in enumerate(self._dealt if self._steal else ()) if place != shard}
        self.found_done: list[Part] = []
        """Parts of the shard that others have done meanwhile; whoever reads them empties the list."""

    def _marker(self, shard: int) -> str:
        return os.path.join(self._folder, f".shard-{shard + 1}-of-{len(self._dealt)}")

    def begin(self) -> None:
        """From now on others may take parts of this shard."""
        if self._steal and len(self._dealt) > 1:
            with open(self._marker(self._shard), "ab"):
                pass

    def end(self) -> None:
        """This process does no more; what it leaves waits for the same command."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._marker(self._shard))

    def is_own(self, part: Part) -> bool:
        return part.name in self._own

    @property
    def may_work(self) -> bool:
        """Whether next() may have a part, now or later."""
        return bool(self._left or self._waiting or self._steal and any(self._others.values()))

    @property
    def waiting(self) -> bool:
        """Whether others work on parts of this shard. next() may have them later."""
        return bool(self._waiting)

    def put_off(self, part: Part) -> bool:
        """Another process was faster with a part that next() gave. False: nothing will be done about it."""
        if self._steal and self.is_own(part):
            self._waiting.append(part)
        return self._steal

    def next(self) -> Part | None:
        """The next part; None: there is none now."""
        while self._left:
            part = self._left.pop(0)
            if not self._steal:
                return part
            if self._is_there(part):
                self.found_done.append(part)
            elif at_work(part.beside("journal")):
                self._waiting.append(part)
            else:
                return part
        return self._stolen() or self._waited() if self._steal else None

    @staticmethod
    def _is_there(part: Part) -> bool:
        if not os.path.exists(part.target):
            return False
        if not at_work(part.beside("journal")):
            remove_left(part.beside("journal"))  # who made it was killed between the two
        return True

    def _stolen(self) -> Part | None:
        """Parts are in each shard the largest first: the first one that waits is a shard's largest."""
        found: list[tuple[float, str, int, Part]] = []
        for shard, parts in list(self._others.items()):
            if not os.path.exists(self._marker(shard)):
                continue
            parts[:] = [part for part in parts if not os.path.exists(part.target)]
            if not parts:
                del self._others[shard]
                continue
            waits = next((part for part in parts if not at_work(part.beside("journal"))), None)
            if waits:
                found.append((-waits.size, waits.name, shard, waits))
        if not found:
            return None
        _, _, shard, part = min(found)
        self._others[shard].remove(part)  # it is not tried again, whatever becomes of it
        return part

    def _waited(self) -> Part | None:
        for part in list(self._waiting):
            there = self._is_there(part)
            if there or not at_work(part.beside("journal")):
                self._waiting.remove(part)
                if not there:
                    return part
                self.found_done.append(part)
        return None
