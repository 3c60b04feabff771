# SPDX-License-Identifier: Apache-2.0
import json

import dragoman
import numpy as np
import pytest
from conftest import DATA, TEXT_MODEL, TOKEN_MODEL

ENCODERS = DATA / "encoders"


def recorded(name):
    return json.loads((ENCODERS / name / "vectors.json").read_text(encoding="utf-8"))


def test_vectors_are_those_of_transformers():
    cases = recorded("bert")
    texts = [case["text"] for case in cases]
    with dragoman.Model(ENCODERS / "bert", compute_type="f32") as model:
        for pooling in ("mean", "cls", "pooler"):
            found = model.embed(texts, pooling=pooling)
            assert found.dtype == np.float32 and found.shape == (len(texts), 32) and not found.flags.writeable
            assert np.abs(found - np.array([case[pooling] for case in cases])).max() < 1e-4
        assert model.embed(texts[0]).shape == (32,)
        assert np.array_equal(model.embed(texts[0]), model.embed(texts[:1])[0])
        assert model.embed([]).shape == (0, 32)
        assert np.linalg.norm(model.embed(texts, normalize=True), axis=1) == pytest.approx(1.0, abs=1e-5)
        with pytest.raises(dragoman.UnsupportedError, match="encoder-only model"):
            model.translator()


def test_a_sentence_encoder_and_its_tokens():
    case = recorded("labse")[0]
    with dragoman.Model(ENCODERS / "labse", compute_type="f32") as model:
        assert np.abs(model.embed(case["text"]) - np.array(case["model"])).max() < 1e-4
        assert np.linalg.norm(model.embed(case["text"], normalize=False)) != pytest.approx(1.0, abs=1e-3)
        (found,) = model.embed_tokens([case["text"]], normalize=False)
    assert found.tokens == case["tokens"]
    assert np.abs(found.vectors.reshape(-1) - np.array(case["rows"])).max() < 1e-4
    assert found.tokens.ranges[0] == (0, 0)
    assert "".join(case["text"][slice(*span)] for span in found.tokens.ranges) == case["text"].replace(" ", "")


def test_options_and_errors():
    with dragoman.Model(ENCODERS / "xlmr") as model:
        with pytest.raises(dragoman.UnsupportedError, match="pooler"):
            model.embed("a", pooling="pooler")
        with pytest.raises(dragoman.InvalidArgumentError, match="expected at most 3 tokens"):
            model.embed("駅はどこですか", max_tokens=3)
        assert len(model.embed_tokens(["駅はどこですか"], max_tokens=3, truncate=True)[0].tokens) == 3
        with pytest.raises(dragoman.InvalidArgumentError, match="pooling is 'best'"):
            model.embed("a", pooling="best")
        with pytest.raises(ZeroDivisionError):
            model.embed(["a", "b"], progress=lambda done, total: 1 / 0)
        seen = []
        model.embed(["a", "b"], progress=lambda done, total: seen.append((done, total)))
        assert seen == [(1, 2), (2, 2)]
    with dragoman.Model(TEXT_MODEL) as model:
        assert model.embed("batiß.").shape == (model.info.d_model,)
    with dragoman.Model(TOKEN_MODEL) as model, pytest.raises(dragoman.UnsupportedError, match="no tokenizer"):
        model.embed("a")
