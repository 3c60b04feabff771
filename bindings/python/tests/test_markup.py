# SPDX-License-Identifier: Apache-2.0
import dragoman

PAGE = "<p>Where is the <b>station</b>?</p><p>I have a dog \N{DOG}.</p>"


def test_markup_keeps_its_tags():
    with dragoman.Translator(target_language="de") as translator:
        found = translator.translate(PAGE, markup="html")
        plain = translator.translate("I have a dog.")
    assert found.text.startswith("<p>") and "<b>Bahnhof</b>" in found.text and "\N{DOG}" in found.text
    assert [sentence.source for sentence in found.sentences] == ["Where is the station?", "I have a dog \N{DOG}."]
    assert "<" not in found.plain_text and found.sentences[0].text in found.plain_text
    assert "carried" in found.sentences[1].flags
    assert plain.plain_source == "I have a dog." and plain.plain_text == plain.text
