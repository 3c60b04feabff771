#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A full disk and a read-only store: disk_test.py INSTALL_ONCE SERVER. Needs the right to mount a small file system in
memory; exits with 77 without it."""
import contextlib
import gzip
import hashlib
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def mount(folder, *options):
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)], capture_output=True)
    return done.returncode == 0


class Case:
    def __init__(self, program, served, base, folder):
        self.program, self.served, self.base, self.folder = program, served, base, folder
        self.environment = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
        self.environment |= {"DRAGOMAN_MODELS_DIR": str(folder / "models"), "XDG_CACHE_HOME": str(folder / "cache")}

    def install(self, version, name, packing, data, query="", size=None):
        (self.served / f"{version}-{name}").write_bytes(data)
        return subprocess.run(
            [self.program, version, f"{self.base}/file/{version}-{name}{query}", name, packing,
             str(len(data) if size is None else size), hashlib.sha256(data).hexdigest()],
            env=self.environment, capture_output=True, text=True)

    def shown(self):
        models = self.folder / "models" / "firefox"
        return sorted(p.name for p in models.iterdir() if not p.name.startswith("."))


def expect(condition, *what):
    if not condition:
        sys.exit(f"not as expected: {what}")


def full_while_it_comes(case, cache):
    data = random.Random(1).randbytes(6 << 20)
    expect(mount(cache, "size=4m"), "mount")
    done = case.install("1", "model.bin", "none", data)
    expect(done.returncode == 1 and re.search(r"needs \d+ bytes on this disk, \d+ are free", done.stderr), done)
    # Where nobody says how large the file is, the disk itself tells.
    done = case.install("1", "model.bin", "none", data, "?chunked=1&id=full", 0)
    said = re.search(r"No space left on device; (\d+) bytes are there and stay", done.stderr)
    expect(done.returncode == 1 and said and int(said[1]) > 1 << 20, done)
    partial = cache / "dragoman/downloads/firefox/de-en/files/model.bin"
    expect(partial.stat().st_size == int(said[1]), partial.stat().st_size, said[1])
    expect(partial.read_bytes() == data[:int(said[1])], "the part is what was sent")
    expect(case.shown() == [], case.shown())
    subprocess.run(["mount", "-o", "remount,size=64m", str(cache)], check=True)
    done = case.install("1", "model.bin", "none", data, "?chunked=1&id=full", 0)
    expect(done.returncode == 0 and case.shown() == ["de-en"], done)


def full_while_unpacking(case, models):
    """The old version stays."""
    expect(mount(models, "size=3m"), "mount")
    expect(case.install("1", "model.bin", "none", b"first").returncode == 0, "a small model fits")
    zeros = gzip.compress(bytes(6 << 20))
    done = case.install("2", "model.bin.gz", "file", zeros)
    expect(done.returncode == 1 and "No space left on device" in done.stderr, done)
    expect((models / "firefox/de-en/model.bin").read_bytes() == b"first", "the old version")
    subprocess.run(["mount", "-o", "remount,size=64m", str(models)], check=True)
    done = case.install("2", "model.bin.gz", "file", zeros)
    expect(done.returncode == 0, done)
    expect((models / "firefox/de-en/model.bin").read_bytes() == bytes(6 << 20), "the new version")
    expect(sorted(p.name for p in (models / "firefox").iterdir()) == [".de-en.lock", "de-en"], "nothing is left")


def read_only(case, models):
    subprocess.run(["mount", "-o", "remount,ro", str(models)], check=True)
    done = case.install("3", "model.bin", "none", b"third")
    expect(done.returncode == 1 and "Read-only file system" in done.stderr and str(models) in done.stderr, done)
    expect((models / "firefox/de-en/model.bin").read_bytes() == bytes(6 << 20), "the version before")


def main():
    program, server_file = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as at_end:
        folder = pathlib.Path(name)
        served = folder / "served"
        served.mkdir()
        server = subprocess.Popen([sys.executable, server_file, str(served)], stdout=subprocess.PIPE, text=True)
        at_end.callback(server.kill)
        base = "http://127.0.0.1:" + re.match(r"port (\d+)", server.stdout.readline())[1]
        first, second = folder / "first", folder / "second"
        cache, models = first / "cache", second / "models"
        for mounted in (cache, models):
            mounted.mkdir(parents=True)
            at_end.callback(subprocess.run, ["umount", str(mounted)], capture_output=True)
        if not mount(cache, "size=1m"):
            print("skipped: mounting a file system in memory needs root")
            return SKIPPED
        subprocess.run(["umount", str(cache)], check=True)
        full_while_it_comes(Case(program, served, base, first), cache)
        case = Case(program, served, base, second)
        full_while_unpacking(case, models)
        read_only(case, models)
    print("a full disk while a file comes and while it is unpacked, a read-only store: each said, nothing broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
