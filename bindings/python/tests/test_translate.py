# SPDX-License-Identifier: Apache-2.0
import gc
import threading
import weakref

import dragoman
import numpy as np
import pytest
from conftest import DATA, TEXT_MODEL

TEXT = "batin kétiß kénara késora banara!"
TRANSLATION = "fopiй Gasa Gakuй Gakux foй!"


def test_a_text_gives_a_translation_and_a_list_gives_a_list(translator):
    found = translator.translate(TEXT)
    assert found.text == str(found) == TRANSLATION
    assert found.source == TEXT
    assert [str(item) for item in translator.translate([TEXT, "", TEXT])] == [TRANSLATION, "", TRANSLATION]
    assert [str(item) for item in translator.translate(text for text in [TEXT])] == [TRANSLATION]
    assert translator.translate([]) == []
    assert repr(found) == f"<Translation {TRANSLATION!r}>"


def test_options_come_from_the_translator_the_call_and_keywords(model):
    with model.translator(target_language="xx", beam_size=2) as translator:
        assert translator.options == dragoman.TranslateOptions(target_language="xx", beam_size=2)
        assert len(translator.translate(TEXT, num_hypotheses=2).hypotheses) == 2
        with pytest.raises(dragoman.InvalidArgumentError, match="num_hypotheses: 3 is more than"):
            translator.translate(TEXT, num_hypotheses=3)
        given = dragoman.TranslateOptions(target_language="xx", beam_size=4)
        assert len(translator.translate(TEXT, options=given, num_hypotheses=3).hypotheses) == 3
        assert given.num_hypotheses is None
        with pytest.raises(TypeError):
            translator.translate(TEXT, beem_size=2)
    with pytest.raises(TypeError):
        model.translator(beem_size=2)


@pytest.mark.parametrize("options, error, words", [
    ({"beam_size": -1}, ValueError, "beam_size is -1"),
    ({"beam_size": 2**32}, dragoman.InvalidArgumentError, "beam_size is 4294967296"),
    ({"beam_size": "2"}, TypeError, "beam_size"),
    ({"search": "best"}, ValueError, "search is 'best'.*'ctranslate2'"),
    ({"target_language": 3}, TypeError, "target_language"),
    ({"target_language": "d\0e"}, ValueError, "zero byte"),
    ({"suppress_sequences": ["ab"]}, TypeError, "suppress_sequences 0"),
    ({"length_penalty": "much"}, ValueError, "much"),
])
def test_bad_options(translator, options, error, words):
    with pytest.raises(error, match=words):
        translator.translate(TEXT, **options)


def test_bad_texts(translator):
    with pytest.raises(dragoman.InvalidArgumentError, match=r"texts\[1\]: invalid UTF-8 at byte 1") as caught:
        translator.translate(["a", "b\ud800c"])
    assert caught.value.status == "invalid_argument"
    with pytest.raises(TypeError, match=r"texts\[0\]: expected str, not int"):
        translator.translate([1])
    with pytest.raises(dragoman.InvalidArgumentError, match="prefixes: 1 for 2 inputs"):
        translator.translate([TEXT, TEXT], prefixes=[[]])
    assert translator.translate("batiß\0batiß").source == "batiß\0batiß"


def test_attention_and_scores_are_arrays(translator):
    found = translator.translate(TEXT, return_attention=True, return_scores=True)
    attention = found.attention
    assert attention.dtype == np.float32 and attention.shape == (len(found.tokens), len(found.source_tokens))
    np.testing.assert_allclose(attention.sum(axis=1), 1, atol=0.05)
    assert not attention.flags.writeable
    assert found.score < 0 and isinstance(found.score, float)
    copy = attention.copy()
    gone = weakref.ref(found._handle)
    del found
    gc.collect()
    translator.translate(TEXT, return_attention=True)
    np.testing.assert_array_equal(attention, copy)  # the array keeps what it shows
    assert gone() is not None
    del attention
    gc.collect()
    assert gone() is None
    assert translator.translate(TEXT).attention.shape == (0, 0)


