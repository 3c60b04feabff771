# SPDX-License-Identifier: Apache-2.0
import logging
import uuid

import dragoman
import pytest
from conftest import DATA, TEXT_MODEL, TOKEN_MODEL


def test_devices():
    found = dragoman.devices()
    assert found and [device.index for device in found] == list(range(len(found)))
    for device in found:
        assert device.kind in ("discrete", "integrated", "virtual", "cpu", "other")
        assert device.api_version >= (1, 2, 0) and device.memory_bytes > 0 and isinstance(device.uuid, uuid.UUID)
        assert str(device) == device.name != ""


def test_several_devices_work_together(model):
    index = model.device.index
    for names in ([index, index], f"{index},{index}"):
        with dragoman.Device(names) as several, dragoman.Model(TEXT_MODEL, compute_type="f32", device=several) as both:
            assert [member.index for member in several.members] == [index, index]
            texts = [f"sentence {number}" for number in range(40)]
            with both.translator(target_language="xx") as one, model.translator(target_language="xx") as other:
                assert one.translate(texts) == other.translate(texts)
    with dragoman.Device("all") as every:
        assert len(every.members) >= 1
    with pytest.raises(dragoman.InvalidArgumentError, match="empty"):
        dragoman.Device([])


def test_a_device_is_chosen_by_index_name_or_uuid(model):
    device = model.device
    for choice in (device.index, device.name, str(device.uuid)):
        with dragoman.Model(TEXT_MODEL, device=choice) as other:
            assert other.device == device
    with pytest.raises(dragoman.NoDeviceError, match="no such device anywhere"):
        dragoman.Model(TEXT_MODEL, device="no such device anywhere")


def test_models_share_a_device():
    with pytest.raises(dragoman.InvalidArgumentError, match="tune is 'much'"):
        dragoman.Device(tune="much")
    with dragoman.Device(cache_dir="-", tune="off") as device:
        assert device.info in dragoman.devices() and repr(device).startswith("<Device '")
        assert device.memory.held_bytes == 0
        with dragoman.Model(TEXT_MODEL, device=device) as one:
            alone = device.memory.held_bytes
            assert alone == one.memory.held_bytes >= one.info.device_bytes > 0
            with dragoman.Model(DATA / "aren-transliteration", device=device) as other:
                assert other.device == one.device == device.info
                assert device.memory.held_bytes == one.memory.held_bytes > alone
        device.trim()
        assert device.memory.held_bytes < alone
        kept = dragoman.Model(TEXT_MODEL, device=device)
        with pytest.raises(dragoman.InvalidArgumentError, match="memory_limit_bytes: the device is open already"):
            dragoman.Model(TEXT_MODEL, device=device, memory_limit_bytes=1)
    assert device.closed and repr(device) == "<Device, closed>"
    with kept, kept.translator(target_language="xx") as translator:
        assert str(translator.translate("batiß.")) == "vöpiй."
    with pytest.raises(ValueError, match="this device is closed"):
        dragoman.Model(TEXT_MODEL, device=device)
    with pytest.raises(ValueError, match="this device is closed"):
        device.info


