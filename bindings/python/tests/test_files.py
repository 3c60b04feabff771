# SPDX-License-Identifier: Apache-2.0
"""Models that do not lie in the file system, tokens, sentences, features, memory."""
import io
import mmap
import zipfile

import dragoman
import pytest
from conftest import TEXT_MODEL
from test_translate import TEXT, TRANSLATION


def mapped(path):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def files(read):
    return {path.name: read(path) for path in TEXT_MODEL.iterdir()}


@pytest.mark.parametrize("read", [
    lambda path: path.read_bytes(), lambda path: bytearray(path.read_bytes()),
    lambda path: memoryview(path.read_bytes()), lambda path: io.BytesIO(path.read_bytes()), lambda path: path, mapped,
], ids=["bytes", "bytearray", "memoryview", "file", "path", "mmap"])
def test_a_model_from_python(read):
    with dragoman.Model.from_files(files(read), compute_type="f32") as model:
        assert model.info.path == "memory" and model.info.parameters == dragoman.describe(TEXT_MODEL).parameters
        with model.translator(target_language="xx") as translator:
            assert str(translator.translate(TEXT)) == TRANSLATION
    assert dragoman.describe_files(files(read)).format == "huggingface"


def test_a_zip_archive_in_memory():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        for path in TEXT_MODEL.iterdir():
            zipped.write(path, path.name)
    for content in (archive, archive.getvalue()):
        with dragoman.Model.from_file(content, name="model.zip") as model:
            assert model.info.d_model == 32


def test_files_that_cannot_be_read():
    class Broken(io.BytesIO):
        def read(self, size=-1):
            if size:
                raise ConnectionError("the cable")
            return b""

    broken = {**files(lambda path: path), "model.safetensors": Broken(b"x" * 1000)}
    with pytest.raises(ConnectionError, match="the cable"):
        dragoman.Model.from_files(broken)
    with pytest.raises(dragoman.Error):
        dragoman.Model.from_files({})
    with pytest.raises(dragoman.BadModelError):
        dragoman.Model.from_files({"model.bin": b"abc"})
    with pytest.raises(TypeError, match="in binary"):
        dragoman.Model.from_files({"config.json": io.StringIO("{}")})
    with pytest.raises(ValueError, match="no name"):
        dragoman.Model.from_files({"a\0b": b""})
    with pytest.raises(FileNotFoundError):
        dragoman.Model.from_files({"a": TEXT_MODEL / "nowhere"})


def test_tokens(model):
    tokens = model.tokenize(TEXT)
    assert tokens == ["▁batin", "▁kétiß", "▁kénara", "▁késora", "▁banara", "!"]
    assert model.tokenize([TEXT, ""]) == [tokens, []]
    assert model.detokenize([tokens, []], side="source") == [TEXT, ""]
    target = model.tokenize(TRANSLATION, side="target")
    assert model.detokenize([[*target, "</s>"]]) == [TRANSLATION]
    with pytest.raises(dragoman.InvalidArgumentError, match="side is 'left'"):
        model.tokenize(TEXT, side="left")
    with pytest.raises(dragoman.InvalidArgumentError, match="UTF-8"):
        model.tokenize("\ud800")


def test_sentences():
    text = "Größe 5 z. B. ist gut. Ja!\n\n* Ähm?"
    found = [text[slice(*span)] for span in dragoman.split_sentences(text, language="de")]
    assert found == ["Größe 5 z. B. ist gut.", "Ja!", "Ähm?"]
    assert dragoman.split_sentences("") == []
    assert len(dragoman.split_sentences("eine\nZeile", join_lines=True)) == 1


def test_features():
    assert "format.ctranslate2" in dragoman.features() and "jobs" in dragoman.features()
    assert all(map(dragoman.has_feature, dragoman.features()))
    assert not dragoman.has_feature("teleport")


def test_memory(model):
    found = model.memory
    assert found.heap_bytes > 0 and found.held_bytes > 0 and found.peak_bytes >= found.held_bytes
    assert dragoman.device_memory(0).heap_bytes > 0 and dragoman.device_memory(0).held_bytes == 0
    for index in (-1, 1000, 2**32):
        with pytest.raises(dragoman.NoDeviceError):
            dragoman.device_memory(index)
