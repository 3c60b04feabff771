#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/aren-transliteration/expected.json. Needs numpy and ctranslate2."""
import pathlib
import random
import shutil
import tempfile

import numpy as np

import ct2_file
import record_expectations

MODEL = pathlib.Path(__file__).resolve().parent.parent / "data" / "aren-transliteration"
NAMES = ["آتزمون", "آزا", "آتشيسون", "آرباكه", "آرثر", "أوليسس"]


def disturbed_copy(source, target, seed):
    version, spec, revision, variables = ct2_file.read_model(source / "model.bin")
    rng = np.random.default_rng(seed)
    moved = {name: (value * (1 + 1e-5 * rng.standard_normal(value.shape))).astype(np.float32)
             if value.dtype == np.float32 and value.ndim else value for name, value in variables.items()}
    shutil.copytree(source, target, dirs_exist_ok=True)
    (target / "model.bin").unlink()
    ct2_file.write_model(target / "model.bin", version, spec, revision, moved)


def names():
    letters = [line for line in (MODEL / "source_vocabulary.txt").read_text(encoding="utf-8").split("\n")
               if len(line) == 1]
    rng = random.Random(7)
    made = ["".join(rng.choice(letters) for _ in range(rng.randint(2, 11))) for _ in range(14)]
    return [list(name) for name in NAMES + made]


def main():
    with tempfile.TemporaryDirectory() as folder:
        disturbed = []
        for seed in range(3):
            copy = pathlib.Path(folder) / str(seed)
            disturbed_copy(MODEL, copy, seed)
            disturbed.append(record_expectations.open_model(copy))
        model = record_expectations.open_model(MODEL)
        a, b = names()[:2]
        noon = ["ن"]
        extra = [
            ("empty_inputs", [[], b, [], a, []], None, {"beam_size": 2, "return_attention": True}),
            ("empty_inputs_greedy", [[], b, [], a, []], None, {"beam_size": 1}),
            ("repetition_100", [noon * 5], None, {"beam_size": 1, "repetition_penalty": 100}),
            ("long_ngram3", [noon * 50], None, {"beam_size": 1, "no_repeat_ngram_size": 3}),
            ("unknown_source", [["Z", *a[1:]], [*b, "Z"]], None, {"beam_size": 2, "return_attention": True}),
            ("unknown_prefix", [a], [["<unk>", "t"]], {"beam_size": 1, "replace_unknowns": True}),
            ("beam22", [a], None, {"beam_size": 22, "num_hypotheses": 3}),
            ("patience2_n8", [a], None, {"beam_size": 4, "patience": 2, "num_hypotheses": 8}),
            ("alternatives10", [a, b], [["a", "t"], ["a"]],
             {"beam_size": 2, "num_hypotheses": 10, "return_alternatives": True}),
        ]
        expected = record_expectations.record(model, disturbed, names(), extra=extra)
    record_expectations.save(MODEL / "expected.json", expected)


if __name__ == "__main__":
    main()
