#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a Hugging Face MarianMT folder as one of Marian's with integers and alphas, as Firefox has them: for measuring
what integers and float16 cost in quality. Needs numpy, sentencepiece, PyYAML and safetensors.

    OUT/model.bin  vocab.yml  source.spm  target.spm  decoder.yml
"""
import argparse
import json
import pathlib
import shutil
import sys

import numpy
import sentencepiece
import yaml
from safetensors.numpy import load_file

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "tools"))
import marian_file  # noqa: E402
from marian_reference import alphas  # noqa: E402


def sinusoids(positions, d):
    """As transformers has them; Marian divides by d / 2 - 1."""
    angles = numpy.arange(positions)[:, None] / 10000 ** (2 * numpy.arange(d // 2) / d)
    return numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], -1).astype("f4")


def parameters_of(config, tensors):
    result = {}

    def linear(name, suffix, scope):
        result[f"{name}_W{suffix}"] = numpy.ascontiguousarray(tensors[scope + ".weight"].T)
        result[f"{name}_b{suffix}"] = tensors[scope + ".bias"][None]

    def norm(name, scope):
        result[name + "_ln_scale"] = tensors[scope + ".weight"][None]
        result[name + "_ln_bias"] = tensors[scope + ".bias"][None]

    def attention(name, scope):
        for suffix in "qkv":
            linear(name, suffix, f"{scope}.{suffix}_proj")
        linear(name, "o", scope + ".out_proj")
        norm(name + "_Wo", scope + "_layer_norm")

    for side in ("encoder", "decoder"):
        for i in range(config[f"{side}_layers"]):
            name, scope = f"{side}_l{i + 1}", f"model.{side}.layers.{i}"
            attention(name + "_self", scope + ".self_attn")
            if side == "decoder":
                attention(name + "_context", scope + ".encoder_attn")
            linear(name + "_ffn", "1", scope + ".fc1")
            linear(name + "_ffn", "2", scope + ".fc2")
            norm(name + "_ffn_ffn", scope + ".final_layer_norm")
    table = tensors["model.shared.weight"]
    if table[config["decoder_start_token_id"]].any():
        sys.exit("the start token's embedding is not zero, as Marian has it")
    # With learned positions, Marian does not scale the words.
    result["Wemb"] = table * numpy.sqrt(numpy.float32(config["d_model"]))
    result["Wpos"] = sinusoids(config["max_position_embeddings"], config["d_model"])
    result["decoder_ff_logit_out_Wt"] = table
    result["decoder_ff_logit_out_b"] = tensors["final_logits_bias"]
    return result


def options_of(config):
    size = config["vocab_size"]
    return {"type": "transformer", "dim-vocabs": [size, size], "dim-emb": config["d_model"],
            "enc-depth": config["encoder_layers"], "dec-depth": config["decoder_layers"],
            "transformer-heads": config["encoder_attention_heads"], "transformer-dim-ffn": config["encoder_ffn_dim"],
            "transformer-ffn-activation": config["activation_function"], "transformer-preprocess": "",
            "transformer-postprocess": "dan", "transformer-postprocess-emb": "d", "transformer-postprocess-top": "",
            "transformer-decoder-autoreg": "self-attention", "tied-embeddings": False, "tied-embeddings-src": True,
            "tied-embeddings-all": False, "transformer-train-position-embeddings": True, "version": "v1.12.42"}


def sample(model, vocabulary, lines, code):
    """Pairs of ids: a source with its language code, and the target (here the source again: what counts is the size of
    what goes through the layers)."""
    pieces = sentencepiece.SentencePieceProcessor(str(model / "source.spm"))
    for line in lines:
        ids = [vocabulary.get(piece, vocabulary["<unk>"]) for piece in pieces.encode(line, out_type=str)]
        yield [vocabulary[code], *ids, 0], ids


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path, help="Hugging Face folder")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--text", type=pathlib.Path, required=True, help="sentences to take the alphas from")
    parser.add_argument("--code", default=">>de<<", help="language code before them")
    parser.add_argument("--sentences", type=int, default=200)
    o = parser.parse_args()
    config = json.loads((o.model / "config.json").read_text())
    tensors = {name: value.astype("f4") for name, value in load_file(o.model / "model.safetensors").items()}
    vocabulary = json.loads((o.model / "vocab.json").read_text(encoding="utf-8"))
    parameters, options = parameters_of(config, tensors), options_of(config)
    pairs = list(sample(o.model, vocabulary, o.text.read_text(encoding="utf-8").splitlines()[:o.sentences], o.code))
    parameters |= alphas(options, parameters, pairs, None)
    o.out.mkdir(parents=True, exist_ok=True)
    marian_file.write_bin(o.out / "model.bin", yaml.safe_dump(options), parameters, "fork")
    (o.out / "vocab.yml").write_text(yaml.safe_dump(vocabulary, allow_unicode=True, sort_keys=False), encoding="utf-8")
    for name in ("source.spm", "target.spm"):
        shutil.copy(o.model / name, o.out)
    (o.out / "decoder.yml").write_text(yaml.safe_dump({"models": ["model.bin"], "vocabs": ["vocab.yml"] * 2,
                                                       "relative-paths": True, "beam-size": 4, "normalize": 1}))


if __name__ == "__main__":
    main()
