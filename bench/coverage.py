#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well the coverage of a source tells translations from the same with a clause cut out, as Markdown tables. Each
translation is greedy, and is forced upon the model twice: as it is, and without one clause of four words or more. The first
half of the pairs is to choose a measure with, the second half to report it. Needs the Python binding.

    coverage.py --model FOLDER --text ntrex128.en de --text ntrex128.de en [--pairs 200] [--longest 60]
"""
import argparse
import pathlib
import random
import re

import dragoman
import numpy

CLAUSES = re.compile(r"(?<=[,;:]) | (?=(?:und|oder|aber|sondern|denn|weil|dass|and|or|but|because|that|which|when|while|if)\b)")
LEAST_WORDS = 4
FIRST, MIDDLE, LAST = "first", "in the middle", "last"


def words(text):
    return re.findall(r"\w+(?:['’-]\w+)*", text)


def cut_clause(text, chance):
    """(text without one clause, where that was), or None. A cut sentence still begins with a capital and ends with its mark."""
    clauses = CLAUSES.split(text)
    enough = [i for i, clause in enumerate(clauses)
              if LEAST_WORDS <= len(words(clause)) <= len(words(text)) - LEAST_WORDS]
    if not enough:
        return None
    at = chance.choice(enough)
    rest = " ".join(clauses[:at] + clauses[at + 1:])
    if at == 0:
        return rest[0].upper() + rest[1:], FIRST
    if at + 1 < len(clauses):
        return rest, MIDDLE
    return re.sub("[,;:]$", "", rest) + ("" if text[-1].isalnum() else text[-1]), LAST


class Forced:
    """A translation that was forced upon the model, and what its words were aligned with."""

    def __init__(self, translator, source, target, language):
        tokens = list(translator.model.tokenize([target], side="target")[0])
        result = translator.translate([source], prefixes=[tokens], target_language=language, beam_size=1,
                                      split_sentences=False, return_coverage=True, max_decoding_length=len(tokens))[0]
        self.forced = result.text == target and len(result.sentences) == 1
        if not self.forced:
            return
        alignment = result.sentences[0].alignment
        spoken = lambda words: numpy.array([any(c.isalnum() for c in word) for word in words], dtype=bool)
        rows, self.columns = spoken(alignment.target_words), spoken(alignment.source_words)
        self.weights = alignment.weights[rows]
        self.lengths = rows.sum() / max(self.columns.sum(), 1)
        of_library, here = result.sentences[0], missing(self, RULES[CHOSEN])
        if abs(1 - of_library.coverage - here[0]) > 1e-6 or of_library.uncovered_words != here[1]:
            raise ValueError(f"{source!r}: the library misses {1 - of_library.coverage} and {of_library.uncovered_words} "
                             f"words of {target!r}, the formula {here}")


def linked(threshold):
    return lambda rows: (rows >= numpy.minimum(rows.max(axis=1, keepdims=True), threshold)).any(axis=0)


def longest_run(reached):
    longest = now = 0
    for one in reached:
        now = 0 if one else now + 1
        longest = max(longest, now)
    return longest


RULES = {  # which source words are reached, given the weights of rows of spoken target words
    "linked: the largest weight of a row, or 0.4": linked(0.4),
    "linked: the largest weight of a row, or 0.2": linked(0.2),
    "linked: the largest weight of a row only": linked(2),
    "some weight is 0.1": lambda rows: rows.max(axis=0) >= 0.1,
    "some weight is 0.2": lambda rows: rows.max(axis=0) >= 0.2,
    "some weight is 0.4": lambda rows: rows.max(axis=0) >= 0.4,
    "weights add up to 0.2": lambda rows: rows.sum(axis=0) >= 0.2,
    "weights add up to 0.4": lambda rows: rows.sum(axis=0) >= 0.4,
}
CHOSEN = next(iter(RULES))


def missing(forced, rule):
    """(share of the source words that are not reached, longest run of them)"""
    reached = rule(forced.weights)[forced.columns]
    return 1 - reached.mean(), longest_run(reached)


def unattended(forced):
    """What lacks in the mean of min(weights of a source word, 1): the sum of Wu et al. 2016 without its logarithm."""
    return 1 - numpy.minimum(forced.weights.sum(axis=0), 1)[forced.columns].mean()


def auc(cut, whole):
    """How often a cut translation has more missing than a whole one; equal ones count half."""
    cut, whole = numpy.asarray(cut)[:, None], numpy.asarray(whole)[None]
    return float((cut > whole).mean() + (cut == whole).mean() / 2)


def make_pairs(options, translator, file, language):
    """[(whole, cut, place)]"""
    chance = random.Random(options.seed)
    lines = [line for line in pathlib.Path(file).read_text(encoding="utf-8").splitlines()
             if len(CLAUSES.split(line)) > 1 and 2 * LEAST_WORDS <= len(words(line)) <= options.longest]
    chance.shuffle(lines)
    pairs = []
    for line in lines:
        if len(pairs) == options.pairs:
            return pairs
        text = translator.translate(line, target_language=language, beam_size=1, split_sentences=False).text
        if not (found := cut_clause(text, chance)):
            continue
        whole, cut = (Forced(translator, line, target, language) for target in (text, found[0]))
        if whole.forced and cut.forced:
            pairs.append((whole, cut, found[1]))
    raise ValueError(f"{file}: expected {options.pairs} lines whose translations have two clauses, found {len(pairs)}")


def print_aucs(names, sets):
    print("| measure | " + " | ".join(names) + " |\n|---|" + "---:|" * len(names))
    row = lambda name, measure: print(f"| {name} | " + " | ".join(
        f"{auc([measure(cut) for _, cut, _ in pairs], [measure(whole) for whole, _, _ in pairs]):.3f}"
        for pairs in sets) + " |")
    for name, rule in RULES.items():
        row(f"share; {name}", lambda forced, rule=rule: missing(forced, rule)[0])
        row(f"longest run; {name}", lambda forced, rule=rule: missing(forced, rule)[1])
    row("mean of min(sum of weights, 1)", unattended)
    row("target words for each source word", lambda forced: -forced.lengths)


def print_chosen(pairs):
    find = lambda forced: missing(forced, RULES[CHOSEN])
    whole, cut = (numpy.array([find(pair[side]) for pair in pairs]) for side in (0, 1))
    print("\n| a clause is called missing when | found | called missing where nothing was cut |\n|---|---:|---:|")
    for words_in_row in (3, 4, 5, 6):
        print(f"| {words_in_row} words in a row are not reached | {(cut[:, 1] >= words_in_row).mean():.0%} | "
              f"{(whole[:, 1] >= words_in_row).mean():.0%} |")
    for share in (0.85, 0.8, 0.75):
        print(f"| coverage is below {share} | {(1 - cut[:, 0] < share).mean():.0%} | "
              f"{(1 - whole[:, 0] < share).mean():.0%} |")
    print("\n| clause that was cut | pairs | share | longest run |\n|---|---:|---:|---:|")
    for place in (FIRST, MIDDLE, LAST):
        at = [i for i, pair in enumerate(pairs) if pair[2] == place]
        print(f"| {place} | {len(at)} | " + " | ".join(f"{auc(cut[at, i], whole[:, i]):.3f}" for i in (0, 1)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--text", action="append", nargs=2, required=True, metavar=("FILE", "LANGUAGE"))
    parser.add_argument("--pairs", type=int, default=200, help="of each text")
    parser.add_argument("--longest", type=int, default=60, help="words of a line")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    translator = dragoman.Translator(dragoman.Model(options.model, compute_type="f32"))
    halves = [], []
    for file, language in options.text:
        pairs = make_pairs(options, translator, file, language)
        for half, part in zip(halves, (pairs[:len(pairs) // 2], pairs[len(pairs) // 2:])):
            half += part
    print_aucs([f"AUC of {len(halves[0])} pairs to choose with", f"AUC of {len(halves[1])} others"], halves)
    print_chosen(halves[1])


if __name__ == "__main__":
    main()
