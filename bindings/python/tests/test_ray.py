# SPDX-License-Identifier: Apache-2.0
"""The stage for Ray, and what it shares with those for other engines. DRAGOMAN_TEST_ENGINES=1 runs real clusters."""
import os
import pickle
import subprocess
import sys
import threading
import types
import uuid

import dragoman
import pytest
from conftest import ROOT, TEXT_MODEL
from dragoman import _engines
from dragoman.corpus import Filters, Stage

TINY = {"model": TEXT_MODEL, "to": "xx", "compute_type": "f32"}
TEXTS = ["batin kétiß. kén", "kén", None, "batin batin batin"]


def run_script(name, *arguments):
    """A trial of scripts/corpora/engines, which ends with 1 where the end is not the tool's output."""
    if os.environ.get("DRAGOMAN_TEST_ENGINES") != "1":
        pytest.skip("DRAGOMAN_TEST_ENGINES is not 1")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, ROOT / "scripts" / "corpora" / "engines" / name, *map(str, arguments)], env=environment,
                          capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def test_absent(monkeypatch):
    from dragoman import ray
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"dragoman\.ray needs ray.*pip install 'dragoman\[ray\]'"):
        ray.translate(None, to="de")
    with pytest.raises(ImportError, match=r"dragoman\[ray\]"):
        ray.Translate(to="de")


def test_stage_or_arguments():
    stage = Stage(**TINY)
    assert _engines.as_stage(stage, {}) is stage
    assert _engines.as_stage(None, {"to": "xx"}).options == {"to": "xx"}
    with pytest.raises(TypeError, match="to: the stage has its own"):
        _engines.as_stage(stage, {"to": "xx"})


def test_batches_are_of_characters():
    assert list(_engines.cuts([3, 3, 3, 9, 1, 0, 0, 3], 6)) == [(0, 2), (2, 3), (3, 4), (4, 8)]
    assert list(_engines.cuts([100], 6)) == [(0, 1)] and not list(_engines.cuts([], 6))
    with pytest.raises(ValueError, match="batch_characters is 0"):
        list(_engines.cuts([1], 0))


def test_tables():
    pa = pytest.importorskip("pyarrow")
    from dragoman._arrow import ArrowStage
    table = pa.table({"id": pa.array([1, 2, 3, 4], pa.int8()), "text": TEXTS,
                      "m": [[{"c": "kén", "n": 1}, {"c": None, "n": 2}], [], None, [{"c": "batin", "n": 3}]]})
    stage = Stage(columns=["text", "m.*.c"], outputs={"translation": "{column}_xx", "score": True}, **TINY)
    run = pickle.loads(pickle.dumps(ArrowStage(stage, 8)))
    parts = list(run(table))
    assert len(parts) > 1 and {part.schema for part in parts} == {run.schema(table.schema)}
    whole = pa.concat_tables(parts)
    assert whole.schema.field("id").type == pa.int8() and whole.schema.field("text_score").type == pa.float64()
    expected = stage({name: table.column(name).to_pylist() for name in table.column_names})
    assert whole.to_pydict() == expected
    assert list(run(table.slice(0, 0)))[0].schema == parts[0].schema
    with pytest.raises(KeyError, match="no column 'm.*.c'"):
        run.schema(pa.schema([("text", pa.string())]))


def test_tables_lose_filtered_rows():
    pa = pytest.importorskip("pyarrow")
    from dragoman._arrow import ArrowStage
    run = ArrowStage(Stage(filters=Filters(min_characters=4), **TINY), 8)
    found = pa.concat_tables(run(pa.table({"id": [1, 2, 3, 4], "text": TEXTS})))
    assert found.column("id").to_pylist() == [1, 3, 4]
    assert found.column("translation").to_pylist()[1] is None


def test_gpus_by_their_addresses(monkeypatch):
    made = [types.SimpleNamespace(kind=kind, name=kind, uuid=uuid.UUID(int=place))
            for place, kind in enumerate(("cpu", "discrete", "discrete"))]
    monkeypatch.setattr(_engines, "devices", lambda: made)
    monkeypatch.setattr(_engines, "_nvidia_uuids", dict)
    assert _engines.gpu_device("1") == str(uuid.UUID(int=2)) == _engines.gpu_device(f"GPU-{uuid.UUID(int=2)}")
    # In another order than Vulkan's.
    monkeypatch.setattr(_engines, "_nvidia_uuids", lambda: {"1": f"GPU-{uuid.UUID(int=1)}"})
    assert _engines.gpu_device("1") == str(uuid.UUID(int=1))
    with pytest.raises(dragoman.NoDeviceError, match="gave GPU '5', but Vulkan has discrete"):
        _engines.gpu_device("5")


def test_a_device_is_the_stages_own():
    stage = Stage(**TINY)
    moved = _engines.on_device(stage, lambda: "1")
    assert moved.settings.device == "1" and stage.settings.device is None and moved.fingerprint() == stage.fingerprint()
    assert _engines.on_device(moved, lambda: 1 / 0) is moved and _engines.on_device(stage, lambda: None) is stage


def test_a_machine_downloads_once(monkeypatch):
    there, downloads = [], []

    def describe(_):
        if not there:
            raise dragoman.FileError("not on this machine")

    def download(name):
        if not there:  # as the library does it
            downloads.append(name)
            waiting.wait(0.2)
            there.append(name)

    waiting = threading.Event()
    monkeypatch.setattr(_engines, "describe", describe)
    monkeypatch.setattr(_engines.models, "download", download)
    threads = [threading.Thread(target=_engines.fetch, args=("firefox:de-en",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert downloads == ["firefox:de-en"]
    there.clear()
    _engines.fetch(None)
    _engines.fetch(str(TEXT_MODEL))
    assert len(downloads) == 1


def test_actors_fit():
    from dragoman import ray
    nodes = [{"CPU": 8.0, "GPU": 2.0}, {"CPU": 4.0}, {"CPU": 1.0, "GPU": 4.0}]
    assert ray._room(nodes, 1, 1) == 3 and ray._room(nodes, 0.5, 1) == 5 and ray._room(nodes, 0, 4) == 3
    assert ray._room(nodes, 0.25, None) == 24 and ray._room([], 1, 1) == 1


def test_an_actor_leaves_a_core_to_what_reads():
    from dragoman import ray
    for machines, cores in (([16], 4), ([8, 2], 2), ([4], 3), ([2], 1), ([1], 0.5), ([1, 1], 1)):
        assert ray._cores([{"CPU": float(count)} for count in machines]) == cores
    assert ray._cores([]) == 3


def test_checkpoints_are_of_one_stage(tmp_path):
    pytest.importorskip("ray.data")
    from dragoman import ray
    first = ray._checkpoint(str(tmp_path), "id", Stage(**TINY))
    assert not first.delete_checkpoint_on_success
    (tmp_path / os.path.basename(first.checkpoint_path)).mkdir()
    assert ray._checkpoint(str(tmp_path), "id", Stage(**TINY)).checkpoint_path == first.checkpoint_path
    with pytest.raises(ValueError, match="another model, version or options"):
        ray._checkpoint(str(tmp_path), "id", Stage(options={"beam_size": 2}, **TINY))
    with pytest.raises(ValueError, match="expected an id_column"):
        ray._checkpoint(str(tmp_path), None, Stage(**TINY))


def test_cluster(tmp_path):
    run_script("on_ray.py", "--work", tmp_path)