def test_sentences_are_places_in_python_strings(translator):
    text = "😀 batin kétiß. Késora banara!\n\nbatiß."
    found = translator.translate(text, return_attention=True)
    assert "".join(sentence.source for sentence in found.sentences) in text.replace(" K", "K").replace("\n", "")
    for sentence in found.sentences:
        assert text[slice(*sentence.source_span)] == sentence.source
        assert found.text[slice(*sentence.target_span)] == sentence.text
        assert sentence.attention.shape == (len(sentence.tokens), len(sentence.source_tokens))
    assert found.sentences[-1].source == "batiß." and found.sentences[-1].text == "vöpiй."
    with pytest.raises(dragoman.UnsupportedError, match="sentences"):
        found.attention


def test_quality(translator):
    text = "😀 batin kétiß. Késora banara!"
    found = translator.translate(text, return_quality=True, discard_tokens=True)
    assert 0 < found.quality <= 1
    words = []
    for sentence in found.sentences:
        assert 0 < sentence.quality <= 1
        assert all(0 <= score <= 1 for _, score in sentence.word_quality)
        words += [found.text[slice(*span)] for span, _ in sentence.word_quality]
    assert "".join(words) == found.text.replace(" ", "")
    assert dict(zip(words, [score for s in found.sentences for _, score in s.word_quality]))["😀"] == 1
    without = translator.translate(text)
    assert without.text == found.text
    assert without.quality == 0 and without.sentences[0].word_quality == []
    marked = translator.translate("<p>batin kétiß.</p>", markup="html", quality_marks=1.0).text
    assert '<span class="dragoman-unsure" data-score="0.' in marked
    with pytest.raises(dragoman.InvalidArgumentError, match="quality_marks"):
        translator.translate(text, quality_marks=0.5)


def test_rather_none_than_a_bad_translation(translator):
    text = "😀 batin kétiß. Késora banara!\n\nbatiß."
    plain = translator.translate(text, return_quality=True)
    qualities = sorted(sentence.quality for sentence in plain.sentences)
    least = (qualities[0] + qualities[-1]) / 2
    found = translator.translate(text, min_quality=least)
    expected = [one.source if one.quality < least else one.text for one in plain.sentences]
    assert [sentence.text for sentence in found.sentences] == expected
    unsure = [sentence.quality < least for sentence in plain.sentences]
    assert ["unsure" in sentence.flags for sentence in found.sentences] == unsure and any(unsure) and not all(unsure)
    assert [sentence.quality for sentence in found.sentences] == [sentence.quality for sentence in plain.sentences]
    with pytest.raises(dragoman.InvalidArgumentError, match="min_quality"):
        translator.translate(text, min_quality=1.5)


def test_coverage(translator):
    text = "😀 batin kétiß. Késora banara batiß!"
    found = translator.translate(text, return_coverage=True)
    for sentence in found.sentences:
        assert 0 < sentence.coverage <= 1
        uncovered = text[slice(*sentence.uncovered_span)].split()
        assert len(uncovered) == sentence.uncovered_words
        assert (sentence.coverage == 1) == (uncovered == [])
    # Only the first word is translated.
    prefix = translator.model.tokenize(found.sentences[1].text.split()[0], side="target")
    few = translator.translate(found.sentences[1].source, prefixes=prefix, return_coverage=True,
                               max_decoding_length=len(prefix)).sentences[0]
    assert few.coverage < found.sentences[1].coverage
    assert few.uncovered_words >= 1 and few.source[slice(*few.uncovered_span)].split()[-1] == "batiß"
    without = translator.translate(text).sentences[1]
    assert (without.coverage, without.uncovered_words, without.uncovered_span) == (0, 0, (0, 0))


