#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""record_golden.py [BUILD]: writes tests/data/golden/golden.json with the library in BUILD (default build/release).

The file holds what every way into the library has to give: the C API and the bindings run it. Models are those of
tests/data, in float32. What transformers says about the same texts is compared while recording.
"""
from __future__ import annotations

import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
GOLDEN = DATA / "golden" / "golden.json"

HF, LETTERS, TOY = "huggingface/shared", "aren-transliteration", "toy-text"
TEXTS = ["batin kétiß kénara késora banara!", "batira kén késoß loson batin?", "batiß.", "", " \n\t "]
DOCUMENT = "  batin kétiß. Kénan losoß!\n\n* késora batin?\nbatiß 😀 bara.  \n"


def tokens(text: str) -> list[str]:
    return text.split()


def texts(name: str, inputs: list[str], options: dict | None = None, *, model: str = HF, **more) -> dict:
    """As transformers reads them."""
    return {"name": name, "call": "translate_texts", "model": model, "inputs": inputs,
            "options": {**(options or {}), "raw": True}, **more}


def sequences(name: str, inputs: list[str], options: dict | None = None, *, model: str = LETTERS, **more) -> dict:
    return {"name": name, "call": "translate_tokens", "model": model, "inputs": [tokens(text) for text in inputs],
            "options": options or {}, **more}


def cases() -> list[dict]:
    """Inputs only; `evaluate` gives what belongs to them."""
    xx = {"target_language": "xx"}
    everything = {**xx, "beam_size": 4, "num_hypotheses": 3, "return_scores": True, "return_attention": True}
    letters = ["آ ت ز م و ن", "آ ز ا", ""]
    known = json.loads((DATA / HF / "expected.json").read_text(encoding="utf-8"))["texts"]
    return [
        texts("defaults", [item["text"] for item in known[:8]]),
        texts("target language", TEXTS, xx),
        texts("greedy", TEXTS, {**xx, "beam_size": 1, "return_scores": True}),
        texts("n best, scores, attention", TEXTS[:2], everything),
        texts("document", [DOCUMENT], {**xx, "return_scores": True, "return_attention": True}),
        texts("document, n best", [DOCUMENT, "batiß."], everything),
        texts("one sequence", ["batin kétiß. Kénan losoß!"], {**xx, "split_sentences": False}),
        texts("joined lines", ["batin\nkétiß.\n\nbatiß."], {**xx, "join_lines": True}),
        texts("prefixes", TEXTS[:2], xx, prefixes=[["▁Gaku"], []]),
        texts("suppressed", TEXTS[:1], {**xx, "suppress_sequences": [["▁Gasa"], ["▁fo", "й"]],
                                        "return_end_token": True}),
        texts("end tokens", TEXTS[:1], {**xx, "beam_size": 1, "end_tokens": ["▁Gakux"]}),
        texts("another search", TEXTS[:2], {**xx, "search": "ctranslate2", "beam_size": 3, "length_penalty": 0.6,
                                            "return_scores": True}),
        texts("another model", ["bara!", "min min miß."], model=TOY),
        texts("no tokens kept", TEXTS[:2], {**xx, "discard_tokens": True}),
        sequences("tokens", letters, {"beam_size": 4, "num_hypotheses": 4, "return_scores": True}),
        sequences("tokens, attention", letters[:2], {"return_attention": True, "beam_size": 1}),
        sequences("tokens, prefixes", letters[:2], {"beam_size": 2}, prefixes=[tokens("a t s"), []]),
        {"name": "scores", "call": "score_tokens", "model": LETTERS, "inputs": [tokens(text) for text in letters[:2]],
         "targets": [tokens("a t z m o n"), tokens("a z a")], "options": {}},
        {"name": "scores, cut", "call": "score_tokens", "model": LETTERS, "inputs": [tokens(letters[0])],
         "targets": [tokens("a t z m o n")], "options": {"max_input_length": 3}},
        {"name": "scores of texts", "call": "score_texts", "model": HF, "inputs": [*TEXTS[:3], ">>yy<< batiß.", ""],
         "targets": ["fopiй Gasa!", "Gaku  foй.", "", "fopiй", "Gasa"], "options": {"target_language": "xx"}},
        {"name": "scores of texts, cut", "call": "score_texts", "model": HF, "inputs": TEXTS[:1],
         "targets": ["fopiй Gasa!"], "options": {"target_language": "xx", "max_input_length": 3}},
        {"name": "tokens of texts", "call": "tokenize", "model": HF, "side": "source",
         "inputs": [*TEXTS, ">>yy<< batiß."]},
        {"name": "tokens of translations", "call": "tokenize", "model": HF, "side": "target",
         "inputs": ["fopiй Gasa!", ""]},
        {"name": "texts of tokens", "call": "detokenize", "model": HF, "side": "target",
         "inputs": [["▁fopi", "й", "▁Gasa", "!", "</s>"], [], ["▁vö", "ла", "sa"]]},
        {"name": "sentences", "call": "split_sentences",
         "inputs": [DOCUMENT, "", "Größe 5 z. B. ist gut. Ja!\n\n* Ähm?"], "options": {"language": "de"}},
        {"name": "sentences of joined lines", "call": "split_sentences", "inputs": ["Eine\nZeile. Zwei\n\nDrei"],
         "options": {"join_lines": True}},
        # Errors
        texts("a beam that is too wide", TEXTS[:1], {"beam_size": 100}),
        texts("more hypotheses than beams", TEXTS[:1], {"beam_size": 2, "num_hypotheses": 3}),
        texts("a language the model does not have", TEXTS[:1], {"target_language": "zz"}),
        {"name": "scores of texts for a model of tokens", "call": "score_texts", "model": LETTERS, "inputs": ["abc"],
         "targets": ["abc"], "options": {}},
        {"name": "scores in a language the model does not have", "call": "score_texts", "model": HF, "inputs": ["abc"],
         "targets": ["abc"], "options": {"target_language": "zz"}},
        texts("text for a model of tokens", ["abc"], model=LETTERS),
        {"name": "tokens of a model without tokenizer", "call": "tokenize", "model": LETTERS, "side": "source",
         "inputs": ["abc"]},
        sequences("a length that is too large", letters[:1], {"max_decoding_length": 5000}),
        {"name": "no such model", "call": "describe", "model": "golden/nowhere"},
        {"name": "a model", "call": "describe", "model": HF},
        {"name": "a model of tokens", "call": "describe", "model": LETTERS},
    ]


def close(number: float) -> float:
    return round(float(number), 5)


def in_bytes(text: str, span: tuple[int, int]) -> list[int]:
    return [len(text[:end].encode()) for end in span]


class Evaluation:
    """Runs cases through the Python package."""

    def __init__(self):
        import dragoman
        self.dragoman = dragoman
        self.models: dict = {}

    def translator(self, name: str):
        if name not in self.models:
            model = self.dragoman.Model(DATA / name, compute_type="f32")
            self.models[name] = self.dragoman.Translator(model)
        return self.models[name]

    def outcome(self, case: dict) -> dict:
        try:
            return {"expected": getattr(self, case["call"])(case)}
        except self.dragoman.Error as error:
            return {"error": {"status": error.status, "message": str(error).replace(str(DATA) + "/", "")}}

    def translate_texts(self, case: dict) -> list:
        translator = self.translator(case["model"])
        found = translator.translate(case["inputs"], prefixes=case.get("prefixes"), **case["options"])
        return [self.translation(item, case) for item in found]

    def translate_tokens(self, case: dict) -> list:
        translator = self.translator(case["model"])
        found = translator.translate_tokens(case["inputs"], prefixes=case.get("prefixes"), **case["options"])
        return [self.translation(item, case) for item in found]

    def translation(self, item, case: dict) -> dict:
        hypotheses = []
        for hypothesis in item.hypotheses:
            entry = {"tokens": hypothesis.tokens, "score": close(hypothesis.score)}
            if case["call"] == "translate_texts":
                entry["text"] = hypothesis.text
            try:
                entry["attention"] = list(hypothesis.attention.shape)
            except self.dragoman.UnsupportedError:
                entry["attention"] = None
            entry["sentences"] = [self.sentence(sentence, item.source, hypothesis.text)
                                  for sentence in hypothesis.sentences]
            hypotheses.append(entry)
        return {"source_tokens": item.source_tokens, "hypotheses": hypotheses}

    @staticmethod
    def sentence(sentence, source: str, target: str) -> dict:
        return {"source": in_bytes(source, sentence.source_span), "target": in_bytes(target, sentence.target_span),
                "source_tokens": list(sentence.source_token_span), "target_tokens": list(sentence.target_token_span),
                "score": close(sentence.score), "attention": list(sentence.attention.shape)}

    def score_tokens(self, case: dict) -> list:
        found = self.translator(case["model"]).score_tokens(case["inputs"], case["targets"], **case["options"])
        return [{"tokens": score.tokens, "log_probs": [close(value) for value in score.log_probs]} for score in found]

    def score_texts(self, case: dict) -> list:
        found = self.translator(case["model"]).score_texts(case["inputs"], case["targets"], **case["options"])
        return [{"tokens": score.tokens, "log_probs": [close(value) for value in score.log_probs],
                 "ranges": [in_bytes(text, span) for span in score.ranges]}
                for score, text in zip(found, case["targets"], strict=True)]

    def tokenize(self, case: dict) -> list:
        return self.translator(case["model"]).model.tokenize(case["inputs"], side=case["side"])

    def detokenize(self, case: dict) -> list:
        return self.translator(case["model"]).model.detokenize(case["inputs"], side=case["side"])

    def split_sentences(self, case: dict) -> list:
        return [[in_bytes(text, span) for span in self.dragoman.split_sentences(text, **case["options"])]
                for text in case["inputs"]]

    def describe(self, case: dict) -> dict:
        info = self.dragoman.describe(DATA / case["model"])
        names = ("format", "family", "has_tokenizer", "d_model", "heads", "encoder_layers", "decoder_layers",
                 "source_vocabulary", "target_vocabulary", "parameters", "stored_types")
        return {name: getattr(info, name) for name in names}


def check_against_transformers(recorded: list[dict]) -> None:
    known = {item["text"]: item for item in
             json.loads((DATA / HF / "expected.json").read_text(encoding="utf-8"))["texts"]}
    case = next(case for case in recorded if case["name"] == "defaults")
    for text, found in zip(case["inputs"], case["expected"], strict=True):
        best = found["hypotheses"][0]
        if best["text"] != known[text]["translation"] or best["tokens"] != known[text]["translation_pieces"]:
            sys.exit(f"{text}: transformers has {known[text]['translation']!r}, the library {best['text']!r}")


def check_margins(recorded: list[dict]) -> None:
    """Hypotheses whose order depends on the last bits are no golden ones."""
    for case in recorded:
        if case["call"].startswith("translate") and case["options"].get("return_scores"):
            for item in case.get("expected", []):
                scores = [hypothesis["score"] for hypothesis in item["hypotheses"]]
                if any(abs(a - b) < 1e-3 and a for a, b in zip(scores, scores[1:])):
                    sys.exit(f"{case['name']}: two scores are too close: {scores}")


def main() -> None:
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release").resolve()
    os.environ.setdefault("DRAGOMAN_LIBRARY", str(build / "capi" / "libdragoman.so"))
    sys.path.insert(0, str(ROOT / "bindings" / "python" / "src"))
    evaluation = Evaluation()
    recorded = [{**case, **evaluation.outcome(case)} for case in cases()]
    check_against_transformers(recorded)
    check_margins(recorded)
    GOLDEN.parent.mkdir(exist_ok=True)
    lines = [json.dumps(case, ensure_ascii=False) for case in recorded]
    GOLDEN.write_text('{"cases": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
    print(f"{GOLDEN}: {len(recorded)} cases, {GOLDEN.stat().st_size} bytes")


if __name__ == "__main__":
    main()
