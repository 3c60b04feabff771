#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/huggingface/keys.json: every key that transformers' GenerationConfig and the configuration classes
of our families have, with its default, under the version of transformers. Needs transformers; run it once for each
version, with Pythons that have them. The entries of other versions stay.
"""
import dataclasses
import json
import pathlib

import transformers

import packed_json

FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "huggingface" / "keys.json"
CLASSES = {"marian": "MarianConfig", "m2m_100": "M2M100Config", "mbart": "MBartConfig", "bart": "BartConfig",
           "t5": "T5Config", "mt5": "MT5Config", "umt5": "UMT5Config", "gpt2": "GPT2Config", "xglm": "XGLMConfig",
           "opt": "OPTConfig"}
ENCODERS = {"bert": "BertConfig", "xlm-roberta": "XLMRobertaConfig"}
# PreTrainedConfig takes these out of its arguments by hand.
ARGUMENTS = {"torch_dtype", "num_labels", "name_or_path", "_commit_hash", "output_attentions", "attn_implementation",
             "per_layer_config"}


def default(value):
    """As JSON has it; what only Python has is no value of a file."""
    try:
        return json.loads(json.dumps(value))
    except TypeError:
        return None


def keys_of(config_class):
    config = config_class()
    fields = dataclasses.fields(config_class) if dataclasses.is_dataclass(config_class) else []
    keys = {**dict.fromkeys(ARGUMENTS), **dict.fromkeys(config_class.attribute_map),
            **dict.fromkeys(field.name for field in fields), **vars(config), **config.to_dict()}
    return {key: default(keys[key]) for key in sorted(keys) if key != "transformers_version"} | {
        "transformers_version": None}


def lists(classes):
    return {name: keys_of(getattr(transformers, class_name)) for name, class_name in classes.items()
            if hasattr(transformers, class_name)}


def main():
    generation = transformers.GenerationConfig()
    keys = {**vars(generation), **generation.to_dict(), "transformers_version": None}
    versions = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    versions[transformers.__version__] = {
        "generation": {key: default(keys[key]) for key in sorted(keys)},
        "config": lists(CLASSES), "encoders": lists(ENCODERS)}
    FILE.write_text(packed_json.dump(versions) + "\n", encoding="utf-8")
    print(transformers.__version__, len(keys), {name: len(list_) for name, list_ in lists(CLASSES).items()})


if __name__ == "__main__":
    main()
