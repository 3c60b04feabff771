#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of distil.py that are quick on a GPU against plain ones: decoding with caches, the loss, wider layers.
Usage: check_fast.py PACKAGE ENGLISH_TEXT"""
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

from decode import translate
from fast_decode import search
from fast_model import FastTranslator, Shape, SmoothedLoss, widened
from package import load_package
from vocab import EOS, Vocabulary

WIDTH, LINES = 10, 40


def fast(state, ffn):
    model = FastTranslator(Shape(256, 4, 6, 2, *ffn), 7999, 160).eval()
    model.load_state_dict(state)
    return model


def recomputed(model, row, limit):
    """Greedy, every step from the beginning."""
    table, ids, total = model.table(), [model.pad], 0.0
    for _ in range(limit):
        hidden = model.decode(table, torch.tensor([ids]), model.memories(model.encode(table, row[None])))
        best = model.logits(table, hidden[:, -1]).log_softmax(-1)[0].max(-1)
        total += best.values.item()
        ids.append(int(best.indices))
        if ids[-1] == EOS:
            break
    return [i for i in ids[1:] if i != EOS], total / (len(ids) - 1)


def found(model, source, beams):
    out, length, score = search(model, source, beams, 40, EOS)
    return [row[:n] for row, n in zip(out.tolist(), length.tolist())], score


def check_loss():
    logits = torch.randn(50, 8000)
    logits[:, -1] = -1e4
    target = torch.randint(0, 7999, (50,))
    target[::7] = -1
    mine, plain = logits.clone().requires_grad_(), logits[:, :-1].clone().requires_grad_()
    SmoothedLoss.apply(mine, target, 7999, 0.1).backward()
    F.cross_entropy(plain, target, ignore_index=-1, label_smoothing=0.1, reduction="sum").backward()
    worst = (mine.grad[:, :-1] - plain.grad).abs().max().item()
    assert worst < 1e-5, worst


package = load_package(Path(sys.argv[1]))
vocabulary = Vocabulary(Path(sys.argv[1]) / "source.spm")
lines = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
lines = [line for line, ids in zip(lines, vocabulary.source(lines, "de")) if len(ids) == WIDTH][:LINES]
source = torch.tensor(vocabulary.source(lines, "de"))
state = package.state_dict()
model = fast(state, package.ffn)
with torch.no_grad():
    ids, scores = found(model, source, 1)
    plain = [recomputed(model, row, 40) for row in source]
assert ids == [p[0] for p in plain], "greedy with caches differs"
assert max(abs(a - b[1]) for a, b in zip(scores.tolist(), plain)) < 1e-4
more = tuple(f + 512 for f in package.ffn)
assert found(fast(widened(state, 6, 2, *more), more), source, 1)[0] == ids, "wider layers differ"
for beams in (1, 4):
    mine = [vocabulary.decode(row) for row in found(model, source, beams)[0]]
    theirs = translate(package, vocabulary, lines, "de", beams)
    different = sum(a != b for a, b in zip(mine, theirs))
    print(f"beam {beams}: {len(lines)} sentences, {different} differ from decode.py")
    assert different <= (0 if beams == 1 else 2)
check_loss()
print("all alike")
