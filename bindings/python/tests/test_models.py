# SPDX-License-Identifier: Apache-2.0
"""Models by name: in a store of the test's own, and downloaded from a server that plays the registries."""
import json
import logging
import os
import shutil
import subprocess
import sys

import dragoman
import pytest
from conftest import DATA, ROOT, TEXT_MODEL, TOKEN_MODEL

sys.path.insert(0, str(ROOT / "tests" / "registry"))
from played import Played  # noqa: E402

TEXT = json.loads((TEXT_MODEL / "expected.json").read_text())["texts"][0]


def library_is_there():
    try:
        return dragoman.models.folder() is not None
    except ImportError:
        return False


needs_library = pytest.mark.skipif(not library_is_there(), reason="the library dragoman_models was not built")


@pytest.fixture
def user(tmp_path, monkeypatch):
    """Somebody without any models: folders of the test's own."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")] + [
            "DRAGOMAN_MODEL", "DRAGOMAN_OFFLINE", "DRAGOMAN_MODELS_DIR", "HF_TOKEN", "HF_HUB_CACHE",
            "HUGGINGFACE_HUB_CACHE", "LLAMA_CACHE", "ARGOS_PACKAGES_DIR", "OLLAMA_MODELS", "SNAP"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    for kind in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    return tmp_path


@pytest.fixture
def played(user, monkeypatch):
    played = Played(DATA, ROOT / "models" / "registries")
    monkeypatch.setenv("HF_ENDPOINT", played.url)
    for registry in played.lists:
        monkeypatch.setenv(f"DRAGOMAN_MIRROR_{registry.upper().replace('-', '_')}", played.url)
    yield played
    played.close()


def store(user, registry, model, files):
    folder = user / "data" / "dragoman" / "models" / registry / model
    shutil.copytree(files, folder)
    (folder / "dragoman-model.json").write_text(json.dumps({"format": 1, "name": f"{registry}:{model}"}))
    return folder


def test_a_name_is_taken_where_a_path_is(user):
    folder = store(user, "opus", "xx-yy", TEXT_MODEL)
    assert dragoman.describe("opus:xx-yy").path == str(folder)
    with dragoman.load("opus:xx-yy", compute_type="f32") as model:
        assert model.translator().translate(TEXT["text"]) == TEXT["translation"]
    store(user, "opus", "ar-en", TOKEN_MODEL)
    assert dragoman.Model("opus:ar-en", more_models=["opus:ar-en"]).info.networks == 2


def test_a_name_that_is_not_here(user, tmp_path):
    with pytest.raises(dragoman.FileError, match="is not on this machine; `dragoman models download opus:de-en`"):
        dragoman.Model("opus:de-en")
    with pytest.raises(dragoman.FileError, match="is not on this machine"):
        dragoman.load("opus:de-en", download=False)
    with pytest.raises(dragoman.FileError, match="no such file"):
        dragoman.load(tmp_path / "none")


def test_without_the_library(tmp_path):
    """A folder with the library alone: names are taken, and what needs the other library says so."""
    shutil.copy(dragoman._lib._name, tmp_path / os.path.basename(dragoman._lib._name))
    code = "import dragoman\ntry: dragoman.models.list()\nexcept ImportError as error: print(error)"
    environment = {**os.environ, "DRAGOMAN_LIBRARY": str(tmp_path / os.path.basename(dragoman._lib._name)),
                   "PYTHONPATH": os.pathsep.join(sys.path), "LD_LIBRARY_PATH": ""}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("the library dragoman_models was not found beside"), ran


@needs_library
def test_from_the_list_to_a_translation(played, caplog):
    played.publish_hub("toys/opus-mt-xx-yy")
    played.publish_firefox("de", "en", "3.1")
    played.publish_firefox("de", "fr")
    assert dragoman.models.list() == []
    offered = dragoman.models.search("de", "en", registries="firefox")
    assert [(model.name, model.version, model.license, model.publisher) for model in offered] == [
        ("firefox:de-en", "3.1", "MPL-2.0", "Mozilla")]
    assert offered[0].source_languages == ("de",) and offered[0].target_languages == ("en",)
    assert offered[0].path is None and not offered[0].installed and offered[0].bytes > 0 and len(offered[0].files) == 3
    seen = []
    kept = dragoman.models.download("firefox:de-en", progress=lambda done, total: seen.append((done, total)))
    assert kept.installed and kept.path.is_relative_to(dragoman.models.folder()) and kept.owner == "dragoman"
    assert {file.proof for file in kept.files} == {"published"}
    assert seen and seen[-1] == (offered[0].bytes, offered[0].bytes)
    assert dragoman.models.path("firefox:de-en") == kept.path
    assert [model.name for model in dragoman.models.list()] == ["firefox:de-en"]
    assert [model.name for model in dragoman.models.route("de", "en", offline=True)] == ["firefox:de-en"]
    dragoman.models.verify("firefox:de-en")
    with caplog.at_level(logging.INFO, "dragoman"), dragoman.load("hf:toys/opus-mt-xx-yy", compute_type="f32") as model:
        assert model.translator().translate(TEXT["text"]) == TEXT["translation"]
    assert any("hf:toys/opus-mt-xx-yy" in line and "cc-by-4.0" in line for line in caplog.messages)
    file = kept.path / kept.files[0].name
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(dragoman.BadModelError, match=file.name):
        dragoman.models.verify("firefox:de-en")
    dragoman.models.remove("firefox:de-en")
    assert not kept.path.exists()
    with pytest.raises(dragoman.FileError, match="not on this machine"):
        dragoman.models.path("firefox:de-en")
    with pytest.raises(dragoman.InvalidArgumentError, match="firefox:de-en"):
        dragoman.models.remove("firefox:de-en")


@needs_library
def test_a_download_stops_where_its_progress_says_so(played):
    played.publish_firefox("de", "en")

    def stop(done, total):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        dragoman.models.download("firefox:de-en", progress=stop)
    assert dragoman.models.list() == []
    assert dragoman.models.download("firefox:de-en").installed


@needs_library
def test_without_a_network(played, monkeypatch):
    played.publish_firefox("de", "en")
    monkeypatch.setenv("DRAGOMAN_OFFLINE", "1")
    with pytest.raises(dragoman.FileError):
        dragoman.load("firefox:de-en")
    assert not played.requests
    monkeypatch.delenv("DRAGOMAN_OFFLINE")
    with pytest.raises(dragoman.FileError, match="offline"):
        dragoman.models.download("firefox:de-en", offline=True)
    assert not played.requests
    dragoman.models.download("firefox:de-en")
    monkeypatch.setenv("DRAGOMAN_OFFLINE", "1")
    played.requests.clear()
    assert dragoman.load("firefox:de-en").info.networks == 1
    assert not played.requests


@needs_library
def test_wrong_arguments(user):
    with pytest.raises(dragoman.InvalidArgumentError, match="parallel"):
        dragoman.models.download("firefox:de-en", parallel=99)
    with pytest.raises(TypeError):
        dragoman.models.download(5)
    with pytest.raises(dragoman.InvalidArgumentError, match="zero byte"):
        dragoman.models.show("firefox:\0")
    ids = [registry.id for registry in dragoman.models.registries()]
    assert {"firefox", "argos", "opus", "hf"} <= set(ids)
