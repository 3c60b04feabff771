# SPDX-License-Identifier: Apache-2.0
import dragoman
import pytest
from conftest import TEXT_MODEL, TOKEN_MODEL

QUICK = {"repeat": 1, "latency_samples": 1, "ceilings": False, "passes": False}


def test_a_converted_model_translates_the_same(tmp_path, translator):
    out, calls = tmp_path / "mödel.gguf", []
    dragoman.convert(TEXT_MODEL, out, weight_type="f32", progress=lambda done, total: calls.append((done, total)))
    assert calls and all(done <= total for done, total in calls) and calls[-1][1] > 1000
    info = dragoman.describe(out)
    assert info.format == "gguf" and info.parameters == dragoman.describe(TEXT_MODEL).parameters
    text = "abc. cab"
    with dragoman.Translator(dragoman.Model(out, compute_type="f32"), target_language="xx") as other:
        assert other.translate(text).text == translator.translate(text).text


def test_a_file_that_is_there_stays_unless_it_may_be_replaced(tmp_path):
    out = tmp_path / "model.gguf"
    out.write_text("mine")
    with pytest.raises(dragoman.FileError, match="model.gguf"):
        dragoman.convert(TOKEN_MODEL, out)
    assert out.read_text() == "mine"
    dragoman.convert(TOKEN_MODEL, out, replace=True, weight_type="q8")
    assert dragoman.describe(out).d_model == 32


def test_errors_of_converting(tmp_path):
    with pytest.raises(dragoman.InvalidArgumentError, match="weight_type is 'q5'"):
        dragoman.convert(TOKEN_MODEL, tmp_path / "x", weight_type="q5")
    with pytest.raises(dragoman.FileError, match="nowhere"):
        dragoman.convert(tmp_path / "nowhere", tmp_path / "x")
    with pytest.raises(dragoman.InvalidArgumentError, match="zero byte"):
        dragoman.convert(TOKEN_MODEL, str(tmp_path / "x\0"))

    def stop(done, total):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        dragoman.convert(TOKEN_MODEL, tmp_path / "x", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_report_of_texts():
    report = dragoman.bench(["abc", "cab"], model=TEXT_MODEL, target_language="xx", beam_size=2, **QUICK)
    assert report["throughput"]["counters"]["sentences"] == 2 and report["options"]["beam_size"] == 2
    assert report["throughput"]["seconds"]["count"] == 1 and report["ceilings"] is None


def test_texts_are_measured_with_their_options():
    texts = ["batiß. Késora banara!", "batiß."]

    def counters(**options):
        return dragoman.bench(texts, model=TEXT_MODEL, **options, **QUICK)["throughput"]["counters"]

    assert counters(target_language="xx")["sentences"] == 2
    for wrong in ({}, {"target_language": "zz"}):
        with pytest.raises(dragoman.InvalidArgumentError, match="target_language"):
            counters(**wrong)
    with pytest.raises(dragoman.UnsupportedError, match="nothing in them"):
        dragoman.bench(["日本語"], model=TEXT_MODEL, target_language="xx", **QUICK)


def test_a_report_of_tokens_and_of_random_words():
    report = dragoman.bench_tokens([["آ", "ز", "ا"]], model=TOKEN_MODEL, **QUICK)
    assert report["throughput"]["counters"]["source_tokens"] == 3
    report = dragoman.bench(model=TOKEN_MODEL, synthetic_sentences=3, synthetic_tokens=4, seed=7, **QUICK)
    assert report["throughput"]["counters"]["sentences"] == 3


def test_errors_of_measuring():
    with pytest.raises(dragoman.InvalidArgumentError, match="repeat"):
        dragoman.bench(model=TOKEN_MODEL, repeat=-1)
    with pytest.raises(TypeError, match="no_such_option"):
        dragoman.bench(model=TOKEN_MODEL, no_such_option=1)
    with pytest.raises(TypeError, match="expected str"):
        dragoman.bench([b"bytes"], model=TOKEN_MODEL)

    def stop(done, total):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        dragoman.bench_tokens([["آ"]], model=TOKEN_MODEL, progress=stop, **QUICK)
