#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Slurm array, played by this program: it starts tasks with Slurm's variables, kills tasks and what they started in the
middle, and starts them again, as Slurm does with --requeue.

    scripts/corpora/engines/on_slurm.py --work FOLDER [--rows 20000] [--kills 2] [--shipped] [--json FILE]

Needs pyarrow and the package dragoman."""

import os
import subprocess
import sys
import time

from common import TINY, Corpus, arguments, kill, processes_below, report

TASKS = 4
AT_ONCE = 2


def task(corpus, number):
    command = [sys.executable, "-m", "dragoman.corpus", corpus.folder / "in", "-o", corpus.folder / "out", "--to",
               corpus.stage["to"], "--compute-type", "f32", "--no-progress", "--batch-rows", "64"]
    if not corpus.options.shipped:
        command += ["-m", TINY, "--option", "max_decoding_length=6", "--option", "beam_size=1"]
    environment = {**os.environ, "SLURM_JOB_ID": "77", "SLURM_ARRAY_JOB_ID": "76", "SLURM_ARRAY_TASK_ID": str(number),
                   "SLURM_ARRAY_TASK_COUNT": str(TASKS), "SLURM_ARRAY_TASK_MIN": "0",
                   "SLURM_ARRAY_TASK_MAX": str(TASKS - 1), "SLURM_CPUS_PER_TASK": "1"}
    with open(corpus.folder / f"task-{number}.log", "ab") as log:
        return subprocess.Popen(list(map(str, command)), env=environment, stdout=log, stderr=log)


def bytes_written(corpus):
    return sum(file.stat().st_size for file in (corpus.folder / "out").rglob("*") if file.is_file())


def main():
    options = arguments(__doc__).parse_args()
    import dragoman
    import pyarrow.parquet as pq
    corpus = Corpus(options)
    began = time.monotonic()
    waiting, running, ended = list(range(TASKS)), {}, 0
    kinds = ["task", "node"] * options.kills
    killed = dict.fromkeys(kinds, 0)
    grown = 0
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            number = waiting.pop(0)
            running[number] = task(corpus, number)
        for number, process in list(running.items()):
            if process.poll() is not None:
                del running[number]
                if process.returncode == -9:
                    waiting.append(number)  # requeued
                elif process.returncode:
                    raise SystemExit(f"task {number} ended with {process.returncode}: {corpus.folder}/task-{number}.log")
                else:
                    ended += 1
        if kinds and bytes_written(corpus) > grown + 1000 and running:
            grown = bytes_written(corpus)
            lost = list(running.values())[:1] if kinds[0] == "task" else list(running.values())
            for process in lost:  # a node takes all of its tasks with it
                below = processes_below(process.pid)
                kill(process.pid, kinds[0])
                for pid, _ in below:
                    try:
                        os.kill(pid, 9)
                    except ProcessLookupError:
                        pass
                process.wait()
            killed[kinds.pop(0)] += 1
        time.sleep(0.2)
    seconds = time.monotonic() - began
    found = corpus.compare(pq.read_table(sorted((corpus.folder / "out").glob("*.parquet"))))
    report(options, engine="Slurm array", version=f"dragoman {dragoman.__version__}", killed=killed, **found,
           job_seconds=round(seconds, 1), tool_seconds=round(corpus.tool_seconds, 1))


if __name__ == "__main__":
    main()
