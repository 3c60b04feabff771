#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Alignment error rate of a model's word alignments on the sentences of alignment_gold.tsv, as a Markdown table; the
translation is forced to be the gold's. With --corpus (lines of English, tab, German), that of eflomal beside it, which
learns from so many pairs of that file and the gold's sentences; pip install eflomal. Needs the Python binding.

    alignment.py --model FOLDER [--all-heads] [--corpus FILE.tsv --pairs 5000 --pairs 100000]
"""
import argparse
import gzip
import pathlib
import random
import re
import tempfile

import dragoman

HERE = pathlib.Path(__file__).resolve().parent


def read_gold():
    """[(English, German, sure links, possible links)]"""
    gold = []
    for line in (HERE / "alignment_gold.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        english, german, links = line.split("\t")
        places = lambda marks: {tuple(map(int, re.split("[-?]", link))) for link in links.split()
                                if any(mark in link for mark in marks)}
        gold.append((english, german, places("-"), places("-?")))
    return gold


def error_rate(found, gold):
    """AER, precision, recall (Och & Ney 2003)."""
    sure = sum(len(links & item[2]) for links, item in zip(found, gold, strict=True))
    possible = sum(len(links & item[3]) for links, item in zip(found, gold, strict=True))
    links, expected = sum(map(len, found)), sum(len(item[2]) for item in gold)
    return 1 - (sure + possible) / (links + expected), possible / links, sure / expected


def align(translator, gold, to_german, **options):
    """(links, words) of each pair; links are English-German."""
    sources, targets = [[item[not to_german] for item in gold], [item[to_german] for item in gold]]
    prefixes = [list(tokens) for tokens in translator.model.tokenize(targets, side="target")]
    results = translator.translate(sources, prefixes=prefixes, target_language="de" if to_german else "en", beam_size=1,
                                   split_sentences=False, return_alignment=True,
                                   max_decoding_length=512, **options)
    found = []
    for result, target in zip(results, targets, strict=True):
        alignment = result.sentences[0].alignment
        if not result.text.startswith(target[:len(target) // 2]):
            raise ValueError(f"expected {target!r}, the model wrote {result.text!r}")
        links = {(s, t) if to_german else (t, s) for s, t in alignment.links()}
        found.append((links, (alignment.source_words, alignment.target_words)[::1 if to_german else -1]))
    return found


def rows_of_model(options, gold):
    translator = dragoman.Translator(dragoman.Model(options.model, compute_type="f32"))
    info = translator.model.info
    choices = [("as the model names them", {})]
    if options.all_heads:
        choices += [(f"layer {layer}, " + ("all heads" if head == "all" else f"head {head}"),
                     {"attention_layer": layer, "attention_head": dragoman.ALL_HEADS if head == "all" else head})
                    for layer in range(1, info.decoder_layers + 1) for head in [*range(1, info.heads + 1), "all"]]
    for name, changes in choices:
        for to_german in (True, False):
            found = align(translator, gold, to_german, **changes)
            yield (f"heads {name}", "en-de" if to_german else "de-en",
                   error_rate([limited(links, item) for (links, _), item in zip(found, gold)], gold))


def limited(links, item):
    """Without words that the model wrote behind the translation it was given."""
    english, german = (1 + max(link[side] for link in item[3]) for side in (0, 1))
    return {link for link in links if link[0] < english and link[1] < german}


def grow(forward, backward):
    """grow-diag-final-and"""
    both, either = forward & backward, forward | backward
    free = lambda link: all(link[0] != s for s, _ in both) or all(link[1] != t for _, t in both)
    grown = True
    while grown:
        near = {(s + a, t + b) for s, t in both for a in (-1, 0, 1) for b in (-1, 0, 1)} & either - both
        grown = False
        for link in sorted(near):
            if free(link):
                both, grown = both | {link}, True
    for link in sorted(forward) + sorted(backward):
        if all(link[0] != s for s, _ in both) and all(link[1] != t for _, t in both):
            both = both | {link}
    return both


def rows_of_eflomal(options, gold, words):
    import eflomal
    opener = gzip.open if options.corpus.suffix == ".gz" else open
    with opener(options.corpus, "rt", encoding="utf-8") as file:
        corpus = [line.rstrip("\n").split("\t")[:2] for line in file]
    random.Random(1).shuffle(corpus)
    cut = lambda text: [found.group(0) for found in re.finditer(r"\w+(?:['’-]\w+)*|[^\w\s]", text)]
    for pairs in options.pairs:
        both = [*words, *((cut(a), cut(b)) for a, b in corpus[:pairs])]
        english, german = ([" ".join(side).lower() for side in sides] for sides in zip(*both))
        with tempfile.TemporaryDirectory() as folder:
            files = [f"{folder}/forward", f"{folder}/backward"]
            eflomal.Aligner().align(english, german, links_filename_fwd=files[0], links_filename_rev=files[1])
            read = lambda path: [{tuple(map(int, link.split("-"))) for link in line.split()}
                                 for line in pathlib.Path(path).read_text().split("\n")[:len(gold)]]
            forward, backward = map(read, files)
        found = [grow(*directions) for directions in zip(forward, backward)]
        yield f"eflomal, learnt from {pairs:,} pairs", "both", error_rate(found, gold)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--all-heads", action="store_true", help="each layer and head besides")
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, action="append", default=[])
    options = parser.parse_args()
    gold = read_gold()
    print("| aligned by | direction | AER | precision | recall |\n|---|---|---:|---:|---:|")
    show = lambda name, direction, rates: print(f"| {name} | {direction} | " +
                                                " | ".join(f"{rate:.3f}" for rate in rates) + " |", flush=True)
    for row in rows_of_model(options, gold):
        show(*row)
    if options.corpus:
        cut = lambda text: [found.group(0) for found in re.finditer(r"\w+(?:['’-]\w+)*|[^\w\s]", text)]
        for row in rows_of_eflomal(options, gold, [(cut(item[0]), cut(item[1])) for item in gold]):
            show(*row)


if __name__ == "__main__":
    main()
