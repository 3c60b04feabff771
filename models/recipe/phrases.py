# SPDX-License-Identifier: Apache-2.0
"""Pieces of aligned sentences that translate each other, as further training pairs.

A long sentence says little about any one of its words. Word alignments tell which pieces of it belong together, as
in phrase-based translation (Koehn, Och and Marcu 2003); trained on beside the sentences, they teach a small model
rare words.
"""
import collections
import json
import re

import numpy as np

from data import PLAIN_QUOTES, held_out_keys, key, load_pairs, tier_a
from weights import WORD

LINKED = "linked.txt"
TOKEN = re.compile(WORD.pattern + r"|[^\w\s]")
LONGEST = 10              # words on either side
LEAST_WEIGHT = 0.2        # of the source, in tier_a.tsv: no programming manuals, advisories, strings of programs
A_SENTENCE = 5            # pieces of a sentence pair
LEAST_LINKED = 0.6        # share of a side's words with a link both aligners see
LEAST_SCORE = 0.15        # mean over these links of sqrt(p(de|en) p(en|de))
LEAST_WORD_SCORE = 0.4    # the same for single words
MOST_COPIES = 3
LEAST_LINK_SCORE = 0.05   # of a link that tells a literal translation


def spans(text):
    return [m.span() for m in TOKEN.finditer(text)]


def words(text, of):
    return [text[a:b].lower() for a, b in of]


def align(sides, folder):
    """[(forward links, reverse links)], each a set of (English, German) word numbers."""
    import eflomal
    out = [folder / "links.forward", folder / "links.reverse"]
    texts = [[" ".join(s) + "\n" for s in side] for side in sides]
    eflomal.Aligner().align(*texts, links_filename_fwd=str(out[0]), links_filename_rev=str(out[1]))
    lines = [path.read_text().splitlines() for path in out]
    for path in out:
        path.unlink()
    return [tuple({tuple(map(int, link.split("-"))) for link in line.split()} for line in pair)
            for pair in zip(*lines)]


def scores(sides, both):
    """sqrt(p(de|en) p(en|de)) of every pair of linked words."""
    pairs, singles = collections.Counter(), (collections.Counter(), collections.Counter())
    for en, de, links in zip(*sides, both):
        for i, j in links:
            pairs[en[i], de[j]] += 1
            singles[0][en[i]] += 1
            singles[1][de[j]] += 1
    return {(e, d): n / (singles[0][e] * singles[1][d]) ** 0.5 for (e, d), n in pairs.items() if n > 1}


def pieces(en, de, sure, possible, score):
    """[(first and last English word, first and last German word)] that no link leaves."""
    found = []
    row = collections.defaultdict(list)
    column = collections.defaultdict(list)
    for i, j in possible:
        row[i].append(j)
        column[j].append(i)
    linked = [{i for i, _ in sure}, {j for _, j in sure}]
    for a in sorted(linked[0]):
        for b in range(a, min(a + LONGEST, len(en))):
            if not en[b][0].isalnum() or not en[a][0].isalnum():
                break
            if b not in linked[0]:
                continue
            inside = [j for i in range(a, b + 1) for j in row[i]]
            c, d = min(inside), max(inside)
            if d - c >= LONGEST or not {c, d} <= linked[1] or not (de[c][0].isalnum() and de[d][0].isalnum()):
                continue
            if any(not a <= i <= b for j in range(c, d + 1) for i in column[j]):
                continue
            if b - a + 1 == len(en) or d - c + 1 == len(de):
                continue
            links = [score.get((en[i], de[j]), 0.0) for i, j in sure if a <= i <= b and c <= j <= d]
            mean = sum(links) / len(links)
            single = a == b and c == d
            if mean >= (LEAST_WORD_SCORE if single else LEAST_SCORE) \
                    and len(links) >= LEAST_LINKED * max(b - a + 1, d - c + 1):
                found.append((a, b, c, d))
    return found


def linked(en, de, sure, score):
    """The share of both sides' words that have a link."""
    good = [(i, j) for i, j in sure if score.get((en[i], de[j]), 0.0) >= LEAST_LINK_SCORE
            and en[i][0].isalnum() and de[j][0].isalnum()]
    total = sum(w[0].isalnum() for side in (en, de) for w in side)
    return (len({i for i, _ in good}) + len({j for _, j in good})) / max(total, 1)


def prepare(options, log):
    done, path = options.training / "phrases.json", options.training / "phrases.tsv"
    if done.exists() and (options.training / LINKED).exists():
        return
    done.unlink(missing_ok=True)
    weights = {name: row["weight"] for name, row in tier_a().items()}
    all_pairs = load_pairs(options)
    aligned = [i for i, p in enumerate(all_pairs) if weights[p[2]] >= LEAST_WEIGHT]
    pairs = [[side.translate(PLAIN_QUOTES) for side in all_pairs[i][:2]] for i in aligned]
    places = [[spans(p[side]) for p in pairs] for side in (0, 1)]
    sides = [[words(p[side], at) for p, at in zip(pairs, places[side])] for side in (0, 1)]
    log(f"aligning the words of {len(pairs)} pairs")
    links = align(sides, options.training)
    sure = [forward & reverse for forward, reverse in links]
    score = scores(sides, sure)
    shares = [1.0] * len(all_pairs)
    for i, en, de, links_of_pair in zip(aligned, *sides, sure):
        shares[i] = linked(en, de, links_of_pair, score)
    (options.training / LINKED).write_text("".join(f"{share:.3f}\n" for share in shares))
    frequency = collections.Counter(w for side in sides for sentence in side for w in sentence)
    forbidden = held_out_keys(options.test)
    choose = np.random.default_rng(options.seed)
    copies = collections.Counter()
    with open(path, "w", encoding="utf-8") as f:
        for n, (forward, reverse) in enumerate(links):
            en, de = sides[0][n], sides[1][n]
            found = pieces(en, de, sure[n], forward | reverse, score)
            if not found:
                continue
            # Rare words first: the others are in many sentences.
            rare = np.array([min(frequency[w] for w in en[a:b + 1]) ** -0.5 for a, b, _, _ in found])
            for k in choose.choice(len(found), min(A_SENTENCE, len(found)), replace=False, p=rare / rare.sum()):
                a, b, c, d = found[k]
                piece = (pairs[n][0][places[0][n][a][0]:places[0][n][b][1]],
                         pairs[n][1][places[1][n][c][0]:places[1][n][d][1]])
                # A piece of a sentence may be a whole one of a held-out set.
                if key(piece[0]) in forbidden or key(piece[1]) in forbidden:
                    continue
                copies[piece] += 1
                if copies[piece] <= MOST_COPIES:
                    f.write("\t".join(piece) + "\n")
    total = sum(min(c, MOST_COPIES) for c in copies.values())
    log(f"{total} pieces")
    done.write_text(json.dumps({"pieces": total}) + "\n")


def load_linked(options):
    """Of each pair of pairs.tsv the share of its words with a link; 1 where none were sought."""
    return np.loadtxt(options.training / LINKED)


def load_phrases(options):
    with open(options.training / "phrases.tsv", encoding="utf-8") as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f]
