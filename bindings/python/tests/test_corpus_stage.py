# SPDX-License-Identifier: Apache-2.0
"""The stage that engines run."""
import multiprocessing
import pickle
import threading

import dragoman
import pytest
from conftest import TEXT_MODEL
from dragoman.corpus import Filters, Stage

TEXTS = ["batin kétiß.", None, "kén kétiß batin. batin kén.", "", float("nan")]


def stage(**options):
    return Stage(TEXT_MODEL, to="xx", compute_type="f32", **options)


@pytest.fixture(scope="module")
def expected():
    with dragoman.Translator(dragoman.Model(TEXT_MODEL, compute_type="f32"), to="xx") as translator:
        return [translator.translate(text, return_scores=True) if isinstance(text, str) else None for text in TEXTS]


def test_rows_keep_their_columns_and_order(expected):
    batch = {"id": list(range(5)), "text": list(TEXTS)}
    found = stage(outputs=["translation", "score", "error"])(batch)
    assert list(found) == ["id", "text", "translation", "score", "error"]
    assert found["translation"] == [one and one.text if one is not None else None for one in expected]
    assert found["score"] == [one.score if one is not None else None for one in expected]
    assert found["error"] == [None] * 5 and found["id"] == [0, 1, 2, 3, 4]
    assert batch == {"id": list(range(5)), "text": batch["text"]}


@pytest.mark.parametrize("columns, batch, outputs, wanted", [
    ("meta.title", {"meta": [{"title": "T", "n": 1}, None, {"n": 2}]}, {"translation": "german"},
     {"german": ["X", None, None]}),
    ("meta.title", {"meta": [{"title": "T", "n": 1}, None]}, {"translation": "meta.title"},
     {"meta": [{"title": "X", "n": 1}, None]}),
    ("messages.*.content", {"messages": [[{"content": "T", "role": "user"}, {"content": None}], [], None]},
     {"translation": "messages.*.content_de"},
     {"messages": [[{"content": "T", "role": "user", "content_de": "X"}, {"content": None, "content_de": None}], [],
                   None]}),
    ("messages.*.content", {"messages": [[{"content": "T"}, {}], [], None]}, {"translation": "found"},
     {"found": [["X", None], [], None]}),
    ("lines.*", {"lines": [["T", None, "T"], []]}, {"translation": "lines.*"}, {"lines": [["X", None, "X"], []]}),
    ("a.b", {"a.b": ["T"]}, {"translation": "c"}, {"c": ["X"]}),
])
def test_paths(columns, batch, outputs, wanted, expected):
    text, translation = TEXTS[0], expected[0].text

    def put(value, what, by):
        if isinstance(value, dict):
            return {name: put(one, what, by) for name, one in value.items()}
        return [put(one, what, by) for one in value] if isinstance(value, list) else by if value == what else value

    made = stage(columns=columns, outputs=outputs)(put(batch, "T", text))
    assert made.pop("error") == [None] * len(next(iter(batch.values())))
    for name, values in put(put(wanted, "X", translation), "T", text).items():
        assert made[name] == values


def test_a_row_that_fails_has_an_error_and_no_other_has(expected):
    found = stage()({"text": [TEXTS[0], 5, "bad \ud800", TEXTS[0]]})
    assert found["translation"] == [expected[0].text, None, None, expected[0].text]
    assert found["error"] == [None, "invalid_argument: expected a text, not int",
                              "invalid_argument: a lone surrogate at character 4", None]
    found = stage(columns="a.*.b")({"a": [[{"b": TEXTS[0]}], "no list"]})
    assert found["a.*.b_translation" if "a.*.b_translation" in found else "a"][1] == "no list"
    assert found["error"] == [None, "invalid_argument: expected a list for *, not str"]
    with pytest.raises(ValueError, match="row 1: invalid_argument"):
        stage(on_error="raise")({"text": [TEXTS[0], 5]})


