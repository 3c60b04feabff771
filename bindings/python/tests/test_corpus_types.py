# SPDX-License-Identifier: Apache-2.0
"""Parquet: what is read keeps its types, and rows without types get some, before they are translated."""
import json

import pytest
from corpus_runs import files, folder, read_rows, run, write_rows  # noqa: F401, folder is a fixture
from dragoman.corpus.formats.batch import BadPart
from test_corpus_formats import upper

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

A = {"text": "a"}


def made_of(tmp_path, rows, **options):
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    upper(tmp_path / "a.jsonl", tmp_path / "b.parquet", **options)
    return parquet.read_table(tmp_path / "b.parquet")


@pytest.mark.parametrize("rows, kind, values", [
    ([A, {**A, "u": "x"}], arrow.string(), {1: "x"}),
    ([{**A, "u": None}] * 1024 + [{**A, "u": "x"}], arrow.string(), {1024: "x"}),
    ([A] * 1024 + [{**A, "u": [1]}], arrow.list_(arrow.int64()), {1024: [1]}),
    ([{**A, "u": "x"}] * 1024 + [A], arrow.string(), {0: "x", 1023: "x"}),
    ([{**A, "u": 1}] * 1024 + [{**A, "u": 1.5}], arrow.float64(), {0: 1.0, 1024: 1.5}),
    ([{**A, "u": {"a": None}}] * 1024 + [{**A, "u": {"a": "x", "b": 1}}],
     arrow.struct([("a", arrow.string()), ("b", arrow.int64())]), {0: {"a": None, "b": None}, 1024: {"a": "x", "b": 1}}),
    ([{**A, "u": []}] * 1024 + [{**A, "u": [{"a": 1}]}], arrow.list_(arrow.struct([("a", arrow.int64())])),
     {0: [], 1024: [{"a": 1}]}),
    ([{**A, "u": None}] * 2, arrow.null(), {}),
])
def test_rows_need_not_have_the_same_columns(tmp_path, rows, kind, values):
    found = made_of(tmp_path, rows)
    assert sorted(found.schema.names) == ["text", "translation", "u"] and found.schema.field("u").type == kind
    assert found.column("text").to_pylist() == ["a"] * len(rows)
    column = found.column("u").to_pylist()
    assert {place: column[place] for place in values} == values
    assert all(column[place] is None for place, row in enumerate(rows) if row.get("u") is None)


@pytest.mark.parametrize("first, then", [
    (1, "x"), ("x", 1), (True, 1), ([1], 1), ({"a": 1}, {"a": "x"}), (1, 2 ** 64), (2 ** 60 + 1, 1.5),
    ("x", "\ud83d"), ({}, {})])
@pytest.mark.parametrize("rows", [1, 1024])
def test_what_has_no_type_is_refused_by_name(tmp_path, first, then, rows):
    with pytest.raises(BadPart, match=r"a\.jsonl: .*u.* which Parquet has no form for; --output-format jsonl"):
        made_of(tmp_path, [{**A, "u": first}] * rows + [{**A, "u": then}])


def test_no_rows_are_left(tmp_path):
    """Of the first rows, or of all: the columns are those of the file."""
    found = made_of(tmp_path, [{**A, "n": 1}] * 1100, drop=range(1024))
    assert found.num_rows == 76 and found.schema.names == ["text", "n", "translation"]
    found = made_of(tmp_path, [{**A, "n": 1}] * 1100, drop=range(1100))
    assert found.num_rows == 0 and found.schema.types == [arrow.string(), arrow.int64(), arrow.string()]
    (tmp_path / "c.csv").write_text("text,n\n")
    (tmp_path / "c.txt").write_text("")
    for source, columns in (("c.csv", ["text", "n", "translation"]), ("c.txt", ["text", "translation"])):
        upper(tmp_path / source, tmp_path / "d.parquet")
        assert parquet.read_schema(tmp_path / "d.parquet") == arrow.schema([(name, arrow.string()) for name in columns])


