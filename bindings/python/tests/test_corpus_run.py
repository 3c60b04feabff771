# SPDX-License-Identifier: Apache-2.0
"""The program: whole runs, and what ends them early."""
import json
import os
import pathlib
import random
import signal
import subprocess
import time

import dragoman
import pytest
from conftest import ROOT, TEXT_MODEL
from corpus_runs import (STAND_IN, events_of, files, folder, read_rows, run, start,  # noqa: F401, folder is a fixture
                         write_rows)
from dragoman.corpus.parts import deal, find_parts

FULL = """
import errno
import dragoman.corpus.journal as journal

plain = journal.Journal._write

def write(self, line):
    if "found" in line:
        raise OSError(errno.ENOSPC, "No space left on device", self._path)
    plain(self, line)

journal.Journal._write = write
"""
UNTOLD = """
import os
import dragoman.corpus.journal as journal

plain = journal.Journal.found

def found(self, first, rows):
    plain(self, first, rows)
    if any(row.error for row in rows):
        os.kill(os.getpid(), 9)

journal.Journal.found = found
"""


def test_lines_become_what_the_tool_makes_of_them(folder):
    lines = ["batin kétiß.", "", "kén kétiß batin. batin kén.", "  kén\t- 3.5 batin", "ß\r"] * 8
    (folder / "in" / "a.txt").write_text("\n".join(lines), encoding="utf-8", newline="")
    run(folder, "in", "-o", "out", "--outputs", "translation", "--batch-rows", 7, stand_in=False)
    found = (folder / "out" / "a.txt").read_bytes()
    with dragoman.Translator(dragoman.Model(TEXT_MODEL, compute_type="f32"), to="xx") as translator:
        assert found.decode() == "".join(one.text + "\n" for one in translator.translate(
            [line.removesuffix("\r") for line in lines]))
    library = pathlib.Path(os.environ.get("DRAGOMAN_LIBRARY", ROOT / "build/release/capi/libdragoman.so"))
    tool = library.parent.parent / "bin" / "dragoman"
    if tool.exists():
        subprocess.run([tool, "translate", "-m", TEXT_MODEL, "--compute-type", "float32", "--to", "xx", "-i", "in/a.txt",
                        "-o", "tool.txt"], cwd=folder, check=True, capture_output=True)
        assert (folder / "tool.txt").read_bytes() == found


def test_rows_with_faults_and_killers_are_named(folder):
    texts = [f"text {place}" for place in range(700)]
    texts[300], texts[301], texts[650], texts[10] = "KILL it", None, 'FAIL', 3
    write_rows(folder / "in" / "a.jsonl", texts)
    said = run(folder, "in", "-o", "out", "--log", "log")
    rows = read_rows(folder / "out" / "a.jsonl")
    assert {row["id"]: row["error"] for row in rows if row["error"]} == {
        10: "invalid_argument: expected a text, not int", 650: "invalid_argument: no such text",
        300: "internal: set aside, as it ended the process 3 times (signal 9, SIGKILL)"}
    assert all(row["translation"] == row["text"].upper() for row in rows if not row["error"] and row["text"])
    assert [row["id"] for row in rows] == list(range(700)) and "3 of them with errors" in said
    events = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    assert sum(event["event"] == "worker_ended" for event in events) == 7
    assert {event["row"] for event in events if event["event"] == "row_error"} == {10, 300, 650}
    assert events[0]["event"] == "start" and events[-1]["event"] == "end" and events[-1]["rows"] == 700


def test_rows_that_a_worker_did_not_tell_are_counted(folder):
    """It ends between a line of its journal and the event of that line."""
    with open(folder / "stand_in" / "sitecustomize.py", "a") as file:
        file.write(UNTOLD)
    texts = [f"text {place}" for place in range(2000)]
    texts[10], texts[1000] = 3, 4
    write_rows(folder / "in" / "a.jsonl", texts)
    said = run(folder, "in", "-o", "out", "--log", "log")
    events = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    assert sum(event["event"] == "worker_ended" for event in events) == 2
    assert [event["row"] for event in events if event["event"] == "row_error"] == [10, 1000]
    assert events[-1]["rows"] == 2000 and events[-1]["errors"] == 2 and "2 of them with errors" in said


def worker_of(process):
    """The process that translates, once there is one."""
    while process.poll() is None:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if children:
            return int(children[0])
        time.sleep(0.005)
    return None


