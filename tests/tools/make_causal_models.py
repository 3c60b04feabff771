#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/huggingface/{gpt2,xglm,opt}/: small decoders alone as transformers has them, and continuations.json:
how it continues texts, and the log-probabilities of texts. Arguments: which ones; none: all.

Needs torch, transformers 5, sentencepiece and protobuf. GPT-2 is stored as the published one is: without "transformer."
before the names, and with its masks. Texts that are continued differently in 32 and 64 bits are left out, as are those
with near ties among their results.
"""
import json
import pathlib
import shutil
import sys
import tempfile

import safetensors.torch
import tokenizers
import torch
import transformers

import packed_json
from make_multilingual_models import MARGIN, OPTIONS, Words, train_pieces

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "huggingface"
PROMPTS, STEPS, WIDTH = 100, 900, 32
OPTIONS = {**OPTIONS, "min_new_tokens": "min_decoding_length"}
# How transformers is asked, and of how many texts.
CASES = [({"num_beams": 1, "max_new_tokens": 16}, PROMPTS),
         ({"num_beams": 4, "max_new_tokens": 16}, PROMPTS),
         ({}, 40),
         ({"num_beams": 4, "num_return_sequences": 4, "max_new_tokens": 10}, 40),
         ({"num_beams": 4, "length_penalty": 0.3, "max_new_tokens": 20}, 40),
         ({"num_beams": 4, "length_penalty": 2.0, "num_return_sequences": 2, "max_new_tokens": 12,
           "early_stopping": True}, 40),
         ({"num_beams": 4, "no_repeat_ngram_size": 2, "max_new_tokens": 16}, 40),
         ({"num_beams": 1, "no_repeat_ngram_size": 1, "max_new_tokens": 8}, 40),
         ({"num_beams": 3, "repetition_penalty": 1.3, "max_new_tokens": 16}, 40),
         ({"num_beams": 1, "min_new_tokens": 12, "max_new_tokens": 16}, 40)]
ODD = ["", "st", " ", "\n", "a\nb", "  two", "end ", "x  y", "12 34", "…", "👍 ", "Ünï ", "'s it's", "\t"]
DROPOUT = {"dropout": 0.0, "attention_dropout": 0.0, "layerdrop": 0.0}


class Gpt2:
    odd = ODD
    files = ("vocab.json", "merges.txt")
    model_class = transformers.GPT2LMHeadModel
    special = ["<|endoftext|>"]
    start, end = [], 0
    tokenizer_settings = {}

    def make_tokenizer(self, folder, words):
        pieces = tokenizers.ByteLevelBPETokenizer()
        pieces.train_from_iterator(texts_of(words, 600), vocab_size=420, min_frequency=2, show_progress=False,
                                   special_tokens=self.special)
        pieces.save_model(str(folder))
        return transformers.GPT2Tokenizer.from_pretrained(folder, **self.tokenizer_settings)

    def config(self, rows):
        return transformers.GPT2Config(vocab_size=rows, n_embd=WIDTH, n_layer=2, n_head=4, n_positions=64, n_inner=40,
                                       resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, initializer_range=0.1,
                                       bos_token_id=0, eos_token_id=0)

    def save(self, model, folder):
        model.save_pretrained(folder)
        state = {name.removeprefix("transformer."): value.clone() for name, value in model.state_dict().items()
                 if name != "lm_head.weight"}
        for i in range(2):
            state[f"h.{i}.attn.bias"] = torch.ones(1, 1, 64, 64, dtype=torch.uint8).tril()
        safetensors.torch.save_file(state, folder / "model.safetensors", metadata={"format": "pt"})


class Opt(Gpt2):
    model_class = transformers.OPTForCausalLM
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    start, end = [2], 2
    tokenizer_settings = {"bos_token": "</s>", "eos_token": "</s>", "unk_token": "</s>", "pad_token": "<pad>",
                          "add_bos_token": True}

    def config(self, rows):
        return transformers.OPTConfig(vocab_size=rows, hidden_size=WIDTH, num_hidden_layers=2, ffn_dim=40,
                                      num_attention_heads=4, max_position_embeddings=64, init_std=0.1, pad_token_id=1,
                                      bos_token_id=2, eos_token_id=2, **DROPOUT)

    def save(self, model, folder):
        model.save_pretrained(folder)


class Xglm(Opt):
    # transformers 5 takes spaces at the ends of a text for tokens, SentencePiece does not.
    odd = ["", "st", "12 34", "…", "x y", "l'"]
    files = ("sentencepiece.bpe.model",)
    model_class = transformers.XGLMForCausalLM

    def make_tokenizer(self, folder, words):
        train_pieces(folder / "sentencepiece.bpe.model", words, "unigram")
        fifty = transformers.MBart50Tokenizer.from_pretrained(folder)
        pieces = json.loads(fifty.backend_tokenizer.to_str())["model"]["vocab"]
        pieces = pieces[:next(i for i, piece in enumerate(pieces) if piece[0] == "ar_AR")]
        tokenizer = transformers.XGLMTokenizer(vocab=[tuple(piece) for piece in pieces])
        tokenizer.backend_tokenizer.normalizer = fifty.backend_tokenizer.normalizer
        return tokenizer

    def config(self, rows):
        return transformers.XGLMConfig(vocab_size=rows, d_model=WIDTH, num_layers=2, ffn_dim=40, attention_heads=4,
                                       max_position_embeddings=64, init_std=0.1, activation_dropout=0.0, **DROPOUT)


FAMILIES = {"gpt2": Gpt2(), "xglm": Xglm(), "opt": Opt()}


def text_of(words):
    """What is said in one language, then in the next: there is something to learn."""
    source, target = words.rng.choice([("en", "de"), ("de", "fr"), ("fr", "ru"), ("en", "fr")])
    return " ".join(words.pair(source, target, 4))


def texts_of(words, count):
    return [text_of(words) for _ in range(count)] + [text for text in ODD for _ in range(3)]


def train(family, model, tokenizer, words):
    optimiser = torch.optim.Adam(model.parameters(), lr=4e-3, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, STEPS, pct_start=0.1)
    start = family.start or [family.end]
    rows = [(start + tokenizer(text_of(words), add_special_tokens=False)["input_ids"] + [family.end])[:60]
            for _ in range(1500)]
    model.train()
    for step in range(STEPS):
        batch = [torch.tensor(words.rng.choice(rows)) for _ in range(24)]
        inputs = torch.nn.utils.rnn.pad_sequence(batch, True, family.end)
        labels = torch.nn.utils.rnn.pad_sequence(batch, True, -100)
        logits = model(input_ids=inputs, attention_mask=torch.ones_like(inputs)).logits
        loss = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(),
                                                 ignore_index=-100, label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 300 == 0 or step + 1 == STEPS:
            print(f"  step {step}: loss {loss.item():.3f}", flush=True)
    model.eval()


class Recorder:
    def __init__(self, family, folder, tokenizer):
        self.family, self.tokenizer = family, tokenizer
        self.models = [family.model_class.from_pretrained(folder, dtype=dtype).eval()
                       for dtype in (torch.float32, torch.float64)]

    def beginning(self, text):
        return self.tokenizer(text)["input_ids"] or [self.family.end]

    def text(self, ids):
        return self.tokenizer.decode(ids, skip_special_tokens=True)

    def generate(self, which, ids, given):
        torch.set_default_dtype((torch.float32, torch.float64)[which])  # XGLM makes tensors of it
        output = self.models[which].generate(
            torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long), do_sample=False,
            pad_token_id=self.family.end, output_scores=True, return_dict_in_generate=True, **given)
        torch.set_default_dtype(torch.float32)
        rows = []
        for row in output.sequences.tolist():
            row = row[len(ids):]
            rows.append(row[:row.index(self.family.end)] if self.family.end in row else row)
        return rows, output.sequences_scores.tolist() if "sequences_scores" in output else None

    def stable(self, ids, given):
        """[tokens, text, score] of each result, or None."""
        rows, scores = self.generate(0, ids, given)
        if self.generate(1, ids, given)[0] != rows:
            return None
        if scores and any(a - b < MARGIN for a, b in zip(scores, scores[1:])):
            return None
        before = self.text(ids)
        assert all(self.text(ids + row).startswith(before) for row in rows)
        return [[" ".join(self.tokenizer.convert_ids_to_tokens(row)), self.text(ids + row)[len(before):],
                 round(score, 6) if score else None] for row, score in zip(rows, scores or [None] * len(rows))]

    def log_probs(self, before, ids):
        """Of each of the second ones, behind the first."""
        with torch.no_grad():
            logits = self.models[0](input_ids=torch.tensor([before + ids])).logits[0]
        found = logits.log_softmax(-1)[len(before) - 1:-1].gather(1, torch.tensor(ids)[:, None])
        return [round(value, 6) for value in found[:, 0].tolist()]


def record(family, folder, tokenizer, words):
    recorder = Recorder(family, folder, tokenizer)
    texts = list(family.odd)
    while len(texts) < PROMPTS + 30:
        text = text_of(words)
        text = text[:words.rng.randint(1, len(text))]
        texts.append(text if family.odd is ODD else text.strip())
    beginnings = [recorder.beginning(text) for text in texts]
    tokens = lambda ids: " ".join(tokenizer.convert_ids_to_tokens(ids))
    cases = []
    for given, count in CASES:
        results = [[i, *result] for i, ids in enumerate(beginnings[:count + 30])
                   if (result := recorder.stable(ids, given))][:count]
        print(f"  {given}: {len(results)}", flush=True)
        assert len(results) == count, len(results)
        options = {OPTIONS[key]: value for key, value in given.items()}
        if "early_stopping" in options:
            options["early_stopping"] = "on"
        cases.append({"options": options, "results": results})
    scores = []
    for i in range(60):
        ids = tokenizer(text_of(words), add_special_tokens=False)["input_ids"][:50]
        cut = words.rng.randint(1, len(ids) - 1) if i % 2 else 0
        before = family.start + ids[:cut] or [family.end]
        found = recorder.log_probs(before, ids[cut:] + [family.end])
        scores.append([tokens(ids[:cut]), tokens(ids[cut:]), found])
    dump = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    lines = lambda items: "[\n" + ",\n".join(map(dump, items)) + "\n]"
    made_by = f"transformers {transformers.__version__}, CPU, float32"
    (folder / "continuations.json").write_text(
        '{"generator":' + dump(made_by) + ',\n"texts":' +
        lines([[text, tokens(ids)] for text, ids in zip(texts, beginnings)]) + ',\n"cases":[\n' +
        ",\n".join('{"options":' + dump(case["options"]) + ',"results":' + lines(case["results"]) + "}"
                   for case in cases) + '\n],\n"scores":' + lines(scores) + "}\n", encoding="utf-8")
    for case in cases[1]["results"][-6:]:
        print("  ", repr(texts[case[0]]), case[1])


def make(name, family):
    torch.manual_seed(7)
    words = Words(3)
    folder = DATA / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        made_in = pathlib.Path(temporary)
        tokenizer = family.make_tokenizer(made_in, words)
        model = family.model_class(family.config(len(tokenizer)))
        train(family, model, tokenizer, words)
        model.generation_config.update(num_beams=3, max_length=40)
        family.save(model.half(), folder)
        tokenizer.save_pretrained(folder)
        for file in family.files:
            shutil.copy(made_in / file, folder)
    packed_json.pack_tokenizer(folder)
    for file in folder.iterdir():
        file.chmod(0o644)
    record(family, folder, tokenizer, words)
    print("  bytes:", {file.name: file.stat().st_size for file in folder.iterdir()})


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    for name in sys.argv[1:] or FAMILIES:
        print(name)
        make(name, FAMILIES[name])


if __name__ == "__main__":
    main()
