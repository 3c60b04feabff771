#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well cleaning.py tells spoilt pairs from true ones: validation pairs, and the same spoilt in five ways.
Usage: judge_cleaning.py DATA TRAINING PACKAGE, where prepare was run in TRAINING"""
import random
import sys
import types
from pathlib import Path

import numpy as np
import torch

import cleaning
from data import load_dev, load_pairs
from package import load_package
from score import scored
from vocab import Vocabulary

LOST = 0.005, 0.01, 0.02, 0.05      # shares of true pairs


def shuffled(pairs, draw):
    """The target of the pair of the same source whose length is nearest."""
    order = sorted(range(len(pairs)), key=lambda i: (pairs[i][2], len(pairs[i][1])))
    return [(pairs[a][0], pairs[b][1]) for a, b in zip(order, order[1:]) if pairs[a][2] == pairs[b][2]]


def copied(pairs, draw):
    return [(p[side],) * 2 for p in pairs for side in (0, 1) if len(p[side].split()) > 3]


def other_number(pairs, draw):
    found = []
    for en, de, *_ in pairs:
        run = list(cleaning.NUMBER.finditer(de))
        if run:
            at = draw.choice(run)
            digit = str((int(at.group()[0]) + draw.randrange(1, 9)) % 9 + 1)
            found.append((en, de[:at.start()] + digit + de[at.start() + 1:]))
    return found


def cut(pairs, draw):
    """Half of the target."""
    words = [(en, de.split()) for en, de, *_ in pairs]
    return [(en, " ".join(de[:len(de) // 2])) for en, de in words if len(de) > 5]


def joined(pairs, draw):
    """With another sentence behind the target."""
    return [(p[0], f"{p[1]} {draw.choice(pairs)[1]}") for p in pairs]


def auc(good, bad):
    """How often a spoilt pair has a higher score than a true one."""
    order = np.argsort(np.concatenate([good, bad]), kind="stable")
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order))
    return (rank[len(good):].mean() - (len(bad) - 1) / 2) / len(good)


def main():
    data, training, package = map(Path, sys.argv[1:])
    torch.set_num_threads(1)
    options = types.SimpleNamespace(test=data / "test", training=training)
    model, vocabulary = load_package(package), Vocabulary(package / "source.spm")
    languages, draw = cleaning.Languages(load_pairs(options)[::cleaning.SAMPLE]), random.Random(7)
    true = load_dev(options)
    scores = scored(model, vocabulary, true)
    good = cleaning.dual(scores)
    looks = np.mean([cleaning.reason(p[0], p[1], languages) is not None for p in true])
    print(f"{len(true)} true pairs; {looks:.1%} dropped by looks", flush=True)
    cuts = [float(np.quantile(good, 1 - share)) for share in LOST]
    above = " | ".join(f"above {c:.2f} ({share:.1%} of true ones)" for c, share in zip(cuts, LOST))
    print(f"| spoilt | pairs | by looks | AUC, dual | AUC, mean | {above} | by looks or the second |")
    print("|---|" + "---:|" * (5 + len(cuts)))
    for spoil in shuffled, copied, other_number, cut, joined:
        pairs = spoil(true, draw)
        bad_scores = scored(model, vocabulary, pairs)
        bad = cleaning.dual(bad_scores)
        seen = np.array([cleaning.reason(*p, languages) is not None for p in pairs])
        plain = auc(scores.mean(1), bad_scores.mean(1))
        above = " | ".join(f"{(bad > c).mean():.0%}" for c in cuts)
        print(f"| {spoil.__name__.replace('_', ' ')} | {len(pairs)} | {seen.mean():.0%} | {auc(good, bad):.3f} | "
              f"{plain:.3f} | {above} | {(seen | (bad > cuts[1])).mean():.0%} |", flush=True)


if __name__ == "__main__":
    main()
