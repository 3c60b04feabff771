# SPDX-License-Identifier: Apache-2.0
"""How often a pair is drawn: by its source, by its rarest word (one of ten sentences is not learnt from ten
sentences), and by how literally it is translated."""
import collections
import re

import numpy as np

from data import tier_a

WORD = re.compile(r"\w+(?:'\w+)*")
# Their words are worth knowing; among the others' are names of packages and of heroes of novels.
PRESENT_DAY = {"tatoeba", "bcontrast", "woz", "osm-id", "xquad", "pud", "corona-warn-app", "opensource-guide",
               "djangogirls", "mlqe-pe", "mt-geneval", "eforms", "openehr-ckm", "inaturalist", "storybooks", "mgsm",
               "nextstrain", "qald-9-plus"}
SHORT = {"tatoeba", "osm-id"}   # the other sources have long sentences, nearly all with a rare word
COMMON = 200                    # occurrences from which on a sentence is drawn by its source's weight alone
SENTENCE_EXPONENT = 0.4
MOST_OFTEN = 6.0                # times that weight
PHRASE_EXPONENT = 0.4           # rare words were already preferred when phrases were cut
OUTSIDE = 0.07                  # of a phrase with a word that no present-day source has
FREE, LITERAL = 0.4, 0.7        # share of linked words: up to the first a pair counts least, from the second on fully
LEAST = 0.1


def words(text):
    return [w.lower() for w in WORD.findall(text)]


class Frequencies:
    def __init__(self, pairs):
        self.all = collections.Counter(), collections.Counter()
        self.present = set(), set()
        for *sides, source in pairs:
            for side, text in enumerate(sides):
                found = words(text)
                self.all[side].update(found)
                if source in PRESENT_DAY:
                    self.present[side].update(found)

    def rarest(self, pair):
        return min((self.all[side][w] for side in (0, 1) for w in words(pair[side])), default=COMMON)

    def known(self, pair):
        return all(w in self.present[side] for side in (0, 1) for w in words(pair[side]))


def sentence_weights(pairs, linked, frequencies, kept=1.0):
    """linked: of each pair the share of its words with a link, or None where no words were aligned; kept: 0.0 for each
    that cleaning.py drops."""
    sources = {name: row["weight"] for name, row in tier_a().items()}
    rarest = np.array([frequencies.rarest(p) if p[2] in SHORT else COMMON for p in pairs])
    weight = np.array([sources[p[2]] for p in pairs]) * kept
    weight = weight * np.clip((COMMON / np.maximum(rarest, 1)) ** SENTENCE_EXPONENT, 1.0, MOST_OFTEN)
    if linked is not None:
        short = np.array([p[2] in SHORT for p in pairs])
        weight *= np.where(short, 1.0, np.clip((linked - FREE) / (LITERAL - FREE), LEAST, 1.0))
    return weight


def phrase_weights(phrases, frequencies):
    rarest = np.array([frequencies.rarest(p) for p in phrases])
    known = np.array([frequencies.known(p) for p in phrases])
    return np.maximum(rarest, 1) ** -PHRASE_EXPONENT * np.where(known, 1.0, OUTSIDE)
