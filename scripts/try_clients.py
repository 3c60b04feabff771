#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs programs and libraries that other people wrote, against `dragoman serve`, and prints what passed.

    scripts/try_clients.py --tool build/release/bin/dragoman [--only NAME]... [--json FILE] [--table FILE] [--url URL]

Each client gets an environment of its own under --cache (build/clients), filled from PyPI or npm at the first run. It exits
with 1 where a call fails or a client does not run; one that cannot be installed is skipped, and said so."""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tarfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
CLIENTS = PROJECT / "scripts" / "clients"
sys.path.insert(0, str(PROJECT / "tests" / "serve"))

# Name: script, packages with their dependencies, packages without them.
PYTHON = {
    "libretranslatepy": ("libretranslatepy_client.py", ["libretranslatepy"], []),
    "libretranslate-aio": ("libretranslate_aio_client.py", ["libretranslate-aio"], []),
    "argostranslate": ("argostranslate_client.py",
                       ["ctranslate2", "sentencepiece", "sacremoses", "packaging", "minisbd"], ["argostranslate"]),
    "deep-translator": ("deep_translator_client.py", ["deep-translator"], []),
    "deepl": ("deepl_client.py", ["deepl"], []),
    "google-cloud-translate": ("google_client.py", ["google-cloud-translate"], []),
    "azure-ai-translation-text": ("azure_client.py", ["azure-ai-translation-text"], []),
    "azure-ai-translation-text 1": ("azure_client.py", ["azure-ai-translation-text<2"], []),
    "huggingface_hub": ("huggingface_client.py", ["huggingface_hub"], []),
    "openai": ("openai_client.py", ["openai"], []),
    "nemo-curator": ("nemo_curator_client.py", ["aiohttp", "loguru", "requests"], ["nemo-curator"]),
    "weblate": ("weblate_client.py", ["Django", "requests", "python-dateutil", "siphashc", "openai"], ["weblate"]),
}
NODE = {"translate": "translate_client.mjs", "libretranslate": "libretranslate_client.mjs",
        "deepl-node": "deepl_node_client.mjs"}


class Missing(Exception):
    """A client that cannot be had here."""


def run(command, what, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if done.returncode:
        raise Missing(f"{what}: {(done.stderr or done.stdout).strip().splitlines()[-1:] or 'failed'}")


def once(folder, make):
    """Calls make() unless it has succeeded in this folder before."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "complete").exists():
        make()
        (folder / "complete").touch()


def python_client(name, cache):
    script, packages, alone = PYTHON[name]
    folder, python = cache / f"python-{name}", cache / f"python-{name}" / "bin" / "python"

    def make():
        run([sys.executable, "-m", "venv", folder], "venv")
        run([python, "-m", "pip", "install", "--quiet", "--upgrade", *packages], f"pip install {' '.join(packages)}")
        if alone:
            run([python, "-m", "pip", "install", "--quiet", "--no-deps", *alone],
                f"pip install {' '.join(alone)}")
    once(folder, make)
    return [python, CLIENTS / script], {}


def node_client(name, cache):
    folder = cache / f"node-{name}"

    def make():
        (folder / "package.json").write_text("{}")
        run(["npm", "install", "--silent", "--ignore-scripts", name], f"npm install {name}", cwd=folder)
    once(folder, make)
    return ["node", CLIENTS / NODE[name]], {"CLIENT_MODULES": str(folder)}


