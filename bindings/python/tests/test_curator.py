# SPDX-License-Identifier: Apache-2.0
"""The stage for NVIDIA NeMo Curator."""
import importlib
import pickle
import sys

import pytest
from dragoman.corpus import Stage
from test_ray import TEXTS, TINY


def test_absent(monkeypatch):
    for name in ("nemo_curator", "nemo_curator.stages", "nemo_curator.stages.base"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "dragoman.curator", raising=False)
    with pytest.raises(ImportError, match=r"needs nemo-curator.*pip install 'dragoman\[curator\]'"):
        importlib.import_module("dragoman.curator")


@pytest.mark.parametrize("kind", ["arrow", "pandas"])
def test_tasks(kind):
    pytest.importorskip("nemo_curator.stages.base", exc_type=ImportError)
    import pyarrow as pa
    from dragoman.curator import Translate
    from nemo_curator.tasks import DocumentBatch
    table = pa.table({"id": [1, 2, 3, 4], "text": TEXTS})
    stage = pickle.loads(pickle.dumps(Translate(cpus=2, batch_characters=8, **TINY)))
    task = DocumentBatch(dataset_name="pages", data=table if kind == "arrow" else table.to_pandas())
    assert stage.validate_input(task) and stage.outputs() == (["data"], ["translation", "error"])
    stage.setup_on_node()
    stage.setup()
    found, = stage.process_batch([task])
    assert type(found.data) is type(task.data) and found.dataset_name == "pages"
    rows = found.to_pyarrow().select(["id", "translation"]).to_pydict()
    assert rows == {"id": [1, 2, 3, 4], "translation": Stage(**TINY)({"text": TEXTS})["translation"]}