def test_words_are_aligned(translator):
    text = "😀 batin kétiß. Késora banara!"
    found = translator.translate(text, return_alignment=True, discard_tokens=True)
    links, sources, targets = [], 0, 0
    for sentence in found.sentences:
        alignment = sentence.alignment
        assert isinstance(alignment, dragoman.WordAlignment)
        assert [text[slice(*span)] for span in alignment.source_spans] == alignment.source_words
        assert [found.text[slice(*span)] for span in alignment.target_spans] == alignment.target_words
        assert "".join(alignment.target_words) == sentence.text.replace(" ", "")
        assert alignment.weights.shape == (len(alignment.target_words), len(alignment.source_words))
        np.testing.assert_allclose(alignment.weights.sum(axis=1), 1, rtol=1e-5)
        assert len(alignment.links(2)) == len(alignment.target_words)
        links += [f"{source + sources}-{target + targets}" for source, target in alignment.links()]
        sources, targets = sources + len(alignment.source_words), targets + len(alignment.target_words)
    assert "Késora" in found.sentences[-1].alignment.source_words
    assert found.pharaoh == " ".join(links) != ""
    without = translator.translate(text)
    assert without.pharaoh == "" and without.sentences[0].alignment.links() == []


@pytest.mark.parametrize("text", ["😀 batin kétiß. Késora  banara!\n\nbatiß 👩‍👧.", TEXT, "", " \n"])
def test_tokens_have_places_in_python_strings(translator, text):
    found = translator.translate(text, num_hypotheses=2)
    for hypothesis in found.hypotheses:
        assert len(hypothesis.ranges) == len(hypothesis.tokens)
        check_ranges(hypothesis.text, hypothesis.ranges)
    assert len(found.source_ranges) == len(found.source_tokens)
    check_ranges(text, found.source_ranges)
    for sentence in found.sentences:
        assert len(sentence.ranges) == len(sentence.tokens)
        assert "".join(sentence.source.split()) == \
            "".join(text[begin:end] for begin, end in sentence.source_ranges).replace(" ", "")
        assert all(sentence.target_span[0] <= begin <= end <= sentence.target_span[1]
                   for begin, end in sentence.ranges)
    tokens = translator.model.tokenize(text)
    assert len(tokens.ranges) == len(tokens)
    check_ranges(text, tokens.ranges)
    covered = {place for span in tokens.ranges for place in range(*span)}
    assert covered >= {place for place, letter in enumerate(text) if not letter.isspace()}


def check_ranges(text, ranges):
    ends = [0]
    for begin, end in ranges:
        assert 0 <= begin <= end <= len(text) and begin >= ends[-1]
        ends.append(end)


def test_a_token_is_the_characters_of_its_range(translator):
    text = "😀 batin kétiß."
    tokens = translator.model.tokenize(text)
    assert [text[begin:end] for begin, end in tokens.ranges if end > begin] == ["😀", "batin", "kétiß", "."]
    assert translator.translate(text, discard_tokens=True).ranges == []
    given, = translator.translate_tokens([tokens])
    assert given.source_ranges == [] and given.text and len(given.ranges) == len(given.tokens)


def test_progress_and_stopping(translator):
    seen = []
    translator.translate([TEXT, "batiß."], progress=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1] == (2, 2)

    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    with pytest.raises(Enough):
        translator.translate([TEXT] * 3, progress=stop)
    assert str(translator.translate(TEXT)) == TRANSLATION


def test_iterating_reads_no_further_ahead_than_told(translator):
    taken, given, done = 0, 0, []

    def endless():
        nonlocal taken
        while True:
            taken += 1
            assert taken - given <= 8
            yield TEXT if taken % 2 else "batiß."

    found = translator.translate_iter(endless(), ahead=8, progress=done.append)
    assert taken == 0
    for expected in [TRANSLATION, "vöpiй."] * 50:
        assert str(next(found)) == expected
        given += 1
    assert done == sorted(done) and done[-1] >= 100
    found.close()
    last = taken
    translator.translate(TEXT)
    assert taken == last


def test_an_iterables_first_translation_comes_before_its_last_text(translator):
    read = []
    texts = (read.append(place) or f"batin {'kén ' * (place % 5)}." for place in range(3000))
    found = translator.translate_iter(texts, ahead=64)
    first = next(found)
    assert first.source == "batin ." and len(read) <= 64
    rest = list(found)
    assert len(rest) == 2999 and len(read) == 3000
    assert [item.source for item in rest[:7]] == [f"batin {'kén ' * (place % 5)}." for place in range(1, 8)]
    expected = {item.source: str(item) for item in translator.translate({item.source for item in rest})}
    assert all(str(item) == expected[item.source] for item in rest)


