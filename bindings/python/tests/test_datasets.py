# SPDX-License-Identifier: Apache-2.0
"""The function for Hugging Face's datasets. DRAGOMAN_TEST_ENGINES=1 runs datasets itself."""
import os
import pickle
import subprocess
import sys

import dragoman.datasets
import pytest
from conftest import TEXT_MODEL
from dragoman.corpus import Filters, Stage
from test_ray import TEXTS, TINY, run_script


def test_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ImportError, match=r"needs datasets.*pip install 'dragoman\[datasets\]'"):
        dragoman.datasets.translate(to="de")


def test_batches_and_rows():
    function = dragoman.datasets.Translate(**TINY)
    rows = {"id": [1, 2, 3, 4], "text": TEXTS}
    expected = Stage(**TINY)(rows)
    found = function(rows)
    assert found == {"translation": expected["translation"], "error": [None] * 4}
    assert function({"id": 1, "text": TEXTS[0]}) == {"translation": expected["translation"][0], "error": None}


def test_columns_in_lists():
    function = dragoman.datasets.Translate(columns="lines.*", outputs={"translation": "lines_xx"}, **TINY)
    one = {"lines": ["kén", None]}
    many = {"lines": [["kén", None], None, []]}
    found = function(many)["lines_xx"]
    assert found == [[function(one)["lines_xx"][0], None], None, []]


def test_rows_that_filters_drop():
    function = dragoman.datasets.Translate(filters=Filters(min_characters=4), **TINY)
    found = function({"id": [1, 2, 3, 4], "text": TEXTS})
    assert found["id"] == [1, 3, 4] and len(found["translation"]) == 3
    with pytest.raises(ValueError, match="batched=True"):
        function({"id": 2, "text": "kén"})


def test_types_are_known_where_all_cells_are_missing():
    pa = pytest.importorskip("pyarrow")
    found = dragoman.datasets.Translate(outputs=["score"], **TINY)({"text": [None, None]})
    assert pa.array(found["error"]).type == pa.string() and pa.array(found["score"]).type == pa.float64()


def test_pickles_are_the_same_in_all_processes(monkeypatch):
    script = ("import pickle, sys, dragoman.datasets\n"
              f"made = dragoman.datasets.Translate(model={str(TEXT_MODEL)!r}, to='xx', outputs=['score', 'quality'])\n"
              "sys.stdout.write(pickle.dumps(made).hex())")
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONHASHSEED": seed}
        seen.add(subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True,
                                check=True).stdout)
    assert len(seen) == 1


def test_pickles_differ_where_translations_may():
    kinds = [{}, {"options": {"beam_size": 2}}, {"outputs": ["score"]}, {"source_language": "yy"}]
    made = [pickle.dumps(dragoman.datasets.Translate(**TINY, **kind)) for kind in kinds]
    assert len(set(made)) == len(kinds)
    given = pickle.dumps(dragoman.datasets.Translate(Stage(**TINY)))
    assert pickle.loads(given)({"text": ["kén"]}) == pickle.loads(made[0])({"text": ["kén"]})


def test_datasets(tmp_path):
    run_script("on_datasets.py", "--work", tmp_path)
