#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what windows.sh built under Wine: the suite's folders, and the tool on the same inputs as the one of this machine.
Writes one row each: name, passed, failed, seconds. Ends with 1 if anything failed."""
import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "models/en-de"
SENTENCES = """The cat sat on the mat.
Where is the nearest railway station?
She has never been to Japan, but 東京 is on her list. 🙂
It costs €1.234,56 at https://example.org/shop, or 3 × 4 = 12.

HELLO WORLD, THIS IS LOUD.
I would like a cup of coffee and two pieces of cake, please, if there is still some left.
"""
PAGE = """<!doctype html><p>This is <b>bold</b> text with a <a href="x">link</a>.</p><p>Nothing is lost &amp; found.</p>"""
MARKDOWN = "# A title\n\nSome *emphasised* words and `code` in one sentence.\n\n- first point\n- second point\n"


class Tool:
    """One build of the program."""

    def __init__(self, command):
        self.command = command

    def run(self, arguments, text, folder):
        result = subprocess.run([*self.command, *map(str, arguments)], input=text, cwd=folder, capture_output=True)
        written = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
                   for path in sorted(folder.rglob("*")) if path.is_file()}
        return result.returncode, result.stdout, written, result.stderr


def cases():
    """(name, arguments, standard input, files {name: bytes})"""
    text = SENTENCES.encode()
    long = "/".join(["a folder with a long name, number %02d" % i for i in range(8)])
    yield "translate", ["translate", "--model", MODEL], text, {}
    yield "translate greedy", ["translate", "--model", MODEL, "--beam", 1], text, {}
    yield "translate to English", ["translate", "--model", MODEL, "--from", "de", "--to", "en"], \
        "Wo ist der Bahnhof?\n".encode(), {}
    yield "HTML", ["translate", "--model", MODEL, "--html"], PAGE.encode(), {}
    yield "JSON", ["translate", "--model", MODEL, "--json"], text, {}
    yield "argument in UTF-8", ["translate", "--model", MODEL, "We met in Zürich and in 東京."], b"", {}
    yield "files, names in UTF-8", ["translate", "--model", MODEL, "--input", "Eingänge/東京.txt", "--output",
                                    "Ausgänge é.txt"], b"", {"Eingänge/東京.txt": text}
    yield "long path", ["translate", "--model", MODEL, "--input", f"{long}/in.txt"], b"", {f"{long}/in.txt": text}
    yield "document", ["translate", "--model", MODEL, "notes.md", "-o", "Notizen.md"], b"", \
        {"notes.md": MARKDOWN.encode()}
    yield "convert", ["convert", MODEL, "modèle.gguf"], b"", {}
    yield "detect", ["detect"], "Das ist ein kleiner deutscher Satz.\nThis is not.\n".encode(), {}
    yield "line ends", ["translate", "--model", MODEL], b"One line.\r\nAnother line.\r\n", {}
    yield "invalid UTF-8", ["translate", "--model", MODEL], b"Good.\nB\xffd.\n", {}
    yield "unknown option", ["translate", "--no-such-option"], b"", {}
    yield "missing model", ["translate", "--model", "gibt es nicht"], b"x\n", {}
    yield "missing input", ["translate", "--model", MODEL, "--input", "fehlt.txt"], b"", {}


def compare(native, foreign, folder):
    rows = []
    for name, arguments, text, files in cases():
        found = []
        for tool in (native, foreign):
            place = folder / "case"
            shutil.rmtree(place, ignore_errors=True)
            for path, content in files.items():
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (place / path).write_bytes(content)
            place.mkdir(exist_ok=True)
            started = time.monotonic()
            found.append((*tool.run(arguments, text, place), time.monotonic() - started))
        same = found[0][:3] == found[1][:3]
        if not same:
            for which, (code, out, written, errors, _) in zip(("native", "Windows"), found):
                print(f"{name}: {which}: exit {code}, {out[:300]!r}, files {sorted(written)}, {errors[-300:]!r}")
        rows.append((f"as on Linux: {name}", int(same), int(not same), found[1][4]))
    return rows


def suite(build, wine, folder):
    started = time.monotonic()
    result = subprocess.run([wine, build / f"tests/test_{folder}.exe"], capture_output=True, text=True,
                            errors="replace", cwd=build)
    match = re.search(r"test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed", result.stdout)
    passed, failed = (int(match.group(2)), int(match.group(3))) if match else (0, 1)
    if failed or result.returncode:
        print(result.stdout[-3000:], result.stderr[-1000:])
        failed = max(failed, 1)
    return f"test_{folder}", passed, failed, time.monotonic() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--native", type=pathlib.Path, required=True)
    parser.add_argument("--wine", type=pathlib.Path, required=True)
    parser.add_argument("--folders", nargs="*", default=[])
    parser.add_argument("--build-seconds", type=int, default=0)
    parser.add_argument("--table", type=pathlib.Path, required=True)
    args = parser.parse_args()
    args.wine = args.wine.resolve()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        cache = pathlib.Path(scratch) / "cache"
        os.environ["DRAGOMAN_CACHE_DIR"] = str(cache)
        native = Tool([args.native / "bin/dragoman"])
        foreign = Tool([args.wine, args.build / "bin/dragoman.exe"])
        rows += compare(native, foreign, pathlib.Path(scratch))
    rows += [suite(args.build, args.wine, folder) for folder in args.folders]
    lines = ["what\tpassed\tfailed\tseconds", f"build without dependencies\t\t\t{args.build_seconds}"]
    lines += [f"{name}\t{passed}\t{failed}\t{seconds:.1f}" for name, passed, failed, seconds in rows]
    args.table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    failed = sum(row[2] for row in rows)
    print(f"{sum(row[1] for row in rows)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
