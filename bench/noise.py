#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What noise in texts costs: BLEU, chrF and kept digits of noisy copies of a text. Needs sacrebleu.

    noise.py --pair SOURCE REFERENCE de --lines 300 --tool before=OLD/dragoman --tool after=build/release/bin/dragoman

Each kind of noise changes every sentence, and the reference with it where a reader would expect that. Without --kind
all kinds; "mixed" draws one of them for each sentence, "mixed of all" also of those that came later.
What is lost is measured from the first tool's translations of
the clean text with the same noise as the references.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess

import sacrebleu

EMOJI = ["\U0001f600", "\u2764\ufe0f", "\U0001f44d\U0001f3fd", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2705"]
FOREIGN = ["\u6771\u4eac", "\u05e9\u05dc\u05d5\u05dd", "\u041c\u043e\u0441\u043a\u0432\u0430", "\u0391\u03b8\u03ae\u03bd\u03b1"]
ADDRESSES = ["www.example.com/a?b=1", "https://example.org/en/index.html", "j.smith@example.co.uk"]


def insert(source, target, what, draw):
    """Before the last mark of both: a place that is the same in any translation."""
    word = draw.choice(what)
    return tuple(re.sub(r"(\W*)$", lambda end: f" {word}{end.group(1)}", text, count=1) for text in (source, target))


def capitals(source, target, draw):
    return source.upper(), target.upper()


def typographic(source, target, draw):
    return re.sub(r'"([^"]*)"', "\u201c\\1\u201d", source).replace("'", "\u2019"), target


def hidden(source, target, draw):
    """Soft hyphens and zero-width spaces inside long words."""
    mark = draw.choice(["\u00ad", "\u200b"])
    return re.sub(r"([a-z]{4})(?=[a-z]{3})", lambda found: found.group(1) + mark, source, count=2), target


def full_width(source, target, draw):
    words = source.split(" ")
    at = draw.randrange(len(words))
    words[at] = "".join(chr(ord(c) + 0xfee0) if "!" <= c <= "~" else c for c in words[at])
    return " ".join(words), target


def entities(source, target, draw):
    return tuple(text.replace("&", "&amp;").replace('"', "&quot;") for text in (source, target))


def stop(source, target, draw):
    return (source[:-1] + "\u3002", target) if source.endswith(".") else (source, target)


def title_case(source, target, draw):
    return re.sub(r"(?<![\w'])[a-z]", lambda first: first.group().upper(), source), target


def small_letters(source, target, draw):
    return source.lower(), target


def no_end_marks(source, target, draw):
    """Where both end with the same single mark."""
    alike = re.search(r"[^.!?]([.!?])$", source), re.search(r"[^.!?]([.!?])$", target)
    if not all(alike) or alike[0].group(1) != alike[1].group(1):
        return source, target
    return source[:-1], target[:-1]


KINDS = {
    "capitals": capitals,
    "emoji": lambda s, t, draw: insert(s, t, EMOJI, draw),
    "other scripts": lambda s, t, draw: insert(s, t, FOREIGN, draw),
    "addresses": lambda s, t, draw: insert(s, t, ADDRESSES, draw),
    "code": lambda s, t, draw: insert(s, t, ["`ls -la`", "{name}", "%s"], draw),
    "tags": lambda s, t, draw: tuple(f"<b>{text}</b>" for text in (s, t)),
    "typographic": typographic,
    "hidden characters": hidden,
    "full width": full_width,
    "entities": entities,
    "ideographic stop": stop,
}
# Not among the mixed ones, whose draws stay those of earlier tables.
MORE_KINDS = {"title case": title_case, "small letters": small_letters, "no end marks": no_end_marks}
MIXED = {"mixed": list(KINDS.values()), "mixed of all": [*KINDS.values(), *MORE_KINDS.values()]}


def noisy(kind, sources, references):
    draw = random.Random(7)
    change = (KINDS | MORE_KINDS).get(kind)
    pairs = [(change or draw.choice(MIXED[kind]))(s, t, draw) for s, t in zip(sources, references, strict=True)]
    return [s for s, _ in pairs], [t for _, t in pairs]


def digits(text):
    found = ("".join(re.findall(r"\d", run)).lstrip("0") for run in re.findall(r"\d(?:[.,:' \u00a0]?\d)*", text))
    return [run for run in found if run and int(run) > 12]


def keeps(source, target):
    left = digits(target)
    for run in digits(source):
        if run not in left:
            return False
        left.remove(run)
    return True


def copied_words(sources, targets):
    """The share of a sentence's words that stand in its translation as they are."""
    shares = []
    for source, target in zip(sources, targets, strict=True):
        words = set(re.findall(r"\w+", source))
        shares.append(len(words & set(re.findall(r"\w+", target))) / max(1, len(words)))
    return sum(shares) / max(1, len(shares))


def translate(tool, model, sources, language, beam):
    command = [tool, "translate", "--to", language, "--no-split", "--beam", str(beam)]
    if model:
        command += ["--model", model]
    output = subprocess.run(command, input="\n".join(sources) + "\n", check=True, stdout=subprocess.PIPE, text=True).stdout
    return output.removesuffix("\n").split("\n")


def every(texts, lines):
    """So many of the lines of parallel texts, evenly."""
    step = max(1, len(texts[0]) // lines)
    return [text[::step][:lines] for text in texts]


def measure(clean, language, tools, kinds, model, beam):
    """[{"noise", "tool", "bleu", "best_bleu", ...}], signatures. clean: sources and references; tools: {name: path}"""
    copies = {kind: clean if kind == "none" else noisy(kind, *clean) for kind in ["none", *kinds]}
    everything = [line for sources, _ in copies.values() for line in sources]
    outputs = {}
    for name, path in tools.items():
        lines = iter(translate(path, model, everything, language, beam))
        outputs[name] = {kind: [next(lines) for _ in sources] for kind, (sources, _) in copies.items()}
    bleu, chrf, rows = sacrebleu.BLEU(), sacrebleu.CHRF(), []
    without = next(iter(outputs.values()))["none"]
    for kind, (sources, references) in copies.items():
        ideal = without if kind == "none" else noisy(kind, clean[0], without)[1]
        best = bleu.corpus_score(ideal, [references]).score, chrf.corpus_score(ideal, [references]).score
        numbered = [i for i, text in enumerate(sources) if digits(text)]
        for name, of_tool in outputs.items():
            output = of_tool[kind]
            rows.append({"noise": kind, "tool": name, "best_bleu": best[0], "best_chrf": best[1],
                         "bleu": bleu.corpus_score(output, [references]).score,
                         "chrf": chrf.corpus_score(output, [references]).score,
                         "kept": sum(keeps(sources[i], output[i]) for i in numbered),
                         "with_digits": len(numbered), "copied": copied_words(sources, output)})
    return rows, [str(bleu.get_signature()), str(chrf.get_signature())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pair", nargs=3, required=True, metavar=("SOURCE", "REFERENCE", "LANGUAGE"))
    parser.add_argument("--tool", action="append", required=True, metavar="NAME=PATH")
    parser.add_argument("--model")
    parser.add_argument("--kind", action="append")
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--numbers", action="store_true", help="only sentences with numbers above twelve")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    source, reference, language = options.pair
    texts = [pathlib.Path(path).read_text(encoding="utf-8").splitlines() for path in (source, reference)]
    if options.numbers:
        chosen = [i for i, line in enumerate(texts[0]) if digits(line)]
        texts = [[text[i] for i in chosen] for text in texts]
    clean = every(texts, options.lines)
    tools = dict(tool.split("=", 1) for tool in options.tool)
    rows, signatures = measure(clean, language, tools, options.kind or [*KINDS, *MORE_KINDS, *MIXED], options.model,
                               options.beam)
    print(f"{len(clean[0])} sentences of {pathlib.Path(source).name} to {language}, beam {options.beam}\n")
    print("| noise | tool | BLEU | lost | chrF | lost | sentences whose digits are kept | words copied |\n"
          "|---|---|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        print(f"| {row['noise']} | {row['tool']} | {row['bleu']:.1f} | {row['best_bleu'] - row['bleu']:.1f} "
              f"| {row['chrf']:.1f} | {row['best_chrf'] - row['chrf']:.1f} | {row['kept']} of {row['with_digits']} "
              f"| {row['copied']:.0%} |")
    print("\n" + "; ".join(signatures))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