def test_a_devices_limit_is_for_all_its_models():
    with dragoman.Model(TEXT_MODEL, compute_type="f32") as model:
        size = model.info.device_bytes
    with dragoman.Device(memory_limit_bytes=size * 3 // 2) as device:
        assert device.memory.limit_bytes == size * 3 // 2
        with dragoman.Model(TEXT_MODEL, compute_type="f32", device=device):
            with pytest.raises(dragoman.OutOfMemoryError):
                dragoman.Model(TEXT_MODEL, compute_type="f32", device=device)


def test_models_without_a_device_of_their_own_share_one(model):
    with dragoman.Model(TEXT_MODEL, compute_type="f32") as other:
        assert other.memory.held_bytes == model.memory.held_bytes > model.info.device_bytes
    with dragoman.Model(TEXT_MODEL, device=model.device.index) as other:
        assert other.memory.held_bytes < model.info.device_bytes * 2


def test_a_device_is_checked():
    with dragoman.Device() as device:
        report = device.check()
    assert report["wrong"] == 0 and report["right"] == len(report["kernels"]) > 0
    assert report["device"]["name"] == dragoman.Device().info.name


def test_info(model):
    info = model.info
    assert info.format == "huggingface" and info.has_tokenizer and info.compute_type == "float32"
    assert info.path == str(TEXT_MODEL) and info.device_bytes > 0
    assert [language.code for language in info.target_languages] == ["xx", "yy"]
    assert info.target_languages == model.target_languages and info.source_languages == model.source_languages == []
    assert dragoman.describe(TEXT_MODEL).device_bytes == 0
    assert repr(model).startswith("<Model '/")


def test_errors_of_models(tmp_path):
    with pytest.raises(dragoman.FileError, match="nowhere: no such file") as caught:
        dragoman.Model(tmp_path / "nowhere")
    assert caught.value.status == "io_error" and isinstance(caught.value, OSError)
    (tmp_path / "empty").mkdir()
    with pytest.raises(dragoman.BadModelError):
        dragoman.describe(tmp_path / "empty")
    with pytest.raises(dragoman.InvalidArgumentError, match="zero byte"):
        dragoman.Model(f"{TEXT_MODEL}\0.zip")
    with pytest.raises(dragoman.InvalidArgumentError, match="compute_type is 'f8'"):
        dragoman.Model(TEXT_MODEL, compute_type="f8")
    with pytest.raises(dragoman.OutOfMemoryError) as caught:
        dragoman.Model(TEXT_MODEL, memory_limit_bytes=1000)
    assert isinstance(caught.value, MemoryError)


def test_several_models_predict_together(token_model):
    alone = token_model.translator().translate_tokens([["آ", "ز", "ا"]])[0]
    paths = {"more_models": [TOKEN_MODEL], "weights": [0.25, 0.75], "compute_type": "f32"}
    for more in ({}, {"average_probabilities": True}):
        with dragoman.Model(TOKEN_MODEL, **paths, **more) as together:
            assert together.info.networks == 2
            assert together.translator().translate_tokens([["آ", "ز", "ا"]])[0].tokens == alone.tokens
    assert token_model.info.networks == 1
    with pytest.raises(dragoman.InvalidArgumentError, match="weights: expected 2 numbers, one for each model, got 1"):
        dragoman.Model(TOKEN_MODEL, more_models=[TOKEN_MODEL], weights=[1])
    with pytest.raises(dragoman.InvalidArgumentError, match="above 0, got nan"):
        dragoman.Model(TOKEN_MODEL, more_models=[TOKEN_MODEL], weights=[1, float("nan")])
    with pytest.raises(TypeError, match="more_models"):
        dragoman.Model(TOKEN_MODEL, more_models=str(TOKEN_MODEL))


def test_names_with_other_letters(tmp_path):
    path = tmp_path / "Mödell ✓"
    path.symlink_to(TEXT_MODEL)
    assert dragoman.describe(path).d_model == 32


def test_the_default_model():
    """No more than that it translates: its weights change, those of the other tests do not."""
    info = dragoman.describe()
    assert {"de", "en"} <= {language.tag for language in info.target_languages}
    assert dragoman.Language("de", "de", "German") in info.target_languages
    with dragoman.Translator(target_language="en") as translator:
        found = translator.translate("Guten Morgen. Wo ist der Bahnhof?")
        assert len(found.sentences) == 2 and found.text.isprintable() and len(found.text) > 10


def test_log_lines_go_to_logging(caplog):
    logger = logging.getLogger("dragoman.test")
    with caplog.at_level(logging.DEBUG, "dragoman.test"):
        dragoman.log_to(logger, "debug")
        try:
            dragoman.Model(TEXT_MODEL).close()
        finally:
            dragoman.log_to(None)
    assert caplog.records and all(record.name == "dragoman.test" for record in caplog.records)
    with pytest.raises(ValueError, match="loud"):
        dragoman.log_to(logger, "loud")


def test_every_status_has_its_exception():
    from dragoman._abi import Status
    from dragoman.errors import BY_STATUS
    assert set(BY_STATUS) == set(Status) - {Status.OK}
    for status, kind in BY_STATUS.items():
        assert kind.status == status.name.lower() and getattr(dragoman, kind.__name__) is kind


def test_data_is_where_it_is_expected():
    assert (DATA / "golden" / "golden.json").exists()


def test_vocabularies_are_asked(model):
    tokens = model.tokenize("batin kétiß")
    assert tokens and all(model.has_token(token, side="source") for token in tokens)
    assert not model.has_token("no such token") and not model.has_token("no such token", side="source")
    with pytest.raises(dragoman.InvalidArgumentError, match="token"):
        model.has_token("a\0b")
    with pytest.raises(dragoman.InvalidArgumentError, match="side is 'left'"):
        model.has_token("a", side="left")


def test_a_description_has_both_sides_languages():
    info = dragoman.describe()
    assert [each.tag for each in info.source_languages] == [each.tag for each in info.target_languages] == ["de", "en"]
    with dragoman.Model() as model:
        assert (info.source_languages, info.target_languages) == (model.source_languages, model.target_languages)
