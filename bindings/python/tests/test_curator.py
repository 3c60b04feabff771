# SPDX-License-Identifier: Apache-2.0
"""The stage for NVIDIA NeMo Curator."""
import importlib
import os
import pickle
import sys

import pytest
from dragoman.corpus import Stage
from test_ray import TEXTS, TINY


def needs(name):
    """importorskip() of an older pytest lets an error inside the module pass."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"{name}: {error}")


def test_absent(monkeypatch):
    for name in ("nemo_curator", "nemo_curator.stages", "nemo_curator.stages.base"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "dragoman.curator", raising=False)
    with pytest.raises(ImportError, match=r"needs nemo-curator.*pip install 'dragoman\[curator\]'"):
        importlib.import_module("dragoman.curator")


@pytest.mark.parametrize("kind", ["arrow", "pandas"])
def test_tasks(kind):
    needs("nemo_curator.stages.base")
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


def test_pipeline(monkeypatch):
    """In a pipeline of NeMo Curator on Ray."""
    if os.environ.get("DRAGOMAN_TEST_ENGINES") != "1":
        pytest.skip("DRAGOMAN_TEST_ENGINES is not 1")
    needs("nemo_curator.backends.ray_data")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    import pyarrow as pa
    import ray
    from dragoman.curator import Translate
    from nemo_curator.backends.ray_data import RayDataExecutor
    from nemo_curator.pipeline import Pipeline
    from nemo_curator.tasks import DocumentBatch
    texts = TEXTS * 25
    tasks = [DocumentBatch(dataset_name="pages", data=pa.table({"id": list(range(place, place + 10)),
                                                                 "text": texts[place:place + 10]}))
             for place in range(0, 100, 10)]
    pipeline = Pipeline(name="pages")
    pipeline.add_stage(Translate(**TINY))
    ray.init(address="local", num_cpus=4, include_dashboard=False)
    try:
        found = pipeline.run(executor=RayDataExecutor(), initial_tasks=tasks)
    finally:
        ray.shutdown()
    rows = pa.concat_tables([task.to_pyarrow() for task in found]).sort_by("id").to_pydict()
    assert rows["id"] == list(range(100)) and rows["translation"] == Stage(**TINY)({"text": texts})["translation"]