def test_a_run_refuses_before_it_translates(folder):
    (folder / "in" / "a.jsonl").write_text('{"text":"a","n":1}\n' * 2000 + '{"text":"a","n":"x"}\n')
    write_rows(folder / "in" / "b.jsonl", ["text"])
    (folder / "in" / "empty.jsonl").touch()
    said = run(folder, "in", "-o", "out", "--output-format", "parquet", code=5)
    assert "in/a.jsonl: the column 'n' has values" in said and "2 of 3 parts are there" in said
    assert sorted(files(folder / "out")) == [".dragoman-corpus.json", "b.parquet", "empty.parquet"]
    assert parquet.read_table(folder / "out" / "b.parquet").to_pylist() == [
        {"id": 0, "text": "text", "translation": "TEXT", "error": None}]
    assert parquet.read_schema(folder / "out" / "empty.parquet").names == ["translation", "error"]
    run(folder, "in/a.jsonl", "-o", "lines")
    assert read_rows(folder / "lines" / "a.jsonl")[-1]["n"] == "x"


MESSAGE = arrow.struct([("role", arrow.dictionary(arrow.int32(), arrow.string())), ("content", arrow.large_string()),
                        ("name", arrow.string()), ("n", arrow.int32())])


@pytest.mark.parametrize("output, kind", [
    ("messages.*.content_de", arrow.list_(arrow.struct([*MESSAGE, ("content_de", arrow.string())]))),
    ("messages.*.content", arrow.list_(arrow.struct(
        [("content", arrow.string()) if field.name == "content" else field for field in MESSAGE]))),
    ("german", arrow.list_(MESSAGE))])
def test_cells_keep_their_types(folder, output, kind):
    """Also of fields that the first rows do not have."""
    rows = [[{"role": "user", "content": "a", "name": None, "n": 1}], None, []] * 400
    rows[1111] = [{"role": "tool", "content": None, "name": "x", "n": 2}]
    table = arrow.table({
        "messages": arrow.array(rows, type=arrow.list_(MESSAGE)), "s": arrow.array(["s"] * 1200, arrow.large_string()),
        "d": arrow.array(["d"] * 1200).dictionary_encode(), "h": arrow.array([1] * 1200, arrow.int16())})
    parquet.write_table(table, folder / "in" / "a.parquet")
    run(folder, "in", "-o", "out", "--columns", "messages.*.content", "--outputs",
        f"translation={output},score=scores,error")
    found = parquet.read_table(folder / "out" / "a.parquet")
    own = [("german", arrow.list_(arrow.string()))] if output == "german" else []
    assert found.schema == arrow.schema([("messages", kind), *[field for field in table.schema][1:], *own,
                                         ("scores", arrow.list_(arrow.float64())), ("error", arrow.string())])
    messages = found.column("messages").to_pylist()
    assert [row and [(message["role"], message["name"], message["n"]) for message in row] for row in messages] == [
        row and [(message["role"], message["name"], message["n"]) for message in row] for row in rows]
    made = found.column("german").to_pylist() if own else [
        row and [message[output.rpartition(".")[2]] for message in row] for row in messages]
    assert made == [row and [message["content"] and "A" for message in row] for row in rows]


def test_paths_that_do_not_fit_are_refused_before_the_work(folder):
    parquet.write_table(arrow.table({"text": ["a"]}), folder / "in" / "a.parquet")
    said = run(folder, "in", "-o", "out", "--columns", "text.*.b", "--outputs", "translation=text.*.c", code=5)
    assert "in/a.parquet: columns: expected a list for *, not string" in said


def test_a_column_whose_name_has_dots(folder):
    table = arrow.table({"a.b": ["x", None], "n": arrow.array([1, 2], arrow.int8())})
    parquet.write_table(table, folder / "in" / "a.parquet")
    (folder / "in" / "b.csv").write_text("a.b,n\nx,1\n")
    run(folder, "in", "-o", "out", "--columns", "a.b", "--outputs", "translation=a.c")
    found = parquet.read_table(folder / "out" / "a.parquet")
    assert found.to_pylist() == [{"a.b": "x", "n": 1, "a.c": "X"}, {"a.b": None, "n": 2, "a.c": None}]
    assert found.schema.field("n").type == arrow.int8()
    assert (folder / "out" / "b.csv").read_text() == "a.b,n,a.c\nx,1,X\n"
