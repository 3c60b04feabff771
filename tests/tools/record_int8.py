#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what CTranslate2 (CPU, int8) makes of models: int8.json next to each expected.json, of the same sentences.

    python record_int8.py MODEL_DIRECTORY...

Where an input of a product lies between two whole numbers, the last bits of the arithmetic decide which one it becomes.
So a sentence is kept only when copies of the model give the same tokens: copies whose biases, norms and positions are
disturbed by 1e-6. `apart` has how far their scores and log-probabilities are from the model's at most, relative above 1.
Binary versions before 5 are refused, since CTranslate2 cuts their inputs off instead of rounding them.
"""
import argparse
import json
import pathlib
import shutil
import tempfile

import ctranslate2
import numpy as np

import ct2_file
from record_expectations import save, translate

CASES = ("greedy", "beam4", "beam4_n4", "beam5_length_0.6", "greedy_prefix")
COPIES = 6


def open_model(path):
    return ctranslate2.Translator(str(path), device="cpu", compute_type="int8", inter_threads=1, intra_threads=1)


def disturbed_copy(source, target, seed):
    version, spec, revision, variables, aliases = ct2_file.read_model(source / "model.bin", with_aliases=True)
    if version < 5:
        raise SystemExit(f"{source}: expected binary version 5 or 6, found {version}")
    rng = np.random.default_rng(seed)

    def moved(name, value):
        if not value.ndim or value.dtype not in (np.float32, np.float16) or "weight" in name.rpartition("/")[2]:
            return value
        return (value * (1 + 1e-6 * rng.standard_normal(value.shape))).astype(np.float32)
    shutil.copytree(source, target)
    (target / "model.bin").unlink()
    ct2_file.write_model(target / "model.bin", version, spec, revision,
                         {name: moved(name, value) for name, value in variables.items()}, aliases)


def apart(one, other):
    return abs(one - other) / max(1, abs(one))


def record(directory, scratch):
    recorded = json.loads((directory / "expected.json").read_text(encoding="utf-8"))
    copies = []
    for seed in range(COPIES):
        copy = scratch / f"{directory.name}-{seed}"
        disturbed_copy(directory, copy, seed)
        copies.append(open_model(copy))
    model = open_model(directory)
    cases, kept, dropped, furthest, of_words = [], 0, 0, 0.0, 0.0
    for case in recorded["cases"]:
        if case["name"] not in CASES:
            continue
        source, prefix, options = case["source"], case["target_prefix"], case["options"]
        expected = translate(model, source, prefix, options)
        others = [translate(copy, source, prefix, options) for copy in copies]
        keep = [i for i, one in enumerate(expected)
                if all(one["hypotheses"] == other[i]["hypotheses"] for other in others)]
        for i in keep:
            for other in others:
                furthest = max([furthest] + [apart(a, b) for a, b in zip(expected[i]["scores"], other[i]["scores"])])
        kept, dropped = kept + len(keep), dropped + len(source) - len(keep)
        if keep:
            cases.append({**case, "source": [source[i] for i in keep],
                          "target_prefix": [prefix[i] for i in keep] if prefix else None,
                          "expected": [expected[i] for i in keep]})
    score = []
    for pair in recorded["score"]:
        def log_probs(translator, pair=pair):
            return translator.score_batch([pair["source"]], [pair["target"]])[0].log_probs
        found = log_probs(model)
        of_words = max([of_words] + [apart(a, b) for copy in copies for a, b in zip(found, log_probs(copy))])
        score.append({**pair, "log_probs": [round(x, 6) for x in found]})
    print(f"{directory.name}: {kept} sentences kept, {dropped} dropped; scores at most {furthest:.1e} apart, "
          f"log-probabilities {of_words:.1e}")
    save(directory / "int8.json", {"generator": f"ctranslate2 {ctranslate2.__version__}, CPU, int8", "cases": cases,
                                   "score": score, "apart": {"scores": float(f"{furthest:.2g}"),
                                                             "log_probs": float(f"{of_words:.2g}")}})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    with tempfile.TemporaryDirectory() as folder:
        for one in parser.parse_args().directories:
            record(one, pathlib.Path(folder))
