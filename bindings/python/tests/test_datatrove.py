# SPDX-License-Identifier: Apache-2.0
"""The step for datatrove. DRAGOMAN_TEST_ENGINES=1 runs datatrove itself."""
import contextlib
import importlib
import sys
import types

import pytest
from dragoman.corpus import Filters, Stage
from test_ray import TEXTS, TINY, run_script


class Step:
    """What the step uses of datatrove's."""

    def __init__(self):
        self.counts = {}

    def stat_update(self, label, value=1):
        self.counts[label] = self.counts.get(label, 0) + value

    def track_time(self):
        return contextlib.nullcontext()


@pytest.fixture
def module(monkeypatch):
    base = types.ModuleType("datatrove.pipeline.base")
    base.PipelineStep = Step
    for name, made in (("datatrove", types.ModuleType("datatrove")), ("datatrove.pipeline.base", base),
                       ("datatrove.pipeline", types.ModuleType("datatrove.pipeline"))):
        monkeypatch.setitem(sys.modules, name, made)
    monkeypatch.delitem(sys.modules, "dragoman.datatrove", raising=False)
    yield importlib.import_module("dragoman.datatrove")
    sys.modules.pop("dragoman.datatrove", None)


def documents():
    return [types.SimpleNamespace(text=text, id=str(place), metadata={"title": "kén", "n": place})
            for place, text in enumerate(text for text in TEXTS if text)]


def test_absent(monkeypatch):
    for name in ("datatrove", "datatrove.pipeline", "datatrove.pipeline.base"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "dragoman.datatrove", raising=False)
    with pytest.raises(ImportError, match=r"needs datatrove.*pip install 'dragoman\[datatrove\]'"):
        importlib.import_module("dragoman.datatrove")


def test_documents(module):
    expected = Stage(**TINY)({"text": [document.text for document in documents()]})["translation"]
    for characters in (1, 8, 1000):
        step = module.Translate(batch_characters=characters, **TINY)
        found = list(step.run(documents()))
        assert [document.metadata["translation"] for document in found] == expected
        assert [document.metadata["n"] for document in found] == [0, 1, 2] and step.counts["translated"] == 3
    assert list(module.Translate(**TINY).run(None)) == []


def test_in_place_of_the_text_and_beside_a_title(module):
    plain = Stage(**TINY)({"text": ["kén", documents()[0].text]})["translation"]
    step = module.Translate(outputs={"translation": "text", "error": False}, **TINY)
    assert next(step.run(documents())).text == plain[1]
    step = module.Translate(columns="metadata.title", outputs={"translation": "metadata.title_xx"}, **TINY)
    found = next(step.run(documents())).metadata
    assert found["title_xx"] == plain[0] and found["title"] == "kén" and found["error"] is None


def test_documents_that_filters_drop(module):
    step = module.Translate(filters=Filters(min_characters=4), **TINY)
    assert [document.id for document in step.run(documents())] == ["0", "2"] and step.counts["dropped"] == 1


def test_datatrove(tmp_path):
    run_script("on_datatrove.py", "--work", tmp_path)