def own_tests(cache):
    folder = cache / "libretranslate-tests"

    def make():
        # The archive with the tests; nothing of it is installed.
        run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "libretranslate",
             "--dest", folder, "libretranslate"], "pip download libretranslate")
        archive = next(folder.glob("libretranslate-*.tar.gz"))
        with tarfile.open(archive) as files:
            top = archive.name.removesuffix(".tar.gz")
            wanted = [each for each in files.getmembers() if each.isfile() and
                      (each.name.startswith(top + "/libretranslate/tests/") or each.name == top + "/VERSION")]
            for each in wanted:
                path = folder / pathlib.PurePosixPath(each.name).relative_to(top)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(files.extractfile(each).read())
        if not (folder / "VERSION").exists():
            (folder / "VERSION").write_text(top.rpartition("-")[2])
    once(folder, make)
    return [sys.executable, CLIENTS / "libretranslate_tests_client.py"], {"CLIENT_SOURCES": str(folder)}


def clients():
    everything = {name: lambda cache, name=name: python_client(name, cache) for name in PYTHON}
    everything["libretranslate-tests"] = own_tests
    everything.update({f"npm {name}": lambda cache, name=name: node_client(name, cache) for name in NODE})
    everything["replayed"] = lambda cache: ([sys.executable, CLIENTS / "replayed.py"], {})
    return everything


def measure(name, prepare, options, url):
    try:
        command, environment = prepare(options.cache)
    except (Missing, OSError) as missing:
        return [{"client": name, "version": "", "calls": 0, "passed": 0, "failed": [], "skipped": str(missing)}]
    try:
        done = subprocess.run([*map(str, command), url], capture_output=True, text=True, timeout=options.seconds,
                              env={**os.environ, **environment, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"})
        output, trouble = done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        output, trouble = "", f"not done after {options.seconds} s"
    reports = [json.loads(line) for line in output.splitlines() if line.startswith('{"client"')]
    return reports or [{"client": name, "version": "", "calls": 1, "passed": 0,
                        "failed": [{"call": "all", "answer": (trouble or output)[-800:], "expected": "a report"}]}]


def table(results):
    lines = ["| client | version | calls | passed |", "|---|---|---:|---:|"]
    for each in results:
        passed = f"skipped: {each['skipped']}" if "skipped" in each else each["passed"]
        lines.append(f"| {each['client']} | {each['version']} | {each['calls']} | {passed} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=PROJECT / "build" / "release" / "bin" / "dragoman")
    parser.add_argument("--url", help="of a service that runs already")
    parser.add_argument("--cache", type=pathlib.Path, default=PROJECT / "build" / "clients")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help=", ".join(clients()))
    parser.add_argument("--seconds", type=int, default=300, help="that a client may take")
    parser.add_argument("--install", action="store_true", help="only fill the environments")
    parser.add_argument("--json", type=pathlib.Path, help="file for all results")
    parser.add_argument("--table", type=pathlib.Path, help="file for the table, too")
    options = parser.parse_args()
    options.cache = options.cache.resolve()
    chosen = {name: prepare for name, prepare in clients().items() if not options.only or name in options.only}
    if unknown := set(options.only) - set(chosen):
        parser.error(f"--only {', '.join(sorted(unknown))}: there are {', '.join(clients())}")
    if options.install:
        for name, prepare in chosen.items():
            try:
                prepare(options.cache)
                print(name, "is there")
            except (Missing, OSError) as missing:
                print(name, "is missing:", missing)
        return
    results = []

    def try_all(url):
        for name, prepare in chosen.items():
            results.extend(measure(name, prepare, options, url))
    if options.url:
        try_all(options.url.rstrip("/"))
    else:
        from service import Service
        with Service(str(options.tool), str(PROJECT)) as service:
            try_all(service.url)
    print(table(results))
    for each in results:
        for failure in each["failed"]:
            print(f"\n{each['client']}: {failure['call']}\n  expected {failure['expected']}\n  got      {failure['answer']}")
    if options.table:
        options.table.write_text(f"# Clients of the service, {datetime.date.today()}\n\n`scripts/try_clients.py`; replayed: "
                                 f"requests in that program's shape.\n\n{table(results)}\n")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    sys.exit(1 if any(each["failed"] for each in results) or not any(each["calls"] for each in results) else 0)


if __name__ == "__main__":
    main()
