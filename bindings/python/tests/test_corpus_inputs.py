# SPDX-License-Identifier: Apache-2.0
"""Files of the input that are broken, or repaired: the others are done."""
import errno
import gzip
import json
import os
import random
import re

import pytest
from corpus_runs import events_of, files, folder, read_rows, run, write_rows  # noqa: F401, folder is a fixture
from dragoman.corpus import formats
from dragoman.corpus.formats.batch import BadPart, reading


def test_a_part_whose_file_is_repaired_begins_anew(folder):
    whole = gzip.compress("".join(f"text {row}\n" for row in range(5000)).encode())
    cut = folder / "in" / "a.txt.gz"
    cut.write_bytes(whole[:len(whole) * 2 // 3])
    for time in range(2):  # the second one finds the rows of the first, and none of them at work
        said = run(folder, "in", "-o", "out", "--log", f"log {time}", "--outputs", "translation", code=5)
        assert "a.txt.gz" in said and "has changed" not in said
    resumed, = events_of(folder, "log 1", "resumed")
    assert resumed["rows"] > 1000 and resumed["alone"] == 0
    cut.write_bytes(whole)
    write_rows(folder / "in" / "b.jsonl", ["text"])
    said = run(folder, "in", "-o", "out", "--log", "log 2", "--outputs", "translation")
    assert "a.txt.gz has changed since it was begun" in said and "2 of 2 parts are there" in said
    assert len(events_of(folder, "log 2", "notice")) == 1 and not events_of(folder, "log 2", "resumed")
    rows = gzip.decompress((folder / "out" / "a.txt.gz").read_bytes()).decode().splitlines()
    assert rows == [f"TEXT {row}" for row in range(5000)]
    assert sorted(files(folder / "out")) == [".dragoman-corpus.json", "a.txt.gz", "b.jsonl"]


def test_json_lines_that_are_cut_off_are_refused_before_the_work(folder):
    write_rows(folder / "rows", [f"text {row}" for row in range(5000)])
    whole = gzip.compress((folder / "rows").read_bytes())
    (folder / "in" / "a.jsonl.gz").write_bytes(whole[:len(whole) * 2 // 3])
    assert "a.jsonl.gz" in run(folder, "in", "-o", "out", code=5)
    assert sorted(files(folder / "out")) == [".dragoman-corpus.json"]


def test_a_part_without_rows_leaves_no_journal(folder):
    (folder / "in" / "a.jsonl.gz").write_bytes(b"nonsense")
    write_rows(folder / "in" / "b.jsonl", ["text"])
    run(folder, "in", "-o", "out", code=5)
    assert sorted(files(folder / "out")) == [".dragoman-corpus.json", "b.jsonl"]
    assert read_rows(folder / "out" / "b.jsonl")[0]["translation"] == "TEXT"


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs /proc")
def test_files_that_cannot_be_read_end_no_run(folder):
    """One that fails when it is read, one that cannot be opened, and one that is there no more."""
    (folder / "in" / "fails.jsonl").symlink_to("/proc/self/mem")
    (folder / "in" / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "in" / "gone.csv.gz").symlink_to("nowhere")
    for name in ("z", "y"):
        write_rows(folder / "in" / f"{name}.jsonl", ["text", "text"])
    for option, rows in (("translate", [2, 2]), ("drop", [1, 0])):
        for inputs in ("in", "in/*"):
            said = run(folder, inputs, "-o", option, "--duplicates", option, code=5)
            for path, error in (("fails.jsonl", errno.EIO), ("loop.jsonl", errno.ELOOP), ("gone.csv.gz", errno.ENOENT)):
                assert f"in/{path}: {os.strerror(error)}" in said
            assert "2 of 5 parts are there" in said
        assert [len(read_rows(folder / option / f"{name}.jsonl")) for name in "yz"] == rows


def test_duplicates_are_found_anew_when_a_part_is_repaired(folder):
    """Its size need not change."""
    (folder / "in" / "a.jsonl.gz").write_bytes(gzip.compress(b'{"text":"one"}\n', mtime=0)[:-8] + b"12345678")
    write_rows(folder / "in" / "b.jsonl", ["two"])
    run(folder, "in", "-o", "out", "--duplicates", "mark", code=5)
    (folder / "in" / "a.jsonl.gz").write_bytes(gzip.compress(b'{"text":"one"}\n', mtime=0))
    write_rows(folder / "in" / "b.jsonl", ["one"])
    (folder / "out" / "b.jsonl").unlink()
    run(folder, "in", "-o", "out", "--duplicates", "mark")
    assert read_rows(folder / "out" / "b.jsonl")[0]["filtered"] == "duplicate"


def broken_pages(path, compression, texts):
    """A file whose end, which is read first, is whole."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"text": texts}), path, compression=compression, use_dictionary=False)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle:middle + 400] = bytes(byte ^ 0x5a for byte in content[middle:middle + 400])
    path.write_bytes(content)


@pytest.mark.parametrize("compression", ["snappy", "zstd", "gzip", "none"])
def test_a_parquet_file_with_a_broken_page(tmp_path, compression):
    chance = random.Random(1)
    broken_pages(tmp_path / "a.parquet", compression, [f"text {chance.random()} é" * 5 for _ in range(400)])
    reader = formats.reader("parquet", str(tmp_path / "a.parquet"), formats.Shape())
    with pytest.raises(BadPart, match=r"a\.parquet: "):
        for batch in reader.batches():
            batch.columns(["text"])
            batch.rows()
    reader.close()


def test_a_parquet_file_with_a_broken_page_ends_no_run(folder):
    broken_pages(folder / "in" / "a.parquet", "snappy", [f"text {row}" * 9 for row in range(400)])
    write_rows(folder / "in" / "b.jsonl", ["text"])
    for _ in range(2):
        said = run(folder, "in", "-o", "out", code=5)
        assert "in/a.parquet: " in said and "1 of 2 parts are there" in said
    assert sorted(files(folder / "out")) == [".dragoman-corpus.json", "b.jsonl"]


def test_what_is_no_fault_of_the_file_is_not_hidden(tmp_path):
    full = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError) as found, reading("a"):
        raise full
    assert found.value is full

    def rows():
        with reading("a"):
            yield 1

    with pytest.raises(OSError):
        for _ in rows():
            raise OSError(errno.EIO, "of another file")


@pytest.mark.parametrize("content, why", [
    (json.dumps([{"text": "a"}]), "begins with an array"),
    ('\ufeff\n[\n{"text":"a"},\n{"text":"b"}\n]\n', "begins with an array"),
    (json.dumps({"text": "a"}, indent=1), "none of its first 3 rows can be read: invalid_argument: line 1: .*"),
    ("a\n" * 2000, "none of its first 1024 rows can be read: .*")])
def test_json_that_is_no_lines_is_refused(folder, content, why):
    (folder / "in" / "a.json").write_text(content, encoding="utf-8")
    (folder / "in" / "b.json").write_text('nonsense\n{"text":"a"}\n')
    (folder / "in" / "c.json").write_text("")
    said = run(folder, "in", "-o", "out", code=5)
    assert re.search(f"in/a.json: (it )?{why}; JSON Lines have one object in each line", said)
    assert [row["translation"] for row in read_rows(folder / "out" / "b.json")] == [None, "A"]
    assert sorted(files(folder / "out")) == [".dragoman-corpus.json", "b.json", "c.json"]


def test_a_table_without_a_row_as_its_header_is_refused(folder):
    (folder / "in" / "a.csv").write_text("text\na,b\nc,d\n")
    assert "none of its first 2 rows can be read: invalid_argument: line 2: 2 fields, expected 1" in run(
        folder, "in", "-o", "out", code=5)
