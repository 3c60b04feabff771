#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/toy-text/: a small Transformer with SentencePiece files that translates between two toy languages.

Needs numpy, ctranslate2, jax, optax and sentencepiece. The vocabularies are the pieces; expected.json has, beside what
make_random_models.py records, "texts": sentences and their translations as text, and the pieces of each.
"""
import io
import pathlib
import shutil
import tempfile

import numpy as np
import sentencepiece

import make_random_models
import record_expectations
import toy_transformer

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "toy-text"
OPTIONS = {**make_random_models.DEFAULTS, "source_eos": True, "vocabulary": "txt", "d": 48, "heads": 6, "ffn": 96,
           "positions": 64, "pre_norm": False, "final_norm": False, "activation": "swish", "zero_start": True}


def made_up_words(rng, starts, middles, ends, count):
    words = []
    while len(words) < count:
        word = rng.choice(starts) + "".join(rng.choice(middles) for _ in range(rng.integers(0, 2))) + rng.choice(ends)
        if word not in words:
            words.append(str(word))
    return words


class TextLanguage:
    """Word for word, with the words of two neighbours swapped after some words, and punctuation kept."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        rng = np.random.default_rng([seed, 1])
        self.source_words = made_up_words(rng, ["ba", "ké", "lo", "mi", "ru"], ["na", "so", "ti"],
                                          ["n", "ra", "ß", "lu"], 36)
        self.target_words = made_up_words(rng, ["Ga", "ди", "fo", "vö", "ze"], ["ла", "pi", "ku"],
                                          ["й", "sa", "x", "то"], 36)

    def text(self, words):
        count = self.rng.integers(1, words + 1)
        chosen = [int(i) for i in self.rng.integers(len(self.source_words), size=count)]
        mark = [".", "?", "!"][int(self.rng.integers(3))]
        order = list(chosen)
        for i in range(len(order) - 1):
            if order[i] % 6 == 1:
                order[i], order[i + 1] = order[i + 1], order[i]
        join = lambda words, indices: " ".join(words[i] for i in indices) + mark
        return join(self.source_words, chosen), join(self.target_words, order)


def train_pieces(texts, size, normalization):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(texts), model_writer=model, vocab_size=size,
                                             model_type="unigram", character_coverage=1.0, minloglevel=2,
                                             num_threads=1, shuffle_input_sentence=False,
                                             normalization_rule_name=normalization)
    return model.getvalue()


class Pieces:
    """What toy_transformer.batches wants of a language."""

    def __init__(self, language, source, target):
        self.language, self.source, self.target = language, source, target

    def sample(self, longest):
        while True:
            text, translation = self.language.text(5)
            source, target = self.source.encode(text, out_type=str), self.target.encode(translation, out_type=str)
            if len(source) <= longest and len(target) <= 2 * longest - 2:
                return source, target


def main():
    language = TextLanguage(5)
    texts = [language.text(6) for _ in range(4000)]
    models = {"source": train_pieces([text for text, _ in texts], 52, "nmt_nfkc"),
              "target": train_pieces([text for _, text in texts], 56, "identity")}
    source, target = (sentencepiece.SentencePieceProcessor(model_proto=models[side]) for side in ("source", "target"))
    names = lambda pieces: [pieces.id_to_piece(i) for i in range(pieces.get_piece_size())]
    source_tokens, target_tokens = names(source), names(target)
    options = {**OPTIONS, "source": len(source_tokens), "target": len(target_tokens),
               "source_embeddings": "encoder/embeddings_0/weight"}
    variables, aliases = make_random_models.Builder(options, 9).build()
    variables = toy_transformer.train(options, variables, aliases, Pieces(language, source, target), source_tokens,
                                      target_tokens, steps=2500, longest=24)
    variables = make_random_models.stored(variables, options["type"])
    shutil.rmtree(FOLDER, ignore_errors=True)
    make_random_models.write(FOLDER, options, variables, aliases, source_tokens, target_tokens)
    for side, model in models.items():
        (FOLDER / f"{side}.spm").write_bytes(model)

    language.rng = np.random.default_rng(11)
    chosen = [language.text(5) for _ in range(16)]
    sources = [source.encode(text, out_type=str) for text, _ in chosen]
    with tempfile.TemporaryDirectory() as temporary:
        others = []
        for seed in range(3):
            copy = pathlib.Path(temporary) / str(seed)
            moved = make_random_models.disturb(variables, np.random.default_rng([4, seed]))
            make_random_models.write(copy, options, moved, aliases, source_tokens, target_tokens)
            others.append(record_expectations.open_model(copy))
        expected = record_expectations.record(record_expectations.open_model(FOLDER), others, sources,
                                              only=("greedy", "beam4", "beam4_n4", "beam4_attention"))
    beam4 = next(case for case in expected["cases"] if case["name"] == "beam4")
    expected["texts"] = []
    for text, wanted in chosen:
        pieces = source.encode(text, out_type=str)
        for case_source, result in zip(beam4["source"], beam4["expected"]):
            if case_source == pieces:
                translation = target.decode(result["hypotheses"][0])
                expected["texts"].append({"text": text, "pieces": pieces, "translation": translation,
                                          "translation_pieces": result["hypotheses"][0]})
                print(f"  {text} -> {translation}  ({'right' if translation == wanted else wanted})")
                break
    record_expectations.save(FOLDER / "expected.json", expected)


if __name__ == "__main__":
    main()