def test_what_ends_an_iteration(translator):
    def failing():
        yield TEXT
        raise KeyError("mine")

    found = translator.translate_iter(failing())
    with pytest.raises(KeyError, match="mine"):
        list(found)
    assert list(translator.translate_iter([])) == []
    assert [str(item) for item in translator.translate_iter(["", TEXT])] == ["", TRANSLATION]
    with pytest.raises(ValueError, match="ahead is 0"):
        translator.translate_iter([TEXT], ahead=0)
    with pytest.raises(dragoman.InvalidArgumentError, match="UTF-8"):
        list(translator.translate_iter([TEXT, "\udcff"]))
    with pytest.raises(TypeError, match="expected str, not int"):
        list(translator.translate_iter([1]))
    with pytest.raises(dragoman.InvalidArgumentError, match="beam_size"):
        list(translator.translate_iter([TEXT], beam_size=1000))
    assert str(translator.translate(TEXT)) == TRANSLATION


def test_tokens_and_scores(token_model):
    with token_model.translator(return_scores=True) as translator:
        source = "آ ت ز م و ن".split()
        best, = translator.translate_tokens([source], beam_size=4)
        assert best.tokens == list("atzmon") and best.source_tokens == source and best.sentences == []
        score, = translator.score_tokens([source], [best.tokens])
        assert score.tokens == [*best.tokens, "</s>"]
        assert score.log_probs.shape == (7,) and score.log_probs.dtype == np.float32
        assert score.total / 7 == pytest.approx(best.score, abs=1e-3)
        with pytest.raises(dragoman.InvalidArgumentError, match="targets: 0 for 1 inputs"):
            translator.score_tokens([source], [])
        with pytest.raises(dragoman.UnsupportedError, match="tokenizer"):
            translator.translate("a")


def test_closing(model):
    translator = model.translator(target_language="xx")
    found = translator.translate(TEXT)
    with translator:
        pass
    translator.close()
    assert translator.closed and str(found) == TRANSLATION
    with pytest.raises(ValueError, match="this translator is closed"):
        translator.translate(TEXT)
    own = dragoman.Translator(TEXT_MODEL, target_language="xx")
    assert str(own.translate(TEXT)) == TRANSLATION
    own.close()
    assert own.model.closed
    with pytest.raises(ValueError, match="this model is closed"):
        own.model.info


def test_threads_share_a_translator_and_may_close_it(model):
    translator = model.translator(target_language="xx")
    faults, started = [], threading.Barrier(5)

    def work():
        started.wait()
        try:
            for _ in range(20):
                assert str(translator.translate(TEXT)) == TRANSLATION
        except ValueError as error:
            assert "closed" in str(error)
        except BaseException as error:  # noqa: BLE001
            faults.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    started.wait()
    str(translator.translate(TEXT))
    translator.close()
    for thread in threads:
        thread.join()
    assert faults == []


def test_statistics(translator):
    translator.translate(TEXT)
    assert translator.stats.sentences == 1 and translator.stats.target_tokens > 5
    assert translator.stats.memory_bytes > 0
    translator.reset_stats()
    assert translator.stats.sentences == 0
    translator.trim()
    assert str(translator.translate(TEXT)) == TRANSLATION


def test_a_decoder_alone_continues_and_scores_texts():
    with dragoman.Model(DATA / "huggingface" / "gpt2", compute_type="f32") as model:
        assert model.info.encoder_layers == 0
        with model.translator(beam_size=1, max_decoding_length=16) as translator:
            assert [str(item) for item in translator.translate(["end ", "st"])] == ["? d'ouque chèsse d'èl?", "ord?!"]
            drawn = {"sampling": "on", "num_hypotheses": 3, "seed": 4}
            first, again = (translator.translate("st", **drawn) for _ in range(2))
            assert [item.text for item in first.hypotheses] == [item.text for item in again.hypotheses]
            with pytest.raises(dragoman.InvalidArgumentError, match="target_language: de is not allowed"):
                translator.translate("st", target_language="de")