@pytest.mark.skipif(not pathlib.Path("/proc/self/task").exists(), reason="needs /proc")
def test_what_is_killed_ends_as_what_is_not(folder):
    """kill -9 of the worker and of the program, SIGTERM and SIGINT at random moments."""
    texts = [f"text {place} " + "x" * (place % 50) for place in range(3000)]
    for name in ("a.jsonl", "b.jsonl"):
        write_rows(folder / "in" / name, texts)
    (folder / "in" / "c.csv").write_text("text,n\n" + "".join(f'"{text}\n",1\n' for text in texts[:500]))
    run(folder, "in", "-o", "whole")
    chance, codes = random.Random(3), []
    for kind in ["worker", signal.SIGTERM, signal.SIGKILL, signal.SIGINT, "worker", signal.SIGKILL]:
        process = start(folder, "in", "-o", "out")
        worker = worker_of(process)
        time.sleep(chance.uniform(0.3, 0.9))
        if worker is not None and process.poll() is None:
            if kind == "worker":
                os.kill(worker, signal.SIGKILL)
                time.sleep(chance.uniform(0.0, 0.4))
            process.send_signal(signal.SIGKILL if kind == "worker" else kind)
        process.communicate(timeout=60)
        codes.append(process.returncode)
        assert process.returncode in (0, -9, 130, 143)
    assert set(codes) > {-9} or 130 in codes
    run(folder, "in", "-o", "out")
    assert files(folder / "out") == files(folder / "whole")


def test_another_output_format_goes_on_with_what_there_is(folder):
    write_rows(folder / "in" / "a.jsonl", [f"text {place}" for place in range(2000)])
    process = start(folder, "in", "-o", "out", "--output-format", "csv", SECONDS_OF_TEXT="0.005")
    journal = folder / "out" / ".a.jsonl.journal"
    until = time.monotonic() + 60
    while not (journal.exists() and journal.read_bytes().count(b'"found"') > 2):
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.communicate()
    run(folder, "in", "-o", "out", "--output-format", "jsonl", "--log", "log")
    resumed, = events_of(folder, "log", "resumed")
    assert resumed["rows"] > 0
    assert [row["translation"] for row in read_rows(folder / "out" / "a.jsonl")] == [f"TEXT {place}" for place in range(2000)]
    assert list(files(folder / "out")) == [".dragoman-corpus.json", "a.jsonl"]


def test_a_run_is_refused_where_another_was(folder):
    write_rows(folder / "in" / "a.jsonl", ["a"])
    run(folder, "in", "-o", "out")
    said = run(folder, "in", "-o", "out", "--option", "beam_size=3", code=4)
    assert "option beam_size: null then, 3 now" in said
    assert "there is no column 'txet'" in run(folder, "in", "-o", "other", "--columns", "txet", code=5)
    assert "expected I/N" in run(folder, "in", "-o", "out", "--shard", "9/3", code=2)
    assert "no such file" in run(folder, "none", "-o", "out", code=2)
    assert "nothing else" in run(folder, "in", "-o", "out", "--output-format", "text", "--outputs", "score", code=2)
    assert "beam_size: 100" in run(folder, "in", "-o", "more", "--option", "beam_size=100", code=2, stand_in=False)
    assert "/no/model" in run(folder, "in", "-o", "more", "--model", "/no/model", code=1, stand_in=False)


def test_a_disk_that_is_full(folder):
    """The file that begins every write is one that has no room."""
    write_rows(folder / "in" / "a.jsonl", ["a"])
    assert "disk is full" in run(folder, "in", "-o", "out", "--log", "/dev/full", code=6)
    (folder / "stand_in" / "sitecustomize.py").write_text(STAND_IN + FULL)
    said = run(folder, "in", "-o", "out", code=6)
    assert "disk is full" in said and ".a.jsonl.journal" in said and "goes on from here" in said
    (folder / "stand_in" / "sitecustomize.py").write_text(STAND_IN)
    run(folder, "in", "-o", "out")
    assert read_rows(folder / "out" / "a.jsonl")[0]["translation"] == "A"


