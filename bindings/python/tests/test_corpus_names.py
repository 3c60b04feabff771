# SPDX-License-Identifier: Apache-2.0
"""Columns of the input that have the names of outputs."""
import json

import pytest
from corpus_runs import OPTIONS, files, folder, read_rows, run, write_rows  # noqa: F401, folder is a fixture
from dragoman.corpus.arguments import job_of, parser
from dragoman.corpus.formats.batch import BadPart, RowBatch
from dragoman.corpus.usual_names import UsualNames


def test_what_this_program_made_may_be_its_input_again(folder):
    """Under other names, or in the old columns' places, as it says."""
    write_rows(folder / "in" / "a.jsonl", ["text"])
    (folder / "in" / "b.csv").write_text("text\nrow\n")
    run(folder, "in", "-o", "once")
    said = run(folder, "once", "-o", "twice", code=5)
    for name in ("a.jsonl", "b.csv"):
        assert (f"once/{name}: its rows have 'error', 'translation' already: --outputs "
                "translation=translation_2,error=error_2 makes others, --outputs "
                "translation=translation,error=error replaces what is there") in said
    assert list(files(folder / "twice")) == [".dragoman-corpus.json"]  # nothing was done
    run(folder, "once", "-o", "both", "--outputs", "translation=translation_2,error=error_2")
    row, = read_rows(folder / "both" / "a.jsonl")
    assert row == {"id": 0, "text": "text", "translation": "TEXT", "error": None, "translation_2": "TEXT", "error_2": None}
    run(folder, "once", "-o", "replaced", "--outputs", "translation=translation,error=error")
    assert files(folder / "replaced").keys() == files(folder / "once").keys()
    assert (folder / "replaced" / "b.csv").read_text() == (folder / "once" / "b.csv").read_text()


@pytest.mark.parametrize("row, options, why", [
    ({"text": "a", "error": 1}, [], "'error' already: --outputs translation,error=error_2 makes"),
    ({"text": "a", "error": 1}, ["--outputs", "translation"], None),
    ({"text": "a", "score": 1}, [], None),
    ({"text": "a", "score": 1}, ["--outputs", "score,translation=b"],
     "'score' already: --outputs translation=b,score=score_2 makes"),
    ({"text": "a", "filtered": 1}, [], None),
    ({"text": "a", "filtered": 1}, ["--filtered", "mark", "--min-characters", "1"], "'filtered' is where --filtered mark"),
    ({"translation": "a"}, ["--columns", "translation"], "'translation' already"),
    ({"text": "a", "translation": "b"}, ["--output-format", "text", "--outputs", "translation"], None),
    ({"m": {"t": "a", "t_translation": "b"}}, ["--columns", "m.t"],
     "'m.t_translation' already: --outputs translation={column}_translation_2,error makes"),
    ({"m": {"t": "a", "t_translation": None}}, ["--columns", "m.t"], None),
    ({"m": [{"t": "a"}, {"t": "c", "t_x": "b"}], "n": "d"},
     ["--columns", "m.*.t,n", "--outputs", "translation={column}_x"], None),
    ({"m": [{"t": "a"}, {"t": "c", "t_score": 0.5}], "n": "d"}, ["--columns", "m.*.t,n", "--outputs", "score"],
     r"'m.*.t_score' already: --outputs score={column}_score_2 makes"),
])
def test_names_that_are_taken(row, options, why):
    job = job_of(parser().parse_args([*OPTIONS, "in", "-o", "out", *options]))
    names = UsualNames(job, job.made_stage(), job.output_format or "jsonl")
    if why is None:
        names.check(RowBatch([row]), "a.jsonl")
    else:
        with pytest.raises(BadPart) as found:
            names.check(RowBatch([{"text": "b", "m": None}, row]), "a.jsonl")
        assert str(found.value).startswith("a.jsonl: its rows have ") and why in str(found.value)


LATE = '{"text":"a"}\n' * 3000


@pytest.mark.parametrize("key", ["translation", "error", r"transl\u0061tion"])
def test_a_name_that_later_rows_have(folder, key):
    """It is found before the work, but for one that is spelled in another way."""
    (folder / "in" / "a.jsonl").write_text(LATE + f'{{"text":"b","{key}":"c"}}\n')
    said = run(folder, "in", "-o", "out", code=5)
    name = json.loads(f'"{key}"')
    assert f"its rows have {name!r} already" in said and not (folder / "out" / "a.jsonl").exists()
    assert (folder / "out" / ".a.jsonl.journal").exists() == (name != key)


def test_what_only_looks_like_a_name(folder):
    (folder / "in" / "a.jsonl").write_text(LATE + '{"text":"b","m":{"error":1},"n":"translation"}\n' + '["error"\n')
    run(folder, "in", "-o", "out")
    assert len((folder / "out" / "a.jsonl").read_text().splitlines()) == 3002


@pytest.mark.parametrize("columns", ["late", "late,text", "m.late"])
def test_a_column_that_later_rows_have(folder, columns):
    """Rows before have no such text, as any row may."""
    (folder / "in" / "a.jsonl").write_text(LATE + '{"text":"b","late":"c","m":{"late":"d"}}\n')
    outputs = "translation={column}_x" if "," in columns else "translation=x"
    run(folder, "in", "-o", "out", "--columns", columns, "--outputs", outputs)
    rows = read_rows(folder / "out" / "a.jsonl")
    name = "late_x" if "," in columns else "x"
    assert [row[name] for row in rows] == [None] * 3000 + ["D" if columns == "m.late" else "C"]
    said = run(folder, "in", "-o", "none", "--columns", "later", code=5)
    assert "there is no column 'later'; its first 1024 rows have 'text'" in said
