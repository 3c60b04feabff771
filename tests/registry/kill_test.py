#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ends a program without warning at random moments while it installs a model, version after version: kill_test.py
INSTALL_ONCE SERVER [TIMES]. After each, what the store shows is a whole model of the version before or of this one, or
none before the first; the next call goes on; at the end nothing is left beside the model. Then several processes at
once bring one version. Prints what was met."""
import collections
import gzip
import hashlib
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request

TIMES = 200
TOGETHER = 4
MODEL_BYTES, ARCHIVE_BYTES = 3_000_000, 1_000_000


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Version:
    """Three files: as it is, packed, an archive; served slowly enough that a kill meets every step."""

    def __init__(self, number, served, base):
        self.name = f"{number}.0"
        rng = random.Random(number)
        plain, packed, inner = (rng.randbytes(n) for n in (MODEL_BYTES, 250_000, ARCHIVE_BYTES))
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz", compresslevel=1) as tar:
            for name, data in (("root/config.yml", b"x: %d\n" % number), ("root/sub/inner.bin", inner)):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        sent = [("model.bin", "none", plain), ("vocab.spm.gz", "file", gzip.compress(packed, 1)),
                ("more.tar.gz", "archive", archive.getvalue())]
        self.arguments = [self.name]
        for name, packing, data in sent:
            file = served / f"{number}-{name}"
            file.write_bytes(data)
            slow = "?slow=30000000" if number % 2 else ""
            self.arguments += [f"{base}/file/{file.name}{slow}", name, packing, str(len(data)), sha256(data)]
        self.files = {"model.bin": sha256(plain), "vocab.spm": sha256(packed), "sub/inner.bin": sha256(inner),
                      "config.yml": sha256(b"x: %d\n" % number)}


def shown(store, versions):
    """The version that the store shows; None: no model. Ends the test for anything else."""
    registry = store / "firefox"
    visible = [p.name for p in registry.iterdir() if not p.name.startswith(".")] if registry.is_dir() else []
    if not visible:
        return None
    if visible != ["de-en"]:
        sys.exit(f"the store shows {visible}")
    folder = registry / "de-en"
    metadata = json.loads((folder / "dragoman-model.json").read_text())
    version = versions[metadata["version"]]
    files = {str(p.relative_to(folder)): sha256(p.read_bytes()) for p in folder.rglob("*") if p.is_file()}
    files.pop("dragoman-model.json")
    if files != version.files:
        sys.exit(f"version {version.name} has the files {files}, expected {version.files}")
    return version.name


def left_over(folder):
    return [str(p) for p in folder.rglob("*") if p.is_file() and not p.name.endswith(".lock")
            and "firefox/de-en/" not in p.as_posix().replace("downloads/firefox/de-en", "downloads/left")]


def main():
    program, server_file = sys.argv[1:3]
    times = int(sys.argv[3]) if len(sys.argv) > 3 else TIMES
    rng, seen = random.Random(37), collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        served, store, cache = (folder / x for x in ("served", "models", "cache"))
        served.mkdir()
        server = subprocess.Popen([sys.executable, server_file, str(served)], stdout=subprocess.PIPE, text=True)
        try:
            run(program, server, served, store, cache, times, rng, seen)
        finally:
            server.kill()
    print("; ".join(f"{what}: {count}" for what, count in sorted(seen.items())))


def run(program, server, served, store, cache, times, rng, seen):
    port = re.match(r"port (\d+)", server.stdout.readline())[1]
    base = f"http://127.0.0.1:{port}"
    environment = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
    environment |= {"DRAGOMAN_MODELS_DIR": str(store), "XDG_CACHE_HOME": str(cache)}
    versions = {}

    def start(version):
        return subprocess.Popen([program, *version.arguments], env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def finish(version):
        process = start(version)
        out, err = process.communicate()
        if process.returncode != 0 or out != f"firefox:de-en {version.name}\n":
            sys.exit(f"the call after a kill ended with {process.returncode}: {out}{err}")
        if shown(store, versions) != version.name:
            sys.exit(f"installed {version.name}, the store shows {shown(store, versions)}")
        if left := left_over(store) + left_over(cache):
            sys.exit(f"left after installing: {left}")

    def new_version():
        version = Version(len(versions) + 1, served, base)
        versions[version.name] = version
        return version

    usual = {}
    for _ in range(2):  # how long it takes, for a version that is sent slowly and for one that is not
        version = new_version()
        began = time.monotonic()
        finish(version)
        usual[len(versions) % 2] = time.monotonic() - began
    current, version, kills_of_this = version.name, new_version(), 0
    killed = 0
    while killed < times:
        process = start(version)
        time.sleep(rng.uniform(0, 0.9 * usual[int(float(version.name)) % 2]))
        if process.poll() is None:
            process.kill()
        out, err = process.communicate()
        if process.returncode not in (0, -9):
            sys.exit(f"a call failed with {process.returncode}: {err}")
        now = shown(store, versions)
        if now not in (current, version.name):
            sys.exit(f"the store shows {now}, expected {current} or {version.name}")
        if process.returncode == -9:
            killed += 1
            kills_of_this += 1
            what = "no model" if now is None else "the new version" if now == version.name else "the old version"
            seen[f"killed, {what} is there"] += 1
        registry = store / "firefox"
        seen["left hidden folders"] += any(p.name.startswith((".new-", ".old-")) for p in registry.iterdir())
        seen["left partial files"] += any(p.is_file() and not p.name.endswith(".lock") for p in cache.rglob("*"))
        if process.returncode == 0 or now == version.name or kills_of_this >= 6:
            finish(version)
            seen["went on to a whole version"] += 1
            current, version, kills_of_this = version.name, new_version(), 0
            if len(versions) % 4 == 0:  # the next one comes to an empty store
                shutil.rmtree(store / "firefox" / "de-en")
                current = None
            for file in served.glob(f"{len(versions) - 2}-*"):
                file.unlink()
    finish(version)
    together(start, new_version(), base)
    seen["processes at once, one download"] = TOGETHER


def together(start, version, base):
    processes = [start(version) for _ in range(TOGETHER)]
    for process in processes:
        out, err = process.communicate()
        if process.returncode != 0 or out != f"firefox:de-en {version.name}\n":
            sys.exit(f"one of several processes ended with {process.returncode}: {out}{err}")
    log = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(base + "/_log").read().decode()
    for url in version.arguments[1::5]:
        asked = log.count(f"GET {url.removeprefix(base)} ")
        if asked != 1:
            sys.exit(f"{url} was asked for {asked} times by {TOGETHER} processes, expected once")


if __name__ == "__main__":
    main()
