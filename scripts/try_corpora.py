#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every engine that translates corpora beside `dragoman translate`, kills it at random moments, and compares
bytes.

    scripts/try_corpora.py [--only NAME]... [--part NAME]... [--rows N] [--lines N] [--kills N] [--table FILE]
    scripts/try_corpora.py --only shares --sentences FILE [--column N] [--beam-size N] --lines 200000 [--kills N]

Each file of scripts/corpora is a section: a module with `run(trial)`, which notes what it found. It exits with 1 where
something is not as it should be. With little time: --rows 2000 --lines 200 --kills 5."""
import argparse
import datetime
import gzip
import importlib.util
import os
import pathlib
import platform
import random
import shutil
import subprocess
import sys
import time
import traceback

PROJECT = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = PROJECT / "scripts" / "corpora"
TINY = PROJECT / "tests" / "data" / "huggingface" / "shared"
LINES = PROJECT / "tests" / "data" / "en-de" / "expected.tsv"


class Trial:
    """What sections share: the tool, texts, folders, and the table that they fill."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.tool = str(pathlib.Path(options.tool).resolve())
        self.tiny = str(TINY)
        self.rows = []
        self.failed = 0
        self.section = ""
        self.chance = random.Random(options.seed)
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join(
            filter(None, [options.package, os.environ.get("PYTHONPATH")]))}

    def note(self, what, found, good=True):
        """A line of the table."""
        self.failed += not good
        self.rows.append((self.section, what, str(found) + ("" if good else " **(wrong)**")))
        print(f"{self.section}: {what}: {found}{'' if good else '   WRONG'}", flush=True)

    def new_folder(self, name):
        path = self.folder / self.section / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def tiny_texts(self, count):
        """Texts of the words that the tiny model knows; a tenth of them occur again."""
        words = ["batin", "kétiß", "kén", "ßabat", "tikén", "nabit"]
        chance, texts = random.Random(11), []
        for _ in range(count):
            again = texts and chance.random() < 0.1
            made = " ".join(chance.choices(words, k=chance.randint(1, 12))) + "."
            texts.append(chance.choice(texts) if again else made)
        return texts

    def english_texts(self, count):
        """Sentences of the tests of the model that comes with the library, with numbers from the second round on."""
        given = [line.split("\t")[0].removeprefix(">>de<< ") for line in LINES.read_text(encoding="utf-8").splitlines()]
        return [given[place % len(given)] + (f" ({place // len(given)})" if place >= len(given) else "")
                for place in range(count)]

    def corpus_sentences(self):
        """As many of the file's lines as are wanted, from all over it, none twice."""
        if not self.options.sentences:
            return []
        opened = gzip.open if self.options.sentences.endswith(".gz") else open
        with opened(self.options.sentences, "rt", encoding="utf-8") as file:
            found = dict.fromkeys(line.rstrip("\n").split("\t")[self.options.column] for line in file)
        lines = [line for line in found if line.strip()]
        step = max(1, len(lines) // self.options.lines)
        return lines[::step][:self.options.lines]

    def run(self, command, **options):
        """Seconds, seconds of the processor with those of children, the exit code and what was said."""
        before, began = os.times(), time.monotonic()
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                              **{"env": self.environment, **options})
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        return time.monotonic() - began, cpu, done.returncode, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=str(PROJECT / "build" / "release" / "bin" / "dragoman"))
    parser.add_argument("--package", default=str(PROJECT / "bindings" / "python" / "src"),
                        help="folder of the Python package")
    parser.add_argument("--folder", default=str(PROJECT / "build" / "corpora"), help="for files, which are large")
    parser.add_argument("--only", action="append", help="a section")
    parser.add_argument("--part", action="append", help="of a section, where it has parts with names")
    parser.add_argument("--rows", type=int, default=200_000, help="of large runs, with a stand-in for the model")
    parser.add_argument("--lines", type=int, default=2000, help="of runs with a model")
    parser.add_argument("--sentences",
                        help="a file of English sentences, also .gz, for runs of a corpus with the default model")
    parser.add_argument("--column", type=int, default=0, help="of that file, between tabs, from 0")
    parser.add_argument("--beam-size", help="of runs of a corpus, by the tool and by the program (default: the model's)")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", help="a file that gets the table, in Markdown, at its end")
    options = parser.parse_args()
    trial = Trial(options, pathlib.Path(options.folder).resolve())
    for path in sorted(SECTIONS.glob("*.py")):
        if options.only and path.stem not in options.only:
            continue
        trial.section = path.stem
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            module.run(trial)
        except Exception:  # noqa: BLE001, the other sections go on
            trial.note("ended early", traceback.format_exc().strip().splitlines()[-1], good=False)
            traceback.print_exc()
    command = " ".join(["scripts/try_corpora.py", *sys.argv[1:]])
    lines = [f"\n{datetime.date.today()}, {platform.platform()}, {os.cpu_count()} cores, "
             f"Python {platform.python_version()}: `{command}`\n", "| section | what | found |", "|---|---|---|",
             *(f"| {' | '.join(row)} |" for row in trial.rows)]
    if options.table:
        with open(options.table, "a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print(f"{trial.failed} of {len(trial.rows)} wrong")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
