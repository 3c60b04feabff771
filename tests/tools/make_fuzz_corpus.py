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


def shortlist(first, offsets, targets):
    checked = struct.pack(f"<4Q{len(offsets)}Q{len(targets)}I", first, 2, len(offsets), len(targets), *offsets, *targets)
    seed = 0
    for (word,) in struct.iter_unpack("<Q", checked[:len(checked) // 8 * 8]):
        seed ^= (word + 0x9e3779b9 + (seed << 6) + (seed >> 2)) & (2**64 - 1)
    return struct.pack("<2Q", 0xF11A48D5013417F5, seed) + checked


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
    write("shortlist", "binary", shortlist(2, [0, 2, 3, 3, 5], [4, 7, 9, 1, 19]))


def gguf():
    text = lambda value: struct.pack("<Q", len(value.encode())) + value.encode()
    kinds = {"text": (8, text), "u32": (4, lambda v: struct.pack("<I", v)), "f32": (6, lambda v: struct.pack("<f", v)),
             "flag": (7, lambda v: struct.pack("<B", v)), "u64": (10, lambda v: struct.pack("<Q", v))}

    def value(kind, content):
        if kind == "bytes":
            return struct.pack("<IIQ", 9, 0, len(content)) + content
        if kind.endswith("s"):
            number, pack = kinds[kind[:-1]]
            return struct.pack("<IIQ", 9, number, len(content)) + b"".join(map(pack, content))
        return struct.pack("<I", kinds[kind][0]) + kinds[kind][1](content)

    def model(name, width, ffn, tokens, extra, types):
        keys = {"general.architecture": ("text", "dragoman"), "dragoman.embedding_length": ("u32", width),
                "tokenizer.ggml.tokens": ("texts", tokens)}
        for side in ("encoder", "decoder"):
            sizes = {"block_count": 1, "attention.head_count": 2, "attention.key_length": width // 2,
                     "feed_forward_length": ffn, "vocab_size": len(tokens)}
            keys |= {f"dragoman.{side}.{key}": ("u32", size) for key, size in sizes.items()}
        embeddings = "encoder/embeddings_0/weight"
        keys["dragoman.aliases.names"] = ("texts", ["decoder/embeddings/weight", "decoder/projection/weight"])
        keys["dragoman.aliases.targets"] = ("texts", [embeddings, embeddings])
        keys |= extra
        shapes = {embeddings: [len(tokens), width]}
        for side in ("encoder", "decoder"):
            blocks = {"self_attention": [[3 * width, width], [width, width]]}
            if side == "decoder":
                blocks["attention"] = [[width, width], [2 * width, width], [width, width]]
            blocks["ffn"] = [[ffn, width], [width, ffn]]
            for block, linears in blocks.items():
                scope = f"{side}/layer_0/{block}"
                shapes |= {f"{scope}/layer_norm/gamma": [width], f"{scope}/layer_norm/beta": [width]}
                shapes |= {f"{scope}/linear_{i}/weight": shape for i, shape in enumerate(linears)}
        infos, data = b"", b""
        for at, (tensor, shape) in enumerate(shapes.items()):
            kind, size = types[at % len(types)] if len(shape) == 2 else (0, 4)
            infos += text(tensor) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *reversed(shape), kind, len(data))
            content = bytes(i % 60 for i in range(int(np.prod(shape) * size)))
            data += content + bytes(-len(content) % 32)
        header = struct.pack("<4sIQQ", b"GGUF", 3, len(shapes), len(keys))
        header += b"".join(text(key) + value(*item) for key, item in keys.items()) + infos
        write("gguf", name, header + bytes(-len(header) % 32) + data)

    model("small", 4, 6, ["</s>", "<unk>", "a", "b"], {}, [(0, 4), (1, 2), (30, 2)])
    model("blocks", 32, 32, ["</s>", "<unk>", "a"],
          {"dragoman.suppressed.tokens": ("texts", ["a", "a", "<unk>"]),
           "dragoman.suppressed.lengths": ("u32s", [1, 2]), "general.alignment": ("u64", 32),
           "dragoman.tokenizer.source_sentencepiece": ("bytes", b"pieces"),
           "dragoman.tokenizer.shared_sentencepiece": ("flag", 1), "dragoman.search.style": ("text", "marian"),
           "dragoman.encoder.attention.layer_norm_epsilon": ("f32", 1e-6),
           "dragoman.shortlist": ("bytes", shortlist(1, [0, 2, 2, 3], [0, 2, 1]))}, [(8, 34 / 32), (3, 20 / 32)])


def main():
    archives()
    safetensors()
    pickles()
    ctranslate2()
    model_files()
    marian()
    gguf()


if __name__ == "__main__":
    main()
