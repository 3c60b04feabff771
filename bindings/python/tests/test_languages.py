# SPDX-License-Identifier: Apache-2.0
import json
import shutil

import dragoman
import pytest
from conftest import DATA


def test_languages_of_texts():
    german, nothing, chinese = dragoman.detect_languages(
        ["Wo ist der Bahnhof, und wann fährt der Zug?", "12:30", "最后一班火车晚上十点出发。"])
    assert german[0].tag == "de" and german[0].name == "German" and 0.8 < german[0].probability <= 1
    assert nothing == []
    assert chinese[0].tag == "zh"
    assert dragoman.detect_languages([]) == []
    assert dragoman.detect_languages(["Guten Tag"], expected=["en", "de"])[0][0].tag == "de"
    with pytest.raises(dragoman.InvalidArgumentError, match="xqzz"):
        dragoman.detect_languages(["text"], expected=["xqzz"])


def test_a_text_in_an_unknown_language():
    with dragoman.Translator(source_language="auto", target_language="de") as translator:
        found = translator.translate("Where is the station? Der Bahnhof ist hinter der Kirche.")
    first, second = found.sentences
    assert first.language == "en" and first.flags == frozenset()
    assert second.language == "de" and second.flags == {"copied", "in_target_language"}
    assert second.text == second.source


def test_a_route_over_two_models(tmp_path):
    text = "Wo ist der Bahnhof?"
    shutil.copytree(DATA / "huggingface" / "separate", tmp_path / "en-fr")
    settings = json.loads((tmp_path / "en-fr" / "tokenizer_config.json").read_text())
    settings.update(source_lang="en", target_lang="fr")
    (tmp_path / "en-fr" / "tokenizer_config.json").write_text(json.dumps(settings))
    with dragoman.Model(compute_type="f32") as first, dragoman.Model(tmp_path / "en-fr", compute_type="f32") as second:
        with dragoman.Translator(first, source_language="de", target_language="en") as one, \
                dragoman.Translator(second) as two, \
                dragoman.Translator(route=[second, first], source_language="de", target_language="fr") as both:
            assert both.model is first  # the last of the list
            assert both.translate(text).text == two.translate(one.translate(text).text).text
        with pytest.raises(dragoman.InvalidArgumentError, match="from ko to nothing"):
            dragoman.Translator(route=[first], source_language="ko", target_language="de")
        with pytest.raises(dragoman.InvalidArgumentError, match="beside it"):
            dragoman.Translator(first, route=[first], source_language="de", target_language="en")
