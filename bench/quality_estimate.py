#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well `dragoman translate --quality` tells good translations from bad ones: its scores of sentences against their
chrF, beside the plain mean log-probability, and of words against whether the reference has them. A Markdown table.
Needs sacrebleu and numpy.

    quality_estimate.py --model FOLDER --model CALIBRATED.gguf --pair SOURCE REFERENCE de --pair ...
    quality_estimate.py --scale --beam 4 --model FOLDER --pair SOURCE REFERENCE de   # what a score means
    quality_estimate.py --write pairs.tsv --pair SOURCE REFERENCE de --pair ...   # for dragoman convert --calibrate
"""
import argparse
import collections
import json
import pathlib
import subprocess

import numpy
import sacrebleu

HERE = pathlib.Path(__file__).resolve().parent


def ranks(values):
    """From 1; equal values have the mean of theirs."""
    _, places, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    return (numpy.cumsum(counts) - (counts - 1) / 2)[places]


def pearson(a, b):
    return float(numpy.corrcoef(a, b)[0, 1])


def auroc(scores, good):
    """How often one of the good ones is scored higher than one of the others."""
    good = numpy.asarray(good, dtype=bool)
    n, m = good.sum(), (~good).sum()
    return float((ranks(scores)[good].sum() - n * (n + 1) / 2) / (n * m))


def translate(options, model, source, language):
    command = [options.tool, "translate", "--model", model, "--input", source, "--to", language, "--no-split", "--json",
               "--beam", options.beam, "--length-penalty", 1, "--scores", "--quality"]
    output = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line)["hypotheses"][0] for line in output.splitlines()]


def in_reference(text, words, reference):
    """Of each word, whether the reference has it; each of its words serves one. Blanks and punctuation separate words."""
    left = collections.Counter()
    separated = "".join(c if c.isalnum() else f" {c} " for c in reference)
    left.update(separated.split())
    found = []
    for word in words:
        said = text[word["begin"]:word["end"]].decode()
        found.append(left[said] > 0)
        left[said] -= 1
    return found


SHARES = (10, 25, 50, 75, 90)  # percentiles of a scale


def scale(options, model, pair):
    """Of a text's translations: scores below which a share of them lie, and the mean chrF between these scores."""
    source, reference, language = pair
    references = pathlib.Path(reference).read_text(encoding="utf-8").splitlines()
    chrf = sacrebleu.CHRF()
    found = [(h["quality"], chrf.sentence_score(h["text"], [expected]).score / 100)
             for h, expected in zip(translate(options, model, source, language), references, strict=True) if h["sentences"]]
    quality, wanted = map(numpy.array, zip(*found))
    limits = numpy.percentile(quality, SHARES)
    bands = numpy.searchsorted(limits, quality, side="right")
    means = [wanted[bands == band].mean() for band in range(len(SHARES) + 1)]
    name = f"{pathlib.Path(source).name} to {language}"
    print(f"| {name} | {len(found)} | " + " | ".join(f"{limit:.2f}" for limit in limits) + " | " +
          " | ".join(f"{mean:.2f}" for mean in means) + " |", flush=True)
    return {"text": name, "model": pathlib.Path(model).name, "beam": options.beam, "sentences": len(found),
            "percentiles": dict(zip(map(str, SHARES), limits)), "chrf_between": means}


def measure(options, model, pair):
    source, reference, language = pair
    references = pathlib.Path(reference).read_text(encoding="utf-8").splitlines()
    hypotheses = translate(options, model, source, language)
    chrf = sacrebleu.CHRF()
    quality, log_prob, wanted, words, found = [], [], [], [], []
    for hypothesis, expected in zip(hypotheses, references, strict=True):
        if not hypothesis["sentences"]:
            continue
        wanted.append(chrf.sentence_score(hypothesis["text"], [expected]).score / 100)
        quality.append(hypothesis["quality"])
        log_prob.append(hypothesis["score"])
        of_words = hypothesis["sentences"][0]["quality"]["words"]
        words += [word["score"] for word in of_words]
        found += in_reference(hypothesis["text"].encode(), of_words, expected)
    quality, log_prob, wanted = map(numpy.array, (quality, log_prob, wanted))
    good = wanted > numpy.quantile(wanted, 0.1)
    row = {"text": pathlib.Path(source).name, "to": language, "model": pathlib.Path(model).name,
           "beam": options.beam, "sentences": len(wanted), "chrf": wanted.mean(), "words": len(words),
           "word_auroc": auroc(numpy.array(words), found), "word_mean": numpy.mean(words), "word_found": numpy.mean(found)}
    for name, scores in (("quality", quality), ("log_prob", log_prob)):
        row[name] = {"pearson": pearson(scores, wanted), "spearman": pearson(ranks(scores), ranks(wanted)),
                     "auroc": auroc(scores, good), "mean": scores.mean()}
    return row


def write_pairs(path, pairs):
    with open(path, "w", encoding="utf-8") as file:
        for source, reference, language in pairs:
            lines = [pathlib.Path(side).read_text(encoding="utf-8").splitlines() for side in (source, reference)]
            for one, other in zip(*lines, strict=True):
                file.write(f"{one}\t{other}\t{language}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--pair", action="append", nargs=3, required=True, metavar=("SOURCE", "REFERENCE", "LANGUAGE"))
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--tool", type=pathlib.Path, default=HERE.parent / "build/release/bin/dragoman")
    parser.add_argument("--scale", action="store_true", help="a table of what scores mean instead")
    parser.add_argument("--write", type=pathlib.Path, help="write these pairs as lines for `dragoman convert`")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    if options.write:
        return write_pairs(options.write, options.pair)
    if options.scale:
        print("| text | sentences | " + " | ".join(f"{share} % below" for share in SHARES) +
              " | chrF of the lowest | " + " | ".join("next" for _ in SHARES[1:]) + " | of the highest |\n|---" +
              "|---:" * (2 * len(SHARES) + 2) + "|")
        rows = [scale(options, model, pair) for pair in options.pair for model in options.model]
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1, default=float) + "\n")
        return
    rows = []
    print("| text | model | beam | Pearson: quality | log-prob. | Spearman: quality | log-prob. | AUROC of the worst "
          "10 %: quality | log-prob. | words' AUROC | words' mean score | in the reference |\n"
          "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for pair in options.pair:
        for model in options.model:
            r = measure(options, model, pair)
            rows.append(r)
            q, p = r["quality"], r["log_prob"]
            print(f"| {r['text']} to {r['to']} | {r['model']} | {r['beam']} | {q['pearson']:.3f} | {p['pearson']:.3f} "
                  f"| {q['spearman']:.3f} | {p['spearman']:.3f} | {q['auroc']:.3f} | {p['auroc']:.3f} "
                  f"| {r['word_auroc']:.3f} | {r['word_mean']:.3f} | {r['word_found']:.3f} |", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1, default=float) + "\n")


if __name__ == "__main__":
    main()
