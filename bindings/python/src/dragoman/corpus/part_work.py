# SPDX-License-Identifier: Apache-2.0
"""A part from its first row to the file that it becomes."""
from __future__ import annotations

import itertools
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Callable, Deque, Iterable, Iterator, Mapping, Sequence

from . import duplicates, formats
from .cells import RowFound
from .files import file_digest, settle
from .formats.batch import BadPart, Batch
from .formats.compression import suffix_of
from .groups import Group, check_columns, groups, input_columns
from .job import DUPLICATE, FILTERED, Job
from .journal import Journal
from .parts import Part
from .stage import Stage
from .usual_names import UsualNames

Tell = Callable[..., None]


class PartWork:
    """Translates the rows of a part that its journal does not have, and then writes the part. `told` rows, from the
    first one, were told by workers before this one; None: this is the first."""

    def __init__(self, job: Job, stage: Stage, part: Part, how: str, told: int | None, tell: Tell):
        self._job, self._stage, self._part, self._told, self._tell = job, stage, part, told, tell
        self._shape = job.shape(stage)
        self._made_format = job.output_format or part.format
        language = stage.source_language_column
        self._required = [tuple(dict.fromkeys((path.spelled, path.steps[0]))) for path in stage.columns] + (
            [(language,)] if language else [])
        self._names = list(dict.fromkeys(name for wanted in self._required for name in wanted))
        self._duplicates = duplicates.rows_of(job, part)
        key = {"input": file_digest(part.source), **job.key(stage)}
        self.journal = Journal(part.beside("journal"), key, how)

    def run(self) -> None:
        """Raises BadPart for a part that cannot be read; OSError; errors of the library that are no row's."""
        if self._is_there():
            return
        if self.journal.anew:
            self._tell("notice", text=f"{self._part.source} has changed since it was begun: it begins anew")
        made_shape = formats.surveyed(self._part.format, self._part.source, self._made_format, self._shape)
        self._tell("begun", rows=self.journal.done,
                   alone=sum(map(self.journal.suspect, self.journal.suspects)))
        self._tell_untold()
        try:
            self._translate()
            if self._is_there():
                return
            self._tell("writing", rows=self.journal.done)
            kept = self._write(made_shape)
        except OSError:
            if self._is_there():  # and who made it has removed what this process wrote
                return
            raise
        self.journal.remove()
        self._tell("done", rows=self.journal.done, kept=kept)

    def _is_there(self) -> bool:
        """Whether another process made the part meanwhile, as it can where they do not see each other's locks."""
        if not os.path.exists(self._part.target):
            return False
        self.journal.remove()
        self._tell("there")
        return True

    def _tell_untold(self) -> None:
        """A process can end between a line of its journal and the event of that line."""
        told = self.journal.done if self._told is None else self._told
        if told < self.journal.done:
            self._tell_rows(told, list(itertools.islice(self.journal.rows(), told, None)), characters=0, share=0.0)

    def _columns(self, batch: Batch) -> dict[str, list[Any]]:
        return input_columns(batch, self._names, self._required)

    def _naming(self, names: Sequence[str]) -> Iterator[Batch]:
        """The rows of JSON Lines that may have one of these keys."""
        yield from formats.rows_naming(self._part.source, names)

    def _check_all(self, usual: UsualNames) -> None:
        """What each row says for itself is looked at before the work, and not when it is this row's turn."""
        for batch in self._naming(usual.keys()) if usual.keys() else ():
            usual.check(batch, self._part.source)

    def _checked(self, usual: UsualNames, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Nothing in them is replaced that is not asked for."""
        for batch in batches:
            usual.check(batch, self._part.source)
            yield batch

    def _translate(self) -> None:
        reader = formats.reader(self._part.format, self._part.source, self._shape)
        flying: Deque[tuple[Group, Future[list[RowFound]]]] = deque()
        pool = ThreadPoolExecutor(self._job.calls)

        def land(most: int) -> None:
            while len(flying) > most:
                group, future = flying[0]
                self._found(group, future.result(), reader.share())
                flying.popleft()

        try:
            batches = reader.batches()
            first = next(batches, None)
            check_columns(reader, first, self._required, self._part.source, self._naming)
            usual = UsualNames(self._job, self._stage, self._made_format)
            if reader.names is None and not self.journal.done:
                self._check_all(usual)
            every = itertools.chain([first] if first is not None else [], batches)
            for group in groups(self._checked(usual, every), self._columns, self.journal.done, self.journal.suspect, self._job.rows,
                                self._job.characters):
                land(0 if group.alone else self._job.calls)
                self.journal.begin(group.first, len(group), group.alone)
                flying.append((group, pool.submit(self._rows, group)))
                if group.alone:
                    land(0)
            land(0)
        except BadPart:
            land(0)  # what is at work was read, and is to blame for nothing
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            reader.close()

    def _rows(self, group: Group) -> list[RowFound]:
        """What becomes of a group. Rows that cannot be read, duplicates and killers have empty texts on the way."""
        skipped: dict[int, tuple[str | None, str | None]] = {
            place: (fault, None) for place, fault in group.faults.items()}
        for place in range(len(group)):
            if group.first + place in self._duplicates:
                skipped.setdefault(place, (None, DUPLICATE))
        why = self.journal.killer(group.first) if group.alone and len(group) == 1 else None
        if why:
            skipped[0] = why, None
        if not skipped:
            return self._stage.find(group.columns)
        rest = [place for place in range(len(group)) if place not in skipped]
        columns = {name: [values[place] for place in rest] for name, values in group.columns.items()}
        found = iter(self._stage.find(columns) if rest else [])
        none: list[Any] = [None] * len(self._stage.columns)
        return [RowFound(none, *skipped[place]) if place in skipped else next(found) for place in range(len(group))]

    def _found(self, group: Group, rows: list[RowFound], share: float) -> None:
        self.journal.found(group.first, rows)
        characters = sum(len(value) for values in group.columns.values() for value in values if isinstance(value, str))
        self._tell_rows(group.first, rows, characters, share)

    def _tell_rows(self, first: int, rows: list[RowFound], characters: int, share: float) -> None:
        """One event, so that a process that ends tells all of them or none."""
        counters = self._stage.counters
        row_errors = [[first + place, row.error] for place, row in enumerate(rows) if row.error is not None]
        self._tell("rows", rows=len(rows), characters=characters, errors=len(row_errors), row_errors=row_errors,
                   filtered=sum(row.filtered is not None for row in rows), share=share, done=first + len(rows),
                   tokens=counters.tokens, target_tokens=counters.target_tokens)

    def _write(self, shape: formats.Shape) -> int:
        """The file, from the input and the journal alone: the same whatever happened on the way."""
        target = self._part.target
        aside = self.journal.aside()
        compression = suffix_of(target) if self._job.compression is None else self._job.compression
        reader = formats.reader(self._part.format, self._part.source, self._shape)
        kept = 0
        try:
            writer = formats.writer(self._made_format, aside, replace(shape, compression=compression))
            rows = self.journal.rows()
            for batch in reader.batches():
                found = list(itertools.islice(rows, len(batch)))
                if len(found) < len(batch):
                    raise BadPart(f"{self._part.beside('journal')}: there are rows missing, as if two processes had "
                                  "written it; the same command does them again")
                places = [place for place, row in enumerate(found) if self._keeps(row)]
                writer.write(batch, self._made(batch, found), places)
                kept += len(places)
            writer.close()
        except BaseException:
            if os.path.exists(aside):
                os.unlink(aside)  # it may hold the last room on the disk
            raise
        finally:
            reader.close()
        settle(aside, target)
        return kept

    def _keeps(self, row: RowFound) -> bool:
        return row.filtered is None or not (self._job.duplicates == "drop" if row.filtered == DUPLICATE
                                            else self._job.drops)

    def _made(self, batch: Batch, found: list[RowFound]) -> Mapping[str, list[Any]]:
        placed = self._stage.place(self._columns(batch), found)
        placed[FILTERED] = [row.filtered for row in found]
        outputs = (output.spelled for _, output in self._shape.outputs)
        return {name: placed[name] for name in dict.fromkeys([*self._shape.kinds, *outputs]) if name in placed}


def all_rows(part: Part, shape: formats.Shape) -> Iterator[Batch]:
    """Those of a part, from its beginning."""
    reader = formats.reader(part.format, part.source, shape)
    try:
        yield from reader.batches()
    finally:
        reader.close()
