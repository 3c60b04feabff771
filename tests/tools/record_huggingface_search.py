#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/huggingface/*/search.json: what transformers' generate() finds with many settings, and
prefixed.json: what it finds behind given beginnings of translations.

Needs torch and transformers; run it after make_huggingface_models.py. Argument: prefixed: prefixed.json alone. Each case has "generation", laid over the
model's generation_config.json, and "options" of ours that say the same as "given" says to generate(). Sentences that
come out differently in 32 and 64 bits are left out, as are those with near ties among the results.
"""
import json
import pathlib
import random
import sys

import torch
import transformers

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "huggingface"
END = 0
MARGIN = 2e-4  # between the scores of results next to each other
SENTENCES, NONSENSE = 4, 7

OPTIONS = {"num_beams": "beam_size", "max_new_tokens": "max_decoding_length", "min_new_tokens": "min_decoding_length",
           "num_return_sequences": "num_hypotheses", "early_stopping": "early_stopping",
           "length_penalty": "length_penalty", "repetition_penalty": "repetition_penalty",
           "no_repeat_ngram_size": "no_repeat_ngram_size"}
BARE = {"renormalize_logits": None, "forced_eos_token_id": None}
EVERYTHING = {"num_beams": 5, "length_penalty": 0.6, "early_stopping": "never", "max_length": 12, "min_length": 5,
              "repetition_penalty": 1.2, "no_repeat_ngram_size": 2}


def cases(pad, second_end):
    yield {}, {}
    for beams in (1, 2, 4, 5):
        yield {}, {"num_beams": beams, "num_return_sequences": beams}
        yield {}, {"num_beams": beams, "max_new_tokens": 4}
        yield BARE, {"num_beams": beams, "max_new_tokens": 4}
    for penalty in (0.0, 0.6, 1.0, 2.0):
        for stopping in (False, True, "never"):
            yield {}, {"num_beams": 4, "num_return_sequences": 3, "length_penalty": penalty,
                       "early_stopping": stopping, "max_new_tokens": 20}
    for generation in ({}, BARE):
        yield generation, {"num_beams": 4, "repetition_penalty": 1.5}
        yield generation, {"num_beams": 4, "no_repeat_ngram_size": 2, "num_return_sequences": 2}
        yield generation, {"num_beams": 5, "min_new_tokens": 9, "num_return_sequences": 2}
    yield {}, {"num_beams": 1, "repetition_penalty": 1.5}
    yield {}, {"num_beams": 1, "no_repeat_ngram_size": 1}
    yield EVERYTHING, {}
    yield {**BARE, **EVERYTHING}, {"num_beams": 3, "length_penalty": 1.3, "num_return_sequences": 3}
    for beams in (1, 4):
        given = {"num_beams": beams, "num_return_sequences": beams, "max_new_tokens": 12}
        yield {"bad_words_ids": None}, given  # padding is a token like others
        yield {"bad_words_ids": [[END], [pad]]}, given
        yield {"suppress_tokens": [END], "forced_eos_token_id": None}, given
        yield {"eos_token_id": [END, second_end], "forced_eos_token_id": None}, given
        yield {"eos_token_id": [END, second_end], "min_new_tokens": 4}, given


class Recorder:
    def __init__(self, folder):
        self.tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
        load = transformers.MarianMTModel.from_pretrained
        self.models = [load(folder, dtype=dtype).eval() for dtype in (torch.float32, torch.float64)]
        self.kept = [model.generation_config for model in self.models]
        self.source_tokens = {i: token for token, i in self.tokenizer.encoder.items()}
        self.target_tokens = self.tokenizer.decoder

    def sources(self):
        expected = json.loads((pathlib.Path(self.tokenizer.name_or_path) / "expected.json").read_text())
        known = [self.tokenizer(text["text"])["input_ids"] for text in expected["texts"][:SENTENCES]]
        rng = random.Random(11)
        pieces = range(2, len(self.source_tokens) - 1)
        return known + [[rng.choice(pieces) for _ in range(rng.randint(2, 9))] + [0] for _ in range(NONSENSE)]

    def generate(self, which, source, generation, given, prefix=()):
        model = self.models[which]
        if prefix:
            given = {**given, "decoder_input_ids": torch.tensor([[model.config.decoder_start_token_id, *prefix]])}
        model.generation_config = transformers.GenerationConfig(**{**self.kept[which].to_dict(), **generation})
        output = model.generate(torch.tensor([source]), attention_mask=torch.ones(1, len(source), dtype=torch.long),
                                do_sample=False, output_scores=True, return_dict_in_generate=True, **given)
        ends = generation.get("eos_token_id", [END])
        ids = []
        for row in output.sequences.tolist():
            row = row[1:]
            length = next((i for i, token in enumerate(row) if token in ends and i >= len(prefix)), len(row))
            if length == len(row) and generation.get("bad_words_ids", True):
                row = [token for token in row if token != model.config.pad_token_id]
            ids.append(row[:length])
        scores = output.sequences_scores.tolist() if "sequences_scores" in output else None
        return ids, scores

    def stable(self, source, generation, given, prefix=()):
        ids, scores = self.generate(0, source, generation, given, prefix)
        if self.generate(1, source, generation, given, prefix)[0] != ids:
            return None
        if scores and any(a - b < MARGIN for a, b in zip(scores, scores[1:])):
            return None
        return {"hypotheses": [" ".join(self.target_tokens[i] for i in row) for row in ids],
                "scores": scores and [round(score, 6) for score in scores]}


def record(folder):
    recorder = Recorder(str(folder))
    sources, recorded = recorder.sources(), []
    plain = [token for source in sources for token in recorder.generate(0, source, {}, {"num_beams": 1})[0][0]]
    second_end = max(sorted(set(plain)), key=plain.count)
    for generation, given in cases(recorder.models[0].config.pad_token_id, second_end):
        kept = [(i, result) for i, source in enumerate(sources)
                if (result := recorder.stable(source, generation, given))]
        assert len(kept) >= 5, (generation, given, len(kept))
        options = {OPTIONS[key]: value for key, value in given.items()}
        if "early_stopping" in options:
            options["early_stopping"] = {False: "off", True: "on"}.get(given["early_stopping"], "never")
        recorded.append({"generation": generation, "options": options,
                         "source": [i for i, _ in kept], "expected": [result for _, result in kept]})
        print(f"  {generation} {given}: {len(kept)}")
    return [" ".join(recorder.source_tokens[i] for i in source[:-1]) for source in sources], recorded


def prefixed(recorder, sources):
    """Lengths of options count the prefix, those of generate() do not."""
    rng = random.Random(5)
    targets = [i for i in range(2, len(recorder.target_tokens)) if i != recorder.models[0].config.pad_token_id]
    prefixes = [[rng.choice(targets) for _ in range(rng.randint(1, 3))] for _ in sources]
    for given in ({"num_beams": 1, "max_new_tokens": 8}, {"num_beams": 4, "max_new_tokens": 8, "num_return_sequences": 4},
                  {"num_beams": 4, "length_penalty": 2.0, "early_stopping": True, "max_new_tokens": 20},
                  {"num_beams": 3, "length_penalty": 0.5, "early_stopping": "never", "max_new_tokens": 12},
                  {"num_beams": 4, "repetition_penalty": 1.5, "max_new_tokens": 10},
                  {"num_beams": 4, "no_repeat_ngram_size": 1, "max_new_tokens": 6}):
        for source, prefix in zip(sources, prefixes):
            result = recorder.stable(source, {}, given, prefix)
            if not result:
                continue
            options = {OPTIONS[key]: value for key, value in given.items()}
            options["max_decoding_length"] += len(prefix)
            if "early_stopping" in options:
                options["early_stopping"] = {True: "on"}.get(given["early_stopping"], "never")
            tokens = lambda ids, names: " ".join(names[i] for i in ids)
            yield {"source": tokens(source[:-1], recorder.source_tokens),
                   "prefix": tokens(prefix, recorder.target_tokens), "options": options, "expected": result}


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    for folder in sorted(path for path in DATA.iterdir() if (path / "expected.json").exists()):
        print(folder.name)
        dump = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if sys.argv[1:] != ["prefixed"]:
            sources, recorded = record(folder)
            (folder / "search.json").write_text('{"sources":' + dump(sources) + ',\n"cases":[\n' +
                                                ",\n".join(map(dump, recorded)) + "\n]}\n", encoding="utf-8")
        recorder = Recorder(str(folder))
        found = list(prefixed(recorder, recorder.sources()))
        (folder / "prefixed.json").write_text("[\n" + ",\n".join(map(dump, found)) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
