#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/huggingface/keys.json: every key that transformers' GenerationConfig and the configuration classes
of our families have, with the version. Needs transformers.
"""
import dataclasses
import pathlib

import transformers

import packed_json

FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "huggingface" / "keys.json"
CLASSES = {"marian": transformers.MarianConfig, "m2m_100": transformers.M2M100Config,
           "mbart": transformers.MBartConfig, "bart": transformers.BartConfig, "t5": transformers.T5Config,
           "mt5": transformers.MT5Config, "umt5": transformers.UMT5Config, "gpt2": transformers.GPT2Config,
           "xglm": transformers.XGLMConfig, "opt": transformers.OPTConfig}
ENCODERS = {"bert": transformers.BertConfig, "xlm-roberta": transformers.XLMRobertaConfig}
# PreTrainedConfig takes these out of its arguments by hand.
ARGUMENTS = {"torch_dtype", "num_labels", "name_or_path", "_commit_hash", "output_attentions", "attn_implementation",
             "per_layer_config"}


def keys_of(config_class):
    fields = {field.name for field in dataclasses.fields(config_class)}
    keys = set(vars(config_class())) | set(config_class().to_dict()) | fields | set(config_class.attribute_map)
    return sorted(keys | ARGUMENTS)


def main():
    generation = transformers.GenerationConfig()
    keys = {"transformers": transformers.__version__,
            "generation": sorted(set(vars(generation)) | set(generation.to_dict())),
            "config": {name: keys_of(config_class) for name, config_class in CLASSES.items()},
            "encoders": {name: keys_of(config_class) for name, config_class in ENCODERS.items()}}
    FILE.write_text(packed_json.dump(keys) + "\n", encoding="utf-8")
    print(len(keys["generation"]), {name: len(list_) for name, list_ in keys["config"].items()})


if __name__ == "__main__":
    main()
