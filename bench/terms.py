#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Translates a test set without terms and with terms drawn from its references, and prints how many of these the
translations have, BLEU and chrF of both, and their time, as a Markdown table. Needs sacrebleu.

Terms are pairs of a source word and the words that stand for it in the references (all of its forms: any will do),
found by word alignment of the test set itself (IBM model 1, both directions), at most --most in a sentence. One glossary
has them all, so that sentences also get terms of others, which their references may not have; with --own each sentence
has a glossary of its own, with the terms and forms of its own reference.

    terms.py SOURCE REFERENCE [--model FOLDER] [--beam 4] [--lines 2000] [--most 3] [--own]
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

import sacrebleu

HERE = pathlib.Path(__file__).resolve().parent
WORD = re.compile(r"[^\W\d_]{4,}", re.U)


def model_1(pairs, rounds=5):
    """t(target | source) of words."""
    table = collections.defaultdict(lambda: 1.0)
    for _ in range(rounds):
        counts, totals = collections.Counter(), collections.Counter()
        for source, target in pairs:
            for t in target:
                sum_of = sum(table[s, t] for s in source)
                for s in source:
                    share = table[s, t] / sum_of
                    counts[s, t] += share
                    totals[s] += share
        table = collections.defaultdict(lambda: 1e-9, {(s, t): c / totals[s] for (s, t), c in counts.items()})
    return table


def draw_terms(sources, references, most):
    """[[(source word, reference word)]] of each line: the surest ones, from the words that are rare."""
    pairs = [([w.lower() for w in WORD.findall(s)], WORD.findall(r)) for s, r in zip(sources, references)]
    forward = model_1(pairs)
    backward = model_1([(t, s) for s, t in pairs])
    frequency = collections.Counter(w for s, _ in pairs for w in s)
    lines = []
    for source, target in pairs:
        found = []
        for s in set(source):
            if not target or source.count(s) > 1 or frequency[s] < 2:
                continue
            t = max(target, key=lambda t: forward[s, t])
            if max(set(source), key=lambda s: backward[t, s]) != s or target.count(t) > 1:
                continue
            sureness = forward[s, t] * backward[t, s]
            if sureness > 0.25:
                found.append((frequency[s], -sureness, s, t))
        lines.append([(s, t) for _, _, s, t in sorted(found)[:most]])
    return lines


def run(options, lines, glossary):
    """Plain translations, those with terms, and what the program says of each."""
    mode = ["own"] if options.own else ["passes"] if options.passes else []
    command = [options.bench, options.model, options.to, options.beam, glossary] + mode
    done = subprocess.run(list(map(str, command)), input="\n".join(lines) + "\n", check=True, capture_output=True,
                          text=True)
    found = done.stdout.removesuffix("\n").split("\n")
    return found[:len(lines)], found[len(lines):], *json.loads(done.stderr.strip().split("\n")[-1])


def has(text, form):
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.I) is not None


def sentences(text):
    """With the marks that end them, wherever one may end."""
    return re.split(r"(?<=[.!?:;])[\"'\u201c\u201d\u00bb)]*\s+", text.strip())


def is_behind(text, plain, forms):
    """Whether a term was put behind the sentence: there are more sentences than without terms, and one has it."""
    parts = sentences(text)
    if not parts[-1].strip() or parts[-1] in plain:
        return False
    return len(parts) > len(sentences(plain)) and any(has(parts[-1], form) for form in forms)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument("--model", type=pathlib.Path, default=HERE.parent / "models/en-de")
    parser.add_argument("--bench", type=pathlib.Path, default=HERE.parent / "build/release/bench/bench_terms")
    parser.add_argument("--to", default="de", help="the language of the references")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--most", type=int, default=3)
    parser.add_argument("--passes", action="store_true", help="of the device, instead of undisturbed times")
    parser.add_argument("--own", action="store_true", help="a glossary for each sentence")
    parser.add_argument("--show", type=int, default=0, help="examples that changed")
    options = parser.parse_args()
    sources, references = (path.read_text(encoding="utf-8").splitlines()[:options.lines]
                           for path in (options.source, options.reference))
    drawn = draw_terms(sources, references, options.most)
    forms = collections.defaultdict(collections.Counter)
    for line in drawn:
        for s, t in line:
            forms[s][t] += 1
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
        if options.own:
            file.writelines("".join(f"{s}\t{t}\n" for s, t in line) + "%%\n" for line in drawn)
        else:
            file.writelines(f"{s}\t{'|'.join(targets)}\n" for s, targets in forms.items())
        file.flush()
        plain, found, plain_stats, stats = run(options, sources, file.name)
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()

    def forms_of(source, target):
        return [target] if options.own else forms[source]

    wanted = [(i, s, t) for i, line in enumerate(drawn) for s, t in line]

    def share(lines):
        hits = sum(any(has(lines[i], form) for form in forms_of(s, t)) for i, s, t in wanted)
        return f"{hits} of {len(wanted)}", f"{sum(has(lines[i], t) for i, _, t in wanted)}"

    print("| search | terms drawn that a translation has | in the reference's form | met, as the search says | BLEU "
          "| chrF | seconds | CPU seconds | rows in all steps |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, lines, s in (("plain", plain, plain_stats), ("with terms", found, stats)):
        hits, own = share(lines)
        print(f"| {name} | {hits} | {own} | {s['met']} of {s['terms']} "
              f"| {bleu.corpus_score(lines, [references]).score:.2f} "
              f"| {chrf.corpus_score(lines, [references]).score:.2f} "
              f"| {s['seconds']:.1f} | {s['cpu_seconds']:.1f} | {s['rows']} |", flush=True)
    for name in sorted(stats.get("passes", {}), key=lambda name: -stats["passes"][name]):
        print(f"  {name}: {plain_stats['passes'].get(name, 0):.2f} s plain, {stats['passes'][name]:.2f} s with terms")
    print(f"\n{len(sources)} sentences, {stats['with_terms']} with {stats['terms']} terms; beam {options.beam}; "
          f"{bleu.get_signature()}")
    if options.own:
        found_in = [[t for _, t in line] for line in drawn]
    else:
        found_in = [[form for s in {w.lower() for w in WORD.findall(source)} & forms.keys() for form in forms[s]]
                    for source in sources]
    behind = [i for i, terms in enumerate(found_in) if is_behind(found[i], plain[i], terms)]
    print(f"\nterms behind the sentence: {len(behind)}")
    for i in behind[:options.show]:
        print(f"\n  {sources[i]}\n  - {plain[i]}\n  + {found[i]}")
    for i, s, t in wanted:
        if not any(has(found[i], form) for form in forms_of(s, t)):
            print(f"\nlacks {'|'.join(forms_of(s, t))} for {s}:\n  {sources[i]}\n  + {found[i]}")
    shown = 0
    for source, before, after in zip(sources, plain, found):
        if before != after and shown < options.show:
            print(f"\n  {source}\n  - {before}\n  + {after}")
            shown += 1


if __name__ == "__main__":
    main()
