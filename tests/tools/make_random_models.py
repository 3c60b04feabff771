#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/random/<name>/: small Transformers for a random toy language, and what CTranslate2 makes of them.

Needs numpy, ctranslate2, jax and optax. Each model is one combination of the switches that published models use. Some
training is needed: the translations of untrained weights repeat themselves and do not end. Trained weights differ a
little from machine to machine.
"""
import json
import pathlib
import shutil
import sys
import tempfile

import numpy as np

import ct2_file
import record_expectations
import toy_transformer

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "random"
ACTIVATIONS = {"relu": 0, "gelu_tanh": 1, "swish": 2, "gelu": 3, "gelu_sigmoid": 4, "tanh": 5, "sigmoid": 6}

DEFAULTS = {
    "d": 32, "heads": 4, "head_dim": None, "ffn": 64, "layers": (2, 2), "pre_norm": True, "activation": "relu",
    "bias": True, "rms": False, "gated": False, "relative": None, "positions": None, "embedding_norm": False,
    "final_norm": True, "shared": False, "tied": False, "scale": "sqrt", "zero_start": False, "scale_outputs": None,
    "queries_scale": None, "alignment": (-1, 1), "version": 6, "revision": 7, "type": "float16", "source": 60,
    "target": 58, "vocabulary": "json", "unk_in_file": True, "start": "<s>", "source_bos": False, "source_eos": False,
    "epsilon": None, "prefix": (), "unk": "<unk>",
}

# Every line says what it is like.
MODELS = {
    "opennmt": {"source_eos": True, "alignment": (0, 0)},
    "marian": {"pre_norm": False, "final_norm": False, "activation": "swish", "positions": 80, "shared": True,
               "tied": True, "zero_start": True, "source_eos": True, "start": "<s>", "alignment": (-2, 3),
               "target": 60},
    "m2m100": {"positions": 70, "shared": True, "tied": True, "start": "</s>", "prefix": ("__xx__",), "target": 60,
               "layers": (3, 2), "alignment": (1, 2)},
    "bart": {"pre_norm": False, "final_norm": False, "activation": "gelu", "positions": 66, "embedding_norm": True,
             "scale": 1.0, "start": "</s>", "shared": True, "tied": True, "target": 60, "source_bos": True,
             "source_eos": True},
    "mbart": {"activation": "gelu", "positions": 66, "embedding_norm": True, "start": None, "shared": True,
              "tied": True, "target": 60, "prefix": ("__xx__",)},
    "t5": {"rms": True, "relative": (32, 128), "bias": False, "scale": False, "queries_scale": 1.0, "shared": True,
           "tied": True, "scale_outputs": True, "start": "<pad>", "target": 60},
    "t5_gated": {"rms": True, "relative": (16, 20), "bias": False, "scale": False, "queries_scale": 1.0,
                 "gated": True, "activation": "gelu_tanh", "shared": True, "start": "<pad>", "target": 60, "d": 24,
                 "heads": 3, "head_dim": 12, "ffn": 40, "layers": (2, 3)},
    "narrow_gelu_sigmoid": {"d": 16, "heads": 2, "ffn": 33, "layers": (1, 1), "activation": "gelu_sigmoid",
                            "type": "float32", "vocabulary": "txt", "unk_in_file": False, "source": 41, "target": 37},
    "wide_tanh": {"d": 48, "heads": 3, "ffn": 20, "layers": (1, 2), "activation": "tanh", "pre_norm": False,
                  "final_norm": False, "vocabulary": "txt", "source": 33, "target": 67, "epsilon": 1e-3},
    "old_sigmoid_v5": {"version": 5, "revision": 5, "activation": "sigmoid", "type": "bfloat16", "vocabulary": "txt",
                       "scale": 3.25, "start": "</s>", "source_bos": True, "unk_in_file": False, "unk": "<oov>"},
    "old_shared_v3": {"version": 3, "revision": 4, "type": "float32", "d": 20, "heads": 5, "ffn": 24, "layers": (1, 2),
                      "shared": True, "tied": True, "vocabulary": "txt", "activation": "gelu_tanh", "scale": False,
                      "target": 60, "alignment": (0, 2)},
    "gated_swish_v4": {"version": 4, "revision": 4, "gated": True, "activation": "swish", "pre_norm": False,
                       "final_norm": False, "bias": False, "start": "</s>", "vocabulary": "txt", "ffn": 47},
}

SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprst" for vowel in "aeiou"]
UNUSUAL = ["ß", "日本", "é", "\u0301", "Ж", "'", '"', "\\", "🙂", "a b"]


def tokens_of(options, count, mark):
    special = ["<pad>", options["unk"], "<s>", "</s>", "__xx__", "__yy__"]
    words = [mark + word for word in SYLLABLES + UNUSUAL[::-1] * 2]
    words = [word + "_" * (n >= len(SYLLABLES) + len(UNUSUAL)) for n, word in enumerate(words)]
    picked = special + UNUSUAL[:7] + words
    return picked[:count]


class Builder:
    def __init__(self, options, seed):
        self.o = options
        self.rng = np.random.default_rng(seed)
        self.variables = {}
        self.aliases = []

    def normal(self, shape, deviation):
        return (self.rng.standard_normal(shape) * deviation).astype(np.float32)

    def linear(self, scope, out, size, gain=1.0):
        self.variables[scope + "/weight"] = self.normal((out, size), gain / np.sqrt(size))
        if self.o["bias"]:
            self.variables[scope + "/bias"] = self.normal((out,), 0.1)

    def norm(self, scope):
        d = self.o["d"]
        self.variables[scope + "/gamma"] = 1 + self.normal((d,), 0.2)
        if not self.o["rms"]:
            self.variables[scope + "/beta"] = self.normal((d,), 0.2)

    def attention(self, scope, name, cross, first):
        o = self.o
        width = o["heads"] * (o["head_dim"] or o["d"] // o["heads"])
        scope = f"{scope}/{name}"
        self.norm(scope + "/layer_norm")
        gain = 1.0 if not o["queries_scale"] else 0.6
        if cross:
            self.linear(scope + "/linear_0", width, o["d"], gain)
            self.linear(scope + "/linear_1", 2 * width, o["d"], gain)
            self.linear(scope + "/linear_2", o["d"], width, 0.5)
        else:
            self.linear(scope + "/linear_0", 3 * width, o["d"], gain)
            self.linear(scope + "/linear_1", o["d"], width, 0.5)
        if o["queries_scale"]:
            self.variables[scope + "/queries_scale"] = np.array(o["queries_scale"], np.float32)
        if o["head_dim"]:
            self.variables[scope + "/head_dim"] = np.array(o["head_dim"], np.int16)
        if o["relative"] and not cross:
            buckets, distance = o["relative"]
            if first == scope:
                self.variables[scope + "/relative_attention_bias"] = self.normal((buckets, o["heads"]), 1.5)
                self.variables[scope + "/relative_attention_max_distance"] = np.array(distance, np.int32)
            else:
                for name in ("bias", "max_distance"):
                    self.aliases.append((f"{scope}/relative_attention_{name}", f"{first}/relative_attention_{name}"))

    def multiplier(self):
        return np.sqrt(self.o["d"]) if self.o["scale"] == "sqrt" else (self.o["scale"] or 1.0)

    def flag(self, name, value):
        self.variables[name] = np.array(value, np.int8)

    def stack(self, stack, layers):
        o = self.o
        for i in range(layers):
            scope = f"{stack}/layer_{i}"
            self.attention(scope, "self_attention", False, f"{stack}/layer_0/self_attention")
            if stack == "decoder":
                self.attention(scope, "attention", True, None)
            self.norm(scope + "/ffn/layer_norm")
            self.linear(scope + "/ffn/linear_0", o["ffn"], o["d"])
            if o["gated"]:
                self.linear(scope + "/ffn/linear_0_noact", o["ffn"], o["d"])
            self.linear(scope + "/ffn/linear_1", o["d"], o["ffn"], 0.5)
        if o["final_norm"]:
            self.norm(stack + "/layer_norm")
        if o["embedding_norm"]:
            self.norm(stack + "/layernorm_embedding")
        if o["positions"]:
            self.variables[stack + "/position_encodings/encodings"] = self.normal((o["positions"], o["d"]), 0.5)
        if o["scale"] is False:
            self.flag(stack + "/scale_embeddings", 0)
        elif o["scale"] != "sqrt":
            self.variables[stack + "/scale_embeddings"] = np.array(o["scale"], np.float32)
        elif o["revision"] >= 5:
            self.flag(stack + "/scale_embeddings", 1)
        shared_scalars = o["revision"] < 5
        prefix = "" if shared_scalars else stack + "/"
        self.variables[prefix + "num_heads"] = np.array(o["heads"], np.int16)
        self.flag(prefix + "pre_norm", o["pre_norm"])
        self.flag(prefix + "activation", ACTIVATIONS[o["activation"]])
        if stack == "decoder":
            layer, heads = o["alignment"]
            self.variables[("" if shared_scalars else "decoder/") + "alignment_layer"] = np.array(layer, np.int16)
            self.variables[("" if shared_scalars else "decoder/") + "alignment_heads"] = np.array(heads, np.int16)

    def build(self):
        o = self.o
        d = o["d"]
        self.stack("encoder", o["layers"][0])
        self.stack("decoder", o["layers"][1])
        projection = self.normal((o["target"], d), 1 / np.sqrt(d))
        source_name = "encoder/embeddings_0/weight" if o["revision"] >= 5 else "encoder/embeddings/weight"
        if o["tied"]:
            # One matrix serves as embedding, too: the input is as large as the output needs.
            self.variables["decoder/embeddings/weight"] = projection
            self.aliases.append(("decoder/projection/weight", "decoder/embeddings/weight"))
            if o["scale_outputs"]:
                self.variables["decoder/embeddings/weight"] = projection * np.float32(np.sqrt(d))
                self.variables["decoder/scale_outputs"] = np.array(d ** -0.5, np.float32)
        else:
            self.variables["decoder/projection/weight"] = projection
            self.variables["decoder/embeddings/weight"] = self.normal((o["target"], d), 1 / self.multiplier())
        if o["shared"]:
            self.aliases.append((source_name, "decoder/embeddings/weight"))
        else:
            self.variables[source_name] = self.normal((o["source"], d), 1 / self.multiplier())
        if o["bias"]:
            self.variables["decoder/projection/bias"] = self.normal((o["target"],), 0.1)
        if o["zero_start"]:
            self.flag("decoder/start_from_zero_embedding", 1)
        return self.variables, self.aliases


def stored(variables, kind):
    """Scalars keep their own types; the rest is stored, and later read by CTranslate2, as `kind`."""
    def convert(value):
        if not value.shape or value.dtype != np.float32 or kind == "float32":
            return value
        return ct2_file.BFloat16(value) if kind == "bfloat16" else value.astype(kind)
    return {name: convert(value) for name, value in variables.items()}


def disturb(variables, rng):
    def move(value):
        if isinstance(value, ct2_file.BFloat16):
            value = value.values()
        if value.shape and value.dtype in (np.float16, np.float32):
            value = value.astype(np.float32)
            return (value * (1 + 1e-5 * rng.standard_normal(value.shape))).astype(np.float32)
        return value
    return {name: move(value) for name, value in variables.items()}


def write_vocabulary(folder, stem, tokens, options):
    if not options["unk_in_file"]:
        assert tokens[-1] == options["unk"]
        tokens = tokens[:-1]
    if options["vocabulary"] == "json":
        text = json.dumps(tokens, ensure_ascii=False, indent=0) + "\n"
    else:
        text = "".join(token + "\n" for token in tokens)
    (folder / f"{stem}.{options['vocabulary']}").write_text(text, encoding="utf-8", newline="\n")


def vocabularies(options):
    def make(count, mark):
        tokens = tokens_of(options, count, mark)
        assert len(set(tokens)) == len(tokens) == count, (len(tokens), count)
        if not options["unk_in_file"]:
            tokens.remove(options["unk"])
            tokens.append(options["unk"])
        return tokens
    if options["shared"]:
        assert options["source"] == options["target"]
        tokens = make(options["target"], "▁")
        return tokens, tokens
    return make(options["source"], "s"), make(options["target"], "t")


def write(folder, options, variables, aliases, source, target):
    folder.mkdir(parents=True, exist_ok=True)
    variables = dict(variables)
    if options["version"] < 6:
        for key in ("unk", "bos", "eos"):
            token = {"unk": options["unk"], "bos": "<s>", "eos": "</s>"}[key]
            variables[f"{key}_token"] = np.frombuffer(token.encode(), np.int8)
        variables["with_source_bos"] = np.array(options["source_bos"], np.int8)
        variables["with_source_eos"] = np.array(options["source_eos"], np.int8)
        variables["with_target_bos"] = np.array(options["start"] == "<s>", np.int8)
    else:
        config = {"unk_token": options["unk"], "bos_token": "<s>", "eos_token": "</s>",
                  "decoder_start_token": options["start"], "add_source_bos": options["source_bos"],
                  "add_source_eos": options["source_eos"], "layer_norm_epsilon": options["epsilon"],
                  "multi_query_attention": False}
        (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    ct2_file.write_model(folder / "model.bin", options["version"], "TransformerSpec", options["revision"], variables,
                         aliases)
    if options["shared"]:
        write_vocabulary(folder, "shared_vocabulary", source, options)
    else:
        write_vocabulary(folder, "source_vocabulary", source, options)
        write_vocabulary(folder, "target_vocabulary", target, options)


def content_words(options, tokens):
    return [token for token in tokens if token not in ("<pad>", options["unk"], "<s>", "</s>", "__xx__", "__yy__")]


def sentences(options, tokens, rng):
    words = content_words(options, tokens)
    made = [[words[i] for i in rng.integers(len(words), size=rng.integers(2, 14))] for _ in range(20)]
    made[3].insert(0, "never seen")
    # Where the model does not add it, the caller brings the end token.
    return [sentence if options["source_eos"] else sentence + ["</s>"] for sentence in made]


def make_model(options, name, source, target):
    variables, aliases = Builder(options, [1, *name.encode()]).build()
    language = toy_transformer.ToyLanguage(content_words(options, source), content_words(options, target),
                                           options["unk"], [2, *name.encode()])
    old = options["revision"] < 5
    options["source_embeddings"] = "encoder/embeddings/weight" if old else "encoder/embeddings_0/weight"
    variables = toy_transformer.train(options, variables, aliases, language, source, target)
    return stored(variables, options["type"]), aliases


def expectations(folder, options, name, variables, aliases, source, target):
    sources = sentences(options, source, np.random.default_rng([3, *name.encode()]))
    extra = []
    if options["start"] is not None:
        prefix = [list(options["prefix"])] * 4 if options["prefix"] else None
        extra = [("empty_inputs", [[], sources[0], [], sources[1]], prefix,
                  {"beam_size": 2, "max_decoding_length": 32})]
    with tempfile.TemporaryDirectory() as temporary:
        others = []
        for seed in range(3):
            moved = disturb(variables, np.random.default_rng([4, seed]))
            copy = pathlib.Path(temporary) / str(seed)
            write(copy, options, moved, aliases, source, target)
            others.append(record_expectations.open_model(copy))
        expected = record_expectations.record(record_expectations.open_model(folder), others, sources,
                                              options["prefix"], extra=extra)
    record_expectations.save(folder / "expected.json", expected)


def main():
    for name in sys.argv[1:] or list(MODELS):
        print(name, flush=True)
        options = {**DEFAULTS, **MODELS[name]}
        source, target = vocabularies(options)
        variables, aliases = make_model(options, name, source, target)
        shutil.rmtree(DATA / name, ignore_errors=True)
        write(DATA / name, options, variables, aliases, source, target)
        expectations(DATA / name, options, name, variables, aliases, source, target)


if __name__ == "__main__":
    main()
