#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what transformers makes of the shipped model: tests/data/en-de/expected.tsv.

record_shipped_model.py MODEL TEST: MODEL is the package, TEST the folder with tatoeba-heldout.en-de.{en,de} and
laser-tatoeba.de-en.{en,de}. Columns: text, pieces of greedy search, pieces of beam search with 4 beams, its score.
Float and double arithmetic must agree on both; a sentence where they do not hangs on the last bits and another takes
its place.
"""
import argparse
from pathlib import Path

import torch
import transformers

COUNTS = {"tatoeba-heldout.en-de": 300, "laser-tatoeba.de-en": 200}  # per direction
BATCH = 32


def generate(model, tokenizer, texts, beams):
    """[(ids without start, end and padding; score)]"""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    found = [None] * len(texts)
    for begin in range(0, len(order), BATCH):
        rows = order[begin:begin + BATCH]
        batch = tokenizer([texts[i] for i in rows], return_tensors="pt", padding=True)
        with torch.no_grad():
            out = model.generate(**batch, num_beams=beams, do_sample=False, output_scores=True,
                                 return_dict_in_generate=True)
        for n, i in enumerate(rows):
            ids = out.sequences[n].tolist()[1:]
            end = ids.index(0)
            found[i] = (ids[:end], out.sequences_scores[n].item() if beams > 1 else 0.0)
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("model", type=Path)
    p.add_argument("test", type=Path)
    p.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1] / "data" / "en-de" / "expected.tsv")
    a = p.parse_args()
    tokenizer = transformers.MarianTokenizer.from_pretrained(a.model)
    single = transformers.MarianMTModel.from_pretrained(a.model, dtype=torch.float32).eval()
    double = transformers.MarianMTModel.from_pretrained(a.model, dtype=torch.float64).eval()
    # The table is made in float either way; the engines under test have it so too.
    lines, close = [], 0
    for name, count in COUNTS.items():
        for source, target in (("en", "de"), ("de", "en")):
            texts = [f">>{target}<< {line}" for line in
                     (a.test / f"{name}.{source}").read_text(encoding="utf-8").splitlines()
                     if line == line.strip() and "\t" not in line][:count + count // 10]
            greedy, sure_greedy = (generate(m, tokenizer, texts, 1) for m in (single, double))
            beam, sure_beam = (generate(m, tokenizer, texts, 4) for m in (single, double))
            kept = 0
            for i, text in enumerate(texts):
                if kept == count:
                    break
                if greedy[i][0] != sure_greedy[i][0] or beam[i][0] != sure_beam[i][0]:
                    close += 1
                    continue
                pieces = [" ".join(tokenizer.convert_ids_to_tokens(found[i][0])) for found in (sure_greedy, sure_beam)]
                lines.append("\t".join([text, *pieces, f"{sure_beam[i][1]:.6f}"]))
                kept += 1
            assert kept == count
            print(f"{name} {source}-{target}: {kept} sentences", flush=True)
    a.out.parent.mkdir(parents=True, exist_ok=True)
    a.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} sentences, {close} close calls left out, {a.out.stat().st_size} bytes in {a.out}")


main()
