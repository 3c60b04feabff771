# SPDX-License-Identifier: Apache-2.0
import pickle

import dragoman
import pytest
from conftest import TEXT_MODEL

TEXT = "batin kétiß kénara késora banara!"
TRANSLATION = "fopiй Gasa Gakuй Gakux foй!"


class NAType:
    """As pandas.NA is."""

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    __eq__ = __ne__ = lambda self, _: self


def test_missing_cells_stay_and_cells_are_plain(translator):
    missing = [None, float("nan"), NAType()]
    found = translator.translate_series([TEXT, *missing, "batiß.", TEXT])
    assert found[0] == found[-1] == TRANSLATION and found[4] == "vöpiй." and type(found[0]) is str
    assert all(one is other for one, other in zip(found[1:4], missing))
    assert translator.translate_series([]) == [] and translator.translate_series([None]) == [None]
    with pytest.raises(TypeError, match=r"series\[1\]: expected str or a missing value, not int \(3\)"):
        translator.translate_series([TEXT, 3])
    with pytest.raises(dragoman.InvalidArgumentError, match=r"series\[2\]: a lone surrogate at 1"):
        translator.translate_series([TEXT, None, "b\ud800"])
    with pytest.raises(TypeError, match="series: expected a column or a list of texts, not str"):
        translator.translate_series(TEXT)
    with pytest.raises(TypeError, match="frame: expected a data frame"):
        translator.translate_dataframe([TEXT], "text")


def test_each_different_text_is_translated_once(translator):
    translator.reset_stats()
    translator.translate_series([TEXT] * 5 + ["batiß."] * 5)
    assert translator.stats.sentences == 2


def test_a_function_for_rows_and_batches(translator):
    to_xx = translator.map({"text": "xx"})
    assert to_xx({"text": TEXT, "n": 1}) == {"xx": TRANSLATION}
    assert to_xx({"text": None}) == {"xx": None}
    assert to_xx({"text": [TEXT, None]}) == {"xx": [TRANSLATION, None]}
    assert translator.map("text", beam_size=1)({"text": ["batiß."]}) == {"text": ["vöpiй."]}
    with pytest.raises(dragoman.InvalidArgumentError, match="columns: there is no 'text'; the rows have 'n'"):
        to_xx({"n": 1})
    with pytest.raises(TypeError, match=r"text\[1\]: expected str"):
        to_xx({"text": [TEXT, 3]})
    assert pickle.loads(pickle.dumps(to_xx))({"text": TEXT}) == {"xx": TRANSLATION}
    with dragoman.Model.from_files({path.name: path for path in TEXT_MODEL.iterdir() if path.is_file()}) as model, \
            model.translator() as other, pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(other.map("text"))


def test_columns_of_pandas(translator):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": [TEXT, None, "batiß."], "n": [1, 2, 3]}, index=["a", "b", "c"])
    made = translator.translate_dataframe(frame, {"text": "xx"})
    assert list(made.columns) == ["text", "n", "xx"] and list(frame.columns) == ["text", "n"]
    assert made["xx"].dropna().to_dict() == {"a": TRANSLATION, "c": "vöpiй."} and pandas.isna(made["xx"]["b"])
    assert translator.translate_dataframe(frame, ["text"])["text"]["a"] == TRANSLATION and frame["text"]["a"] == TEXT
    for kind in (object, "string", "category"):
        series = pandas.Series([TEXT, pandas.NA, TEXT], index=[3, 4, 5], name="x", dtype=kind)
        found = translator.translate_series(series)
        assert found.index.equals(series.index) and found.name == "x"
        assert found.isna().tolist() == [False, True, False] and found[3] == TRANSLATION
        assert kind == "category" or found.dtype == series.dtype
        assert found.str.len()[5] == len(TRANSLATION)
    with pytest.raises(TypeError, match=r"text\['b'\]: expected str or a missing value, not int"):
        translator.translate_dataframe(pandas.DataFrame({"text": [TEXT, 3]}, index=["a", "b"]), "text")
    with pytest.raises(dragoman.InvalidArgumentError, match="columns: there is no 'txt'; the frame has 'text', 'n'"):
        translator.translate_dataframe(frame, "txt")
    results = pandas.Series(translator.translate([TEXT, "batiß."]))
    assert results.str.upper()[0] == TRANSLATION.upper() and (results == [TRANSLATION, "vöpiй."]).all()
    with pytest.raises(TypeError, match="not DataFrame; translate_dataframe takes tables"):
        translator.translate(frame)


def test_columns_of_polars(translator):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"text": [TEXT, None], "n": [1, 2]})
    assert translator.translate_dataframe(frame, {"text": "xx"})["xx"].to_list() == [TRANSLATION, None]
    assert translator.translate_dataframe(frame, "text").columns == ["text", "n"]
    assert translator.translate_series(frame["text"]).name == "text"


def test_datasets_map(translator):
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_dict({"text": [TEXT, None, "batiß."]})
    for how in ({}, {"batched": True}):
        assert data.map(translator.map({"text": "xx"}), **how)["xx"][:] == [TRANSLATION, None, "vöpiй."]