def test_errors_of_the_whole_are_raised():
    with pytest.raises(KeyError, match="there is no column 'text'; the rows have 'txet'"):
        stage()({"txet": ["a"]})
    with pytest.raises(dragoman.InvalidArgumentError, match="beam_size"):
        stage(options={"beam_size": 100})({"text": ["a"]})
    with pytest.raises(TypeError, match="did you mean beam_size"):
        stage(options={"beam_sise": 1})
    with pytest.raises(ValueError, match="outputs: 'translations' is none"):
        stage(outputs=["translations"])
    with pytest.raises(ValueError, match="several want the column 'x'"):
        stage(columns=["a", "b"], outputs={"translation": "x"})
    with pytest.raises(dragoman.FileError):
        Stage("/no/such/model", to="xx")({"text": ["a"]})
    assert stage()({"text": []}) == {"text": [], "translation": [], "error": []}


def test_a_language_that_the_model_has_not_is_the_rows_fault():
    found = Stage(to="de", source_language_column="from", outputs=["translation", "source_language"])(
        {"text": ["Good morning!"] * 3, "from": ["en", None, "zz"]})
    assert found["translation"] == ["Guten Morgen!", "Guten Morgen!", None]
    assert found["source_language"][:2] == ["en", "en"] and '"zz" is not one' in found["error"][2]


def test_all_outputs():
    outputs = ["score", "quality", "coverage", "source_language", "alignment"]
    found = Stage(to="de", source_language="auto", outputs=outputs)(
        {"text": ["Where is the station? Where is the dog?", ""]})
    assert found["score"][0] < 0 and 0 < found["quality"][0] <= 1 and found["coverage"][0] == 1
    assert found["source_language"] == ["en", None] and found["alignment"][0].startswith("0-0")
    assert found["quality"][1] is None


def test_filters():
    texts = ["Ich habe einen Hund und eine Katze zu Hause.", "I have a dog and a cat at home.", ""]
    kept = Stage(to="de", filters=Filters(languages=["en"]))({"text": texts})
    assert kept["text"] == texts[1:]
    marked = Stage(to="de", filters=Filters(languages=["en"], max_characters=20, min_quality=0.99, action="mark"))(
        {"text": [*texts, "Good morning!"]})
    assert [reason and reason.split(",")[0] for reason in marked["filtered"]] == [
        "44 characters", "31 characters", None, marked["filtered"][3].split(",")[0]]
    assert marked["filtered"][3].startswith("quality 0.") and marked["translation"] == [None, None, "", "Guten Morgen!"]


def test_what_a_row_becomes_does_not_depend_on_the_others(expected):
    one = stage(outputs=["translation", "score"])
    whole = one({"text": [*TEXTS, TEXTS[0], 7, TEXTS[2]]})
    for row, text in enumerate([*TEXTS, TEXTS[0], 7, TEXTS[2]]):
        alone = one({"text": [text]})
        assert all(alone[name] == [whole[name][row]] for name in ("translation", "score", "error"))


def _in_child(queue, given):
    queue.put(given({"text": TEXTS})["translation"])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method, expected):
    """Also one that was forked from this, which has an open device."""
    given = stage()
    here = given({"text": TEXTS})["translation"]
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue, given), daemon=True)
    child.start()
    assert queue.get(timeout=60) == here
    child.join(60)
    assert child.exitcode == 0


def test_threads_and_counters(expected):
    given = pickle.loads(pickle.dumps(stage()))
    found = []
    threads = [threading.Thread(target=lambda: found.append(given({"text": TEXTS})["translation"])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(one == found[0] for one in found)
    counters = given.counters
    assert counters.rows == 20 and counters.texts == 12 and counters.errors == 0 and counters.seconds > 0
    assert counters.characters == 4 * sum(len(text) for text in TEXTS if isinstance(text, str)) and counters.tokens > 0


def test_fingerprint(tmp_path):
    terms = tmp_path / "terms.tsv"
    terms.write_text("source\ttarget\na\tb\n")
    base = stage().fingerprint()
    assert stage().fingerprint() == base == pickle.loads(pickle.dumps(stage())).fingerprint()
    others = [stage(options={"beam_size": 2}), stage(outputs=["score"]), stage(columns="a"), stage(glossary=str(terms)),
              stage(filters=Filters(min_quality=0.1)), stage(source_language="auto"), Stage(to="de")]
    prints = {one.fingerprint() for one in others}
    terms.write_text("source\ttarget\na\tc\n")
    prints |= {stage(glossary=str(terms)).fingerprint(), base}
    assert len(prints) == len(others) + 2
