# SPDX-License-Identifier: Apache-2.0
"""Rows, what the tool makes of them, kills, and the comparison, for the trials of engines."""
import argparse
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import time

PROJECT = pathlib.Path(__file__).resolve().parents[3]
TINY = PROJECT / "tests" / "data" / "huggingface" / "shared"
ENGLISH = PROJECT / "tests" / "data" / "en-de" / "expected.tsv"
WORDS = ["kén", "batin", "kétiß", "fopi", "sag", "ma", "te"]  # of the tiny model's test texts


def arguments(description, **defaults):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--tool", type=pathlib.Path, default=PROJECT / "build" / "release" / "bin" / "dragoman")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for what is made")
    parser.add_argument("--rows", type=int, default=defaults.get("rows", 20000))
    parser.add_argument("--kills", type=int, default=defaults.get("kills", 1), help="of each kind")
    parser.add_argument("--shipped", action="store_true", help="the shipped model, instead of a tiny one")
    parser.add_argument("--sentences", type=pathlib.Path,
                        help="English sentences, one a line, for the shipped model, instead of made rows")
    parser.add_argument("--expected", type=pathlib.Path, help="the tool's translations of these, if there are some")
    parser.add_argument("--beam-size", type=int, help="of the shipped model (default: its own)")
    parser.add_argument("--parts", type=int, help="files that the rows lie in (default: the engine's)")
    parser.add_argument("--json", type=pathlib.Path, help="a file to which the result is appended, one object a line")
    return parser


class Corpus:
    """Parts of Parquet files with a column of numbers and one of texts, and the tool's answers."""

    def __init__(self, options, parts=8):
        self.options, self.folder = options, options.work
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tool_seconds = 0.0
        self.stage = {"columns": "text", "remember": False, "compute_type": "f32"}
        options.shipped |= options.sentences is not None
        self.stage.update({"to": "de"} if options.shipped else
                          {"to": "xx", "model": str(TINY), "options": {"max_decoding_length": 6, "beam_size": 1}})
        if options.shipped and options.beam_size:
            self.stage["options"] = {"beam_size": options.beam_size}
        self.texts = _rows(options)
        options.rows = len(self.texts)
        self.parts = options.parts or parts
        self._write()

    def _write(self):
        import pyarrow as pa
        import pyarrow.parquet as pq
        (self.folder / "in").mkdir(exist_ok=True)
        size = -(-len(self.texts) // self.parts)
        for part in range(self.parts):
            rows = range(part * size, min((part + 1) * size, len(self.texts)))
            pq.write_table(pa.table({"id": pa.array(rows, pa.int64()), "text": [self.texts[row] for row in rows]}),
                           self.folder / "in" / f"part-{part:03}.parquet", row_group_size=500)

    def expected(self):
        """Lines of the tool, in one process; kept beside the rows, and how long it took."""
        kept = self.options.expected or self.folder / "expected.txt"
        seconds = 0.0
        if not kept.exists():
            (self.folder / "lines.txt").write_text("\n".join(self.texts) + "\n")
            command = [self.options.tool, "translate", "-i", self.folder / "lines.txt", "-o", kept, "--to",
                       self.stage["to"], "--compute-type", "float32"]
            if not self.options.shipped:
                command += ["-m", TINY, "--max-length", "6", "-b", "1"]
            elif self.options.beam_size:
                command += ["-b", self.options.beam_size]
            began = time.monotonic()
            subprocess.run(list(map(str, command)), check=True)
            seconds = time.monotonic() - began
        return kept.read_text().split("\n")[:-1], seconds

    def compare(self, table):
        """What is wrong with a table of id, text and translation: nothing, where it is the tool's output."""
        lines, seconds = self.expected()
        self.tool_seconds = self.tool_seconds or seconds
        found = dict(zip(table.column("id").to_pylist(), table.column("translation").to_pylist()))
        wrong = sum(found.get(row) != line for row, line in enumerate(lines))
        errors = sum(error is not None for error in table.column("error").to_pylist())
        return {"rows": table.num_rows, "twice": table.num_rows - len(found), "lost": len(lines) - len(found),
                "differ": wrong, "errors": errors}


def _rows(options):
    if options.sentences:
        return options.sentences.read_text(encoding="utf-8").split("\n")[:-1]
    return _english(options.rows) if options.shipped else _tiny(options.rows)


def _tiny(rows):
    picked = random.Random(7)
    return [" ".join(picked.choice(WORDS) for _ in range(picked.randint(1, 6))) + "." for _ in range(rows)]


def _english(rows):
    """Sentences of the tests of the shipped model, with numbers from the second round on."""
    given = [line.split("\t")[0].removeprefix(">>de<< ") for line in ENGLISH.read_text().splitlines()]
    return [given[row % len(given)] + (f" ({row // len(given)})" if row >= len(given) else "") for row in range(rows)]


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def processes_below(pid):
    """All descendants of a process, as pids and command lines."""
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append((int(entry.name), line))
    waiting, found = [pid], []
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [child for child, _ in below]
    return found


def kill(pid, what):
    print(f"  kill -9 {what} {pid}", flush=True)
    os.kill(pid, signal.SIGKILL)


def kill_tree(pid, what):
    """With all that is below it, as when a machine goes."""
    below = processes_below(pid)
    kill(pid, what)
    for child, _ in below:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass


def corpus_command(corpus, *more):
    """`python -m dragoman.corpus` over the corpus, from "in" to "out"."""
    command = [sys.executable, "-m", "dragoman.corpus", corpus.folder / "in", "-o", corpus.folder / "out", "--to",
               corpus.stage["to"], "--compute-type", "f32", *more]
    if not corpus.options.shipped:
        command += ["-m", TINY]
    for name, value in corpus.stage.get("options", {}).items():
        command += ["--option", f"{name}={value}"]
    return list(map(str, command))


def finished(corpus):
    """Parts of the output that are whole."""
    return len(list((corpus.folder / "out").glob("*.parquet")))


def wait_until(holds, seconds, what):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"waited {seconds} s in vain for {what}")
        time.sleep(0.1)


def report(options, **values):
    """Prints a result, and ends the program with 1 if it is not the tool's."""
    print(json.dumps(values), flush=True)
    if options.json:
        with open(options.json, "a", encoding="utf-8") as file:
            file.write(json.dumps(values) + "\n")
    bad = [name for name in ("twice", "lost", "differ", "errors") if values.get(name)]
    sys.exit(f"not as the tool: {', '.join(bad)}" if bad else 0)
