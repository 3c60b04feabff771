#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""train.py FOLDER [--steps N] trains a small nn.Transformer that writes Greek letters as Latin ones, in about a minute
on one core, and saves it for Dragoman (docs/pytorch.md). Needs torch. WORDS are transliterated in the end."""
import argparse
import json
import math
import pathlib
import random

import torch
from torch import nn

RULES = {"ου": "ou", "αυ": "af", "ευ": "ef", "μπ": "b", "ντ": "d", "γκ": "g", "γγ": "ng", "θ": "th", "χ": "ch",
         "ψ": "ps", "ξ": "x", "φ": "f", "ω": "o", "η": "i", "υ": "y", **dict(zip("αβγδεζικλμνοπρστς", "avgdeziklmnoprsts"))}
WORDS = ["θαλασσα", "ουρανος", "ψαρι", "ευχαριστω", "αγγελος", "μπαμπας"]

SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]
PAD, START, END, UNKNOWN = range(4)
SOURCE = SPECIAL + sorted(set("".join(RULES)))
TARGET = SPECIAL + sorted(set("".join(RULES.values())))


def transliterate(word):
    text, at = "", 0
    while at < len(word):
        size = 2 if word[at:at + 2] in RULES else 1
        text += RULES[word[at:at + size]]
        at += size
    return text


def make_word():
    return "".join(random.choices(list(RULES), k=random.randint(1, 7)))


def ids(text, vocabulary):
    return [START] + [vocabulary.index(letter) for letter in text] + [END]


ARGUMENTS = dict(d_model=32, nhead=4, num_encoder_layers=2, num_decoder_layers=2, dim_feedforward=64, dropout=0.0,
                 norm_first=True, batch_first=True)


class Transliterator(nn.Module):
    def __init__(self):
        super().__init__()
        self.source = nn.Embedding(len(SOURCE), ARGUMENTS["d_model"])
        self.target = nn.Embedding(len(TARGET), ARGUMENTS["d_model"])
        self.positions = nn.Embedding(64, ARGUMENTS["d_model"])
        self.transformer = nn.Transformer(**ARGUMENTS)
        self.output = nn.Linear(ARGUMENTS["d_model"], len(TARGET))

    def embed(self, table, tokens):
        return table(tokens) * math.sqrt(table.embedding_dim) + self.positions.weight[:tokens.shape[1]]

    def forward(self, source, target):
        causal = self.transformer.generate_square_subsequent_mask(target.shape[1])
        padding = torch.where(source == PAD, float("-inf"), 0.0)
        hidden = self.transformer(self.embed(self.source, source), self.embed(self.target, target), tgt_mask=causal,
                                  src_key_padding_mask=padding, memory_key_padding_mask=padding, tgt_is_causal=True)
        return self.output(hidden)


DESCRIPTION = {
    "version": 1,
    "transformer": {"name": "transformer", **ARGUMENTS},
    "source_embedding": "source", "target_embedding": "target", "output": "output",
    "embedding_scale": "sqrt(d_model)",
    "positions": {"table": "positions"},
    "source_vocabulary": SOURCE, "target_vocabulary": TARGET, "tokens": "characters",
    "source_begin": START, "source_end": END,
    "start": START, "end": END, "unknown": UNKNOWN, "pad": PAD,
    "max_length": 64,
}


def save(model, folder):
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), folder / "model.pt")
    (folder / "dragoman.json").write_text(json.dumps(DESCRIPTION, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def batch(rows):
    return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)


def train(model, steps):
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps)
    for step in range(steps):
        words = [make_word() for _ in range(64)]
        source = batch([ids(word, SOURCE) for word in words])
        target = batch([ids(transliterate(word), TARGET) for word in words])
        logits = model(source, target[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 200 == 199:
            print(f"step {step + 1}: loss {loss.item():.4f}", flush=True)
    model.eval()


@torch.no_grad()
def greedy(model, word):
    source, target = torch.tensor([ids(word, SOURCE)]), [START]
    while target[-1] != END and len(target) < 64:
        target.append(model(source, torch.tensor([target]))[0, -1].argmax().item())
    return "".join(TARGET[token] for token in target if token > UNKNOWN)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=2000)
    options = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    model = Transliterator()
    train(model, options.steps)
    save(model, options.folder)
    for word in WORDS:
        print(word, greedy(model, word))


if __name__ == "__main__":
    main()
