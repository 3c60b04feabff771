# SPDX-License-Identifier: Apache-2.0
"""Files of the input that are broken, or repaired: the others are done."""
import gzip
import json

from corpus_runs import events_of, files, folder, read_rows, run, write_rows  # noqa: F401, folder is a fixture


def test_a_part_whose_file_is_repaired_begins_anew(folder):
    write_rows(folder / "rows", [f"text {row}" for row in range(5000)])
    whole = gzip.compress((folder / "rows").read_bytes())
    cut = folder / "in" / "a.jsonl.gz"
    cut.write_bytes(whole[:len(whole) * 2 // 3])
    for time in range(2):  # the second one finds the rows of the first, and none of them at work
        said = run(folder, "in", "-o", "out", "--log", f"log {time}", code=5)
        assert "a.jsonl.gz" in said and "has changed" not in said
    resumed, = events_of(folder, "log 1", "resumed")
    assert resumed["rows"] > 1000 and resumed["alone"] == 0
    cut.write_bytes(whole)
    write_rows(folder / "in" / "b.jsonl", ["text"])
    said = run(folder, "in", "-o", "out", "--log", "log 2")
    assert "a.jsonl.gz has changed since it was begun" in said and "2 of 2 parts are there" in said
    assert len(events_of(folder, "log 2", "notice")) == 1 and not events_of(folder, "log 2", "resumed")
    rows = [json.loads(line) for line in gzip.decompress((folder / "out" / "a.jsonl.gz").read_bytes()).splitlines()]
    assert [row["translation"] for row in rows] == [f"TEXT {row}" for row in range(5000)]
    assert sorted(files(folder / "out")) == [".dragoman-corpus.json", "a.jsonl.gz", "b.jsonl"]


def test_a_part_without_rows_leaves_no_journal(folder):
    (folder / "in" / "a.jsonl.gz").write_bytes(b"nonsense")
    write_rows(folder / "in" / "b.jsonl", ["text"])
    run(folder, "in", "-o", "out", code=5)
    assert sorted(files(folder / "out")) == [".dragoman-corpus.json", "b.jsonl"]
    assert read_rows(folder / "out" / "b.jsonl")[0]["translation"] == "TEXT"
