# SPDX-License-Identifier: Apache-2.0
import dragoman
import pytest


def test_answers_are_kept_in_a_file(tmp_path):
    text = "Where is the station? I have a dog."
    with dragoman.Translator(target_language="de") as translator:
        plain = translator.translate(text, return_scores=True)
        for kept in (0, 2):
            with dragoman.TranslationMemory(tmp_path / "memory.sqlite") as memory:
                found = translator.translate(text, memory=memory, return_scores=True)
                assert (found.text, found.score) == (plain.text, plain.score)
                assert memory.counts.file_hits == kept and memory.counts.misses == 2 - kept
                assert translator.translate(text, memory=memory, return_scores=True).text == plain.text
                assert memory.counts.hits == 2
        with dragoman.TranslationMemory(tmp_path / "memory.sqlite") as memory:
            memory.clear()
            assert memory.counts.file_entries == 0
    (tmp_path / "text").write_text("no memory", encoding="utf-8")
    with pytest.raises(dragoman.FileError, match="text: expected a memory"):
        dragoman.TranslationMemory(tmp_path / "text")


def test_segments(tmp_path):
    with dragoman.Translator(target_language="de") as translator, \
            dragoman.TranslationMemory(record=True, min_similarity=0.5) as memory:
        memory.add("en", "de", "Where is the station?", "Wo liegt die Haltestelle?")
        found = translator.translate("Where is the station? Where is the old station?", memory=memory)
        first, second = found.sentences
        assert first.text == "Wo liegt die Haltestelle?" and "from_memory" in first.flags and not first.matches
        (match,) = second.matches
        assert match.target == first.text and match.similarity == pytest.approx(5 / 6)
        assert "from_memory" not in second.flags
        memory.write_tmx(tmp_path / "out.tmx")
        assert memory.counts.recorded == 2
    with dragoman.TranslationMemory() as other:
        assert other.load_tmx(tmp_path / "out.tmx") == 2
        assert other.read_tmx((tmp_path / "out.tmx").read_text(encoding="utf-8")) == 2
        with pytest.raises(dragoman.InvalidArgumentError, match="line 1"):
            other.read_tmx("<tmx>")
        with pytest.raises(dragoman.InvalidArgumentError):
            other.write_tmx(tmp_path / "none.tmx")
