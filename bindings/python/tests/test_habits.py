# SPDX-License-Identifier: Apache-2.0
"""What people try first: results are texts, one text is one text, files are named by their paths, mistakes are named."""
import copy
import json
import os
import pathlib
import pickle
import subprocess
import sys

import dragoman
import numpy as np
import pytest
from conftest import TEXT_MODEL

TEXT = "batin kétiß kénara késora banara!"
TRANSLATION = "fopiй Gasa Gakuй Gakux foй!"


# ---- Results

def test_a_result_is_its_text(translator):
    found = translator.translate(TEXT, num_hypotheses=2, beam_size=2)
    for item in (found, found.hypotheses[0]):
        assert isinstance(item, str) and item == TRANSLATION and hash(item) == hash(TRANSLATION)
        assert item + "!" == TRANSLATION + "!" and f"{item:>40}" == f"{TRANSLATION:>40}"
        assert type(str(item)) is type(item.text) is str
    assert json.loads(json.dumps({"found": found})) == {"found": TRANSLATION}
    assert {found: 1}[TRANSLATION] == 1 and found in [TRANSLATION]
    sentences = translator.translate("batin kétiß. Késora banara!").sentences
    assert [sentence.text for sentence in sentences] == sentences and all(isinstance(one, str) for one in sentences)
    assert str(sentences[0]) == sentences[0].text and repr(sentences[0]).startswith("<Sentence 'batin")
    assert np.array([found]).tolist() == [TRANSLATION]


def test_a_copy_is_the_same_and_a_pickle_is_the_text(translator):
    found = translator.translate(TEXT)
    assert copy.copy(found) is found and copy.deepcopy([found])[0] is found
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(found, protocol))
        assert type(back) is str and back == TRANSLATION
    assert type(pickle.loads(pickle.dumps(found.sentences))[0]) is str


def test_what_has_no_text_is_its_tokens(token_model):
    with token_model.translator() as translator:
        found, = translator.translate_tokens(["آ ت ز م و ن".split()], beam_size=4)
    assert found == "a t z m o n" and found.tokens == found.split()
    with pytest.raises(dragoman.UnsupportedError, match="tokenizer"):
        found.text


def test_notebooks_show_words_quality_and_attention(translator):
    text = "batin <kétiß>. Késora banara!"
    found = translator.translate(text, return_alignment=True, return_quality=True, return_attention=True)
    html = found._repr_html_()
    assert "&lt;" in html and "<kétiß>" not in html and "<script" not in html
    assert html.count("<tr><td") >= len(found.sentences) and html.count("<details>") == len(found.sentences)
    for sentence in found.sentences:
        assert f"quality {sentence.quality:.2f}" in html
        assert sentence._repr_html_().count("<td title=") == sentence.attention.size
        for source, target in sentence.alignment.links():
            assert f'title="{sentence.alignment.target_words[target]}' in html or "&" in html
    assert html.count("right with probability") == sum(len(sentence.word_quality) for sentence in found.sentences)
    only = translator.translate(text, return_quality=True)._repr_html_()
    assert "right with probability" in only
    plain = translator.translate(text)._repr_html_()
    assert "<span" not in plain and "<details>" not in plain
    assert translator.translate(" \n")._repr_html_().startswith("<p>")


# ---- One text and many

def test_one_text_is_one_text(translator):
    model, german = translator.model, "Wo ist der Bahnhof, und wann fährt der Zug?"
    assert dragoman.detect_languages(german) == dragoman.detect_languages([german])[0]
    assert dragoman.detect_languages(german)[0].tag == "de"
    assert dragoman.detect_languages(["Guten Tag"], expected="de")[0][0].tag == "de"
    with translator.translate_iter(TEXT) as found:
        assert list(found) == [TRANSLATION]
    with translator.stream_iter(TEXT) as events:
        assert {event.source for event in events} == {TEXT}
    score, listed = translator.score_texts(TEXT, TRANSLATION), translator.score_texts([TEXT], [TRANSLATION])
    assert score.total == listed[0].total
    assert model.embed_tokens(TEXT).tokens == model.embed_tokens([TEXT])[0].tokens
    tokens = model.tokenize(TRANSLATION, side="target")
    assert model.detokenize(tokens) == model.detokenize([tokens])[0]
    assert dragoman.bench(TEXT, model=TEXT_MODEL, repeat=1, latency_samples=0, ceilings=False, passes=False,
                          to="xx")["throughput"]["counters"]["sentences"] == 1


@pytest.mark.parametrize("texts, words", [
    (b"abc", "not bytes"), ({"a": "b"}, "not dict"), (3, "not int"), (None, "not NoneType"),
    (["a", None], r"texts\[1\].*NoneType.*translate_series"), (["a", float("nan")], r"texts\[1\].*float \(nan\)"),
    ([["a"]], r"texts\[0\].*list")])
