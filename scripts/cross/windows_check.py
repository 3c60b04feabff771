#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what windows.sh built under Wine: test programs whole, and the tool on the same inputs as the one of this machine,
whose answers it must give byte for byte. Writes the results as a page. Ends with 1 if anything failed."""
import argparse
import collections
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import windows_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "models/en-de"
SENTENCES = ROOT / "tests/data/en-de/expected.tsv"
MIXED = """The cat sat on the mat.
Where is the nearest railway station?
She has never been to Japan, but 東京 is on her list. 🙂
It costs €1.234,56 at https://example.org/shop, or 3 × 4 = 12.

HELLO WORLD, THIS IS LOUD.
"""
PAGE = """<!doctype html><p>This is <b>bold</b> text with a <a href="x">link</a>.</p><p>Nothing is lost &amp; found.</p>"""
MARKDOWN = "# A title\n\nSome *emphasised* words and `code` in one sentence.\n\n- first point\n- second point\n"
CONSOLE_CASES = 6
PATIENCE = 300, 3600  # seconds for the tool, and for a test program


@dataclasses.dataclass
class Case:
    name: str
    arguments: list
    text: bytes = b""
    files: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Suite:
    name: str
    passed: int = 0
    failed: int = 0
    skipped: list = dataclasses.field(default_factory=list)
    seconds: float = 0


def recorded():
    """100 sentences of the shipped model's test, in both directions: each begins with >>de<< or >>en<<."""
    rows = SENTENCES.read_text(encoding="utf-8").splitlines()
    return "".join(row.split("\t")[0] + "\n" for row in rows[::len(rows) // 100]).encode()


def cases():
    model = ["--model", MODEL]
    text = MIXED.encode()
    long = "/".join(f"a folder with a long name, number {i:02}" for i in range(8))
    yield Case("100 sentences, standard input to output", ["translate", *model], recorded())
    yield Case("texts with emoji, addresses and capitals", ["translate", *model], text)
    yield Case("greedy search", ["translate", *model, "--beam", 1], text)
    yield Case("German to English", ["translate", *model, "--from", "de", "--to", "en"], "Wo ist der Bahnhof?\n".encode())
    yield Case("HTML", ["translate", *model, "--html"], PAGE.encode())
    yield Case("JSON with scores", ["translate", *model, "--json", "--scores"], text)
    yield Case("an argument in UTF-8", ["translate", *model, "We met in Zürich and in 東京."])
    yield Case("files with names in UTF-8", ["translate", *model, "--input", "Eingänge/東京 🙂.txt", "--output",
                                             "Ausgänge é.txt"], files={"Eingänge/東京 🙂.txt": text})
    yield Case("paths of more than 260 characters", ["translate", *model, "--input", f"{long}/in.txt", "--output",
                                                     f"{long}/out.txt"], files={f"{long}/in.txt": text})
    yield Case("a document beyond 260 characters", ["translate", *model, f"{long}/notes.md", "-o", f"{long}/Notizen.md"],
               files={f"{long}/notes.md": MARKDOWN.encode()})
    yield Case("a document", ["translate", *model, "notes.md", "-o", "Notizen.md"], files={"notes.md": MARKDOWN.encode()})
    yield Case("convert", ["convert", MODEL, "modèle.gguf"])
    yield Case("convert beyond 260 characters", ["convert", MODEL, f"{long}/model.gguf"], files={f"{long}/x": b""})
    yield Case("detect", ["detect"], "Das ist ein kleiner deutscher Satz.\nThis is not.\n".encode())
    yield Case("line ends of both kinds", ["translate", *model], b"One line.\r\nAnother line.\n")
    yield Case("invalid UTF-8 (exit code 1)", ["translate", *model], b"Good.\nB\xffd.\n")
    yield Case("an unknown option (exit code 2)", ["translate", "--no-such-option"])
    yield Case("a missing model (exit code 1)", ["translate", "--model", "gibt es nicht"], b"x\n")
    yield Case("a missing input (exit code 1)", ["translate", *model, "--input", "fehlt.txt"])
    yield Case("--help", ["--help"])
    yield Case("--version", ["--version"])


def ends(command, patience, **files):
    """The exit code, or that there was none in time. No pipes: Wine's services keep what the first program had open."""
    try:
        return subprocess.run(command, timeout=patience, **files).returncode
    except subprocess.TimeoutExpired:
        return f"none in {patience} s"


def answer(command, case, place):
    """Exit code, standard output, files with their bytes; standard error; seconds."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for path, content in case.files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(content)
    with tempfile.TemporaryFile() as text, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        text.write(case.text)
        text.seek(0)
        started = time.monotonic()
        code = ends([*command, *map(str, case.arguments)], PATIENCE[0], stdin=text, stdout=out, stderr=err, cwd=place)
        seconds = time.monotonic() - started
        said = [(file.seek(0), file.read())[1] for file in (out, err)]
    written = {path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}
    return (code, said[0], written), said[1], seconds


def compare(native, foreign, folder):
    """(name, equal, seconds of this machine's, seconds of Windows') each; the programs have run once before."""
    for command in (native, foreign):
        answer(command, Case("", ["translate", "--model", MODEL, "--html"], b"<p>Once before."), folder / "case")
    for case in cases():
        (expected, _, slow), (got, errors, seconds) = (answer(tool, case, folder / "case") for tool in (native, foreign))
        if expected != got:
            print(f"{case.name}: expected exit code {expected[0]}, {expected[1][:300]!r}, files {sorted(expected[2])};\n"
                  f"  got {got[0]}, {got[1][:300]!r}, files {sorted(got[2])}, {errors[-300:]!r}")
        yield case.name, expected == got, slow, seconds


def see_console(wine, program, tool, folder):
    """[right, case, what was seen] each; right: "yes", "no", or "none" where Wine does not do it."""
    sentences, log = folder / "sentences.txt", folder / "console.log"
    sentences.write_bytes(recorded())
    foreign = ["Z:" + str(path).replace("/", "\\") for path in (tool, MODEL, sentences)]
    with log.open("wb") as file:
        code = ends([wine, program, *foreign], PATIENCE[1], stdin=subprocess.DEVNULL, stdout=file,
                    stderr=subprocess.STDOUT)
    text = log.read_text(encoding="utf-8", errors="replace")
    rows = [line.split("\t") for line in text.splitlines() if line.startswith(("yes\t", "no\t", "none\t"))]
    if code:
        print(f"console: exit code {code}\n{text}")
    if len(rows) != CONSOLE_CASES:
        rows.append(["no", "all of them", f"{len(rows)} of {CONSOLE_CASES} cases ran"])
    return rows


def names(command, *options):
    with tempfile.TemporaryFile("w+", encoding="utf-8") as listed:
        subprocess.run([*command, "--list-test-cases", *options], stdout=listed, stderr=subprocess.DEVNULL)
        listed.seek(0)
        return collections.Counter(line for line in listed.read().splitlines() if not line.startswith(("[doctest]", "===")))


def run_suite(command, name, folder):
    suite = Suite(name)
    left_out = names(command, "--no-skip") - names(command)
    suite.skipped = sorted(case for case in left_out if not case.startswith("child: "))  # those run in others' processes
    started = time.monotonic()
    log = folder / f"{name}.log"
    with log.open("wb") as file:
        code = ends(command, PATIENCE[1], stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
    suite.seconds = time.monotonic() - started
    text = log.read_text(encoding="utf-8", errors="replace")
    match = re.search(r"test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed", text)
    suite.passed, suite.failed = (int(match[2]), int(match[3])) if match else (0, 1)
    if code and not suite.failed:
        suite.failed = 1
    if suite.failed:
        print(f"{name}: exit code {code}\n{text[-6000:]}")
    return suite


def compilations(log):
    """From ccache's log of what it did, if there was one."""
    if not log.is_file():
        return ""
    done = collections.Counter(log.read_text().split())
    cached, fresh = done["direct_cache_hit"] + done["preprocessed_cache_hit"], done["cache_miss"]
    return f"Of {cached + fresh} compilations {cached} came from ccache. "


def report(args, compared, seen, suites, total):
    verdicts = ["yes" if row[1] else "no" for row in compared] + [row[0] for row in seen]
    failed = verdicts.count("no") + sum(suite.failed for suite in suites)
    passed = verdicts.count("yes") + sum(suite.passed for suite in suites)
    yield f"# Windows x86-64 under Wine, {args.date}\n"
    yield (f"`scripts/cross/windows.sh`, commit {args.commit}: built by MinGW at -O1, run by {args.wine_version} on "
           f"{args.cpus} cores with Mesa's lavapipe of the host, no validation layers. "
           f"{compilations(args.compilations)}{args.remark}\n")
    yield "Processor seconds are those of the build; what Wine runs does not count as a child of the script.\n"
    yield "| step | s | processor s |\n|---|---:|---:|"
    yield from (f"| {step} | {seconds} | {used} |" for step, seconds, used in args.step)
    yield f"| tests and comparisons | {total:.0f} | |"
    yield (f"| all | {sum(int(step[1]) for step in args.step) + total:.0f} | "
           f"{sum(int(step[2]) for step in args.step)} |")
    yield "\n## Test programs\n\n| program | cases run | passed | failed | skipped | s |\n|---|---:|---:|---:|---:|---:|"
    for suite in suites:
        yield (f"| test_{suite.name} | {suite.passed + suite.failed} | {suite.passed} | {suite.failed} | "
               f"{len(suite.skipped)} | {suite.seconds:.0f} |")
    skipped = [f"* test_{suite.name}: {case}" for suite in suites for case in suite.skipped]
    if skipped:
        yield "\nSkipped, since Windows or Wine has no such thing:\n\n" + "\n".join(skipped)
    yield "\n## The tool, beside this machine's\n"
    yield "Exit code, standard output and every file that is written, byte for byte. Pipelines were compiled before.\n"
    yield "| case | equal | Linux, s | Windows, s |\n|---|---|---:|---:|"
    yield from (f"| {name} | {'yes' if equal else '**no**'} | {slow:.2f} | {fast:.2f} |"
                for name, equal, slow, fast in compared)
    yield "\n## The tool in a console\n\nOf its own (AllocConsole), whose cells are read back.\n"
    yield "| case | right | seen |\n|---|---|---|"
    words = {"no": "**no**", "none": "Wine cannot"}
    yield from (f"| {name} | {words.get(right, right)} | {what} |" for right, name, what in seen)
    yield "\n## The files\n\n| file | MB, stripped | exports | imports from |\n|---|---:|---:|---|"
    for file in ("dragoman.dll", "dragoman_documents.dll", "dragoman.exe"):
        path = args.build / "bin" / file
        image, stripped = windows_file.Image(path), args.logs / file
        subprocess.run(["x86_64-w64-mingw32-strip", "-o", stripped, path], check=True)
        yield f"| {file} | {stripped.stat().st_size / 1e6:.1f} | {len(image.exports())} | {', '.join(image.imports())} |"
    yield f"\n{passed} passed, {failed} failed."


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--native", type=pathlib.Path, required=True, help="this machine's tool")
    parser.add_argument("--wine", type=pathlib.Path, required=True)
    parser.add_argument("--console", type=pathlib.Path, required=True, help="windows_console.exe")
    parser.add_argument("--tests", nargs="*", default=[])
    parser.add_argument("--logs", type=pathlib.Path, required=True)
    parser.add_argument("--page", type=pathlib.Path, required=True)
    parser.add_argument("--step", nargs=3, action="append", default=[],
                        metavar=("NAME", "SECONDS", "PROCESSOR_SECONDS"))
    parser.add_argument("--compilations", type=pathlib.Path, default=pathlib.Path(), help="ccache's log")
    parser.add_argument("--remark", default="")
    args = parser.parse_args()
    args.wine = args.wine.resolve()
    args.date, args.cpus = time.strftime("%Y-%m-%d"), os.cpu_count()
    args.commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    args.wine_version = subprocess.run(["/usr/lib/wine/wine64", "--version"], capture_output=True, text=True).stdout.strip()
    args.logs.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["DRAGOMAN_CACHE_DIR"] = f"{scratch}/cache"
        compared = list(compare([args.native], [args.wine, args.build / "bin/dragoman.exe"], pathlib.Path(scratch)))
        seen = see_console(args.wine, args.console, args.build / "bin/dragoman.exe", pathlib.Path(scratch))
    os.environ["DRAGOMAN_CACHE_DIR"] = str(args.logs / "cache")
    suites = []
    for name in [None, *args.tests]:
        if name:
            suites.append(run_suite([args.wine, args.build / f"bin/test_{name}.exe"], name, args.logs))
        page = "\n".join(report(args, compared, seen, suites, time.monotonic() - started))
        args.page.write_text(page + "\n", encoding="utf-8")
    print(page)
    return 0 if page.endswith(" 0 failed.") else 1


if __name__ == "__main__":
    sys.exit(main())