def test_shards_of_a_slurm_array_make_the_whole(folder, monkeypatch):
    for place in range(7):
        write_rows(folder / "in" / f"{place}.jsonl", [f"text {row}" for row in range(10 * place + 1)])
    (folder / "in" / "broken.jsonl.gz").write_bytes(b"nonsense")
    whole = run(folder, "in", "-o", "whole", code=5)
    assert "broken.jsonl.gz" in whole and "7 of 8 parts" in whole
    parts = find_parts([str(folder / "in")], str(folder / "out"), None, None)
    broken = next(shard for shard in range(3) if any("broken" in part.name for part in deal(parts, 3)[shard]))
    for task in range(3):
        for name, value in (("ID", task + 5), ("COUNT", 3), ("MIN", 5), ("MAX", 7)):
            monkeypatch.setenv(f"SLURM_ARRAY_TASK_{name}", str(value))
        said = run(folder, "in", "-o", "out", code=5 if task == broken else 0)
        assert f"shard {task + 1} of 3 (SLURM_ARRAY_TASK_ID={task + 5}" in said
    monkeypatch.delenv("SLURM_ARRAY_TASK_ID")
    assert files(folder / "out") == files(folder / "whole")
    plan = run(folder, "in", "-o", "out", "--plan").splitlines()
    assert len(plan) == 8 and sum(line.startswith("done\t") for line in plan) == 7


@pytest.mark.parametrize("killed", [False, True])
def test_a_shard_that_is_done_takes_parts_of_a_slow_one(folder, killed):
    """And what it leaves when it is killed is done by the slow one."""
    for place in range(12):
        write_rows(folder / "in" / f"{place:02}.jsonl", [f"text {row}" for row in range(150)])
    run(folder, "in", "-o", "whole")
    shards = ["in", "-o", "out", "--batch-rows", 10]
    slow = start(folder, *shards, "--shard", "1/2", "--log", "slow", SECONDS_OF_TEXT="0.004")
    fast = start(folder, *shards, "--shard", "2/2", "--log", "fast", SECONDS_OF_TEXT="0.001")
    if killed:
        while not events_of(folder, "fast", "stolen"):
            time.sleep(0.01)
        fast.kill()
    said = [process.communicate(timeout=60)[1] for process in (slow, fast)]
    assert (slow.returncode, fast.returncode) == (0, -9 if killed else 0), said
    stolen = [event["part"] for event in events_of(folder, "fast", "stolen")]
    elsewhere = [event["part"] for event in events_of(folder, "slow", "part_done_elsewhere")]
    assert stolen and set(elsewhere) <= set(stolen) and len(stolen) - len(elsewhere) <= killed
    assert killed or f"6 of 6 parts are there and {len(stolen)} of other shards" in said[1]
    if killed:
        run(folder, *shards, "--shard", "2/2")
    assert files(folder / "out") == files(folder / "whole")


def test_a_shard_that_has_not_begun_keeps_its_parts(folder):
    for place in range(4):
        write_rows(folder / "in" / f"{place}.jsonl", ["text"] * 20)
    run(folder, "in", "-o", "out", "--shard", "1/2")
    run(folder, "in", "-o", "kept", "--no-steal", "--shard", "2/2")
    for name in ("out", "kept"):
        assert len(list((folder / name).glob("*.jsonl"))) == 2


@pytest.mark.parametrize("how", ["translate", "mark", "drop"])
def test_duplicates_are_those_of_all_parts(folder, how):
    write_rows(folder / "in" / "a.jsonl", ["one", "two", "one", None, None])
    write_rows(folder / "in" / "b.jsonl", ["two", "three", "one"])
    for shard in ("2/2", "1/2") if how == "mark" else ("1/1",):
        run(folder, "in", "-o", "out", "--duplicates", how, "--shard", shard)
    rows = [(row["text"], row["translation"], row.get("filtered")) for name in "ab"
            for row in read_rows(folder / "out" / f"{name}.jsonl")]
    missing = (None, None, None)
    firsts = [("one", "ONE", None), ("two", "TWO", None), missing, missing, ("three", "THREE", None)]
    if how == "drop":
        assert rows == firsts
    else:
        again = [(text, None, "duplicate") if how == "mark" else (text, text.upper(), None)
                 for text in ("one", "two", "one")]
        assert rows == [*firsts[:2], again[0], *firsts[2:4], again[1], firsts[4], again[2]]


def test_filters_and_formats(folder):
    (folder / "in" / "a.txt").write_text("a\nlong enough\nlong indeed\n")
    run(folder, "in", "-o", "out", "--min-characters", 5, "--output-format", "jsonl", "--outputs",
        "translation=made,source_language")
    assert [row["made"] for row in read_rows(folder / "out" / "a.jsonl")] == ["LONG ENOUGH", "LONG INDEED"]
    run(folder, "in", "-o", "marked", "--min-characters", 5, "--filtered", "mark", "--output-format", "csv")
    assert (folder / "marked" / "a.csv").read_text().splitlines() == [
        "text,translation,error,filtered", "a,,,\"1 characters, fewer than 5\"", "long enough,LONG ENOUGH,,",
        "long indeed,LONG INDEED,,"]
