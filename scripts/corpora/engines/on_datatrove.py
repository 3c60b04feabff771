#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""datatrove's local executor; the whole program is killed in the middle, and started again.

    scripts/corpora/engines/on_datatrove.py --work FOLDER [--rows 20000] [--kills 2] [--shipped] [--json FILE]

Needs datatrove with its extra io, and the package dragoman."""
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import time

from common import Corpus, arguments, kill, processes_below, report, wait_until


def start(corpus):
    command = [sys.executable, pathlib.Path(__file__).with_name("datatrove_job.py"), corpus.folder / "in",
               corpus.folder / "out", corpus.folder / "log", json.dumps(corpus.stage)]
    with open(corpus.folder / "job.log", "ab") as log:
        return subprocess.Popen(list(map(str, command)), stderr=log)


def finished(corpus):
    return sum(1 for _ in (corpus.folder / "log").glob("completions/*"))


def main():
    options = arguments(__doc__).parse_args()
    import pyarrow as pa
    corpus = Corpus(options)
    began = time.monotonic()
    killed = {"program": 0}
    job = start(corpus)
    for place in range(1, options.kills + 1):
        wait_until(lambda: job.poll() is not None or finished(corpus) >= place, 300, f"{place} tasks")
        if job.poll() is not None:
            break
        below = processes_below(job.pid)
        kill(job.pid, "the program")
        for pid, _ in below:
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        job.wait()
        killed["program"] += 1
        job = start(corpus)
    if job.wait():
        raise SystemExit(f"the program ended with {job.returncode}")
    rows = [json.loads(line) for file in sorted((corpus.folder / "out").glob("*.jsonl"))
            for line in file.read_text().splitlines()]
    # The writer leaves out what is 0.
    table = pa.table({"id": [int(row.get("id", 0)) for row in rows],
                      **{name: [row["metadata"][name] for row in rows] for name in ("translation", "error")}})
    found = corpus.compare(table)
    report(options, engine="datatrove", version=importlib.metadata.version("datatrove"), killed=killed, **found,
           job_seconds=round(time.monotonic() - began, 1), tool_seconds=round(corpus.tool_seconds, 1))


if __name__ == "__main__":
    main()
