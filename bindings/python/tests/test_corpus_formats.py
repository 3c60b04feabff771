# SPDX-License-Identifier: Apache-2.0
"""Files of rows: what is read, and what is written."""
import gzip
import sys

import pytest
from dragoman.corpus import formats
from dragoman.corpus.formats.batch import BadPart
from dragoman.corpus.formats.compression import suffix_of


def upper(source, target, drop=(), **shape):
    """A part whose texts become capitals; its rows, and its faults."""
    source, target = str(source), str(target)
    given, made = formats.format_of(source), formats.format_of(target)
    shape = formats.surveyed(given, source, made, formats.Shape(
        **{"kinds": {"translation": "text"}, "compression": suffix_of(target), **shape}))
    reader, writer = formats.reader(given, source, shape), formats.writer(made, target, shape)
    faults, texts = {}, []
    for batch in reader.batches():
        column = batch.columns(["text"])["text"]
        faults.update({len(texts) + place: fault for place, fault in batch.faults.items()})
        writer.write(batch, {"translation": [text and text.upper() for text in column]},
                     [place for place in range(len(batch)) if len(texts) + place not in drop])
        texts += column
    assert reader.share() == 1
    writer.close()
    reader.close()
    return texts, faults


def test_json_lines(tmp_path):
    (tmp_path / "a.jsonl").write_bytes('\ufeff{"text":"hé","n":1.0}\r\n\nnope\n{"text":null}\n[1]'.encode())
    texts, faults = upper(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert texts == ["hé", None, None, None] and sorted(faults) == [1, 3] and "line 5: expected an object" in faults[3]
    assert (tmp_path / "b.jsonl").read_text(encoding="utf-8").split("\n") == [
        '{"text":"hé","n":1.0,"translation":"HÉ"}', '{"invalid_line":"nope","translation":null}',
        '{"text":null,"translation":null}', '{"invalid_line":"[1]","translation":null}', ""]


def test_tables(tmp_path):
    (tmp_path / "a.csv").write_bytes(b'id,text\r\n1,"a ""q""\nb"\r\n2,x\n3\n4,"z,y"')
    texts, faults = upper(tmp_path / "a.csv", tmp_path / "b.csv", drop=[1])
    assert texts == ['a "q"\nb', "x", "", "z,y"] and list(faults) == [2] and "1 fields, expected 2" in faults[2]
    assert (tmp_path / "b.csv").read_bytes() == (
        b'id,text,translation\n1,"a ""q""\nb","A ""Q""\nB"\n3,,\n4,"z,y","Z,Y"\n')
    (tmp_path / "c.csv").write_text("5,x\n")
    reader = formats.reader("csv", str(tmp_path / "c.csv"), formats.Shape(header=False))
    assert reader.names == ["0", "1"] and [batch.rows() for batch in reader.batches()] == [[{"0": "5", "1": "x"}]]
    (tmp_path / "d.csv").write_text('text\n"never closed\n')
    with pytest.raises(BadPart, match="line 2"):
        upper(tmp_path / "d.csv", tmp_path / "e.csv")


def test_lines_keep_what_is_no_utf8(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"a\r\n\nb\xff c")
    assert upper(tmp_path / "a.txt", tmp_path / "b.txt")[0] == ["a", "", "b\udcff c"]
    assert (tmp_path / "b.txt").read_bytes() == b"A\n\nB\xff C\n"


@pytest.mark.parametrize("end", [".gz", ".zst"])
def test_compression(tmp_path, end):
    content = b'{"text":"a"}\n' * 3000
    if end == ".zst":
        zstandard = pytest.importorskip("zstandard")
        made = zstandard.ZstdCompressor().compress(content) * 2
    else:
        made = gzip.compress(content) * 2  # two members
    (tmp_path / f"a.jsonl{end}").write_bytes(made)
    for name in ("b", "c"):
        texts, _ = upper(tmp_path / f"a.jsonl{end}", tmp_path / f"{name}.jsonl{end}")
        assert texts == ["a"] * 6000
    assert (tmp_path / f"b.jsonl{end}").read_bytes() == (tmp_path / f"c.jsonl{end}").read_bytes()
    assert len(upper(tmp_path / f"b.jsonl{end}", tmp_path / "d.jsonl")[0]) == 6000
    (tmp_path / f"e.jsonl{end}").write_bytes(made[:len(made) - 5])
    (tmp_path / f"f.jsonl{end}").write_bytes(b"nonsense")
    for name in "ef":
        with pytest.raises(BadPart, match=rf"{name}\.jsonl"):
            upper(tmp_path / f"{name}.jsonl{end}", tmp_path / "g.jsonl")


MEMORY = """<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="de"><seg>Hund</seg></tuv><tuv xml:lang="en-US"><seg>A <bpt i="1">x</bpt><hi>dog</hi> &amp; c</seg>
</tuv></tu><tu><tuv xml:lang="fr"><seg>chien</seg></tuv></tu></body></tmx>"""


def test_memories(tmp_path):
    (tmp_path / "a.tmx").write_text(MEMORY)
    assert upper(tmp_path / "a.tmx", tmp_path / "b.tmx", target_language="de")[0] == ["A dog & c"]
    written = (tmp_path / "b.tmx").read_text()
    assert ('<tu><tuv xml:lang="en-US"><seg>A dog &amp; c</seg></tuv>'
            '<tuv xml:lang="de"><seg>A DOG &amp; C</seg></tuv></tu>') in written
    assert upper(tmp_path / "a.tmx", tmp_path / "b.jsonl", source_language="fr")[0] == ["chien"]
    for content, why in (("<tmx>", "no element found"), ("<a/>", "element tmx"),
                         ('<!DOCTYPE t [<!ENTITY a "x">]><tmx/>', "entity a")):
        (tmp_path / "c.tmx").write_text(content)
        with pytest.raises(BadPart, match=why):
            upper(tmp_path / "c.tmx", tmp_path / "d.tmx")


def test_parquet(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    when = arrow.array([1, 2, 3], arrow.timestamp("us"))
    table = arrow.table({"id": [1, 2, 3], "text": ["a", None, "c"], "when": when})
    parquet.write_table(table, tmp_path / "a.parquet")
    for name in ("b", "c"):
        assert upper(tmp_path / "a.parquet", tmp_path / f"{name}.parquet", drop=[0])[0] == ["a", None, "c"]
    found = parquet.read_table(tmp_path / "b.parquet")
    assert found.schema.field("when").type == arrow.timestamp("us")
    assert found.column("translation").to_pylist() == [None, "C"]
    assert (tmp_path / "b.parquet").read_bytes() == (tmp_path / "c.parquet").read_bytes()
    upper(tmp_path / "a.parquet", tmp_path / "d.jsonl")
    assert '"when":"1970-01-01T00:00:00.000001"' in (tmp_path / "d.jsonl").read_text()
    (tmp_path / "e.jsonl").write_text('{"text":"a","n":1}\n{"text":null,"n":2}\n')
    upper(tmp_path / "e.jsonl", tmp_path / "f.parquet")
    assert parquet.read_table(tmp_path / "f.parquet").to_pylist()[0] == {"text": "a", "n": 1, "translation": "A"}
    (tmp_path / "g.parquet").write_bytes(b"nonsense")
    with pytest.raises(BadPart, match=r"g\.parquet"):
        upper(tmp_path / "g.parquet", tmp_path / "h.parquet")


@pytest.mark.parametrize("given, made", [("jsonl", "parquet"), ("parquet", "jsonl"), ("parquet", "parquet")])
def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch, given, made):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / f"a.{given}").write_text('{"text":"a"}')
    with pytest.raises(ImportError, match="pip install pyarrow"):
        upper(tmp_path / f"a.{given}", tmp_path / f"b.{made}")


def test_names():
    assert formats.format_of("a/b.JSONL.gz") == "jsonl" and formats.format_of("b.tar.gz") is None
    assert formats.output_name("a/b.jsonl.gz", "jsonl", "csv") == "a/b.csv.gz"
    assert formats.output_name("b.csv.zst", "csv", "parquet") == "b.parquet"
