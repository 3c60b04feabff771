#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""corpora_test.py NAME --source REPOSITORY --library LIBRARY: runs the blocks of docs/corpora.md that are marked
`elsewhere=docs.corpora.NAME`, one after the other in one folder, with the Python package of the repository; then looks
at what they have made. Exits with 77 where no Python has what NAME needs.

A Slurm array is played: its script runs once for each task, two at a time, with the variables that Slurm sets."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from run_blocks import blocks  # noqa: E402

# What a Python must have, beside numpy.
NEEDS = {"laptop": [], "machine": [], "cards": [], "slurm": [], "errors": [], "stage": [], "rows": ["datasets"],
         "ray": ["ray.data", "pyarrow"], "spark": ["pyspark", "pyarrow", "pandas"],
         "datasets": ["datasets"], "datatrove": ["datatrove"]}
NO_FILES = ("rows", "stage")
TEXTS = ["Where is the station?", "I have a dog.", "She is wearing a hat.", "The boat is full.", "Tom may stay.",
         "I play the guitar.", "The house is green. The garden is large.", "We are at home."]
FILES, ROWS, EMPTY = 6, 8, 5


def python_with(modules):
    """The first Python that has them: what DRAGOMAN_PYTHON names, else those of the system."""
    named = os.environ.get("DRAGOMAN_PYTHON")
    code = "import sys, numpy" + "".join(f", {module}" for module in modules) + "; sys.exit(sys.version_info < (3, 10))"
    for python in [named] if named else ["python3", "/usr/bin/python3"]:
        found = shutil.which(python)
        if found and subprocess.run([found, "-c", code], capture_output=True).returncode == 0:
            return found
    print(f"skipped: no Python 3.10 with {', '.join(['numpy', *modules])}; DRAGOMAN_PYTHON may name one")
    sys.exit(77)


def make_corpus(box):
    """crawl/part-0.jsonl and so on; rows differ, and a few are empty."""
    (box / "crawl").mkdir()
    for part in range(FILES):
        texts = ["" if i == EMPTY else f"{TEXTS[(i + part) % len(TEXTS)]} {TEXTS[i]}" for i in range(ROWS)]
        rows = [{"id": 1 + part * ROWS + i, "text": text} for i, text in enumerate(texts)]
        (box / f"crawl/part-{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def call(command, box, environment, **more):
    done = subprocess.run(command, cwd=box, env=environment | more, capture_output=True, text=True, timeout=3000)
    if done.returncode:
        sys.exit(f"{command[-1]}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def play_array(script, box, environment):
    """What sbatch does with `#SBATCH --array=FIRST-LAST%AT_ONCE`."""
    first, last, at_once = map(int, re.search(r"^#SBATCH --array=(\d+)-(\d+)%(\d+)$", script, re.M).groups())
    variables = [dict(SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT=str(last - first + 1),
                      SLURM_ARRAY_TASK_MIN=str(first), SLURM_ARRAY_TASK_MAX=str(last), SLURM_ARRAY_TASK_STEP="1",
                      SLURM_ARRAY_JOB_ID="7", SLURM_JOB_ID=str(7 + task)) for task in range(first, last + 1)]
    with concurrent.futures.ThreadPoolExecutor(min(at_once, 2)) as pool:
        list(pool.map(lambda own: call(["bash", "-euo", "pipefail", "-c", script], box, environment, **own), variables))


def rows_of(box, python):
    """All rows below `german`, whatever their format."""
    return json.loads(subprocess.run([python, "-c", """
import glob, json
rows = []
for path in glob.glob("german/**/*", recursive=True):
    if path.endswith((".jsonl", ".json")):
        rows += [json.loads(line) for line in open(path, encoding="utf-8")]
    elif path.endswith(".parquet"):
        import pyarrow.parquet
        rows += pyarrow.parquet.read_table(path).to_pylist()
print(json.dumps(rows))
"""], cwd=box, check=True, stdout=subprocess.PIPE, text=True).stdout)


def check(box, python, datatrove):
    """Each row is there once, translated. datatrove's readers leave out rows without text."""
    rows = rows_of(box, python)
    if datatrove:
        rows = [{**row["metadata"], "id": row["id"], "text": row["text"]} for row in rows]
    wanted = [1 + row for row in range(FILES * ROWS) if not datatrove or row % ROWS != EMPTY]
    ids = sorted(row["id"] for row in rows)
    assert ids == wanted, f"lost or twice: {ids}"
    texts = {row["text"]: row["translation"] for row in rows}
    for row in rows:
        assert row.get("error") is None, row
        assert bool(row["translation"]) == bool(row["text"]), row
        assert row["translation"] != row["text"] or not row["text"], row
        assert row["translation"] == texts[row["text"]], f"{row}: another translation of the same text"
    first = next(row for row in rows if row["text"].startswith("Where is the station?"))
    assert "Bahnhof" in first["translation"], first


def main():
    p = argparse.ArgumentParser()
    p.add_argument("name", choices=NEEDS)
    p.add_argument("--source", type=pathlib.Path, required=True)
    p.add_argument("--library", type=pathlib.Path, required=True)
    o = p.parse_args()
    python = python_with(NEEDS[o.name])
    box = pathlib.Path(tempfile.mkdtemp(prefix="corpora_"))
    (box / "bin").mkdir()
    for name in ("python", "python3"):
        program = box / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{python}" "$@"\n')
        program.chmod(0o755)
    empty = {name: str(box / "none") for name in ("XDG_DATA_HOME", "HF_HUB_CACHE", "DRAGOMAN_MODELS_DIR")}
    environment = os.environ | empty | dict(
        PATH=f"{box}/bin:{os.environ['PATH']}", HOME=str(box),
        PYTHONPATH=f"{o.source / 'bindings/python/src'}{os.pathsep}{o.source / 'tests/docs'}",
        DRAGOMAN_LIBRARY=str(o.library), DRAGOMAN_MODEL=str(o.source / "models/en-de"), PYTHONDONTWRITEBYTECODE="1")
    try:
        make_corpus(box)
        ran = 0
        for line, language, words, before, code in blocks(o.source / "docs/corpora.md"):
            if f"elsewhere=docs.corpora.{o.name}" not in words:
                continue
            ran += 1
            script = f"{before}\n{code}"
            if "#SBATCH" in script:
                play_array(script, box, environment)
            elif language == "sh":
                call(["bash", "-euo", "pipefail", "-c", script], box, environment)
            else:
                (box / "block.py").write_text(script, encoding="utf-8")
                call([python, "block.py"], box, environment)
            print(f"corpora.md:{line}: passed")
        assert ran, f"docs/corpora.md has no block for docs.corpora.{o.name}"
        if o.name not in NO_FILES:
            check(box, python, o.name == "datatrove")
    finally:
        shutil.rmtree(box, ignore_errors=True)


if __name__ == "__main__":
    main()
