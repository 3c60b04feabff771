#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each kind of noise costs on every held-out set of the shipped model, both ways, through the text layer.

    noise_sets.py TEST_FOLDER build/release/bin/dragoman --json noise-sets.json

One file of scores, written after each set, from which --table prints the table and models/recipe/card.py takes what
the card says. A set and direction that are in the file already are not measured again."""
import argparse
import json
import pathlib

import noise

SETS = {"flores-dev": "flores-dev/flores-dev", "ntrex128": "ntrex128", "multi30k": "multi30k.test_2016_flickr",
        "laser-tatoeba": "laser-tatoeba.de-en", "tatoeba-heldout": "tatoeba-heldout.en-de"}
DIRECTIONS = "en-de", "de-en"


def measured(options, path, source, target):
    texts = [(options.test / f"{path}.{x}").read_text(encoding="utf-8").splitlines() for x in (source, target)]
    clean = noise.every(texts, options.lines)
    kinds = options.kind or [*noise.KINDS, *noise.MORE_KINDS, *noise.MIXED]
    rows, signatures = noise.measure(clean, target, {"dragoman": options.tool}, kinds, options.model, options.beam)
    rows = [{key: round(value, 2) if isinstance(value, float) else value for key, value in row.items()} for row in rows]
    return {"lines": len(clean[0]), "beam": options.beam, "signatures": signatures, "rows": rows}


def table(results):
    """BLEU, and of each kind of noise what is lost."""
    by_noise = [{row["noise"]: row for row in of_set["rows"]} for of_set in results.values()]
    every = ["none", *noise.KINDS, *noise.MORE_KINDS, *noise.MIXED]
    kinds = [kind for kind in every if any(kind in rows for rows in by_noise)]
    print("| noise | " + " | ".join(results) + " |\n|---|" + "---:|" * len(results))
    for kind in kinds:
        name, cells = "none (BLEU)" if kind == "none" else kind, []
        for rows in by_noise:
            row = rows.get(kind)
            cells.append("" if not row else f"{row['bleu'] if kind == 'none' else row['best_bleu'] - row['bleu']:.1f}")
        print(f"| {name} | " + " | ".join(cells) + " |")


def text_of(results):
    """JSON with a line for each row, so that a new run of one set changes only its lines."""
    sets = []
    for name, of_set in results.items():
        head = json.dumps({key: value for key, value in of_set.items() if key != "rows"})
        rows = ",\n".join("  " + json.dumps(row) for row in of_set["rows"])
        sets.append(f'{json.dumps(name)}: {head[:-1]}, "rows": [\n{rows}]}}')
    return "{" + ",\n".join(sets) + "}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("test", type=pathlib.Path)
    parser.add_argument("tool")
    parser.add_argument("--model")
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--directions", nargs="+", choices=DIRECTIONS, default=list(DIRECTIONS))
    parser.add_argument("--json", type=pathlib.Path, required=True)
    parser.add_argument("--table", action="store_true", help="only print what the file has")
    options = parser.parse_args()
    results = json.loads(options.json.read_text()) if options.json.exists() else {}
    for name in options.sets if not options.table else ():
        for direction in options.directions:
            of = f"{name} {direction}"
            if of not in results:
                results[of] = measured(options, SETS[name], *direction.split("-"))
                options.json.write_text(text_of(results), encoding="utf-8")
    table(results)


if __name__ == "__main__":
    main()