def test_what_are_no_texts_is_said(translator, texts, words):
    calls = [translator.translate, translator.stream, translator.model.tokenize, translator.model.embed,
             translator.model.embed_tokens, dragoman.detect_languages, dragoman.bench,
             lambda given: list(translator.translate_iter(given)), lambda given: translator.score_texts(given, given)]
    for call in calls:
        with pytest.raises(TypeError, match=words.replace("texts", "(texts|sources|targets)")):
            call(texts)


def test_a_str_is_no_sequence_of_tokens(translator):
    for call in (translator.translate_tokens, translator.model.detokenize, dragoman.bench_tokens,
                 lambda given: translator.translate(TEXT, end_tokens=given),
                 lambda given: translator.translate(TEXT, suppress_sequences=given),
                 lambda given: translator.score_tokens(given, given)):
        with pytest.raises(TypeError, match="not a str"):
            call("</s>")


# ---- Options

def test_an_unknown_option_is_named_with_near_ones(model, translator, tmp_path):
    for call in (translator.translate, translator.stream, translator.translate_iter, model.translator,
                 translator.translate_series, dragoman.translate, dragoman.bench, translator.options.replace,
                 lambda text, **options: dragoman.translate_document(translator, text, tmp_path / "x", **options)):
        with pytest.raises(TypeError) as caught:
            call("text", beem_size=2) if call not in (model.translator, translator.options.replace) else call(beem_size=2)
        assert "__init__" not in str(caught.value)
        assert "'beem_size'; did you mean beam_size?" in str(caught.value) and "length_penalty" in str(caught.value)
    with pytest.raises(TypeError, match=r"^translate\(\) .*'progres'; did you mean progress"):
        translator.translate(TEXT, progres=print)
    with pytest.raises(TypeError, match=r"^translate_iter\(\) .*'ahed'; did you mean ahead"):
        translator.translate_iter([TEXT], ahed=3)
    with pytest.raises(TypeError, match="^Translator"):
        model.translator(quality=True)
    with pytest.raises(TypeError, match="options: expected TranslateOptions, not dict"):
        translator.translate(TEXT, options={"beam_size": 2})


def test_to_is_short_for_target_language(model):
    with model.translator(to="xx") as translator:
        assert translator.options == dragoman.TranslateOptions(target_language="xx")
        assert translator.translate(TEXT) == TRANSLATION
    with dragoman.Translator() as translator:
        assert translator.translate("Good morning.", to="de") == translator.translate("Good morning.", target_language="de")
        with pytest.raises(TypeError, match="both to='de' and target_language='en'"):
            translator.translate(TEXT, to="de", target_language="en")


def test_glossaries_and_memories_are_named_by_their_paths(tmp_path):
    terms, kept = tmp_path / "terms.tsv", tmp_path / "kept.sqlite"
    terms.write_text("station\tHaltepunkt\n", encoding="utf-8")
    text = "Where is the station?"
    with dragoman.Translator(to="de") as translator:
        for given in (terms, str(terms), {"station": "Haltepunkt"}, dragoman.Glossary.of({"station": "Haltepunkt"})):
            assert "Haltepunkt" in translator.translate(text, glossary=given)
            assert "Haltepunkt" in next(translator.translate_iter([text], glossary=given))
        terms.write_text("station\tHauptbahnhof\n", encoding="utf-8")
        assert "Hauptbahnhof" in translator.translate(text, glossary=terms)  # what the file has now
        with pytest.raises(dragoman.FileError, match="none.tsv"):
            translator.translate(text, glossary=tmp_path / "none.tsv")
        with pytest.raises(TypeError, match="^glossary: expected a Glossary, the path of a file, or a dict.*not int"):
            translator.translate(text, glossary=3)
        plain = translator.translate(text, memory=kept)
        assert translator.translate(text, memory=str(kept)) == plain
        with pytest.raises(TypeError, match="^memory: expected a TranslationMemory or the path of its file, not dict"):
            translator.translate(text, memory={"a": "b"})
    with dragoman.TranslationMemory(kept) as memory, dragoman.Translator(to="de", memory=memory) as translator:
        assert translator.translate(text) == plain
        assert memory.counts.file_hits == 1
    with dragoman.Translator(to="de", glossary=str(terms)) as translator:
        assert "Hauptbahnhof" in translator.translate(text)
    odd = {"source": "target", "#note": "#Notiz", "<b>": "<i>"}
    assert len(dragoman.Glossary.of(odd)) == len(dragoman.Glossary.of(odd.items())) == 3
    for wrong, error in ((["ab"], TypeError), ([("a", 3)], TypeError), ({"a\tb": "c"}, ValueError)):
        with pytest.raises(error, match="^terms"):
            dragoman.Glossary.of(wrong)


def test_what_is_no_object_of_the_package_is_named(translator, tmp_path):
    with pytest.raises(TypeError, match=r"route\[0\]: expected a Model, not str"):
        dragoman.Translator(route=["path"], source_language="de", target_language="en")
    with pytest.raises(TypeError, match="path: expected a str or a path, not int"):
        dragoman.Model(3)
    with pytest.raises(TypeError, match="translator: expected a Translator, not str"):
        dragoman.translate_document("a.md", "b.md", "c.md")
    with pytest.raises(TypeError, match="out_path"):
        dragoman.translate_document(translator, "a.md", None)


