# SPDX-License-Identifier: Apache-2.0
import dragoman
import pytest


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
