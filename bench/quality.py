#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""BLEU and chrF of one model in several compute types, and of others beside it, as a Markdown table. Needs sacrebleu.

    quality.py --model FOLDER=int8,float16,float32 --model OTHER=float32 --pair SOURCE REFERENCE de --pair ...
"""
import argparse
import json
import pathlib
import subprocess

import sacrebleu

HERE = pathlib.Path(__file__).resolve().parent


def translate(options, model, compute_type, source, language):
    command = [options.cli, "translate", "--model", model, "--compute-type", compute_type, "--input", source,
               "--to", language, "--no-split", "--beam", options.beam, "--output", "-"]
    output = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True).stdout
    return output.removesuffix("\n").split("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", required=True, metavar="FOLDER=TYPE,TYPE")
    parser.add_argument("--pair", action="append", nargs=3, required=True, metavar=("SOURCE", "REFERENCE", "LANGUAGE"))
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--cli", type=pathlib.Path, default=HERE.parent / "build/release/bin/dragoman")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    rows, bleu, chrf = [], sacrebleu.BLEU(), sacrebleu.CHRF()
    print("| text | model | computes in | BLEU | chrF | differs from the first |\n|---|---|---|---:|---:|---:|")
    for source, reference, language in options.pair:
        lines, first = pathlib.Path(reference).read_text(encoding="utf-8").splitlines(), None
        for choice in options.model:
            model, _, types = choice.partition("=")
            for compute_type in types.split(","):
                output = translate(options, model, compute_type, source, language)
                first = first or output
                rows.append({"text": pathlib.Path(source).name, "to": language, "model": pathlib.Path(model).name,
                             "compute_type": compute_type, "bleu": bleu.corpus_score(output, [lines]).score,
                             "chrf": chrf.corpus_score(output, [lines]).score,
                             "differing": sum(a != b for a, b in zip(output, first, strict=True))})
                r = rows[-1]
                print(f"| {r['text']} to {language} | {r['model']} | {compute_type} | {r['bleu']:.2f} "
                      f"| {r['chrf']:.2f} | {r['differing']} of {len(lines)} |", flush=True)
    print(f"\n{bleu.get_signature()}; {chrf.get_signature()}; beam {options.beam}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
