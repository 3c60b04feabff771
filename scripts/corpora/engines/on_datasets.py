#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hugging Face's datasets: processes that were forked before and after this one used its device, and spawned ones; what
is kept is found again, and not with other options; a process, and the whole program, are killed in the middle.

    scripts/corpora/engines/on_datasets.py --work FOLDER [--rows 20000] [--kills 2] [--shipped] [--json FILE]

Needs datasets and the package dragoman."""
import json
import os
import pathlib
import subprocess
import sys
import time

from common import Corpus, arguments, kill, processes_below, report, wait_until


def start(corpus, *words):
    command = [sys.executable, pathlib.Path(__file__).with_name("datasets_job.py"), corpus.folder / "in",
               corpus.folder / "out", corpus.folder / "cache", json.dumps(corpus.stage), *words]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)


def finish(job):
    said = job.communicate()[0]
    if job.returncode:
        raise SystemExit(f"the program ended with {job.returncode}")
    return json.loads(said.splitlines()[-1])


def begun(corpus):
    """Whether a map has begun to write: datasets has temporary files in its cache."""
    return any(file.stat().st_size for file in (corpus.folder / "cache").rglob("tmp*"))


def main():
    options = arguments(__doc__).parse_args()
    import datasets
    import pyarrow.parquet as pq
    corpus = Corpus(options, parts=4)
    began = time.monotonic()
    killed = {"program": 0, "process": 0}
    for _ in range(options.kills):
        for kind in killed:
            job = start(corpus, "fork")
            wait_until(lambda: begun(corpus) or job.poll() is not None, 300, "a map")
            if job.poll() is not None:
                break
            below = [pid for pid, _ in processes_below(job.pid)]
            # A pool starts with a tracker; the workers come after it.
            kill(*(job.pid, "the program") if kind == "program" else (below[-1], "a process of the pool"))
            if kind == "program":
                job.wait()
                for pid in below:
                    try:
                        os.kill(pid, 9)
                    except ProcessLookupError:
                        pass
            else:
                job.communicate()
                if not job.returncode:
                    raise SystemExit("datasets did not say that a process of its pool was lost")
            killed[kind] += 1
            for file in (corpus.folder / "cache").rglob("tmp*"):
                file.unlink()
    first = finish(start(corpus, "fork"))
    found = corpus.compare(pq.read_table(corpus.folder / "out"))
    again = finish(start(corpus, "fork"))
    used = finish(start(corpus, "fork-after-use"))
    compared = [corpus.compare(pq.read_table(corpus.folder / "out"))]
    spawned = finish(start(corpus, "spawn"))
    compared.append(corpus.compare(pq.read_table(corpus.folder / "out")))
    other = finish(start(corpus, "other"))
    if any(one != found for one in compared):
        raise SystemExit(f"not the same: {found}, {compared}")
    if not first["made"] or again["made"] or not other["made"] or not used["made"] or not spawned["made"]:
        raise SystemExit(f"kept files: {first}, {again}, {used}, {spawned}, {other}")
    report(options, engine="datasets", version=datasets.__version__, killed=killed, **found,
           map_seconds=first["seconds"], kept_seconds=again["seconds"], forked_after_use_seconds=used["seconds"],
           spawned_seconds=spawned["seconds"], job_seconds=round(time.monotonic() - began, 1),
           tool_seconds=round(corpus.tool_seconds, 1))


if __name__ == "__main__":
    main()
