#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the sister directories of tests/data/aren-transliteration: other binary versions, names and weight types.

Needs numpy; with ctranslate2 installed each directory also gets expected.json (what CTranslate2 makes of it in
float32). Types per version are those CTranslate2's own converters could write.
"""
import json
import pathlib
import shutil

import numpy as np

import ct2_file

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
ORIGINAL = DATA / "aren-transliteration"


def is_weight(name, value):
    return name.endswith("/weight") and value.ndim == 2


def opennmt_tf_name(name):
    """The name in a file of revision 1; the inverse of the renaming that readers of such files do."""
    encoder = name.startswith("encoder/")
    name = name.replace("embeddings/weight", "w_embs").replace("projection/", "dense/")
    name = name.replace("layer_norm", "LayerNorm").replace("weight", "kernel")
    name = name.replace("linear_0", "conv1d").replace("linear_", "conv1d_")
    if encoder:
        name = name.replace("self_attention", "multi_head")
    elif "self_attention" in name:
        name = name.replace("self_attention", "masked_multi_head")
    else:
        name = name.replace("attention", "multi_head")
    return "transformer/" + name + ":0"


def current_name(name):
    return name.replace("encoder/embeddings/", "encoder/embeddings_0/")


def int16(variables, rounding, scale_of):
    """scale_of(weight) is the one scale of a matrix; None: 1000, and no scale in the file."""
    out = {}
    for name, value in variables.items():
        if not is_weight(name, value):
            out[name] = value
            continue
        scale = np.float32(1000) if scale_of is None else np.float32(scale_of(value))
        out[name] = np.clip(rounding(value * scale), -32768, 32767).astype(np.int16)
        if scale_of is not None:
            out[name + "_scale"] = np.array(scale, np.float32)
    return out


def int8(variables, rounding):
    out = {}
    for name, value in variables.items():
        if not is_weight(name, value):
            out[name] = value
            continue
        largest = np.abs(value).max(axis=1)
        scale = np.where(largest == 0, 1, 127 / np.where(largest == 0, 1, largest)).astype(np.float32)
        out[name] = rounding(value * scale[:, None]).astype(np.int8)
        out[name + "_scale"] = scale
    return out


def floats(variables, convert):
    """Everything in float32 but scales and scalars in another type."""
    return {name: convert(value) if value.ndim and value.dtype == np.float32 and not name.endswith("_scale") else value
            for name, value in variables.items()}


def half(value):
    return value.astype(np.float16)


def scalars(prefixes):
    out = {}
    for prefix in prefixes:
        out[prefix + "num_heads"] = np.array(8, np.int16)
        out[prefix + "pre_norm"] = np.array(1, np.int8)
        out[prefix + "activation"] = np.array(0, np.int8)
    return out


def special_tokens():
    tokens = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
    out = {name: np.frombuffer(token.encode(), np.int8) for name, token in tokens.items()}
    for name, value in (("with_source_bos", 0), ("with_source_eos", 0), ("with_target_bos", 1)):
        out[name] = np.array(value, np.int8)
    return out


def named(variables, rename):
    return {rename(name): value for name, value in variables.items()}


def vocabularies(folder, as_json):
    for side in ("source", "target"):
        text = (ORIGINAL / f"{side}_vocabulary.txt").read_text(encoding="utf-8")
        if as_json:
            tokens = text.rstrip("\n").split("\n") + ["<unk>"]
            (folder / f"{side}_vocabulary.json").write_text(json.dumps(tokens, indent=0) + "\n", encoding="utf-8")
        else:
            (folder / f"{side}_vocabulary.txt").write_bytes(text.encode("utf-8"))


CONFIG = {"add_source_bos": False, "add_source_eos": False, "bos_token": "<s>", "decoder_start_token": "<s>",
          "eos_token": "</s>", "layer_norm_epsilon": None, "multi_query_attention": False, "unk_token": "<unk>"}


def record(folder):
    try:
        import record_expectations
    except ImportError:
        return
    from make_aren_expectations import names
    model = record_expectations.open_model(folder)
    only = ("greedy", "beam4_n4", "beam3_prefix")
    expected = record_expectations.record(model, [], names()[:8], only=only)
    record_expectations.save(folder / "expected.json", expected)


def write(name, version, spec, revision, variables, aliases=(), config=False):
    folder = DATA / f"aren-transliteration-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    ct2_file.write_model(folder / "model.bin", version, spec, revision, variables, aliases)
    vocabularies(folder, as_json=config)
    if config:
        (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n", encoding="utf-8")
    record(folder)
    print(f"{folder.name}: {(folder / 'model.bin').stat().st_size} bytes")


def main():
    original = ct2_file.read_model(ORIGINAL / "model.bin")[3]
    both = ("encoder/", "decoder/")
    truncated16 = int16(original, np.trunc, None)
    write("v1", 1, "", 1, named(original, opennmt_tf_name))
    write("v1-int16", 1, "", 1, named(truncated16, opennmt_tf_name))
    write("v2-int16", 2, "TransformerBase", 2, int16(original, np.trunc, lambda weight: 1000))
    write("v2-int8", 2, "TransformerBase", 2, int8(original, np.trunc))
    # Aliases, as a converter with shared matrices writes them: here the first layers lend the second ones their norms.
    v3 = {**int8(original, np.trunc), **scalars([""])}
    aliases = []
    for stack in ("encoder", "decoder"):
        for part in ("gamma", "beta"):
            del v3[f"{stack}/layer_1/ffn/layer_norm/{part}"]
            aliases.append((f"{stack}/layer_1/ffn/layer_norm/{part}", f"{stack}/layer_0/ffn/layer_norm/{part}"))
        weight = "/layer_1/ffn/linear_1/weight"
        del v3[stack + weight], v3[stack + weight + "_scale"]
        aliases.append((stack + weight, stack + "/layer_0/ffn/linear_1/weight"))
    aliases.append(("decoder/never_read", "decoder/not_there"))
    write("v3-int8-aliases", 3, "TransformerBase", 4, v3, aliases)
    write("v4-float16", 4, "TransformerBase", 4, {**floats(original, half), **scalars([""])})
    v5 = {**floats(original, ct2_file.BFloat16), **scalars(both), **special_tokens()}
    write("v5-bfloat16", 5, "TransformerSpec", 5, named(v5, current_name))
    v6 = named({**int8(original, np.rint), **scalars(both)}, current_name)
    write("v6-int8-float16", 6, "TransformerSpec", 7, floats(v6, half), config=True)
    largest = lambda weight: 1024 / np.abs(weight).max()
    v6 = named({**int16(original, np.rint, largest), **scalars(both)}, current_name)
    write("v6-int16", 6, "TransformerSpec", 7, v6, config=True)


if __name__ == "__main__":
    main()
