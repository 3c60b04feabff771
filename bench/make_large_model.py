#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a random model in the shape of a published large one, as Hugging Face has it, and sentences for it.

    make_large_model.py nllb-600m DIR      1.2 GB in float16
    make_large_model.py madlad-3b DIR      5.9 GB in bfloat16

Shapes, layout of the vocabulary and files are those of the published models. The values are not: translations mean
nothing and run to the length limit. Needs numpy only.
"""
import argparse
import itertools
import json
import pathlib
import struct

import numpy as np

SHAPES = {
    "nllb-600m": {"family": "nllb", "d_model": 1024, "layers": 12, "ffn": 4096, "heads": 16, "head_dim": 64,
                  "pieces": 256000, "type": "F16"},
    "madlad-3b": {"family": "madlad", "d_model": 1024, "layers": 32, "ffn": 8192, "heads": 16, "head_dim": 128,
                  "pieces": 256000, "type": "BF16"},
}
NLLB_ROWS = 206  # of languages, <pad>, <mask> and nothing, behind the pieces
MADLAD_LANGUAGES = ["en", "de", "fr", "es", "pt", "ro", "ru", "zh", "ar", "sw"]
BUCKETS = 32
UNKNOWN, CONTROL, NORMAL, USER_DEFINED = 2, 3, 1, 4
POOL = 1 << 22   # normally distributed numbers, of which every tensor takes some from somewhere
CHUNK = 1 << 22  # elements in memory at a time


# Tensors: name, shape, deviation; 0 is a norm's weight of ones, None a bias of zeros.

def linear(name, out, size, bias, gain=1.0):
    yield name + ".weight", (out, size), gain / size ** 0.5
    if bias:
        yield name + ".bias", (out,), None


def norm(name, d, bias):
    yield name + ".weight", (d,), 0
    if bias:
        yield name + ".bias", (d,), None


def nllb_tensors(o):
    d = o.d_model
    yield "model.shared.weight", (o.pieces + NLLB_ROWS, d), 1 / d ** 0.5
    for stack in ("encoder", "decoder"):
        for i in range(o.layers):
            layer = f"model.{stack}.layers.{i}."
            for attention in ("self_attn", "encoder_attn")[:1 if stack == "encoder" else 2]:
                for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    yield from linear(f"{layer}{attention}.{part}", d, d, True, 0.5 if part == "out_proj" else 1.0)
                yield from norm(f"{layer}{attention}_layer_norm", d, True)
            yield from linear(layer + "fc1", o.ffn, d, True)
            yield from linear(layer + "fc2", d, o.ffn, True, 0.5)
            yield from norm(layer + "final_layer_norm", d, True)
        yield from norm(f"model.{stack}.layer_norm", d, True)


def madlad_tensors(o):
    d, width = o.d_model, o.heads * o.head_dim
    for name in ("shared", "lm_head"):
        yield name + ".weight", (o.pieces, d), 1.0 if name == "shared" else 1 / d ** 0.5
    for stack in ("encoder", "decoder"):
        kinds = ["SelfAttention", "EncDecAttention", "DenseReluDense"]
        if stack == "encoder":
            kinds.remove("EncDecAttention")
        for i, (number, kind) in itertools.product(range(o.layers), enumerate(kinds)):
            layer = f"{stack}.block.{i}.layer.{number}."
            yield from norm(layer + "layer_norm", d, False)
            if kind == "DenseReluDense":
                yield from linear(layer + kind + ".wi_0", o.ffn, d, False)
                yield from linear(layer + kind + ".wi_1", o.ffn, d, False)
                yield from linear(layer + kind + ".wo", d, o.ffn, False, 0.5)
                continue
            for part in "qkv":  # attention is not scaled: q is small instead
                yield from linear(f"{layer}{kind}.{part}", width, d, False, o.head_dim ** -0.5 if part == "q" else 1.0)
            yield from linear(f"{layer}{kind}.o", d, width, False, 0.5)
            if i == 0 and kind == "SelfAttention":
                yield layer + kind + ".relative_attention_bias.weight", (BUCKETS, o.heads), 0.5
        yield from norm(f"{stack}.final_layer_norm", d, False)


def stored(values, kind):
    if kind == "F32":
        return values.tobytes()
    if kind == "F16":
        return values.astype(np.float16).tobytes()
    return (values.view(np.uint32) >> 16).astype(np.uint16).tobytes()


def write_safetensors(path, tensors, kind, seed):
    size = 4 if kind == "F32" else 2
    header, at = {}, 0
    for name, shape, _ in tensors:
        end = at + int(np.prod(shape)) * size
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    rng = np.random.default_rng(seed)
    pool = rng.standard_normal(POOL + CHUNK, dtype=np.float32)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, shape, deviation in tensors:
            left = int(np.prod(shape))
            while left:
                count = min(left, CHUNK)
                begin = int(rng.integers(POOL))
                values = pool[begin:begin + count] * np.float32(deviation or 0)
                file.write(stored(values + np.float32(1) if deviation == 0 else values, kind))
                left -= count


# A SentencePiece model: protobuf by hand.

def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def words(seed):
    """Made-up words, each once: the short ones first."""
    syllables = [c + v for c in ["", *"bdfghjklmnprstvwz", "ch", "sh", "th", "st", "tr"] for v in "aeiou"]
    rng = np.random.default_rng(seed)
    for length in itertools.count(1):
        for at in rng.permutation(len(syllables) ** length) if length < 4 else range(len(syllables) ** length):
            parts = np.unravel_index(int(at), (len(syllables),) * length)
            yield "".join(syllables[i] for i in parts)


def make_pieces(o):
    pieces = [("<unk>", UNKNOWN), ("<s>", CONTROL), ("</s>", CONTROL)]
    if o.family == "madlad":
        pieces += [(f"<2{code}>", USER_DEFINED) for code in MADLAD_LANGUAGES]
    letters = "▁abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöüßéèàñçøåæ0123456789.,;:!?'\"()-"
    pieces += [(letter, NORMAL) for letter in letters]
    met = set(letters)
    for word in words(o.seed):
        for piece in ("▁" + word, word):
            if piece not in met and len(pieces) < o.pieces:
                met.add(piece)
                pieces.append((piece, NORMAL))
        if len(pieces) == o.pieces:
            return pieces


def write_sentencepiece(path, pieces):
    with open(path, "wb") as file:
        for rank, (text, kind) in enumerate(pieces):
            score = -float(np.log(rank + 2)) if kind == NORMAL else 0.0
            file.write(field(1, field(1, text.encode()) + b"\x15" + struct.pack("<f", score) + b"\x18" + varint(kind)))
        file.write(field(2, b"\x18\x01" + b"\x20" + varint(len(pieces))))  # unigram, vocab_size
        file.write(field(3, field(1, b"identity")))


def configuration(o):
    if o.family == "nllb":
        sizes = {f"{stack}_{key}": value for stack in ("encoder", "decoder")
                 for key, value in (("layers", o.layers), ("ffn_dim", o.ffn), ("attention_heads", o.heads))}
        return sizes | {
            "architectures": ["M2M100ForConditionalGeneration"], "model_type": "m2m_100", "d_model": o.d_model,
            "vocab_size": o.pieces + NLLB_ROWS, "activation_function": "relu", "scale_embedding": True,
            "max_position_embeddings": 1024, "is_encoder_decoder": True, "bos_token_id": 0, "pad_token_id": 1,
            "eos_token_id": 2, "decoder_start_token_id": 2, "max_length": 200}
    return {"architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "d_model": o.d_model, "d_ff": o.ffn,
            "d_kv": o.head_dim, "num_heads": o.heads, "num_layers": o.layers, "num_decoder_layers": o.layers,
            "feed_forward_proj": "gated-gelu", "relative_attention_num_buckets": BUCKETS,
            "relative_attention_max_distance": 128, "layer_norm_epsilon": 1e-6, "tie_word_embeddings": False,
            "vocab_size": o.pieces, "is_encoder_decoder": True, "decoder_start_token_id": 0, "pad_token_id": 1,
            "eos_token_id": 2}


def sentences(o, pieces):
    known = [text for text, kind in pieces if kind == NORMAL and text.startswith("▁") and len(text) > 2]
    rng = np.random.default_rng([o.seed, 1])
    for _ in range(o.sentences):
        yield " ".join(known[i][1:] for i in rng.integers(len(known), size=o.length))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sentences", type=int, default=4)
    parser.add_argument("--length", type=int, default=20, help="words of a sentence, most of them one token")
    for key in ("layers", "pieces", "type"):
        parser.add_argument("--" + key, type=type(SHAPES["nllb-600m"][key]), help="other than the published model's")
    options = parser.parse_args()
    given = {key: value for key, value in vars(options).items() if value is not None}
    o = argparse.Namespace(**(SHAPES[options.shape] | given))

    o.out.mkdir(parents=True, exist_ok=True)
    pieces = make_pieces(o)
    write_sentencepiece(o.out / ("sentencepiece.bpe.model" if o.family == "nllb" else "spiece.model"), pieces)
    (o.out / "config.json").write_text(json.dumps(configuration(o), indent=1) + "\n")
    (o.out / "sentences.txt").write_text("".join(line + "\n" for line in sentences(o, pieces)))
    tensors = list(nllb_tensors(o) if o.family == "nllb" else madlad_tensors(o))
    write_safetensors(o.out / "model.safetensors", tensors, o.type, o.seed)


if __name__ == "__main__":
    main()
