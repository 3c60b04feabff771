#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`python -m dragoman.corpus` alone; its worker and the program are killed, it is asked to end by signals, and its disk is
full for a while, which needs root's rights.

    scripts/corpora/engines/on_files.py --work FOLDER [--rows 20000] [--kills 2] [--shipped] [--json FILE]

Needs pyarrow and the package dragoman."""
import os
import pathlib
import random
import signal
import subprocess
import time

from common import Corpus, arguments, corpus_command, finished, kill, processes_below, report

FULL = 6  # the program's exit code where a disk is full
ENDS = (-signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM, 128 + signal.SIGINT, 128 + signal.SIGTERM)


def mebibytes(pid):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) // 1024
    except (OSError, IndexError):
        return 0


class Disk:
    """A file system of its own under a folder, which can be full."""

    def __init__(self, folder):
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.there = self._mount("mount", "-t", "tmpfs", "-o", "size=1g", "tmpfs", folder)

    def _mount(self, *command):
        return subprocess.run(list(map(str, command)), capture_output=True).returncode == 0

    def fill(self):
        at = os.statvfs(self.folder)
        used = (at.f_blocks - at.f_bfree) * at.f_frsize
        return self._mount("mount", "-o", f"remount,size={used + at.f_frsize}", self.folder)

    def empty(self):
        self._mount("mount", "-o", "remount,size=1g", self.folder)

    def end(self):
        if self.there:
            self._mount("umount", self.folder)


def main():
    options = arguments(__doc__).parse_args()
    import dragoman
    import pyarrow.parquet as pq
    chance = random.Random(1)
    corpus = Corpus(options, parts=24)
    disk = Disk(corpus.folder / "out")
    kinds = ["worker", "program", "SIGTERM", "SIGINT"] * options.kills + ["disk"]
    if not disk.there:
        print("  no full disk: no right to mount")
        kinds.remove("disk")
    goals = [corpus.parts * place // (len(kinds) + 1) for place in range(1, len(kinds) + 1)]
    killed, most, codes = dict.fromkeys(kinds, 0), 0, []

    def start():
        with open(corpus.folder / "said.log", "ab") as log:
            return subprocess.Popen(corpus_command(corpus, "--no-progress", "--batch-rows", "64"), stdout=log,
                                    stderr=log)

    def workers():
        return [pid for pid, line in processes_below(process.pid) if "dragoman.corpus" in line]

    began = time.monotonic()
    process = start()
    try:
        while True:
            code = process.poll()
            if code is not None:
                codes.append(code)
                if code == FULL:
                    disk.empty()
                elif code and code not in ENDS:
                    raise SystemExit(f"the program ended with {code}: {corpus.folder}/said.log")
                if code == 0:
                    break
                process = start()
            most = max([most, *map(mebibytes, workers())])
            if kinds and finished(corpus) >= goals[0]:
                each = (time.monotonic() - began) / max(finished(corpus), 1)
                time.sleep(chance.uniform(0, each))  # somewhere in the next part
                kind = kinds[0]
                below = workers()
                if process.poll() is not None or not below:
                    continue
                if kind == "worker":
                    kill(below[0], "the worker")
                elif kind == "program":
                    kill(process.pid, "the program")
                elif kind == "disk":
                    print(f"  the disk is full: {disk.fill()}", flush=True)
                else:
                    print(f"  {kind}", flush=True)
                    process.send_signal(getattr(signal, kind))
                if kind != "worker":
                    process.wait()
                killed[kinds.pop(0)] += 1
                goals.pop(0)
            time.sleep(0.2)
        seconds = time.monotonic() - began
        found = corpus.compare(pq.read_table(sorted((corpus.folder / "out").glob("*.parquet"))))
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        disk.end()
    if killed.get("disk", 0) != codes.count(FULL):
        raise SystemExit(f"the disk was full {killed.get('disk', 0)} times, and the program said so {codes.count(FULL)} times")
    report(options, engine="files", version=f"dragoman {dragoman.__version__}", killed=killed, **found,
           job_seconds=round(seconds, 1), tool_seconds=round(corpus.tool_seconds, 1), worker_mebibytes=most)


if __name__ == "__main__":
    main()
