# SPDX-License-Identifier: Apache-2.0
import dragoman
import pytest


def test_a_glossarys_terms_are_in_translations(tmp_path):
    (tmp_path / "terms.tsv").write_text("station\tHaltepunkt\n", encoding="utf-8")
    with dragoman.Translator(target_language="de") as translator, dragoman.Glossary(tmp_path / "terms.tsv") as loaded, \
            dragoman.Glossary.of([("dog", "Vierbeiner|Vierbeiners")]) as made:
        assert len(loaded) == len(made) == 1
        found = translator.translate("\N{DOG} Where is the station?", glossary=loaded)
        assert "Haltepunkt" in found.text
        (term,) = found.sentences[-1].terms
        assert term.met and found.plain_source[slice(*term.source_span)] == "station"
        assert "Vierbeiner" in translator.translate("I have a dog.", glossary=made).text
        kept = translator.translate("Hello {user_name}, open %1$s.", keep_spans=True).text
        assert kept.count("{user_name}") == kept.count("%1$s") == 1
        assert "Haltepunkt" not in translator.translate("Where is the station?").text
    with pytest.raises(dragoman.FileError):
        dragoman.Glossary(tmp_path / "none.tsv")
    with pytest.raises(dragoman.InvalidArgumentError):
        dragoman.Glossary.read("only one cell\n")
