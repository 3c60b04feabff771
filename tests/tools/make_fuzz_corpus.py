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
import tarfile
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
    for name, form in (("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)):
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w", format=form) as members:
            for member, content in {"m/config.json": b"{}", "m/" + "n" * 120: b"long"}.items():
                entry = tarfile.TarInfo(member)
                entry.size = len(content)
                members.addfile(entry, io.BytesIO(content))
        write("tar", name, archive.getvalue().rstrip(b"\0") + bytes(512))
    # A frame of one stored block, of one that repeats a byte, and of none.
    write("zstd", "raw", bytes.fromhex("28b52ffd2004210000") + b"text")
    write("zstd", "repeated", bytes.fromhex("28b52ffd2040030200") + b"t")
    write("zstd", "empty", bytes.fromhex("28b52ffd2000010000"))


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
    whole = lambda files: "\0".join(f"{name}\n{text(content)}" for name, content in files.items()).encode()
    write("model_files", "huggingface", whole(files))
    config = {"model_type": "t5", "d_model": 4, "d_kv": 2, "d_ff": 6, "num_layers": 1, "num_heads": 2, "vocab_size": 9,
              "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "relative_attention_num_buckets": 8,
              "task_specific_params": {"translation_en_to_de": {"prefix": "translate English to German: "}}}
    write("model_files", "t5", whole({
        "config.json": config, "tokenizer.json": tokenizer("Unigram"), "model.safetensors.index.json": {"weight_map": {}},
        "tokenizer_config.json": {"extra_ids": 2, "added_tokens_decoder": {"7": {"content": "<2de>", "special": True}}}}))
    shared = {**bart_config(), "forced_bos_token_id": 0}
    index = {"model.safetensors.index.json": {"weight_map": {}}}
    special = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    write("model_files", "bart", whole({
        "config.json": {**shared, "model_type": "bart", "vocab_size": 6, "architectures": ["BartModel"]}, **index,
        "vocab.json": {**special, "a": 4, "Ġa": 5}, "merges.txt": "#version: 0.2\nĠ a\n",
        "tokenizer_config.json": {"add_prefix_space": True}}))
    write("model_files", "m2m100", whole({
        "config.json": {**shared, "model_type": "m2m_100", "vocab_size": 106}, **index, "vocab.json": special,
        "sentencepiece.bpe.model": "x", "tokenizer_config.json": {"language_codes": "m2m100"},
        "added_tokens.json": {"__xx__": 105}}))
    write("model_files", "mbart", whole({
        "config.json": {**shared, "model_type": "mbart", "vocab_size": 9}, **index,
        "tokenizer.json": tokenizer("Unigram"), "tokenizer_config.json": {"tokenizer_class": "MBart50TokenizerFast"}}))
    lengths = {"generation_config.json": {"max_length": 30, "min_new_tokens": 2, "do_sample": True}}
    write("model_files", "gpt2", whole({
        "config.json": {"model_type": "gpt2", "n_embd": 4, "n_head": 2, "n_layer": 1, "n_positions": 8, "vocab_size": 3,
                        "eos_token_id": 0, "scale_attn_weights": False}, **index, **lengths,
        "vocab.json": {"<|endoftext|>": 0, "a": 1, "Ġa": 2}, "merges.txt": "Ġ a\n",
        "tokenizer_config.json": {"add_bos_token": True}}))
    write("model_files", "opt", whole({
        "config.json": {"model_type": "opt", "hidden_size": 4, "num_attention_heads": 2, "num_hidden_layers": 1,
                        "ffn_dim": 6, "max_position_embeddings": 8, "vocab_size": 6, "eos_token_id": 2,
                        "enable_bias": False, "do_layer_norm_before": False}, **index, **lengths,
        "vocab.json": {**special, "a": 4, "Ġa": 5}, "merges.txt": "Ġ a\n"}))
    write("model_files", "xglm", whole({
        "config.json": {"model_type": "xglm", "d_model": 4, "attention_heads": 2, "num_layers": 1, "ffn_dim": 6,
                        "max_position_embeddings": 8, "vocab_size": 9, "eos_token_id": 1}, **index, **lengths,
        "tokenizer.json": tokenizer("Unigram")}))


def bart_config():
    return {"d_model": 4, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
            "decoder_attention_heads": 2, "encoder_ffn_dim": 6, "decoder_ffn_dim": 6, "activation_function": "gelu",
            "scale_embedding": True, "max_position_embeddings": 8, "pad_token_id": 1, "bos_token_id": 0,
            "eos_token_id": 2, "decoder_start_token_id": 2, "tie_word_embeddings": True}


def byte_bpe():
    steps = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    tokens = {"<s>": 0, "<unk>": 1, "a": 2, "Ġ": 3, "Ġa": 4, "aa": 5}
    file = {"version": "1.0", "normalizer": None, "pre_tokenizer": steps, "decoder": steps,
            "model": {"type": "BPE", "dropout": None, "vocab": tokens, "merges": ["Ġ a", ["a", "a"]]},
            "added_tokens": [{"id": 0, "content": "<s>", "special": True}]}
    write("byte_bpe", "tokenizer", json.dumps(file, ensure_ascii=False).encode())
    write("byte_bpe", "merges", "#version: 0.2\nĠ a\r\na a\n".encode())


def tokenizer(kind):
    model = {"type": "Unigram", "unk_id": 2, "byte_fallback": False,
             "vocab": [["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0], ["▁a", -1.5], ["b", -2.0], ["▁", -3.0]]}
    if kind == "BPE":
        model = {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "merges": [["▁", "a"], "▁a b"],
                 "vocab": {"<unk>": 0, "▁": 1, "a": 2, "b": 3, "▁a": 4, "▁ab": 5, "</s>": 6}}
    rules = [{"type": "Precompiled", "precompiled_charsmap": ""}, {"type": "Strip"},
             {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]
    spaces = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return {"version": "1.0", "normalizer": {"type": "Sequence", "normalizers": rules},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, spaces]},
            "decoder": spaces, "model": model,
            "added_tokens": [{"id": 0 if kind == "BPE" else 2, "content": "<unk>", "special": True},
                             {"id": 8, "content": "<2de>", "special": False}]}


def tokenizer_steps():
    """Every step of a tokenizer.json."""
    expression = {"Regex": r"(?i:'s|d\b)|[^\r\n\p{L}\x{41}-\x5a[x-z]]?\p{^L}{1,3}+?|(?:ab|c)*?$|^ {2,}|\s+(?!\S)|\B\d?+"}
    normal = [{"type": kind} for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt")]
    normal += [{"type": "Strip", "strip_left": True, "strip_right": False}, {"type": "Prepend", "prepend": "▁"},
               {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
               {"type": "Replace", "pattern": expression, "content": "x"},
               {"type": "BertNormalizer", "clean_text": True, "strip_accents": None, "lowercase": True}]
    parts = [{"type": kind} for kind in ("WhitespaceSplit", "Whitespace", "BertPreTokenizer", "Punctuation")]
    parts += [{"type": "Digits", "individual_digits": True}, {"type": "CharDelimiterSplit", "delimiter": "x"},
              {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True},
              {"type": "Split", "pattern": expression, "behavior": "MergedWithNext", "invert": True},
              {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True}]
    added = [{"id": 7, "content": "dog", "normalized": True, "lstrip": True, "rstrip": True, "single_word": True}]
    around = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}],
              "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}}
    return {"added_tokens": added, "normalizer": {"type": "Sequence", "normalizers": normal},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": parts},
            "post_processor": {"type": "Sequence", "processors": [{"type": "ByteLevel"}, around]}}


def tokenizers():
    for kind in ("Unigram", "BPE"):
        write("tokenizer_json", kind.lower(), json.dumps(tokenizer(kind), ensure_ascii=False).encode())
    write("tokenizer_steps", "all", json.dumps(tokenizer_steps(), ensure_ascii=False).encode())


def shortlist(first, offsets, targets):
    checked = struct.pack(f"<4Q{len(offsets)}Q{len(targets)}I", first, 2, len(offsets), len(targets), *offsets, *targets)
    seed = 0
    for (word,) in struct.iter_unpack("<Q", checked[:len(checked) // 8 * 8]):
        seed ^= (word + 0x9e3779b9 + (seed << 6) + (seed >> 2)) & (2**64 - 1)
    return struct.pack("<2Q", 0xF11A48D5013417F5, seed) + checked


def recurrent(rng):
    """A model of type nematus, with the names that Nematus has."""
    e, d, vocabulary = 2, 3, 5
    shapes = {"Wemb": (vocabulary, e), "ff_logit_b": (1, vocabulary), "decoder_c_tt": (1, 0)}
    cells = {"encoder": ("", "W", e), "encoder_r": ("", "W", e), "decoder": ("", "W", e),
             "decoder_2": ("_nl", "Wc", 2 * d), "encoder_drt": ("_drt_1", "", 0)}
    for name, (end, letter, inputs) in cells.items():
        side = {"decoder_2": "decoder", "encoder_drt": "encoder"}.get(name, name)
        for x, width in (("", 2 * d), ("x", d)):
            shapes[f"{side}_U{x}{end}"], shapes[f"{side}_b{x}{end}"] = (d, width), (1, width)
            products = [f"U{x}{end}"]
            if inputs:
                shapes[f"{side}_{letter}{x}"] = (inputs, width)
                products.append(letter + x)
            for product in products:
                shapes[f"{side}_{product}_lns"] = shapes[f"{side}_{product}_lnb"] = (1, width)
    shapes |= {key.replace("encoder_", "encoder_r_"): shape for key, shape in shapes.items() if "_drt_1" in key}
    c = 2 * d
    shapes |= {"decoder_W_comb_att": (d, c), "decoder_Wc_att": (c, c), "decoder_U_att": (c, 1), "decoder_b_att": (1, c)}
    for product in ("W_comb_att", "Wc_att"):
        shapes[f"decoder_{product}_lns"] = shapes[f"decoder_{product}_lnb"] = (1, c)
    for prefix, inputs, width in (("ff_state", c, d), ("ff_logit_prev", e, e), ("ff_logit_lstm", d, e),
                                  ("ff_logit_ctx", c, e)):
        shapes |= {f"{prefix}_W": (inputs, width)} | {f"{prefix}_{v}": (1, width) for v in ("b", "ln_s", "ln_b")}
    options = (f"type: nematus\ndim-emb: {e}\ndim-rnn: {d}\nenc-cell: gru-nematus\ndec-cell: gru-nematus\n"
               "enc-cell-depth: 2\nlayer-normalization: true\ntied-embeddings-all: true\n")
    return {name: rng.normal(size=shape).astype("f4") for name, shape in shapes.items()}, options


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
    nematus, options_of_nematus = recurrent(rng)
    out = io.BytesIO()
    marian_file.write_npz(out, options_of_nematus, nematus, compress=False)
    write("marian_npz", "nematus", out.getvalue())
    marian_file.write_bin(path / "nematus", options_of_nematus, nematus)
    write("yaml_map", "options", options.encode())
    write("yaml_map", "styles", b'a: 1\n"b\\n": [x, "y", \'z\']\n? c\n: {d: [e]}\nf: &g 2\nh: *g\ni: |\n  text\nj: ~\n')
    write("shortlist", "text", b"a b 0.5\nNULL a 1\nb </s> 1e-3\n")
    write("shortlist", "binary", shortlist(2, [0, 2, 3, 3, 5], [4, 7, 9, 1, 19]))


def gguf():
    text = lambda value: struct.pack("<Q", len(value.encode())) + value.encode()
    kinds = {"text": (8, text), "u32": (4, lambda v: struct.pack("<I", v)), "f32": (6, lambda v: struct.pack("<f", v)),
             "flag": (7, lambda v: struct.pack("<B", v)), "u64": (10, lambda v: struct.pack("<Q", v)),
             "i32": (5, lambda v: struct.pack("<i", v))}

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
        save(name, keys, shapes, types)

    def recurrent(name, e, d, tokens, types):
        keys = {"general.architecture": ("text", "dragoman"), "dragoman.recurrent": ("flag", 1),
                "dragoman.embedding_length": ("u32", e), "dragoman.recurrent.state_length": ("u32", d),
                "dragoman.encoder.vocab_size": ("u32", len(tokens)), "dragoman.decoder.vocab_size": ("u32", len(tokens)),
                "dragoman.recurrent.encoder.bidirectional_count": ("u32", 1),
                "dragoman.recurrent.decoder.block_count": ("u32", 1), "dragoman.recurrent.decoder.base_depth": ("u32", 3),
                "dragoman.recurrent.encoder.cell": ("text", "lstm"), "dragoman.recurrent.skip": ("flag", 1),
                "dragoman.recurrent.decoder.cell_norm": ("text", "parts"), "tokenizer.ggml.tokens": ("texts", tokens)}
        c, shapes = 2 * d, {}
        products = {"encoder/forward_0/cell_0/input": [4 * d, e], "encoder/forward_0/cell_0/state": [4 * d, d],
                    "encoder/backward_0/cell_0/input": [4 * d, e], "encoder/backward_0/cell_0/state": [4 * d, d],
                    "decoder/attention/query": [c, d], "decoder/attention/key": [c, c], "decoder/start": [d, c],
                    "decoder/output/embedding": [e, e], "decoder/output/state": [e, d],
                    "decoder/output/context": [e, c], "decoder/layer_0/cell_0/input": [3 * d, e],
                    "decoder/layer_0/cell_1/input": [3 * d, c]}
        products |= {f"decoder/layer_0/cell_{i}/state": [3 * d, d] for i in range(3)}
        for table in ("encoder/embeddings_0", "decoder/embeddings", "decoder/projection"):
            shapes[table + "/weight"] = [len(tokens), e]
        for product, shape in products.items():
            shapes[product + "/weight"] = shape
            if "layer_0" in product:
                shapes[product + "/norm/gamma"] = shapes[product + "/norm/beta"] = shape[:1]
        shapes |= {"decoder/attention/vector": [c], "decoder/layer_0/cell_2/constant": [3 * d]}
        save(name, keys, shapes, types)

    def t5(name, width, ffn, tokens, types):
        keys = {"general.architecture": ("text", "t5"), "t5.embedding_length": ("u32", width),
                "t5.feed_forward_length": ("u32", ffn), "t5.block_count": ("u32", 1),
                "t5.attention.head_count": ("u32", 2), "t5.attention.key_length": ("u32", width // 2),
                "t5.attention.relative_buckets_count": ("u32", 8), "t5.decoder_start_token_id": ("u32", 0),
                "tokenizer.ggml.model": ("text", "t5"), "tokenizer.ggml.eos_token_id": ("u32", 1),
                "tokenizer.ggml.tokens": ("texts", [token for token, _, _ in tokens]),
                "tokenizer.ggml.scores": ("f32s", [score for _, score, _ in tokens]),
                "tokenizer.ggml.token_type": ("i32s", [kind for _, _, kind in tokens]),
                "tokenizer.ggml.add_space_prefix": ("flag", 1)}
        shapes = {"token_embd.weight": [len(tokens), width], "output.weight": [len(tokens), width]}
        for side, blocks in {"enc": ("attn",), "dec": ("attn", "cross_attn")}.items():
            scope = f"{side}.blk.0"
            shapes |= {f"{side}.output_norm.weight": [width], f"{scope}.attn_rel_b.weight": [8, 2],
                       f"{scope}.ffn_norm.weight": [width], f"{scope}.ffn_gate.weight": [ffn, width],
                       f"{scope}.ffn_up.weight": [ffn, width], f"{scope}.ffn_down.weight": [width, ffn]}
            for block in blocks:
                shapes[f"{scope}.{block}_norm.weight"] = [width]
                shapes |= {f"{scope}.{block}_{part}.weight": [width, width] for part in "qkvo"}
        save(name, keys, shapes, types)

    def save(name, keys, shapes, types):
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
    recurrent("recurrent", 4, 6, ["</s>", "<unk>", "a", "b"], [(0, 4), (1, 2)])
    t5("t5", 4, 6, [("<pad>", 0.0, 3), ("</s>", 0.0, 3), ("<unk>", 0.0, 2), ("▁a", -1.0, 1), ("<extra_id_0>", -1e3, 4),
                    ("[PAD5]", -1e4, 5)], [(0, 4), (1, 2)])


def pytorch():
    def layer(name, decoder, separate):
        tensors = {"linear1.weight": "3 2", "linear1.bias": "3", "linear2.weight": "2 3", "linear2.bias": "2"}
        for attention in ("self_attn", "multihead_attn") if decoder else ("self_attn",):
            joint = {"in_proj_weight": "6 2"}
            parts = {f"{part}_proj_weight": "2 2" for part in "qkv"}
            tensors.update({f"{attention}.{key}": shape for key, shape in (parts if separate else joint).items()})
            tensors.update({f"{attention}.in_proj_bias": "6", f"{attention}.out_proj.weight": "2 2",
                            f"{attention}.out_proj.bias": "2"})
        for i in range(3 if decoder else 2):
            tensors.update({f"norm{i + 1}.weight": "2", f"norm{i + 1}.bias": "2"})
        return {f"{name}layers.0.{key}": shape for key, shape in tensors.items()}

    def save(name, keys, tensors):
        keys = {"version": 1, "source_embedding": "embedding", "target_embedding": "embedding", "output": "output",
                "start": 1, "end": 2, "unknown": 3, "pad": 0, **keys}
        tensors = {"embedding.weight": "4 2", "output.weight": "4 2", "output.bias": "4", **tensors}
        lines = "".join(f"{tensor} {shape}\n" for tensor, shape in tensors.items())
        write("pytorch", name, json.dumps(keys).encode() + b"\0" + lines.encode())

    save("transformer", {"transformer": {"name": "t", "nhead": 1, "num_encoder_layers": 1, "activation": "gelu"},
                         "positions": {"table": "positions"}, "source_begin": 1, "source_end": 2, "never": [0],
                         "vocabulary": ["<pad>", "<s>", "</s>", "<unk>"], "tokens": "characters"},
         {**layer("t.encoder.", False, False), **layer("t.decoder.", True, False), "t.encoder.norm.weight": "2",
          "t.encoder.norm.bias": "2", "positions": "5 1 2"})
    save("stacks", {"encoder": {"name": "e", "nhead": 2, "norm_first": True, "layer_norm_eps": 1e-6},
                    "decoder": {"name": "", "nhead": 1, "d_model": 2, "bias": True}, "ignore": ["unused"],
                    "source_positions": {"sinusoid": "interleaved", "length": 7}, "target_positions": "none",
                    "source_vocabulary": "words.txt", "target_vocabulary": "words.txt", "embedding_scale": 2.5},
         {**layer("e.", False, True), **layer("", True, True), "unused.weight": "3"})


def encoders():
    vocabulary = {token: i for i, token in enumerate(["[UNK]", "[CLS]", "[SEP]", "a", "##b", "é"])}
    file = {"added_tokens": [{"id": 1, "content": "[CLS]", "special": True}],
            "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                           "strip_accents": None, "lowercase": False},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": 100, "vocab": vocabulary}}
    write("word_piece", "all", json.dumps(file).encode())
    del file["added_tokens"], file["model"]["type"], file["model"]["max_input_chars_per_word"]
    write("word_piece", "few", json.dumps(file).encode())
    modules = [{"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
               for i, (kind, path) in enumerate([("Transformer", ""), ("Pooling", "1_Pooling"), ("Dropout", ""),
                                                 ("Normalize", "3_Normalize")])]
    pooling = {"word_embedding_dimension": 2, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True,
               "pooling_mode_max_tokens": False, "include_prompt": True}
    dense = {"in_features": 2, "out_features": 1, "bias": True, "activation_function": "torch.nn.Tanh",
             "module_output_name": "sentence_embedding"}
    prompts = {"prompts": {"query": "query: "}, "default_prompt_name": "query"}
    for number, (name, values) in enumerate({"modules": modules, "pooling": pooling, "dense": dense,
                                             "lengths": {"max_seq_length": 128, "do_lower_case": False},
                                             "prompts": prompts}.items()):
        write("sentence_encoder", name, bytes([number]) + json.dumps(values).encode())


def documents():
    word = ('<w:document xmlns:w="w"><w:body><w:p><w:r><w:t xml:space="preserve">One '
            '</w:t></w:r><w:hyperlink><w:r><w:rPr>'
            '<w:b/></w:rPr><w:t>two</w:t></w:r></w:hyperlink><w:r><w:tab/><w:t> three</w:t></w:r><w:r><w:fldChar '
            'w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar '
            'w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:ins>'
            '<w:r><w:t>four</w:t><w:footnoteReference w:id="1"/></w:r></w:ins></w:p></w:body></w:document>')
    slide = ('<p:sld xmlns:a="a" xmlns:p="p"><a:p><a:pPr/><a:r><a:rPr b="1"/><a:t>One</a:t></a:r><a:br/><a:r><a:t> two'
             '</a:t></a:r><a:fld type="slidenum"><a:t>1</a:t></a:fld><a:endParaRPr/></a:p></p:sld>')
    cells = '<sst><si><t>One two</t></si><si><r><t>One </t></r><r><rPr><b/></rPr><t>two</t></r></si></sst>'
    for number, (name, part) in enumerate({"word": word, "slide": slide, "cells": cells}.items()):
        write("office", name, bytes([number]) + part.encode())
    types = ('<Types><Override PartName="/word/document.xml" '
             'ContentType="application/vnd.openxmlformats-officedocument.'
             'wordprocessingml.document.main+xml"/></Types>')
    write("document_package", "docx", zipped({"[Content_Types].xml": types, "word/document.xml": word}, zipfile.ZIP_DEFLATED))
    text = ('<office:document-content><text:h>One</text:h><text:p>One <text:span text:style-name="B">two</text:span>'
            '<text:tab/>three<text:note><text:note-body><text:p>Four</text:p></text:note-body></text:note><text:s/>'
            '<text:line-break/><draw:frame><draw:text-box><text:p>Five</text:p></draw:text-box></draw:frame></text:p>'
            '</office:document-content>')
    write("opendocument", "text", text.encode())
    write("document_package", "odt", zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": text},
                                            zipfile.ZIP_STORED))
    container = ('<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>')
    opf = ('<package><metadata><dc:title>One</dc:title><dc:language>en</dc:language></metadata><manifest><item id="b" '
           'href="b.xhtml" media-type="application/xhtml+xml"/></manifest></package>')
    write("document_package", "epub", zipped({"mimetype": "application/epub+zip", "META-INF/container.xml": container,
                                              "a.opf": opf, "b.xhtml": "<html><body><p>One</p></body></html>"},
                                             zipfile.ZIP_DEFLATED))
    write("markdown", "page", b"---\na: b\n---\n# One *two*\n\n* a [link](to \"title\") and `code`\n  1. ~~gone~~ <b>x</b>\n\n"
          b"| a | **b** |\n|---|---|\n| c\\|d | ![p](q) |\n\n```\ncode\n```\n> quoted __text__\\\nnext &amp; last  \nline\n")
    write("subtitles", "srt", b"1\n00:00:01,000 --> 00:00:02,000\n- <i>one <b>two</b></i> three\n- {\\an8}four.\n\n2\n"
          b"00:00:02,000 --> 00:00:03,000\n<i>five\nsix</i> seven\n")
    write("subtitles", "vtt", b"WEBVTT\n\nNOTE x\n\na\n00:01.000 --> 00:02.000 line:1\n<v Bob><c.red>one</c> <00:01.500>two "
          b"&amp; three\n")
    write("subtitles", "ass", b"[Script Info]\n[Events]\nFormat: Layer, Start, End, Style, Text\nComment: 0,0:00:01.00,0:00:02.00,a,b\n"
          b"Dialogue: 0,0:00:01.00,0:00:02.00,a,{\\an8\\i1}one{\\i0}\\Ntwo\\h{\\k20}three {\\p1}m 0 0 l 1 1{\\p0} {\\r}four\n")
    write("po", "messages", b'msgid ""\nmsgstr ""\n"Language: \\n"\n"Plural-Forms: nplurals=2; plural=n != 1;\\n"\n\n#, c-format'
          b'\nmsgctxt "a"\nmsgid "%d dog\\n"\nmsgid_plural "%d dogs\\n"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgid "One "\n"two"\n'
          b'msgstr ""\n\n#~ msgid "old"\n#~ msgstr "alt"\n')
    write("bilingual", "xliff1", b'<xliff version="1.2"><file source-language="en"><body><trans-unit id="1"><source>One <g id="1">'
          b'two</g><x id="2"/></source></trans-unit><trans-unit id="2"><source>A</source><target/></trans-unit></body></file>'
          b'</xliff>')
    write("bilingual", "xliff2", b'<xliff version="2.0" srcLang="en"><file id="f"><unit id="1"><segment><source>One <pc id="1">two'
          b'</pc><ph id="2"/><mrk id="m" translate="no">x</mrk></source></segment></unit></file></xliff>')
    write("bilingual", "tmx", b'<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>One <bpt i="1">b</bpt>two'
          b'<ept i="1"/></seg></tuv></tu></body></tmx>')
    for number, (name, content) in enumerate({
            "json": b'{"a": "One {x}", "b": [{"c": "{n, plural, one {# dog} other {# dogs}}\\u00e4"}], "d": 1}',
            "arb": b'{"@@locale": "en", "a": "One", "@a": {"description": "text"}}',
            "android": b'<resources><string name="a">It\\\'s <b>one</b>\\n%1$s</string><plurals name="b"><item '
                       b'quantity="one">x</item></plurals></resources>',
            "apple": b'/* c */\n"a" = "One \\"two\\" %@";\nb = "x";\n',
            "zero": b'{"a": "One"}\x00"}}'}.items()):
        write("strings", name, bytes([number]) + content)


def http():
    head = b"POST /translate?q=a%20b HTTP/1.1\r\nHost: localhost:5000\r\nContent-Type: application/json\r\n"
    body = b'{"q":"Hallo","source":"de","target":"en"}'
    get = b"GET /health HTTP/1.1\r\nHost: [::1]:80\r\nConnection: keep-alive, x\r\nAccept: */*\r\n\r\n"
    write("http_connection", "length", head + b"Content-Length: %d\r\n\r\n" % len(body) + body + get)
    write("http_connection", "chunks", head + b"Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
          b'5;a="b"\r\n{"q":\r\n24\r\n' + body[5:] + b"\r\n0\r\nX: y\r\n\r\n" + get)
    write("http_connection", "absolute", b"\r\nGET http://localhost/%C3%BC?a HTTP/1.0\r\nHost: localhost\r\n\r\n")
    write("http_connection", "options", b"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    parts = (b'b\npreamble\r\n--b\r\nContent-Disposition: form-data; name="q"\r\n\r\nHallo\r\n'
             b'--b \r\nContent-Disposition: form-data; name="file"; filename="a \\"b\\".txt"\r\nContent-Type: text/plain'
             b'\r\n\r\nHallo\r\n--c\r\n--b--\r\nepilogue')
    write("http_multipart", "two", parts)
    write("http_multipart", "empty", b"boundary-x\n--boundary-x--")
    write("http_form", "fields", b"q=Wo+ist%20%C3%BC&source=de&target=en&q=&a")
    write("http_form", "path", b"/v1/a%20b/../c//d;x=1")
    write("http_form", "authority", b"[2001:db8::1]:5000")
    write("http_fields", "json", b"application/json; charset=utf-8\na=1&q=b\n" + body)
    write("http_fields", "values", b"\n\n" + b'{"q":["a","b"],"n":"3","flag":true,"no":null,"big":1e300,"o":{"x":[1.5]}}')
    write("http_fields", "comma", b'application/json\n\n{"q":"a" "api_key":"x"}')
    write("http_fields", "form", b"application/x-www-form-urlencoded\nx=y\nq=a%0D%0Ab&q=c&flag=on")


def registries():
    argos = [{"package_version": "1.0", "argos_version": "1.0", "from_code": "de", "from_name": "German", "to_code": "en",
              "to_name": "English", "links": ["https://example.org/translate-de_en-1_0.argosmodel"], "type": "translate",
              "code": "translate-de_en"}]
    local = {"models": [{"shortName": "de-en-tiny", "modelName": "German-English tiny", "src": "German", "trg": "English",
                         "type": "tiny", "version": 1, "API": 1, "url": "https://example.org/de-en.tar.gz",
                         "checksum": "ab" * 32, "trgTag": "en", "srcTags": {"de": "German"}, "code": "de-en-tiny"}]}
    part = {"name": "model.deen.bin", "fileType": "model", "version": "3.0a1", "architecture": "base-memory",
            "sourceLanguage": "de", "targetLanguage": "en", "filter_expression": "env.channel == 'default' || !env.x",
            "decompressedHash": "a" * 64, "decompressedSize": 200, "schema": 1, "id": "1", "last_modified": 1000,
            "attachment": {"hash": "b" * 64, "size": 100, "filename": "model.deen.bin.zst", "location": "x/model.deen.bin"}}
    more = dict(part, name="vocab.deen.spm", fileType="vocab", id="2")
    all_of_them = {"models": {"de-en": [{"architecture": "tiny", "releaseStatus": "Release", "byteSize": 10, "hash": "c" * 64,
                                         "sourceLanguage": "de", "targetLanguage": "en", "version": "1.0",
                                         "files": {"model": {"path": "m.gz", "uncompressedSize": 9,
                                                             "uncompressedHash": "d" * 64}}}]},
                   "baseUrl": "https://example.org"}
    for name, content in {"argos": argos, "translatelocally": local, "firefox": {"data": [part, more]},
                          "firefox-all": all_of_them, "hplt": local}.items():
        write("registry_list", name, name.encode() + b"\n" + json.dumps(content).encode())
    write("registry_list", "opus", b"opus\nde-en/opus-2020-02-26.zip\r\nde-en/opus-2020-02-26.eval.txt\n")
    write("registry_list", "tatoeba", b"tatoeba\ndeu-eng\topus-2021-02-22\t45.6\t0.7\t1000\n"
          b"https://example.org/deu-eng/opus-2021-02-22.zip\n")
    for path in sorted((TESTS.parent / "models" / "registries").glob("*.json")):
        if path.stem in ("argos", "firefox", "hf", "opus"):
            write("registry_file", path.stem, path.read_bytes())
    write("registry_file", "filter", b"env.channel == 'release' && !(env.version != '2' || false)")


def small_texts():
    for name, array in {"f4": np.arange(6, dtype="<f4").reshape(2, 3), "i1": np.zeros((), "i1")}.items():
        out = io.BytesIO()
        np.lib.format.write_array(out, array, version=(1, 0))
        write("npy", name, out.getvalue())
    out = io.BytesIO()
    np.lib.format.write_array(out, np.zeros((0, 4), "<f2"), version=(2, 0))
    write("npy", "version2", out.getvalue())
    write("glossary", "tabs", "# note\nsource\ttarget\nBahnhof\tstation|railway station\texact\nTag\tday\tignore\tpart\n".encode())
    write("glossary", "commas", b'de,en\n"a ""b"", c","x\ny"\nHaus,house\n')
    write("glossary", "tbx", b'<tbx type="TBX-Basic" xml:lang="en"><text><body><conceptEntry id="1"><langSec xml:lang="de">'
          b'<termSec><term>Bahnhof</term></termSec></langSec><langSec xml:lang="en"><termSec><term>station</term><termNote '
          b'type="administrativeStatus">preferredTerm-admn-sts</termNote></termSec></langSec></conceptEntry></body></text></tbx>')
    for name, code in {"locale": "de_DE.UTF-8", "tag": "zh-Hant-TW-x-y", "name": "Brazilian Portuguese", "code": "deu_Latn"}.items():
        write("languages", name, code.encode())
    write("config", "all", b'# defaults\nmodel = "a \\"b\\" \\t"\nto = \'de\'\nbeam-size = 4\nkeep = true\n\n"to" = "en" # x\n')
    write("config", "list", b'models = ["a", "b",]\nbeam-size = 1\n')


def main():
    archives()
    documents()
    safetensors()
    pickles()
    ctranslate2()
    model_files()
    tokenizers()
    byte_bpe()
    marian()
    gguf()
    pytorch()
    encoders()
    http()
    registries()
    small_texts()


if __name__ == "__main__":
    main()
