# SPDX-License-Identifier: Apache-2.0
"""Translations of many stored sentences, and which of them are worth training on."""
import dataclasses
import time

import torch

from fast_batches import Rows, prefixed
from fast_decode import search

BATCH_ROWS = 4096       # beams included
BATCH_TOKENS = 160_000
MANY = 20_000           # sentences from which on the last hundredth of a batch is not waited for
GIVE_UP = 0.01
WORST = 0.07            # share with the lowest scores that is dropped
COPIED = 0.75           # share of a translation's pieces that are in its source


@dataclasses.dataclass
class Translations:
    rows: Rows                # of the sentences given, in their order
    good: torch.Tensor        # translated, and fit to train on
    score: torch.Tensor       # mean log-probability
    seconds: float            # that all of them take, if not all were done

    def chosen(self, other):
        """(other, translations) of the good ones"""
        index = self.good.nonzero()[:, 0]
        return other[index], self.rows[index]


def repeats(ids):
    """Rows in which up to eight pieces come three times in a row, or one five times."""
    found = torch.zeros(len(ids), dtype=torch.bool, device=ids.device)
    for period in range(1, 9):
        run = 4 if period == 1 else 2 * period
        if ids.shape[1] >= period + run:
            same = (ids[:, period:] == ids[:, :-period]) & (ids[:, period:] >= 0)
            found |= same.unfold(1, run, 1).all(-1).any(-1)
    return found


def fit(source, out, length, unknown):
    """source [n, s] without prefix and <eos>; out [n, limit] and its lengths."""
    place = torch.arange(out.shape[1], device=out.device)
    ids = out.masked_fill(place >= length[:, None], -1)
    width = source.shape[1]
    good = (length > 0) & (length <= 2 * width + 4) & (width <= 2 * length + 4)
    copied = ((ids[:, :, None] == source[:, None, :]).any(-1) & (ids >= 0)).sum(1) / length.clamp(min=1)
    good &= (copied < COPIED) | (length < 6)
    return good & ~repeats(ids) & ~(ids == unknown).any(1)


def batches(length, extra, beams, generator):
    """(indices of sentences of one length, the length), lengths in random order: a deadline costs some of each kind."""
    order = length.argsort()
    widths, counts = (x.tolist() for x in length[order].unique_consecutive(return_counts=True))
    begins, found = [0], []
    for count in counts:
        begins.append(begins[-1] + count)
    for width, begin, end in zip(widths, begins, begins[1:]):
        most = max(1, min(BATCH_ROWS, BATCH_TOKENS // (width + extra)) // beams)
        found += [(order[at:min(at + most, end)], width) for at in range(begin, end, most)]
    return [found[i] for i in torch.randperm(len(found), generator=generator, device=generator.device).tolist()]


def translate(model, store, prefixes, rows, prefix, beams, deadline, meta, log, name, seed=0):
    started = said = time.time()
    device, generator = store.device, torch.Generator(store.device).manual_seed(seed)
    count = len(rows)
    good, score = torch.zeros(count, dtype=torch.bool, device=device), torch.full((count,), -1e9, device=device)
    lengths = torch.zeros(count, dtype=torch.long, device=device)
    flats, indices, tokens = [], [], 0
    for index, width in batches(rows.length, 2, beams, generator):
        if time.time() > deadline:
            break
        given = rows[index]
        lead = torch.full((len(index),), prefix, device=device)
        total = width + 1 + int(prefixes.lengths[prefix])
        source = prefixed(store, given, prefixes, lead, total, meta["eos"])
        limit = min(2 * width + 8, model.positions.shape[0] - 1, 120)
        out, length, points = search(model, source, beams, limit, meta["eos"], GIVE_UP if count >= MANY else 0.0)
        good[index] = fit(store.matrix(given, width), out, length, meta["unk"]) & (points > float("-inf"))
        score[index], lengths[index] = points, length
        flats.append(out[torch.arange(limit, device=device) < length[:, None]].to(torch.int16))
        indices.append(index)
        tokens += len(flats[-1])
        if time.time() - said > 10:
            said = time.time()
            log(f"{name}: {sum(map(len, indices))} of {count}, {tokens / (said - started):.0f} tokens/s")
    if not flats:
        return Translations(Rows(torch.zeros_like(lengths), lengths), good, score, time.time() - started)
    order = torch.cat(indices)
    found = store.add(torch.cat(flats), lengths[order])
    start = torch.zeros_like(lengths)
    start[order] = found.start
    if int(good.sum()):
        good &= score >= score[good].sort().values[int(WORST * int(good.sum()))]
    seconds = time.time() - started
    log(f"{name}: {len(order)} of {count} sentences, beam {beams}, {tokens} tokens, {tokens / seconds:.0f} tokens/s, "
        f"{int(good.sum())} kept, mean score {score[good].mean().item():.3f}")
    return Translations(Rows(start, lengths), good, score, seconds * count / len(order))