# ---- A translator that all share

def test_a_line_is_enough():
    assert dragoman.translate("Good morning.", to="de") == "Guten Morgen."
    assert dragoman.translate(["Good morning."], to="de") == ["Guten Morgen."]
    assert dragoman.default_translator() is dragoman.default_translator()
    own = dragoman.default_translator(TEXT_MODEL)
    assert own is dragoman.default_translator(str(TEXT_MODEL)) is not dragoman.default_translator()
    assert dragoman.translate(TEXT, to="xx", model=TEXT_MODEL) == TRANSLATION
    own.close()
    assert dragoman.translate(TEXT, to="xx", model=TEXT_MODEL) == TRANSLATION  # made anew


def test_threads_that_come_at_once_get_one_translator_and_the_end_closes_it():
    program = """
import atexit, concurrent.futures
seen = []
atexit.register(lambda: print([one.closed for one in seen]))
import dragoman
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    found = set(pool.map(lambda _: dragoman.translate("Good morning.", to="de"), range(8)))
seen.append(dragoman.default_translator())
print(found, len({id(dragoman.default_translator()) for _ in range(3)}))
"""
    done = subprocess.run([sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path))})
    assert done.stdout.splitlines() == ["{<Translation 'Guten Morgen.'>} 1", "[True]"], done.stderr


# ---- Progress

class Bar:
    """As tqdm's are: one without a total has no truth value."""

    made: list["Bar"] = []

    def __init__(self, iterable=None, total=None):
        assert iterable is None
        self.n, self.total, self.closed = 0, total, False
        Bar.made.append(self)

    def __bool__(self):
        raise TypeError("no truth value")

    def update(self, n=1):
        self.n += n

    def close(self):
        self.closed = True


def test_progress_is_a_bar(translator, tmp_path):
    Bar.made.clear()
    translator.translate([TEXT, "batiß."], progress=Bar)
    list(translator.translate_iter([TEXT, "batiß.", TEXT], progress=Bar))
    translator.model.embed([TEXT, "batiß."], progress=Bar)
    dragoman.convert(TEXT_MODEL, tmp_path / "x.gguf", progress=Bar)
    assert [(bar.n, bar.total) for bar in Bar.made[:2]] == [(2, 2), (3, 3)] and len(Bar.made) == 4
    assert all(bar.n == bar.total and bar.closed for bar in Bar.made)
    own = Bar(total=100)
    for expected in (2, 4):
        translator.translate([TEXT, "batiß."], progress=own)
        assert (own.n, own.total, own.closed) == (expected, 100, False)
    with pytest.raises(TypeError, match="progress: expected a function"):
        translator.translate(TEXT, progress=3)


def test_an_iterator_has_the_length_of_its_texts(translator):
    with translator.translate_iter([TEXT, "batiß."]) as found:
        assert len(found) == 2 and bool(found)
        assert next(found) == TRANSLATION
    assert list(found) == []  # closed
    with translator.translate_iter(text for text in [TEXT]) as found:
        with pytest.raises(TypeError):
            len(found)
        assert list(found) == [TRANSLATION]


def test_events_say_what_is_new(translator):
    shown, changed = {}, 0
    for event in translator.stream(["batin kétiß kénara késora banara!", "batiß."], partial=True):
        before = shown.get((event.input, event.sentence), "")
        assert before[:event.kept] + event.delta == event.text
        changed += event.kept > 0 and event.delta != ""
        shown[event.input, event.sentence] = event.text
    assert shown == {(0, 0): TRANSLATION, (1, 0): "vöpiй."} and changed
    for event in translator.stream(TEXT):
        assert (event.kept, event.delta) == (0, TRANSLATION)


# ---- Types

def test_types_are_those_of_the_programs(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text("""
import dragoman

one: dragoman.Translation = dragoman.translate("text", to="de")
many: list[dragoman.Translation] = dragoman.translate(["text"], to="de")
guesses: list[dragoman.LanguageGuess] = dragoman.detect_languages("text")
with dragoman.Translator(to="de", glossary={"a": "b"}, memory="m.sqlite") as translator:
    rows: list[str | None] = translator.translate_series(["text", None])
    text: str = one + many[0]
    print(guesses, rows, text, translator.translate("text", beam_size=2).sentences[0].attention.shape)
    wrong: int = dragoman.translate("text")
    translator.translate("text", beem_size=2)
""", encoding="utf-8")
    source = pathlib.Path(dragoman.__file__).parent  # it has no fault either
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", source, program], capture_output=True, text=True,
                          cwd=tmp_path)
    faults = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert {line.split(": ")[0] for line in faults} == {"program.py:11", "program.py:12"}, done.stdout
    assert "assignment" in faults[0] and "beem_size" in faults[1]
