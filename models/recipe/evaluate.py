# SPDX-License-Identifier: Apache-2.0
"""BLEU and chrF of the package, in both directions, and twenty translations of two sets to look at."""
import json
import time

import sacrebleu
import torch

import noise
from decode import translate
from package import load_package
from train import cpu_setup

# name, path under the test folder, original direction first
SETS = [
    ("tatoeba-heldout", "tatoeba-heldout.en-de", "en-de"),
    ("laser-tatoeba", "laser-tatoeba.de-en", "de-en"),
    ("multi30k", "multi30k.test_2016_flickr", "en-de"),
    ("dev-mixed", "dev-mixed.en-de", "en-de"),
    ("flores-dev", "flores-dev/flores-dev", "en-de"),
    ("ntrex128", "ntrex128", "en-de"),
]
SHOWN = "tatoeba-heldout", "flores-dev"
# Copies of the shown sets as people also write, by noise.py; with the most beams only.
COPIES = {"capitals": noise.capitals, "small letters": noise.small, "no end marks": noise.open_end,
          "curly quotes": noise.typographic}


def with_copies(options):
    """[(name, path, direction, function of noise.py or None)]"""
    plain = [(*row, None) for row in SETS]
    copies = [(f"{name}, {kind}", path, direction, change) for name, path, direction in SETS if name in SHOWN
              for kind, change in COPIES.items()]
    return [row for row in plain + copies if not options.sets or row[0] in options.sets]


def changed(sources, targets, language, change):
    """Capitals and missing end marks are expected in the translation, too."""
    return zip(*(change(*pair, language) for pair in zip(sources, targets))) if change else (sources, targets)


def evaluate(options, vocabulary, log):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        cpu_setup(options)
    model = load_package(options.out).to(device)
    results, samples = [], []
    for name, path, direction, change in with_copies(options):
        lines = {x: (options.test / f"{path}.{x}").read_text(encoding="utf-8").splitlines()[:options.limit]
                 for x in ("en", "de")}
        for source, target in (direction.split("-"), direction.split("-")[::-1]):
            given, wanted = map(list, changed(lines[source], lines[target], source, change))
            for beams in [max(options.beams)] if change else options.beams:
                start = time.time()
                output = translate(model, vocabulary, given, target, beams)
                seconds = time.time() - start
                bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
                b = bleu.corpus_score(output, [wanted]).score
                c = chrf.corpus_score(output, [wanted]).score
                results.append(dict(set=name, direction=f"{source}-{target}", beams=beams, lines=len(output),
                                    bleu=round(b, 2), chrf=round(c, 2), seconds=round(seconds, 1),
                                    bleu_signature=str(bleu.get_signature()), chrf_signature=str(chrf.get_signature())))
                log(f"{name} {source}-{target} beam {beams}: BLEU {b:.2f} chrF {c:.2f} ({seconds:.0f} s)")
                if name in SHOWN and beams == max(options.beams):
                    samples += [f"## {name}, {source}-{target}, beam {beams}", ""]
                    for row in list(zip(given, output, wanted))[:20]:
                        samples += [f"- {row[0]}", f"  - output: {row[1]}", f"  - reference: {row[2]}"]
                    samples.append("")
    (options.run_dir / "evaluation.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if results:
        table = ["# Evaluation", "", "| set | direction | beams | BLEU | chrF |", "|---|---|---|---|---|"]
        table += [f"| {r['set']} | {r['direction']} | {r['beams']} | {r['bleu']} | {r['chrf']} |" for r in results]
        table += ["", f"BLEU: `{results[0]['bleu_signature']}`, chrF: `{results[0]['chrf_signature']}`", ""]
        (options.run_dir / "evaluation.md").write_text("\n".join(table + samples), encoding="utf-8")
