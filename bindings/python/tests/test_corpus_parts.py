# SPDX-License-Identifier: Apache-2.0
"""Which files a shard does, and what journals know."""
import random

import pytest
from dragoman.corpus.cells import RowFound
from dragoman.corpus.journal import MOST_CRASHES, Busy, Journal, OtherRun
from dragoman.corpus.outcome import Outcome
from dragoman.corpus.parts import Part, UsageError, deal, find_parts, find_shard


def test_files(tmp_path):
    for name in ("in/a.jsonl", "in/deep/b.csv.gz", "in/notes.md", "in/.hidden/c.jsonl", "other/a.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    out = str(tmp_path / "out")
    parts = find_parts([str(tmp_path / "in")], out, None, None)
    assert [part.name for part in parts] == ["a.jsonl", "deep/b.csv.gz"] and parts[1].format == "csv"
    assert parts[1].size == 4 * parts[0].size
    assert find_parts([str(tmp_path / "in" / "**" / "*.gz")], out, None, "jsonl")[0].target == f"{out}/deep/b.jsonl.gz"
    for patterns, folder, why in (
            (["in", "other"], "out", "would both become"), (["in/notes.md"], "out", "tells no format"),
            (["in/*.none"], "out", "no such file"), (["in"], "in", "replaced by its own translation")):
        with pytest.raises(UsageError, match=why):
            find_parts([str(tmp_path / pattern) for pattern in patterns], str(tmp_path / folder), None, None)


def test_shards_share_by_size():
    numbers = random.Random(1)
    sizes = [numbers.randint(1, 1000) for _ in range(200)]
    parts = [Part(f"{place:03}", "", "", "jsonl", float(size)) for place, size in enumerate(sizes)]
    for shards in (1, 3, 7, 500):
        given = deal(parts, shards)
        assert sorted(part.name for own in given for part in own) == [part.name for part in parts]
        loads = [sum(part.size for part in own) for own in given]
        assert max(loads) <= max(sum(sizes) / shards * 1.01 + 1, max(sizes))
        assert all(own == sorted(own, key=lambda part: (-part.size, part.name)) for own in given)


@pytest.mark.parametrize("given, slurm, wanted", [
    (None, {}, (0, 1)), ("3/8", {}, (2, 8)), ("1/1", {"ID": 5, "COUNT": 9}, (0, 1)),
    (None, {"ID": 0, "COUNT": 4, "MIN": 0}, (0, 4)), (None, {"ID": 4, "COUNT": 4, "MIN": 1}, (3, 4)),
    (None, {"ID": 20, "COUNT": 3, "MIN": 10, "STEP": 5}, (2, 3)),
    (None, {"ID": 7, "COUNT": 2, "MIN": 3}, "array with gaps"), (None, {"ID": 1}, "no SLURM_ARRAY_TASK_COUNT"),
    (None, {"ID": "x", "COUNT": 1}, "expected a number"), ("0/4", {}, "expected I/N"), ("5/4", {}, "expected I/N"),
    ("2", {}, "expected I/N")])
def test_who_says_which_shard(given, slurm, wanted):
    environment = {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in slurm.items()}
    if isinstance(wanted, str):
        with pytest.raises(UsageError, match=wanted):
            find_shard(given, environment)
    else:
        assert find_shard(given, environment)[:2] == wanted


def row(text):
    return RowFound([[Outcome(translation=text, score=-0.1), None]], None, None)


def test_a_journal_keeps_whole_lines(tmp_path):
    path = str(tmp_path / "journal")
    journal = Journal(path, {"a": 1})
    journal.begin(0, 2, False)
    journal.found(0, [row("x\ud800"), RowFound([None], "why", "filtered")])
    journal.begin(2, 1, False)
    journal.found(2, [row("y")])
    journal.close()
    whole = (tmp_path / "journal").read_bytes()
    lines = whole.split(b"\n")
    for cut in [*range(len(whole) - len(lines[-2]) - 1, len(whole)), len(lines[0]) // 2]:
        (tmp_path / "journal").write_bytes(whole[:cut])
        journal = Journal(path, {"a": 1})
        assert journal.done == (0 if cut < len(lines[0]) else 2)
        if journal.done:
            assert list(journal.rows()) == [row("x\ud800"), RowFound([None], "why", "filtered")]
            assert journal.suspect(2) == (1 if cut else 0)
        journal.close()
    (tmp_path / "journal").write_bytes(whole.replace(b'"y"', b'"z"'))  # not what was written
    journal = Journal(path, {"a": 1})
    assert journal.done == 2
    with pytest.raises(Busy):
        import dragoman.corpus.journal as module
        seconds, module._LOCK_SECONDS = module._LOCK_SECONDS, 0.1
        try:
            Journal(path, {"a": 1})
        finally:
            module._LOCK_SECONDS = seconds
    journal.remove()
    assert not (tmp_path / "journal").exists()


def test_a_journal_is_of_one_run(tmp_path):
    path = str(tmp_path / "journal")
    Journal(path, {"beam": 4, "to": "de"}).close()
    with pytest.raises(OtherRun, match=r"beam: 4 then, 5 now; extra: null then, 1 now\."):
        Journal(path, {"beam": 5, "to": "de", "extra": 1})


def test_a_row_that_ends_the_process_is_found(tmp_path):
    """256 rows at work, one of which kills: after a few ends it is alone, and then it is set aside."""
    path, killer, ends = str(tmp_path / "journal"), 100, 0
    while True:
        journal = Journal(path, {}, "signal 11")
        while journal.done < 300:
            count = journal.suspect(journal.done) or min(256, 300 - journal.done)
            alone = journal.suspect(journal.done) > 0
            why = journal.killer(journal.done) if count == 1 else None
            journal.begin(journal.done, count, alone)
            if journal.done <= killer < journal.done + count and why is None:
                break
            journal.found(journal.done, [RowFound([None], why)] * count)
        journal.close()
        if journal.done == 300:
            break
        ends += 1
        assert ends < 20
    assert ends == 4 + MOST_CRASHES
    errors = {place: found.error for place, found in enumerate(Journal(path, {}).rows()) if found.error}
    assert errors == {killer: f"internal: set aside, as it ended the process {MOST_CRASHES} times (signal 11)"}


def test_a_stop_blames_no_row(tmp_path):
    path = str(tmp_path / "journal")
    for _ in range(5):
        journal = Journal(path, {})
        journal.begin(0, 1, True)
        journal.stop()
        journal.close()
    journal.stop()  # the part has just been done when the end comes
    assert Journal(path, {}).killer(0) is None
