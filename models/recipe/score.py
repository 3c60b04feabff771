# SPDX-License-Identifier: Apache-2.0
"""How likely the model of --start-from finds each pair, in both directions: what cleaning.py judges by. A run that is
cut off goes on where it was; pairs without a score yet are kept."""
import os
import time

import numpy as np
import torch

from batches import tensors
from data import PLAIN_QUOTES, load_pairs
from cleaning import SCORES
from options import LANGUAGES, MAX_POSITIONS
from train import cpu_setup, half_precision
from vocab import EOS

CHUNK = 1024         # pairs between two writes
BATCH_TOKENS = 4096


@torch.no_grad()
def losses(model, batch):
    """Cross-entropy of each (source, target), mean over its target tokens."""
    device = model.embedding.device
    source, given, target = (t.to(device) for t in tensors(batch, model.pad))
    real = target != model.pad
    with half_precision(device.type):
        states, mask = model.encode(source)
        logits = model.logits(model.decode(given, model.memories(states), mask)[real])
    each = logits.float().logsumexp(-1) - logits.gather(1, target[real][:, None])[:, 0].float()
    total = torch.zeros(target.shape, device=device).masked_scatter_(real, each).sum(1)
    return (total / real.sum(1)).tolist()


def examples(vocabulary, pairs, direction):
    sides = [vocabulary.encode([p[side].translate(PLAIN_QUOTES) for p in pairs]) for side in (0, 1)]
    tag = [vocabulary.tag[LANGUAGES[1 - direction]]]
    return [(tag + s + [EOS], t + [EOS]) for s, t in zip(sides[direction], sides[1 - direction])]


def batches(rows):
    """Indices of rows that the model can read, those of like lengths together."""
    order = sorted((max(map(len, row)), *map(len, row), i) for i, row in enumerate(rows))
    batch = []
    for width, _, _, i in order:
        if width > MAX_POSITIONS:
            break
        if batch and width * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def scored(model, vocabulary, pairs):
    """[pairs, 2] cross-entropies, infinite where a side is longer than the model reads."""
    found = np.full((len(pairs), 2), np.inf, np.float32)
    for direction in (0, 1):
        rows = examples(vocabulary, pairs, direction)
        for batch in batches(rows):
            found[batch, direction] = losses(model, [rows[i] for i in batch])
    return found


def score(options, vocabulary, log):
    """At random, so that what is there early is a sample of every source."""
    from package import load_package
    device = "cuda" if options.preset == "cuda" else "cpu"
    if device == "cpu":
        cpu_setup(options)
    model = load_package(options.start_from).to(device)
    pairs, path = load_pairs(options), options.training / SCORES
    found = np.load(path) if path.exists() else np.full((len(pairs), 2), np.nan, np.float32)
    if len(found) != len(pairs):
        raise SystemExit(f"{path}: expected scores of {len(pairs)} pairs, got {len(found)}; remove it")
    order = np.random.default_rng(options.seed).permutation(len(pairs))
    left = order[np.isnan(found[order, 0])]
    started = time.time()
    end = started + 60 * (options.max_minutes or float("inf"))
    for at in range(0, len(left), CHUNK):
        if time.time() > end:
            break
        chunk = left[at:at + CHUNK]
        found[chunk] = scored(model, vocabulary, [pairs[i] for i in chunk])
        np.save(path.with_name("part." + SCORES), found)
        os.replace(path.with_name("part." + SCORES), path)
        done, rate = len(pairs) - len(left) + at + len(chunk), (at + len(chunk)) / (time.time() - started)
        log(f"scored {done} of {len(pairs)} pairs, {rate:.0f} a second")
