#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/huggingface/settings.json: what transformers' generate() makes of a few recorded texts when keys of a
model's config.json and generation_config.json say something else. A list of
{"model": folder, "config": changes, "generation": changes, null takes a key away; "target": whether the caller names the
target language, "items": [{"text", "from", "to", "tokens", "score": null for greedy search}]}.

Needs torch and transformers 5; run it after make_multilingual_models.py and make_t5_models.py. Texts that come out
differently in 32 and 64 bits are left out.
"""
import json
import pathlib
import shutil
import tempfile

import torch
import transformers

import make_multilingual_models as multilingual
import make_t5_models as t5

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FILE = DATA / "huggingface" / "settings.json"
TEXTS = 5
LONGEST = 24


class Model:
    """A toy model with its tokenizer and recorded texts."""

    def __init__(self, name):
        folder, self.name = name.split("/")
        self.is_t5 = folder == "t5"
        self.folder = DATA / name
        if self.is_t5:
            file = self.folder / "tokenizer.json"  # for which AutoTokenizer takes T5's <unk>, whatever MADLAD's is
            self.tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(file)) if file.exists() else \
                transformers.AutoTokenizer.from_pretrained(self.folder)
            self.model_class = transformers.AutoModelForSeq2SeqLM
            recorded = json.loads((self.folder / "recorded.json").read_text())["cases"][0]["items"]
            self.texts = [(item["text"], item["from"], item["to"]) for item in recorded]
        else:
            self.family = multilingual.FAMILIES[self.name]
            self.tokenizer = self.family.tokenizer_class.from_pretrained(multilingual.tokenizer_folder(self.name))
            self.model_class = self.family.model_class
            recorded = json.loads((self.folder / "translations.json").read_text())["sentences"]
            self.texts = [(text, source, target) for source, target, text, _ in recorded]

    def source(self, text, source, target):
        if self.is_t5:
            return self.tokenizer(t5.prompt(self.name, (source, target)) + text)["input_ids"]
        return self.family.encode(self.tokenizer, text, source or "en")

    def language(self, target):
        """The token that begins a translation, or None."""
        if self.is_t5 or not target:
            return None
        begin = self.family.begin(self.tokenizer, target)
        return begin[1] if len(begin) > 1 else None

    def tokens(self, ids):
        return " ".join(self.tokenizer.convert_ids_to_tokens(i) or f"<unused_{i}>" for i in ids)


def changed(values, changes):
    return {key: value for key, value in {**values, **changes}.items() if value is not None}


def cases():
    """Model, changes of config.json, of generation_config.json, whether the target is named."""
    yield "t5/umt5", {"tie_word_embeddings": True, "scale_decoder_outputs": False}, {}, True
    yield "t5/umt5", {"tie_word_embeddings": True, "scale_decoder_outputs": True}, {}, True
    yield "t5/t5", {"scale_decoder_outputs": False}, {}, True
    for name in ("gated-tanh", "gated-relu", "gated-silu"):
        yield "t5/umt5", {"feed_forward_proj": name, "dense_act_fn": None, "is_gated_act": None}, {}, True
    for name in ("tanh", "gelu_new", "swish", "relu"):
        yield "huggingface/mbart50", {"activation_function": name}, {}, True
    yield "huggingface/bart", {"activation_function": "tanh"}, {}, True
    yield "huggingface/m2m100", {"scale_embedding": False}, {"num_beams": 1}, True
    for beams in (1, 4):
        yield "t5/umt5", {}, {"num_beams": beams, "begin_suppress_tokens": [3, 20, 21, 22]}, True
        yield "t5/umt5", {}, {"num_beams": beams, "suppress_tokens": [3, 25, 30]}, True
        yield "t5/umt5", {}, {"num_beams": beams, "bad_words_ids": [[3], [20, 21], [25, 3, 20]]}, True
        yield "t5/umt5", {}, {"num_beams": beams, "forced_bos_token_id": 40}, True
        yield "t5/umt5", {}, {"num_beams": beams, "forced_eos_token_id": 1, "max_length": 6}, True
        yield "t5/umt5", {}, {"num_beams": beams, "max_length": 6}, True
        yield "t5/umt5", {}, {"num_beams": beams, "max_new_tokens": 6, "max_length": 9}, True
        yield "t5/umt5", {}, {"num_beams": beams, "min_new_tokens": 12, "min_length": 3}, True
        yield "t5/umt5", {}, {"num_beams": beams, "min_length": 12}, True
        yield "t5/umt5", {"decoder_start_token_id": 5}, {"num_beams": beams, "decoder_start_token_id": 5}, True
        yield "t5/umt5", {}, {"num_beams": beams, "eos_token_id": [1, 20]}, True
        yield "t5/madlad", {}, {"num_beams": beams, "repetition_penalty": 1.4}, True
        yield "t5/madlad", {}, {"num_beams": beams, "no_repeat_ngram_size": 2}, True
        yield "t5/madlad", {}, {"num_beams": beams, "forced_bos_token_id": 30}, True
        yield "huggingface/mbart50", {}, {"num_beams": beams, "bad_words_ids": [[20, 21], [6]]}, True
        yield "huggingface/mbart50", {}, {"num_beams": beams, "suppress_tokens": [5, 6]}, True
        yield "huggingface/mbart50", {}, {"num_beams": beams, "forced_eos_token_id": 2, "max_length": 7}, True
        yield "huggingface/mbart50", {}, {"num_beams": beams, "max_length": 7}, True
        yield "huggingface/mbart50", {}, {"num_beams": beams, "forced_bos_token_id": "de"}, False
        yield "huggingface/m2m100", {}, {"num_beams": beams, "forced_bos_token_id": "fr"}, False
        yield "huggingface/nllb", {}, {"num_beams": beams, "forced_bos_token_id": "ru"}, False
        yield "huggingface/m2m100", {}, {"num_beams": beams, "forced_bos_token_id": "fr"}, True
        yield "huggingface/bart", {}, {"num_beams": beams, "begin_suppress_tokens": [5, 6, 7]}, True
        yield "huggingface/bart", {}, {"num_beams": beams, "forced_bos_token_id": None}, True
        yield "huggingface/bart", {}, {"num_beams": beams, "forced_bos_token_id": 12}, True
        yield "huggingface/bart", {"decoder_start_token_id": 0}, {"num_beams": beams, "decoder_start_token_id": 0}, True
    for stopping in (True, False, "never"):
        for penalty in (0.5, 2.0, -1.0):
            yield "huggingface/nllb", {}, {"num_beams": 3, "early_stopping": stopping, "length_penalty": penalty}, True
    yield "huggingface/m2m100", {}, {"num_beams": 4, "renormalize_logits": True, "no_repeat_ngram_size": 1}, True
    yield "huggingface/mbart50", {"num_beams": 7, "max_length": 5}, {"num_beams": 2}, True  # config.json does not count
    yield "t5/umt5", {"num_beams": 3, "max_length": 9, "early_stopping": True}, None, True  # here it does


class Recorder:
    def __init__(self, model, config, generation):
        self.model = model
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path in model.folder.iterdir():
                if path.suffix not in (".md",):
                    shutil.copy(path, folder)
            file = folder / "config.json"
            file.write_text(json.dumps(changed(json.loads(file.read_text()), config)))
            file = folder / "generation_config.json"
            if generation is None:
                file.unlink()
            else:
                file.write_text(json.dumps(changed(json.loads(file.read_text()), generation)))
            self.networks = [model.model_class.from_pretrained(folder, dtype=dtype).eval()
                             for dtype in (torch.float32, torch.float64)]

    def generate(self, network, ids, given, first):
        output = network.generate(torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                                  output_scores=True, return_dict_in_generate=True, **given)
        ends = network.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        row = output.sequences[0].tolist()[1:]
        if first is not None:
            assert row[0] == first, (row, first)
            row = row[1:]
        length = next((i for i, token in enumerate(row) if token in ends), len(row))
        score = output.sequences_scores[0].item() if "sequences_scores" in output else None
        return row[:length], score

    def items(self, generation, target):
        found = []
        for text, source, to in self.model.texts:
            if len(found) == TEXTS:
                break
            ids = self.model.source(text, source, to)
            given, first = {}, generation.get("forced_bos_token_id", self.networks[0].generation_config.forced_bos_token_id)
            if target and self.model.language(to) is not None:
                given["forced_bos_token_id"] = first = self.model.language(to)
            lengths = {"max_length", "max_new_tokens"} & set(generation)
            if not lengths:
                given["max_new_tokens"] = LONGEST
            row, score = self.generate(self.networks[0], ids, given, first)
            if self.generate(self.networks[1], ids, given, first)[0] != row:
                continue
            found.append({"text": text, "from": source, "to": to if target else None, "tokens": self.model.tokens(row),
                          "score": score and round(score, 6)})
        return found


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    models, recorded = {}, []
    for name, config, generation, target in cases():
        model = models.setdefault(name, Model(name))
        if generation and isinstance(generation.get("forced_bos_token_id"), str):
            generation = {**generation, "forced_bos_token_id": model.language(generation["forced_bos_token_id"])}
        lengths = {"max_length", "max_new_tokens"} & set(generation or config)
        items = Recorder(model, config, generation).items(config if generation is None else generation, target)
        print(name, config, generation, len(items))
        assert len(items) >= 3, items
        recorded.append({"model": name, "config": config, "generation": generation, "target": target,
                         "longest": None if lengths else LONGEST, "items": items})
    dump = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    FILE.write_text("[" + ",\n".join(map(dump, recorded)) + "]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
