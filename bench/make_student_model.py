#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a random student in the shape of Firefox Translations' "tiny" models, in all of Marian's containers, and
sentences for it, for benchmarks: 6 encoder layers, 2 decoder layers of SSRUs, d_model 256, ffn 1536, 32,000 pieces.

    OUT/npz       model.npz, vocab.yml: float32
    OUT/bin       model.bin, vocab.yml: float32
    OUT/upstream  model.bin, vocab.yml: intgemm8 as marian-nmt writes it, without alphas
    OUT/firefox   model.xxyy.intgemm.alphas.bin.gz, vocab.xxyy.spm, lex.50.50.xxyy.s2t.bin: intgemm8 with alphas
    OUT/sentences.txt  pieces, separated by spaces

Its translations mean nothing, but they depend on the source and vary, and they run to the length limit: the end token
has a bias that keeps it away. The output is scaled so that the best candidates lie far apart compared with rounding.
Needs numpy and PyYAML.
"""
import argparse
import gzip
import pathlib
import struct
import sys

import numpy
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "tools"))
import marian_file  # noqa: E402
from marian_reference import alphas  # noqa: E402

SPECIAL = ["</s>", "<unk>"]
BRANCH_GAIN = 0.5  # below 1, the words themselves come through all layers
SHARP = 1.5        # attention that picks a few places instead of the mean
WORD_GAIN = 3.0    # words count for more than positions
OUTPUT_GAIN = 1.5  # with WORD_GAIN, the deviation of the logits is 4.5
RELU_MEAN = 0.4    # of normally distributed inputs
NEVER = -1e4
FREQUENT = 4       # words are drawn as the power of a uniform number: few are frequent, many rare


def parameters_of(o):
    rng = numpy.random.default_rng(o.seed)
    d, p = o.d_model, {}
    normal = lambda shape, deviation: rng.standard_normal(shape, dtype="f4") * numpy.float32(deviation)

    def linear(prefix, suffix, inputs, outputs, gain=1.0, bias=True):
        p[f"{prefix}_W{suffix}"] = normal((inputs, outputs), gain / numpy.sqrt(inputs))
        if bias:
            p[f"{prefix}_b{suffix}"] = normal((1, outputs), 0.02)

    def norm(prefix, signs=False, gain=1.0):
        scale = 1 + normal((1, d), 0.1)
        # Otherwise, with tied embeddings, a word would mostly be followed by itself.
        flips = rng.choice([-1, 1], (1, d)).astype("f4") if signs else 1
        p[prefix + "_ln_scale"] = scale * numpy.float32(gain) * flips
        p[prefix + "_ln_bias"] = normal((1, d), 0.02)

    def attention(prefix):
        for suffix, gain in (("q", SHARP), ("k", SHARP), ("v", 1.0), ("o", BRANCH_GAIN)):
            linear(prefix, suffix, d, d, gain)
        norm(prefix + "_Wo")

    def ffn(prefix, last=False):
        linear(prefix, "1", d, o.ffn)
        linear(prefix, "2", o.ffn, d, BRANCH_GAIN)
        # Otherwise the mean is a vector common to all words, and grows with every layer.
        p[prefix + "_b2"] -= numpy.float32(RELU_MEAN) * p[prefix + "_W2"].sum(0, keepdims=True)
        norm(prefix + "_ffn", last, OUTPUT_GAIN if last else 1.0)

    for i in range(1, o.encoder_layers + 1):
        attention(f"encoder_l{i}_self")
        ffn(f"encoder_l{i}_ffn")
    for i in range(1, o.decoder_layers + 1):
        linear(f"decoder_l{i}_rnn", "", d, d, bias=False)
        linear(f"decoder_l{i}_rnn", "f", d, d)
        norm(f"decoder_l{i}_rnn_ffn")
        attention(f"decoder_l{i}_context")
        ffn(f"decoder_l{i}_ffn", i == o.decoder_layers)
    p["Wemb"] = normal((o.vocabulary, d), WORD_GAIN / numpy.sqrt(d))  # the model multiplies by sqrt(d)
    bias = numpy.zeros((1, o.vocabulary), "f4")
    bias[0, :len(SPECIAL)] = NEVER
    p["decoder_ff_logit_out_b"] = bias
    return p


def options_of(o):
    return {"type": "transformer", "dim-vocabs": [o.vocabulary, o.vocabulary], "dim-emb": o.d_model,
            "enc-depth": o.encoder_layers, "dec-depth": o.decoder_layers, "transformer-heads": o.heads,
            "transformer-dim-ffn": o.ffn, "transformer-ffn-activation": "relu", "transformer-preprocess": "",
            "transformer-postprocess": "dan", "transformer-postprocess-emb": "d", "transformer-postprocess-top": "",
            "transformer-decoder-autoreg": "rnn", "dec-cell": "ssru", "tied-embeddings-all": True,
            "layer-normalization": False, "right-left": False, "version": "v1.12.42"}


def varint(value):
    value &= 2**64 - 1
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, content):
    """Of a protocol buffer: bytes, a float or an integer."""
    if isinstance(content, bytes):
        return varint(number << 3 | 2) + varint(len(content)) + content
    if isinstance(content, float):
        return varint(number << 3 | 5) + struct.pack("<f", content)
    return varint(number << 3) + varint(content)


def sentencepiece_bytes(pieces):
    """A unigram model in which all words are equally likely, as SentencePiece's schema has it."""
    control, unknown, normal = 3, 2, 1
    kinds = [control, unknown] + [normal] * (len(pieces) - 2)
    content = b"".join(field(1, field(1, piece.encode()) + field(2, -10.0 if kind == normal else 0.0) + field(3, kind))
                       for piece, kind in zip(pieces, kinds))
    trainer = field(3, 1) + field(4, len(pieces)) + field(40, 1) + field(41, -1) + field(42, 0) + field(43, -1)
    normalizer = field(1, b"identity") + field(3, 1) + field(4, 1) + field(5, 1)
    return content + field(2, trainer) + field(3, normalizer)


