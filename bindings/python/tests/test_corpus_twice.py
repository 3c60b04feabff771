# SPDX-License-Identifier: Apache-2.0
"""A part that two processes do, as they can where machines do not see each other's locks."""
import json
import pathlib

import pytest
from conftest import TEXT_MODEL
from dragoman.corpus import engine, locks, part_work, stage
from dragoman.corpus.formats.batch import BadPart
from dragoman.corpus.job import Job
from dragoman.corpus.outcome import Outcome
from dragoman.corpus.parts import Part
from dragoman.corpus.share import Share

ROWS = 3000


class StandIn:
    totals = engine.Totals()

    def __init__(self):
        self.before = []  # what happens before the next call

    def translate(self, texts, source_language, options, wanted):
        while self.before:
            self.before.pop()()
        return [Outcome(translation=text.upper()) for text in texts]


@pytest.fixture
def model(monkeypatch):
    made = StandIn()
    monkeypatch.setattr(stage, "engine", lambda settings: made)
    monkeypatch.setattr(locks, "lock", lambda file: True)
    monkeypatch.setattr("dragoman.corpus.journal.lock", lambda file: True)
    return made


class Process:
    """One of the two; what it tells."""

    def __init__(self, folder, monkeypatch, name):
        self.events = []
        job = Job(stage={"model": str(TEXT_MODEL), "to": "xx", "outputs": ("translation",)}, calls=1)
        part = Part("a.jsonl", str(folder / "a.jsonl"), str(folder / "out" / "a.jsonl"), "jsonl", 1.0)
        monkeypatch.setattr("dragoman.corpus.journal.process_name", lambda: name)
        self.work = part_work.PartWork(job, job.made_stage(), part, "", None, self.tell)
        aside = self.work.journal.aside

        def named():
            monkeypatch.setattr("dragoman.corpus.journal.process_name", lambda: name)
            return aside()

        monkeypatch.setattr(self.work.journal, "aside", named)

    def tell(self, event, **values):
        self.events.append(event)

    def run(self):
        self.work.run()
        return self.events[-1]


@pytest.fixture
def box(tmp_path, monkeypatch, model):
    (tmp_path / "out").mkdir()
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"text": f"text {row}"}) + "\n" for row in range(ROWS)))
    yield tmp_path, lambda name: Process(tmp_path, monkeypatch, name)
    rows = [json.loads(line) for line in (tmp_path / "out" / "a.jsonl").read_text().splitlines()]
    assert [row["translation"] for row in rows] == [f"TEXT {row}" for row in range(ROWS)]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.jsonl"]


def test_the_other_is_faster_with_the_translations(box, model):
    slow, fast = box[1]("slow"), box[1]("fast")
    model.before.append(lambda: fast.run())
    assert slow.run() == "there" and fast.events[-1] == "done"


@pytest.mark.parametrize("begun", ["before", "after"])
def test_the_other_is_faster_with_the_file(box, model, monkeypatch, begun):
    """One that begins later knows the slow one's file, and removes it."""
    slow = box[1]("slow")
    fast = [box[1]("fast")] if begun == "before" else []
    settle = part_work.settle

    def overtaken(aside, target):
        monkeypatch.setattr(part_work, "settle", settle)
        assert (fast or [box[1]("fast")])[0].run() == "done"
        settle(aside, target)

    monkeypatch.setattr(part_work, "settle", overtaken)
    assert slow.run() == ("done" if begun == "before" else "there")


def test_both_write_at_once(box, model, monkeypatch):
    """One begins its file while the other is in the middle of its own."""
    slow, fast = box[1]("slow"), box[1]("fast")
    made = slow.work._made

    def overtaken(batch, found):
        monkeypatch.setattr(slow.work, "_made", made)
        assert fast.run() == "done"
        return made(batch, found)

    monkeypatch.setattr(slow.work, "_made", overtaken)
    assert slow.run() == "done"


def test_files_that_killed_processes_left_go_with_the_journal(box):
    folder, process = box
    killed = process("killed").work.journal
    left = killed.aside()
    with open(left, "w") as file:
        file.write("half a fi")
    killed.close()
    kept = (folder / "out" / ".a.jsonl.journal").read_bytes()
    last = process("next")
    assert last.run() == "done"
    for name, content in ((".a.jsonl.journal", kept), (pathlib.Path(left).name, b"half a fi")):
        (folder / "out" / name).write_bytes(content)  # as if the end had come between the file and the journal's
    part = last.work._part
    assert Share([part], 0, 1, str(folder / "out"), True).done == [part]


def test_a_journal_without_some_rows_makes_no_file(box, monkeypatch):
    """The next run does these rows again."""
    folder, process = box
    first = process("first")
    write = first.work.journal._write
    monkeypatch.setattr(first.work.journal, "_write", lambda line: None if line.get("first") == 256 else write(line))
    with pytest.raises(BadPart, match="rows missing"):
        first.run()
    first.work.journal.close()
    assert not (folder / "out" / "a.jsonl").exists()
    assert process("next").run() == "done"
