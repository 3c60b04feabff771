# SPDX-License-Identifier: Apache-2.0
"""Files of fields: what ends one, and what of it stays."""
import json

from dragoman.corpus import formats
from test_corpus_formats import upper


def rows_of(path):
    reader = formats.reader(formats.format_of(str(path)), str(path), formats.Shape())
    try:
        return [row for batch in reader.batches() for row in batch.rows()]
    finally:
        reader.close()


def test_quotation_marks_of_tsv_are_text(tmp_path):
    content = 'id\ttext\n1\t"Hello" he said.\n2\t"open\n3\t5" wide\n4\tHe said "hi".\r\n\n5\t""\n'
    (tmp_path / "a.tsv").write_bytes(content.encode())
    texts, faults = upper(tmp_path / "a.tsv", tmp_path / "b.tsv")
    assert texts == ['"Hello" he said.', '"open', '5" wide', 'He said "hi".', '""'] and not faults
    assert (tmp_path / "b.tsv").read_text().splitlines() == [
        "id\ttext\ttranslation", *(f"{place}\t{text}\t{text.upper()}" for place, text in enumerate(texts, 1))]


def test_tabs_and_line_breaks_inside_fields_of_tsv_are_blanks(tmp_path):
    (tmp_path / "a.csv").write_bytes(b'"i\td",text\n1,"a\tb\r\nc\nd\re"\n')
    upper(tmp_path / "a.csv", tmp_path / "b.tsv")
    assert (tmp_path / "b.tsv").read_bytes() == b"i d\ttext\ttranslation\n1\ta b c d e\tA B C D E\n"
    (tmp_path / "c.tsv").write_bytes(b"id\ttext\n1\ta\rb\n2\n3\ta\tb\n")
    texts, faults = upper(tmp_path / "c.tsv", tmp_path / "d.tsv")
    assert texts == ["a\rb", "", "a"] and "line 3: 1 fields, expected 2" in faults[1] and "3 fields" in faults[2]


def test_blank_lines_of_tsv(tmp_path):
    """They are no rows, but where a row has one field."""
    (tmp_path / "a.tsv").write_text("\ntext\na\n\nb\n")
    assert [row["text"] for row in rows_of(tmp_path / "a.tsv")] == ["a", "", "b"]
    (tmp_path / "b.tsv").write_text("\ntext\tid\n\na\t1\n\n")
    assert rows_of(tmp_path / "b.tsv") == [{"text": "a", "id": "1"}]


def test_what_is_written_as_csv_is_read_again(tmp_path):
    texts = ["a\rb", "a\nb", "a\r\nb", "\r", "\n", 'a "b"', "a,b", "", " ", "\t", "a\u2028b"]
    (tmp_path / "a.csv").write_bytes(
        ("text,id\n" + "".join('"{}",1\n'.format(text.replace('"', '""')) for text in texts)).encode())
    assert upper(tmp_path / "a.csv", tmp_path / "b.csv")[0] == texts
    assert rows_of(tmp_path / "b.csv") == [{"text": text, "id": "1", "translation": text.upper()} for text in texts]
    assert (tmp_path / "b.csv").read_bytes().startswith(b'text,id,translation\n"a\rb",1,"A\rB"\n')


def test_rows_of_json_need_not_have_the_same_columns(tmp_path):
    """A table has all of them, whichever rows are left."""
    rows = [{"text": "a"}] * 1024 + [{"text": "b", "u": "x"}, {"v": [1], "text": "c"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    upper(tmp_path / "a.jsonl", tmp_path / "b.csv")
    lines = (tmp_path / "b.csv").read_text().splitlines()
    assert lines[:2] + lines[-2:] == ["text,u,v,translation", "a,,,A", "b,x,,B", "c,,[1],C"] and len(lines) == 1027
    upper(tmp_path / "a.jsonl", tmp_path / "c.tsv", drop=range(1026))
    assert (tmp_path / "c.tsv").read_text() == "text\tu\tv\ttranslation\n"
    (tmp_path / "d.jsonl").write_text("\n")
    upper(tmp_path / "d.jsonl", tmp_path / "d.csv")
    assert (tmp_path / "d.csv").read_text() == "translation\n"


def test_what_utf8_cannot_spell(tmp_path):
    """Half a surrogate pair of JSON is replaced; bytes that are no UTF-8 stay."""
    (tmp_path / "a.jsonl").write_bytes(b'{"text":"a","u":"\\ud83d x"}\n{"text":"b\xff","u":"\\ud83d\\ude00"}\n')
    upper(tmp_path / "a.jsonl", tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_bytes() == (
        b"text,u,translation\na,\xef\xbf\xbd x,A\nb\xff,\xf0\x9f\x98\x80,B\xff\n")
