# SPDX-License-Identifier: Apache-2.0
"""Which pairs are worth training on: by lengths, numbers, languages, and by the scores that score.py left, as dual
conditional cross-entropies (Junczys-Dowmunt 2018)."""
import collections
import math
import re

import numpy as np

from options import DROPPED

SCORES = "scores.npy"      # [pairs, 2]: cross-entropy to German and to English; NaN where there is none yet
LENGTHS = 3.0, 60          # one side has at most so many times the characters of the other, and so many more
FOREIGN = -0.6             # mean log-odds of a side's trigrams for its own language, below which it is the other's
SAMPLE = 20                # every so many pairs tell the trigrams of the languages
LEAST_WORDS = 5            # of a side: names and terms say little of a language, and the model need not know them
SPELT = 12, 99             # a number up to the first is often a word, one up to the second may be
TIME = re.compile(r"\b\d{1,2}:\d\d(?!\d)|\b\d{1,2}(?:[.:]\d\d)?\s*(?:[ap]\.?m\b|Uhr)"
                  r"|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b|\b(?:von|zwischen)\s\d\d?[.:]\d\d(?!\d)", re.I)
NUMBER = re.compile(r"\d(?:[.,:'\u00a0\u202f]?\d)*")


def length_differs(en, de):
    short, long = sorted((len(en), len(de)))
    return long > LENGTHS[0] * short + LENGTHS[1]


def numbers(text):
    """However they are written: "1,234.5" and "1.234,5" are the same."""
    found = (re.sub(r"\D", "", run).lstrip("0") for run in NUMBER.findall(text))
    return collections.Counter(n for n in found if n and int(n) > SPELT[0])


def numbers_differ(en, de):
    """Each side has one that the other lacks, or one has a large one. Dates in figures and times of day are left out:
    5:30 pm is 17:30."""
    a, b = (numbers(TIME.sub("", text)) for text in (en, de))
    return bool(a - b and b - a) or any(int(n) > SPELT[1] for n in (a - b) + (b - a))


def trigrams(text):
    plain = " " + " ".join(re.findall(r"[^\W\d_]+", text.lower())) + " "
    return [plain[i:i + 3] for i in range(len(plain) - 2)]


class Languages:
    """Log-odds of English to German, of trigrams of letters, counted in the pairs themselves."""

    def __init__(self, pairs):
        counts = [collections.Counter(), collections.Counter()]
        for pair in pairs:
            for side in (0, 1):
                counts[side].update(set(trigrams(pair[side])))
        total = [sum(c.values()) for c in counts]
        self.odds = {t: math.log((counts[0][t] + 1) / total[0]) - math.log((counts[1][t] + 1) / total[1])
                     for t in counts[0].keys() | counts[1].keys()}

    def odds_of(self, text):
        """Above 0: English; 0: too short to tell."""
        found = trigrams(text) if len(text.split()) >= LEAST_WORDS else ()
        return sum(self.odds.get(t, 0.0) for t in found) / max(len(found), 1)

    def differ(self, en, de):
        """Whether a side is in the other's language."""
        return self.odds_of(en) < FOREIGN or -self.odds_of(de) < FOREIGN


def reason(en, de, languages):
    """Why a pair is dropped by what it looks like; None: it is not."""
    if length_differs(en, de):
        return "length"
    if numbers_differ(en, de):
        return "numbers"
    return "language" if languages.differ(en, de) else None


def dual(scores):
    """Low: both directions find the pair likely, and as likely as each other."""
    return np.abs(scores[:, 0] - scores[:, 1]) + scores.mean(1)


def worst(pairs, scores):
    """Of the sentences that have scores the share DROPPED whose scores are worst."""
    long = np.array([min(len(side.split()) for side in p[:2]) >= LEAST_WORDS for p in pairs])
    found, bad = long & ~np.isnan(scores[:, 0]), np.zeros(len(scores), bool)
    if found.any():
        value = dual(scores[found])
        bad[found] = value > np.quantile(value, 1 - DROPPED)
    return bad


def dropped(options, pairs):
    """{why: which of the pairs}"""
    languages = Languages(pairs[::SAMPLE])
    looks = [reason(en, de, languages) for en, de, _ in pairs]
    found = {why: np.array([r == why for r in looks]) for why in ("length", "numbers", "language")}
    path = options.training / SCORES
    if path.exists():
        scores = np.load(path)
        if len(scores) != len(pairs):
            raise SystemExit(f"{path}: expected scores of {len(pairs)} pairs, got {len(scores)}; remove it")
        found["score"] = worst(pairs, scores) & ~np.any(list(found.values()), 0)
    return found


def kept(options, pairs, log):
    """Of each pair 1.0, or 0.0 where it is dropped: a factor of its weight."""
    found = dropped(options, pairs)
    counts = ", ".join(f"{why} {int(of.sum())}" for why, of in found.items())
    log(f"cleaning: of {len(pairs)} pairs dropped for {counts}")
    return 1.0 - np.any(list(found.values()), 0)
