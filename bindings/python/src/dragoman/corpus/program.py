# SPDX-License-Identifier: Apache-2.0
"""The program: from the command line to the exit code."""
from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from typing import Any, Iterator, Sequence

from ..errors import Error
from . import duplicates, fingerprint
from .arguments import job_of, parser
from .endings import Fatal, Stopped
from .files import check_run, no_room
from .groups import input_columns
from .job import Job
from .journal import OtherRun
from .locks import can_lock
from .log import Log
from .parts import Part, UsageError, deal, find_parts, find_shard
from .part_work import all_rows
from .progress import Progress, duration
from .share import Share
from .stage import Stage
from .supervisor import Supervisor

ERROR, USAGE, OTHER_RUN, SOME_PARTS, NO_ROOM = 1, 2, 4, 5, 6
_CODES = {"error": ERROR, "usage": USAGE, "other_run": OTHER_RUN, "no_room": NO_ROOM}


def _say(text: str) -> None:
    print(f"dragoman.corpus: {text}", file=sys.stderr, flush=True)


def _check_formats(job: Job, stage: Stage, parts: Sequence[Part]) -> None:
    """Lines and memories have one text in each row."""
    for made in {job.output_format or part.format for part in parts} & {"text", "tmx"}:
        columns = [output for _, _, output in stage.outputs]
        plain = [name for name, kind in job.kinds(stage).items() if kind == "text" and name != stage.error_column]
        if len(columns) != 1 or stage.outputs[0][1] != "translation" or len(plain) != 1:
            raise UsageError(f"{made} has room for one translation in each row, and nothing else: --outputs "
                             "translation, or --output-format jsonl")


def _find_duplicates(job: Job, stage: Stage, parts: Sequence[Part], output: str, shard: str, log: Log) -> Job:
    if job.duplicates == "translate":
        return job
    listed = fingerprint.together({part.name: part.size for part in parts})
    folder = os.path.join(output, f".duplicates-{listed}")
    names = [name for path in stage.columns for name in dict.fromkeys((path.spelled, path.steps[0]))]
    required = [tuple(dict.fromkeys((path.spelled, path.steps[0]))) for path in stage.columns]

    def rows(part: Part) -> Iterator[tuple[dict[str, list[Any]], int]]:
        for batch in all_rows(part, job.shape(stage)):
            yield input_columns(batch, names, required), len(batch)

    found = duplicates.find(stage, parts, folder, shard, rows, lambda **values: log.add("duplicates", **values))
    return replace(job, duplicates_folder=found)


def _plan(parts: Sequence[Part]) -> None:
    for part in parts:
        begun = os.path.exists(part.beside("journal"))
        state = "done" if os.path.exists(part.target) else "begun" if begun else "to do"
        print(f"{state}\t{part.source}\t{part.target}\t{part.size:.0f}")


def _has_locks(folder: str, log: Log) -> bool:
    if can_lock(folder):
        return True
    if os.name != "posix":
        return False
    text = (f"{folder} is on a file system without locks (flock): shards do their own parts alone, and nothing keeps two "
            "processes from doing the same part")
    _say(text)
    log.add("no_locks", text=text)
    return False


def _run(given: Any, log: Log) -> int:
    job = job_of(given)
    stage = job.made_stage()
    every = find_parts(given.inputs, given.output, given.input_format, given.output_format)
    shard, shards, told = find_shard(given.shard, os.environ)
    parts = deal(every, shards)[shard]
    if told:
        _say(f"shard {shard + 1} of {shards} ({told}): {len(parts)} of {len(every)} parts")
    _check_formats(job, stage, every)
    if given.plan:
        _plan(parts)
        return 0
    key = job.key(stage)
    check_run(given.output, key)
    steal = _has_locks(given.output, log) and given.steal
    share = Share(every, shard, shards, given.output, steal)
    for part in every if steal else parts:
        os.makedirs(os.path.dirname(part.target) or ".", exist_ok=True)
    log.add("start", shard=shard + 1, shards=shards, told=told, parts=len(parts), of=len(every), key=key,
            fingerprint=stage.fingerprint())
    progress = Progress(parts, given.progress)
    for part in share.done:
        progress.skipped(part.name)
    log.add("parts", done=len(share.done), left=len(parts) - len(share.done))
    if share.may_work:
        job = _find_duplicates(job, stage, every, given.output, f"{shard + 1}-of-{shards}", log)
    share.begin()
    supervisor = Supervisor(job, share, log, progress)
    before = {number: signal.signal(number, supervisor.signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        supervisor.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        share.end()
        log.add("end", failed=supervisor.failed, stolen=supervisor.stolen, **progress.numbers())
    sums = progress.sums
    progress.say(f"dragoman.corpus: {len(parts) - len(supervisor.failed)} of {len(parts)} parts are there"
                 f"{f' and {supervisor.stolen} of other shards' if supervisor.stolen else ''}; now "
                 f"{sums.rows:,} rows in {duration(progress.seconds)}, {sums.errors:,} of them with errors, "
                 f"{sums.filtered:,} filtered")
    if sums.errors and not stage.error_column and given.log is None:
        _say("the reasons of errors are in the column error (--outputs), or in a log (--log)")
    return SOME_PARTS if supervisor.failed else 0


def _stopped(error: Stopped) -> int:
    _say(f"ended by {error}; the same command goes on from here")
    return 128 + error.number


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    given = parser().parse_args(arguments)
    try:
        log = Log(given.log)
        try:
            return _run(given, log)
        finally:
            log.close()
    except Stopped as error:
        return _stopped(error)
    except KeyboardInterrupt:
        return _stopped(Stopped(signal.SIGINT))
    except Fatal as error:
        full = error.kind == "no_room"
        _say(f"the disk is full: {error}. With more room the same command goes on from here." if full else str(error))
        return _CODES[error.kind]
    except OtherRun as error:
        _say(str(error))
        return OTHER_RUN
    except OSError as error:
        full = no_room(error)
        _say(f"the disk is full: {error}. With more room the same command goes on from here." if full else str(error))
        return NO_ROOM if full else ERROR
    except (UsageError, ValueError, TypeError, ImportError) as error:
        _say(str(error))
        return USAGE
    except Error as error:
        _say(str(error))
        return ERROR