def draw(rng, count, size):
    """Ids of words, not of special pieces."""
    return (len(SPECIAL) + (size - len(SPECIAL)) * rng.random(count) ** FREQUENT).astype(int)


def write(o):
    pieces = SPECIAL + [f"\u2581w{i}" for i in range(o.vocabulary - len(SPECIAL))]
    rng = numpy.random.default_rng([o.seed, 1])
    spread = o.length // 4 if o.spread is None else o.spread
    sentences = [draw(rng, o.length + rng.integers(-spread, spread + 1), o.vocabulary) for _ in range(o.sentences)]
    for folder in ("npz", "bin", "upstream", "firefox"):
        (o.out / folder).mkdir(parents=True, exist_ok=True)
    (o.out / "sentences.txt").write_text("".join(" ".join(pieces[i] for i in ids) + "\n" for ids in sentences))
    vocabulary = yaml.dump({piece: i for i, piece in enumerate(pieces)}, Dumper=yaml.CSafeDumper, allow_unicode=True,
                           sort_keys=False)
    for folder in ("npz", "bin", "upstream"):
        (o.out / folder / "vocab.yml").write_text(vocabulary)

    options, parameters = options_of(o), parameters_of(o)
    text = yaml.safe_dump(options)
    marian_file.write_npz(o.out / "npz/model.npz", text, parameters, compress=False)
    marian_file.write_bin(o.out / "bin/model.bin", text, parameters)
    marian_file.write_bin(o.out / "upstream/model.bin", text, parameters, "upstream")

    pairs = [(list(ids) + [0], list(draw(rng, o.length, o.vocabulary))) for ids in sentences[:8]]
    parameters |= alphas(options, parameters, pairs, None)
    folder = o.out / "firefox"
    marian_file.write_bin(folder / "model.bin", text, parameters, "fork")
    (folder / "model.xxyy.intgemm.alphas.bin.gz").write_bytes(
        gzip.compress((folder / "model.bin").read_bytes(), mtime=0))
    (folder / "model.bin").unlink()
    (folder / "vocab.xxyy.spm").write_bytes(sentencepiece_bytes(pieces))
    lists = {i: sorted(set(draw(rng, 50, o.vocabulary).tolist())) for i in range(o.vocabulary)}
    marian_file.write_shortlist(folder / "lex.50.50.xxyy.s2t.bin", lists, o.vocabulary, 50, 50)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, help="folder to write; about 190 MB")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--encoder-layers", type=int, default=6)
    parser.add_argument("--decoder-layers", type=int, default=2)
    parser.add_argument("--d-model", type=int, default=256)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--ffn", type=int, default=1536)
    parser.add_argument("--vocabulary", type=int, default=32000)
    parser.add_argument("--sentences", type=int, default=64, help="lines of sentences.txt")
    parser.add_argument("--length", type=int, default=25, help="their mean length in pieces")
    parser.add_argument("--spread", type=int, help="most by which they are shorter or longer; default: a quarter")
    write(parser.parse_args())


if __name__ == "__main__":
    main()
