#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of tests/fuzz/corpus/: small files of every format that a fuzz target reads. Needs numpy.

Seeds of formats that others add stay as they are.
"""
import gzip
import io
import json
import pathlib
import struct
import zipfile

import numpy as np

import ct2_file
import marian_file

TESTS = pathlib.Path(__file__).resolve().parent.parent
CORPUS = TESTS / "fuzz" / "corpus"


def write(target, name, content):
    (CORPUS / target).mkdir(parents=True, exist_ok=True)
    (CORPUS / target / name).write_bytes(content)


def zipped(files, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def archives():
    files = {"m/": b"", "m/config.json": b"{}", "m/sub/a.txt": b"text " * 40, "m/b.gz": gzip.compress(b"packed", mtime=0)}
    write("file_set", "stored", zipped(files, zipfile.ZIP_STORED))
    write("file_set", "deflated", zipped(files, zipfile.ZIP_DEFLATED))
    write("file_set", "other_method", zipped({"a": b"text " * 40}, zipfile.ZIP_BZIP2))
    big = io.BytesIO()
    with zipfile.ZipFile(big, "w") as archive, archive.open("a", "w", force_zip64=True) as member:
        member.write(b"sixty-four bits")
    write("file_set", "zip64", big.getvalue())
    write("gzip", "one", gzip.compress(b"text " * 40, mtime=0))
    write("gzip", "two", gzip.compress(b"", mtime=0) + gzip.compress(b"more", 0, mtime=0))


def safetensors():
    tensors = {"a": ("F32", [2, 3], 24), "b": ("F16", [2], 4), "c": ("BF16", [], 2), "d": ("I64", [0, 4], 0)}
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, (kind, shape, size) in tensors.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    write("safetensors", "types", struct.pack("<Q", len(text)) + text + bytes(range(at)))
    write("safetensors", "empty", struct.pack("<Q", 2) + b"{}")


def pickles():
    for source in ("odd.bin", "pytorch_model.bin"):
        with zipfile.ZipFile(TESTS / "data" / "checkpoints" / source) as archive:
            name = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
            write("torch_pickle", source.split(".")[0], archive.read(name)[:4000])
    write("torch_old", "odd", (TESTS / "data" / "checkpoints" / "old.bin").read_bytes())
    write("torch_pickle", "system", b"\x80\x02cposix\nsystem\nX\x04\x00\x00\x00true\x85R.")


def ctranslate2():
    d, heads, ffn, tokens = 2, 1, 3, 4
    shapes = {"encoder/embeddings_0/weight": [tokens, d], "decoder/embeddings/weight": [tokens, d],
              "decoder/projection/weight": [tokens, d], "decoder/projection/bias": [tokens]}
    for stack in ("encoder", "decoder"):
        layer = f"{stack}/layer_0"
        attentions = {"self_attention": [[3 * d, d], [d, d]]}
        if stack == "decoder":
            attentions["attention"] = [[d, d], [2 * d, d], [d, d]]
        blocks = {f"{layer}/{name}": linears for name, linears in attentions.items()}
        blocks[f"{layer}/ffn"] = [[ffn, d], [d, ffn]]
        for scope, linears in blocks.items():
            shapes[f"{scope}/layer_norm/gamma"] = shapes[f"{scope}/layer_norm/beta"] = [d]
            for i, shape in enumerate(linears):
                shapes[f"{scope}/linear_{i}/weight"] = shape
                shapes[f"{scope}/linear_{i}/bias"] = shape[:1]
    variables = {name: np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)
                 for name, shape in shapes.items()}
    for stack in ("encoder", "decoder"):
        variables[f"{stack}/num_heads"] = np.array(heads, dtype=np.int16)
        variables[f"{stack}/pre_norm"] = np.array(1, dtype=np.int8)
        variables[f"{stack}/activation"] = np.array(0, dtype=np.int8)
    for version in (1, 3, 6):
        path = CORPUS / "ctranslate2" / f"version{version}"
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = dict(variables)
        aliases = []
        if version >= 3:
            del kept["decoder/projection/weight"]
            aliases = [("decoder/projection/weight", "decoder/embeddings/weight")]
        ct2_file.write_model(path, version, "TransformerSpec", 7 if version > 3 else 3, kept, aliases)


def model_files():
    config = {"model_type": "marian", "d_model": 4, "vocab_size": 5, "encoder_layers": 1, "decoder_layers": 1,
              "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 6, "decoder_ffn_dim": 6,
              "activation_function": "swish", "scale_embedding": True, "max_position_embeddings": 8, "pad_token_id": 4,
              "eos_token_id": 0, "decoder_start_token_id": 4, "share_encoder_decoder_embeddings": True}
    files = {"config.json": config,
             "generation_config.json": {"bad_words_ids": [[4], [2, 3]], "max_length": 64, "num_beams": 4,
                                        "forced_eos_token_id": 0, "length_penalty": 0.5},
             "vocab.json": {"</s>": 0, "<unk>": 1, ">>de<<": 2, "b": 3, "<pad>": 4},
             "tokenizer_config.json": {"source_lang": "en", "target_lang": None},
             "model.safetensors.index.json": {"weight_map": {"a": "other.safetensors", "b": "b.json"}},
             "README.md": "---\nlicense: mit\n---\n", "source.spm": "x", "v.json": ["a", "b", "é"], "v.txt": "a\r\nb\r\n"}
    text = lambda content: content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    write("model_files", "huggingface",
          "\0".join(f"{name}\n{text(content)}" for name, content in files.items()).encode())


def marian():
    rng = np.random.default_rng(5)
    d, ffn, vocabulary = 4, 6, 5
    parameters = {"Wemb": rng.normal(size=(vocabulary, d)), "decoder_ff_logit_out_b": rng.normal(size=(1, vocabulary))}
    matrix = lambda name, i, o: parameters.update({f"{name}": rng.normal(size=(i, o))})
    for prefix, ends in (("encoder_l1_self", "qkvo"), ("decoder_l1_context", "qkvo"), ("decoder_l1_rnn", ("", "f"))):
        for end in ends:
            matrix(f"{prefix}_W{end}", d, d)
            if end:
                matrix(f"{prefix}_b{end}", 1, d)
    for prefix in ("encoder_l1_ffn", "decoder_l1_ffn"):
        for name, i, o in (("W1", d, ffn), ("b1", 1, ffn), ("W2", ffn, d), ("b2", 1, d)):
            matrix(f"{prefix}_{name}", i, o)
    for prefix in ("encoder_l1_self_Wo", "encoder_l1_ffn_ffn", "decoder_l1_rnn_ffn", "decoder_l1_context_Wo",
                   "decoder_l1_ffn_ffn"):
        matrix(prefix + "_ln_scale", 1, d)
        matrix(prefix + "_ln_bias", 1, d)
    parameters = {name: values.astype("f4") for name, values in parameters.items()}
    options = ("type: transformer\ndim-emb: 4\nenc-depth: 1\ndec-depth: 1\ntransformer-heads: 2\ndec-cell: ssru\n"
               "transformer-dim-ffn: 6\ntransformer-decoder-autoreg: rnn\ntied-embeddings-all: true\n"
               "transformer-tied-layers:\n  - 1\n")
    path = CORPUS / "marian_bin"
    path.mkdir(parents=True, exist_ok=True)
    for kind in ("float32", "float16", "upstream"):
        marian_file.write_bin(path / kind, options, parameters, kind)
    out = io.BytesIO()
    marian_file.write_npz(out, options, parameters, compress=False)
    write("marian_npz", "plain", out.getvalue())
    alphas = {name + "_QuantMultA": np.full((1,), 9, "f4") for name in [*parameters, "none"] if "_b" not in name}
    marian_file.write_bin(path / "fork", options, parameters | alphas, "fork")
    write("yaml_map", "options", options.encode())
    write("yaml_map", "styles", b'a: 1\n"b\\n": [x, "y", \'z\']\n? c\n: {d: [e]}\nf: &g 2\nh: *g\ni: |\n  text\nj: ~\n')
    write("shortlist", "text", b"a b 0.5\nNULL a 1\nb </s> 1e-3\n")
    offsets, targets = [0, 2, 3, 3, 5], [4, 7, 9, 1, 19]
    checked = struct.pack("<4Q5Q5I", 2, 2, len(offsets), len(targets), *offsets, *targets)
    seed = 0
    for (word,) in struct.iter_unpack("<Q", checked[:len(checked) // 8 * 8]):
        seed ^= (word + 0x9e3779b9 + (seed << 6) + (seed >> 2)) & (2**64 - 1)
    write("shortlist", "binary", struct.pack("<2Q", 0xF11A48D5013417F5, seed) + checked)


def main():
    archives()
    safetensors()
    pickles()
    ctranslate2()
    model_files()
    marian()


if __name__ == "__main__":
    main()
