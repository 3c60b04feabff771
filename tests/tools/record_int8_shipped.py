#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what CTranslate2 makes of the shipped model in int8: tests/data/en-de/int8.tsv.

record_int8_shipped.py MODEL: MODEL is the package. Its weights become a model of CTranslate2, which rounds them to int8
while it loads. Columns: text of every third line of expected.tsv, pieces of greedy search. How a single
input is rounded, which the last bits of the arithmetic decide here and there, moves the difference of two logits by 0.1 in
this model (standard deviation); so sentences with a piece that leads the next best one by less than MARGIN are left out.
"""
import argparse
import json
import pathlib
import struct
import tempfile

import numpy as np
import sentencepiece

import ct2_file
from record_int8 import open_model

MARGIN = 0.6
DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "en-de"


def read_safetensors(path):
    with open(path, "rb") as file:
        head = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    return {name: np.frombuffer(data[slice(*of["data_offsets"])], {"F16": np.float16, "F32": np.float32}[of["dtype"]])
            .reshape(of["shape"]).astype(np.float32) for name, of in head.items() if name != "__metadata__"}


def sinusoids(positions, d):
    at = np.arange(positions)[:, None] / np.power(10000, np.arange(0, d, 2) / d)
    return np.concatenate([np.sin(at), np.cos(at)], axis=1).astype(np.float32)


def convert(model, folder):
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    weights = read_safetensors(model / "model.safetensors")
    d = config["d_model"]
    out = {"decoder/projection/bias": weights["final_logits_bias"][0]}
    aliases = [("decoder/embeddings/weight", "encoder/embeddings_0/weight"),
               ("decoder/projection/weight", "encoder/embeddings_0/weight")]
    out["encoder/embeddings_0/weight"] = weights["model.shared.weight"]

    def linear(to, *parts):
        out[to + "/weight"] = np.concatenate([weights[part + ".weight"] for part in parts])
        out[to + "/bias"] = np.concatenate([weights[part + ".bias"] for part in parts])

    def norm(to, part):
        out[to + "/gamma"], out[to + "/beta"] = weights[part + ".weight"], weights[part + ".bias"]
    for stack in ("encoder", "decoder"):
        out[f"{stack}/num_heads"] = np.int16(config[f"{stack}_attention_heads"])
        out[f"{stack}/pre_norm"] = np.int8(0)
        out[f"{stack}/activation"] = np.int8(0)  # ReLU
        out[f"{stack}/scale_embeddings"] = np.int8(1)
        out[f"{stack}/position_encodings/encodings"] = sinusoids(config["max_position_embeddings"], d)
        for i in range(config[f"{stack}_layers"]):
            of, to = f"model.{stack}.layers.{i}", f"{stack}/layer_{i}"
            own = f"{of}.self_attn"
            linear(f"{to}/self_attention/linear_0", f"{own}.q_proj", f"{own}.k_proj", f"{own}.v_proj")
            linear(f"{to}/self_attention/linear_1", f"{own}.out_proj")
            norm(f"{to}/self_attention/layer_norm", f"{of}.self_attn_layer_norm")
            if stack == "decoder":
                cross = f"{of}.encoder_attn"
                linear(f"{to}/attention/linear_0", f"{cross}.q_proj")
                linear(f"{to}/attention/linear_1", f"{cross}.k_proj", f"{cross}.v_proj")
                linear(f"{to}/attention/linear_2", f"{cross}.out_proj")
                norm(f"{to}/attention/layer_norm", f"{of}.encoder_attn_layer_norm")
            linear(f"{to}/ffn/linear_0", f"{of}.fc1")
            linear(f"{to}/ffn/linear_1", f"{of}.fc2")
            norm(f"{to}/ffn/layer_norm", f"{of}.final_layer_norm")
    folder.mkdir()
    ct2_file.write_model(folder / "model.bin", 6, "TransformerSpec", 7, out, aliases)
    ids = json.loads((model / "vocab.json").read_text(encoding="utf-8"))
    tokens = sorted(ids, key=ids.get)
    assert [ids[token] for token in tokens] == list(range(len(tokens)))
    (folder / "shared_vocabulary.json").write_text(json.dumps(tokens), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps({
        "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>", "add_source_bos": False, "add_source_eos": True,
        "decoder_start_token": tokens[config["decoder_start_token_id"]]}), encoding="utf-8")
    return tokens[config["pad_token_id"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path)
    model = parser.parse_args().model
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(model / "source.spm"))
    texts = [line.split("\t")[0] for line in (DATA / "expected.tsv").read_text(encoding="utf-8").splitlines()][::3]
    sources = [[mark, *pieces.encode(text, out_type=str)] for mark, _, text in (t.partition(" ") for t in texts)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "model"
        pad = convert(model, folder)

        translator, found = open_model(folder), []
        for text, source in zip(texts, sources):
            result = translator.translate_batch([source], beam_size=1, suppress_sequences=[[pad]],
                                                return_logits_vocab=True)[0]
            logits = np.array([np.array(step, dtype=np.float32) for step in result.logits[0]])
            best = np.sort(logits, axis=-1)[..., -2:]
            if (best[..., 1] - best[..., 0]).min() >= MARGIN:
                found.append((text, result.hypotheses[0]))
    (DATA / "int8.tsv").write_text("".join(f"{text}\t{' '.join(pieces)}\n" for text, pieces in found), encoding="utf-8")
    print(f"{len(found)} of {len(texts)} kept")


if __name__ == "__main__":
    main()
