#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a random Transformer of base size as a CTranslate2 model of float32, and sentences for it, for benchmarks.

Its translations mean nothing, but they depend on the source and vary, and they run to the length limit: the end token
has a bias that keeps it away. The output layer is scaled so that the best candidates lie far apart compared with
rounding, so that two engines find the same tokens. Needs numpy only.
"""
import argparse
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "tools"))
import ct2_file  # noqa: E402

SPECIAL = ["<unk>", "<s>", "</s>"]
OUTPUT_GAIN = 4.0  # deviation of the logits
BRANCH_GAIN = 0.5  # below 1, the words themselves come through all layers
SHARP = 1.5        # attention that picks a few places instead of the mean
WORD_GAIN = 3.0    # words count for more than positions, most of whose sinusoid is nearly constant
RELU_MEAN = 0.4    # of normally distributed inputs
NEVER = -1e4


class Builder:
    def __init__(self, options):
        self.o = options
        self.rng = np.random.default_rng(options.seed)
        self.variables = {}

    def normal(self, shape, deviation):
        return self.rng.standard_normal(shape, dtype=np.float32) * np.float32(deviation)

    def linear(self, scope, out, size, gain=1.0):
        self.variables[scope + "/weight"] = self.normal((out, size), gain / np.sqrt(size))
        self.variables[scope + "/bias"] = self.normal(out, 0.02)

    def norm(self, scope):
        self.variables[scope + "/gamma"] = 1 + self.normal(self.o.d_model, 0.1)
        self.variables[scope + "/beta"] = self.normal(self.o.d_model, 0.02)

    def stack(self, name, cross):
        d, ffn = self.o.d_model, self.o.ffn
        for i in range(self.o.layers):
            layer = f"{name}/layer_{i}"
            self.norm(layer + "/self_attention/layer_norm")
            self.linear(layer + "/self_attention/linear_0", 3 * d, d, SHARP)
            self.linear(layer + "/self_attention/linear_1", d, d, BRANCH_GAIN)
            if cross:
                self.norm(layer + "/attention/layer_norm")
                self.linear(layer + "/attention/linear_0", d, d, SHARP)
                self.linear(layer + "/attention/linear_1", 2 * d, d)
                self.linear(layer + "/attention/linear_2", d, d, BRANCH_GAIN)
            self.norm(layer + "/ffn/layer_norm")
            self.linear(layer + "/ffn/linear_0", ffn, d)
            self.linear(layer + "/ffn/linear_1", d, ffn, BRANCH_GAIN)
            # Otherwise the mean is a vector common to all words, and grows with every layer.
            weight = self.variables[layer + "/ffn/linear_1/weight"]
            self.variables[layer + "/ffn/linear_1/bias"] -= np.float32(RELU_MEAN) * weight.sum(axis=1)
        if self.o.norm == "pre":
            self.norm(name + "/layer_norm")
        self.variables[name + "/num_heads"] = np.array(self.o.heads, np.int16)
        self.variables[name + "/pre_norm"] = np.array(self.o.norm == "pre", np.int8)
        self.variables[name + "/activation"] = np.array(0, np.int8)  # relu
        self.variables[name + "/scale_embeddings"] = np.array(1, np.int8)

    def build(self):
        d, words = self.o.d_model, self.o.vocabulary
        self.stack("encoder", cross=False)
        self.stack("decoder", cross=True)
        deviation = WORD_GAIN / np.sqrt(d)  # the model multiplies by sqrt(d)
        self.variables["decoder/embeddings/weight"] = self.normal((words, d), deviation)
        # With tied embeddings, a word would mostly be followed by itself.
        self.variables["decoder/projection/weight"] = self.normal((words, d), OUTPUT_GAIN / np.sqrt(d))
        bias = np.zeros(words, np.float32)
        bias[:len(SPECIAL)] = NEVER
        self.variables["decoder/projection/bias"] = bias
        if self.o.separate:
            self.variables["encoder/embeddings_0/weight"] = self.normal((words, d), deviation)
            return self.variables, []
        return self.variables, [("encoder/embeddings_0/weight", "decoder/embeddings/weight")]


def sentences(options, words):
    rng = np.random.default_rng([options.seed, 1])
    spread = min(options.length // 4 if options.spread is None else options.spread, options.length - 1)
    for _ in range(options.sentences):
        length = options.length + rng.integers(-spread, spread + 1)
        yield " ".join(words[i] for i in rng.integers(len(SPECIAL), len(words), size=length))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, help="folder to write; about 310 MB at base size")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--layers", type=int, default=6, help="of the encoder, and of the decoder")
    parser.add_argument("--d-model", type=int, default=512)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--ffn", type=int, default=2048)
    parser.add_argument("--vocabulary", type=int, default=32000)
    parser.add_argument("--separate", action="store_true", help="separate source and target embeddings")
    parser.add_argument("--norm", choices=("post", "pre"), default="post")
    parser.add_argument("--sentences", type=int, default=32, help="lines of sentences.txt")
    parser.add_argument("--length", type=int, default=25, help="their mean length in tokens")
    parser.add_argument("--spread", type=int, help="most by which they are shorter or longer; default: a quarter")
    options = parser.parse_args()

    options.out.mkdir(parents=True, exist_ok=True)
    words = SPECIAL + [f"w{i}" for i in range(options.vocabulary - len(SPECIAL))]
    variables, aliases = Builder(options).build()
    ct2_file.write_model(options.out / "model.bin", 6, "TransformerSpec", 7, variables, aliases)
    config = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>", "decoder_start_token": "<s>",
              "add_source_bos": False, "add_source_eos": True, "layer_norm_epsilon": None,
              "multi_query_attention": False}
    (options.out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    for name in ("source_vocabulary", "target_vocabulary") if options.separate else ("shared_vocabulary",):
        (options.out / f"{name}.json").write_text(json.dumps(words) + "\n")
    (options.out / "sentences.txt").write_text("".join(line + "\n" for line in sentences(options, words)))


if __name__ == "__main__":
    main()
