# SPDX-License-Identifier: Apache-2.0
"""What is trained on, and in which order, as a function of seed and epoch."""
import numpy as np
import torch

import noise
from data import PLAIN_QUOTES
from options import LANGUAGES
from vocab import EOS
from weights import Frequencies, phrase_weights, sentence_weights

# Widths and, but for the last batch, row counts are multiples of these: oneDNN compiles a product for every new shape,
# which takes longer than the product.
WIDTHS = 4
ROWS = 8


class Corpus:
    def __init__(self, pairs, vocabulary, linked=None, phrases=(), phrase_share=0.0, join=0.0, vary=0.0,
                 kept=1.0):
        """linked, kept: see sentence_weights; phrase_share: of the pairs drawn, how many are phrases; join: how
        likely a short one follows another; vary: of the pairs drawn, how many are changed as in noise.py."""
        self.join, self.vary = join, vary
        frequencies = Frequencies(pairs)
        self.weight = sentence_weights(pairs, linked, frequencies, kept)
        if phrases:
            each = phrase_weights(phrases, frequencies)
            all_phrases = self.weight.sum() * phrase_share / (1 - phrase_share)
            self.weight = np.concatenate([self.weight, each * (all_phrases / each.sum())])
        pairs = pairs + list(phrases)
        self.pairs = pairs
        self.vocabulary = vocabulary
        # Both sides with plain quotes; lengths of both kinds hardly differ.
        self.ids = [vocabulary.encode([p[side].translate(PLAIN_QUOTES) for p in pairs]) for side in (0, 1)]
        self.length = np.array([max(len(a), len(b)) for a, b in zip(*self.ids)])

    def epoch(self, seed, number, curriculum_row, epoch_pairs):
        """[(source ids, target ids)], sampled by weight, both directions."""
        _, longest, exponent, split_source, split_target = curriculum_row
        choose = np.random.default_rng((seed, number))
        weight = np.where(self.length <= longest - 2, self.weight ** exponent, 0.0)
        examples = []
        for direction, language in ((0, "de"), (1, "en")):
            expected = weight * (epoch_pairs / 2 / weight.sum())
            count = np.floor(expected + choose.random(len(expected))).astype(int)
            index = np.repeat(np.arange(len(count)), count)
            source = self.side(index, direction, choose, split_source, keep_quotes=0.3)
            target = self.side(index, 1 - direction, choose, split_target, keep_quotes=0.0)
            self.varied(index, direction, source, target, choose)
            tag = [self.vocabulary.tag[language]]
            pairs = joined(list(zip(source, target)), self.join, longest - 2, choose)
            examples += [(tag + s + [EOS], t + [EOS]) for s, t in pairs]
        return [e for e in examples if max(map(len, e)) <= longest + 16], choose

    def side(self, index, side, choose, split, keep_quotes):
        out = [self.ids[side][i] for i in index]
        raw = np.flatnonzero(choose.random(len(index)) < keep_quotes)
        texts = [self.pairs[index[r]][side] for r in raw]
        for r, ids in zip(raw, self.vocabulary.encode(texts) if texts else ()):
            out[r] = ids
        if split:
            draw = choose.random(sum(map(len, out))) < split
            start = 0
            for r, ids in enumerate(out):
                rows = np.flatnonzero(draw[start:start + len(ids)])
                start += len(ids)
                if len(rows):
                    out[r] = self.vocabulary.split(ids, set(rows.tolist()), choose)
        return out

    def varied(self, index, direction, source, target, choose):
        """Puts changed pairs in the place of some."""
        chosen = np.flatnonzero(choose.random(len(index)) < self.vary)
        if not len(chosen):
            return
        language = LANGUAGES[direction]
        plain = [[self.pairs[index[r]][side].translate(PLAIN_QUOTES) for r in chosen]
                 for side in (direction, 1 - direction)]
        texts = [noise.vary(*pair, language, draw) for *pair, draw in zip(*plain, choose.random(len(chosen)))]
        sides = [self.vocabulary.encode(list(side)) for side in zip(*texts)]
        for r, a, b in zip(chosen, *sides):
            source[r], target[r] = a, b

    def batches(self, seed, number, curriculum_row, epoch_pairs, batch_tokens):
        examples, choose = self.epoch(seed, number, curriculum_row, epoch_pairs)
        return [[examples[i] for i in rows] for rows in group(examples, batch_tokens, choose)]


def joined(pairs, join, longest, choose):
    """Unrelated short pairs one after the other, in chains of 1 / (1 - join) on average: everyday words are seen in
    long examples too, and nothing but the source says where the target ends (Nguyen, Murray and Chiang 2021)."""
    if not join:
        return pairs
    out, chain = [], None
    draw = choose.random(len(pairs))
    for k in choose.permutation(len(pairs)):
        source, target = pairs[k]
        if max(len(source), len(target)) > longest // 4:
            out.append(pairs[k])
        elif chain and draw[k] < join and max(map(len, chain)) <= longest - longest // 4:
            chain = chain[0] + source, chain[1] + target
        else:
            out += [chain] if chain else []
            chain = source, target
    return out + ([chain] if chain else [])


def wide(row):
    return -(-len(row) // WIDTHS) * WIDTHS


def group(examples, batch_tokens, choose):
    """Sorted by source width, then target width: hardly any padding."""
    jitter = choose.random(len(examples))
    order = sorted(range(len(examples)), key=lambda i: (*map(wide, examples[i]), jitter[i]))
    batches, rows, widest = [], [], 0
    for i in order:
        width = max(map(wide, examples[i]))
        if rows and max(widest, width) * (len(rows) + 1) > batch_tokens:
            full = len(rows) // ROWS * ROWS or len(rows)
            batches.append(rows[:full])
            rows = rows[full:]
            widest = max((wide(side) for j in rows for side in examples[j]), default=0)
        rows.append(i)
        widest = max(widest, width)
    if rows:
        batches.append(rows)
    return [batches[i] for i in choose.permutation(len(batches))]


def pad(rows, value):
    out = torch.full((len(rows), max(map(wide, rows))), value)
    for i, row in enumerate(rows):
        out[i, :len(row)] = torch.tensor(row)
    return out


def tensors(batch, pad_id):
    """Source, decoder input and target; the decoder starts with <pad>."""
    source = pad([s for s, _ in batch], pad_id)
    target = pad([t for _, t in batch], pad_id)
    start = torch.full((len(batch), 1), pad_id)
    return source, torch.cat([start, target[:, :-1]], 1), target
