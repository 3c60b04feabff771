#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Slurm array, played by this program: it starts tasks with Slurm's variables, kills tasks and what they started in the
middle, and starts them again, as Slurm does with --requeue.

    scripts/corpora/engines/on_slurm.py --work FOLDER [--rows 20000] [--kills 2] [--shipped] [--json FILE]

Needs pyarrow and the package dragoman."""

import os
import subprocess
import time

from common import Corpus, arguments, corpus_command, finished, kill_tree, report

TASKS = 4
AT_ONCE = 2


def task(corpus, number):
    command = corpus_command(corpus, "--no-progress", "--batch-rows", "64")
    environment = {**os.environ, "SLURM_JOB_ID": "77", "SLURM_ARRAY_JOB_ID": "76", "SLURM_ARRAY_TASK_ID": str(number),
                   "SLURM_ARRAY_TASK_COUNT": str(TASKS), "SLURM_ARRAY_TASK_MIN": "0",
                   "SLURM_ARRAY_TASK_MAX": str(TASKS - 1), "SLURM_CPUS_PER_TASK": "1"}
    with open(corpus.folder / f"task-{number}.log", "ab") as log:
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log)


def main():
    options = arguments(__doc__).parse_args()
    import dragoman
    import pyarrow.parquet as pq
    corpus = Corpus(options)
    began = time.monotonic()
    waiting, running, ended = list(range(TASKS)), {}, 0
    kinds = ["task", "node"] * options.kills
    killed = dict.fromkeys(kinds, 0)
    goals = [corpus.parts * place // (len(kinds) + 1) for place in range(1, len(kinds) + 1)]
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
        if kinds and finished(corpus) >= goals[0] and running:
            goals.pop(0)
            lost = list(running.values())[:1] if kinds[0] == "task" else list(running.values())
            for process in lost:  # a node takes all of its tasks with it
                kill_tree(process.pid, kinds[0])
                process.wait()
            killed[kinds.pop(0)] += 1
        time.sleep(0.2)
    seconds = time.monotonic() - began
    found = corpus.compare(pq.read_table(sorted((corpus.folder / "out").glob("*.parquet"))))
    report(options, engine="Slurm array", version=f"dragoman {dragoman.__version__}", killed=killed, **found,
           job_seconds=round(seconds, 1), tool_seconds=round(corpus.tool_seconds, 1))


if __name__ == "__main__":
    main()
