#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes features.json beside the models of ../data/huggingface and ../data/t5: what transformers says, beside the
translation, of a few recorded greedy translations. A list of
{"case": the place of the translation among the recorded greedy ones,
 "attention": [layer][head][target][source] of the cross-attention, the end of the text included on both sides; of the
 first translation only,
 "log_probs": of the target's tokens with the end, "prefix": tokens of another text's translation,
 "continued": the tokens that greedy search puts after them, "continued_log_probs": of these and the end}.

Needs torch and transformers 5. Arguments: which models; none: all."""
import json
import pathlib
import sys

import torch
import transformers

import make_multilingual_models as multilingual
import make_t5_models as t5

COUNT = 4
LONGEST = 60
MARGIN = 2e-4


class Multilingual:
    names = ("m2m100", "nllb", "mbart50", "mbart25", "bart", "untied")

    def __init__(self, name):
        self.folder = multilingual.DATA / name
        self.family = multilingual.FAMILIES[name]
        self.tokenizer = self.family.tokenizer_class.from_pretrained(multilingual.tokenizer_folder(name))
        self.model_class = self.family.model_class
        recorded = json.loads((self.folder / "translations.json").read_text())
        self.cases = []
        for place, (number, result) in enumerate(recorded["cases"][0]["results"]):
            source, target, text, _ = recorded["sentences"][number]
            self.cases.append((place, self.family.encode(self.tokenizer, text, source or "en"),
                               self.family.begin(self.tokenizer, target or "de"), result[0]))

    def tokens(self, ids):
        return self.tokenizer.convert_ids_to_tokens(ids)


class T5:
    names = tuple(t5.MODELS)

    def __init__(self, name):
        self.name, self.folder = name, t5.DATA / name
        self.tokenizer = (transformers.ByT5Tokenizer if name == "byt5" else transformers.AutoTokenizer).from_pretrained(
            self.folder)
        self.model_class = transformers.AutoModelForSeq2SeqLM
        recorded = json.loads((self.folder / "recorded.json").read_text())
        self.cases = []
        for place, item in enumerate(recorded["cases"][0]["items"]):
            words = t5.prompt(name, (item["from"], item["to"])) + item["text"]
            self.cases.append((place, self.tokenizer(words)["input_ids"], [0], item["tokens"][0]))

    def tokens(self, ids):
        if self.name == "byt5":
            return [f"<0x{i - 3:02X}>" for i in ids]
        return [self.tokenizer.convert_ids_to_tokens(i) or f"<unused_{i}>" for i in ids]


class Recorder:
    def __init__(self, kind):
        self.kind = kind
        self.model = kind.model_class.from_pretrained(kind.folder, dtype=torch.float32,
                                                      attn_implementation="eager").eval()
        self.end = self.model.config.eos_token_id
        text = json.loads((kind.folder / "config.json").read_text())
        if text.get("tie_word_embeddings") is False and "t5" in str(kind.folder) and kind.name in ("t5_v11", "madlad"):
            self.model.config.scale_decoder_outputs = False

    def run(self, source, target):
        with torch.no_grad():
            return self.model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([target]),
                              output_attentions=True)

    def log_probs(self, source, begin, target):
        output = self.run(source, begin + target[:-1])
        rows = torch.log_softmax(output.logits[0, len(begin) - 1:], -1)
        return output, [rows[i, token].item() for i, token in enumerate(target)]

    def greedy(self, source, begin):
        """The tokens after `begin` up to the end, or None where two are nearly equal or it is long."""
        ids = list(begin)
        while len(ids) < LONGEST:
            best = self.run(source, ids).logits[0, -1]
            best[self.model.config.pad_token_id] = -1e9  # as generate() has it
            values, places = best.topk(2)
            if values[0] - values[1] < MARGIN:
                return None
            ids.append(places[0].item())
            if ids[-1] == self.end:
                return ids[len(begin):]
        return None


def record(kind):
    recorder, rows = Recorder(kind), []
    rounded = lambda values: [round(value, 6) for value in values]
    for place, source, begin, expected in kind.cases:
        target = recorder.greedy(source, begin)
        if target is None or " ".join(kind.tokens(target[:-1])) != expected or not 4 <= len(target) <= 24:
            continue
        _, _, other_begin, other = kind.cases[(place + 7) % len(kind.cases)]
        other = recorder.greedy(kind.cases[(place + 7) % len(kind.cases)][1], other_begin)
        if other is None or len(other) < 4:
            continue
        prefix = other[:2]
        continued = recorder.greedy(source, begin + prefix)
        if continued is None or len(continued) < 3:
            continue
        output, log_probs = recorder.log_probs(source, begin, target)
        attention = [] if rows else [[[rounded(row) for row in head[len(begin) - 1:]] for head in layer[0].tolist()]
                                     for layer in output.cross_attentions]
        _, after = recorder.log_probs(source, begin, prefix + continued)
        rows.append({"case": place, "attention": attention, "log_probs": rounded(log_probs),
                     "prefix": kind.tokens(prefix), "continued": kind.tokens(continued[:-1]),
                     "continued_log_probs": rounded(after)})
        if len(rows) == COUNT:
            break
    assert len(rows) == COUNT, len(rows)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    path = kind.folder / "features.json"
    path.write_text(f"[{lines}]\n", encoding="utf-8")
    print(path, path.stat().st_size)


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    for kind in (Multilingual, T5):
        for name in kind.names:
            if not sys.argv[1:] or name in sys.argv[1:]:
                record(kind(name))


if __name__ == "__main__":
    main()
