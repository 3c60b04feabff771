#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what must stay as it is (placeholders, addresses, versions, paths, emoji, hashtags, random strings) into the
sentences of a file, between words that are drawn, translates them, and counts what comes back unchanged, exactly once.

    stays.py SOURCE [--lines 1000] [--model FOLDER] [--seed 1] [--show 5]

Four runs: plain, with --keep-spans, with a glossary besides, and as paragraphs of one HTML page with all of these.
"""
import argparse
import collections
import html
import pathlib
import random
import re
import string
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LETTERS, NAME = string.ascii_letters, string.ascii_lowercase
EMOJI = ["\U0001f600", "\U0001f680", "\u2764\ufe0f", "\U0001f44d\U0001f3fd",
         "\U0001f468\u200d\U0001f469\u200d\U0001f467",
         "\U0001f1e9\U0001f1ea", "\u26a0\ufe0f"]


def word(draw, letters, least, most):
    return "".join(draw.choice(letters) for _ in range(draw.randint(least, most)))


def string_of_signs(draw):
    """Letters of both cases and digits, with at least one of each and a letter in front."""
    while True:
        text = draw.choice(LETTERS) + word(draw, LETTERS + string.digits, 5, 15)
        if all(any(c in of for c in text) for of in (string.ascii_lowercase, string.ascii_uppercase, string.digits)):
            return text


KINDS = {
    "random string": string_of_signs,
    "hexadecimal": lambda d: word(d, "0123456789abcdef", 7, 7) + "f0",
    "name_in_code": lambda d: word(d, NAME, 3, 8) + "_" + word(d, NAME, 3, 8),
    "{name}": lambda d: "{" + word(d, LETTERS + "_", 1, 12) + "}",
    "{0}": lambda d: "{" + str(d.randint(0, 12)) + "}",
    "{{x}}": lambda d: "{{" + d.choice(["", " "]).join(["", word(d, NAME, 1, 10), ""]) + "}}",
    "${x}": lambda d: "${" + word(d, LETTERS, 1, 10) + "}",
    "%s": lambda d: d.choice(["%s", "%d", "%i", "%@", "%5.2f", "%ld"]),
    "%1$d": lambda d: f"%{d.randint(1, 9)}${d.choice('sd')}",
    "%(name)s": lambda d: "%(" + word(d, NAME, 1, 10) + ")s",
    "plural": lambda d: "{" + word(d, NAME, 1, 8) + d.choice([
        ", plural, one {# file} other {# files}}",
        ", plural, =0 {no new messages} one {# message} other {# new messages}}",
        ", select, male {his} female {her} other {their}}", ", number, percent}"]),
    "URL": lambda d: d.choice(["https://", "http://", "www."]) + word(d, NAME, 3, 10) +
    d.choice([".com", ".org", ".io"]) + "/" + word(d, LETTERS + string.digits + "-_", 1, 12) +
    d.choice(["", "?id=" + str(d.randint(1, 999)), "#top", "/"]),
    "e-mail": lambda d: word(d, NAME, 2, 8) + d.choice([".", "_", ""]) + word(d, NAME, 2, 8) + "@" +
    word(d, NAME, 3, 9) + d.choice([".com", ".de", ".co.uk"]),
    "version": lambda d: d.choice(["v", ""]) + f"{d.randint(0, 30)}.{d.randint(0, 30)}.{d.randint(0, 40)}" +
    d.choice(["", "", "-rc1", "-beta.2", "+build5"]),
    "path": lambda d: d.choice(["/", "~/", "./", "../", "C:\\"]) + word(d, NAME, 2, 8) + d.choice(["/", "/x/"]) +
    word(d, NAME, 2, 9) + d.choice([".txt", ".log", "", ".tar.gz"]),
    "emoji": lambda d: d.choice(EMOJI),
    "#hashtag": lambda d: "#" + word(d, LETTERS, 3, 12) + d.choice(["", "2026"]),
    "@name": lambda d: "@" + word(d, NAME, 3, 12),
}


def put_in(draw, line):
    """The line with one to three of them, and these."""
    words = line.split(" ")
    wanted = []
    for kind in draw.sample(sorted(KINDS), draw.randint(1, 3)):
        text = KINDS[kind](draw)
        if text in line or any(text in other or other in text for _, other in wanted):
            continue
        wanted.append((kind, text))
        words.insert(draw.randint(0, len(words)), text)
    return " ".join(words), wanted


def is_once(text, part):
    return text.count(part) == 1 and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def as_page(draw, lines):
    paragraphs = []
    for line in lines:
        words = html.escape(line, quote=False).split(" ")
        at = draw.randrange(len(words))
        words[at] = f"<b>{words[at]}</b>"
        paragraphs.append(f"<p>{' '.join(words)}</p>")
    return "\n".join(paragraphs) + "\n"


def of_page(page):
    return [html.unescape(re.sub(r"<[^>]*>", "", paragraph)) for paragraph in re.findall(r"<p>(.*?)</p>", page, re.S)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--model", type=pathlib.Path, default=HERE.parent / "models/en-de")
    parser.add_argument("--tool", type=pathlib.Path, default=HERE.parent / "build/release/bin/dragoman")
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="failures")
    parser.add_argument("--runs", default="plain,kept,glossary,page")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    lines, wanted = zip(*(put_in(draw, line) for line in
                          options.source.read_text(encoding="utf-8").splitlines()[:options.lines]))
    glossary = tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8")
    glossary.write("government\tStaatsführung\npeople\tPersonen\nyear\tKalenderjahr\nwater\tGewässer|Gewässern\n")
    glossary.flush()
    runs = {"plain": [], "kept": ["--keep-spans"], "glossary": ["--keep-spans", "--glossary", glossary.name]}
    runs["page"] = runs["glossary"] + ["--html"]
    print("| run | put in | once and unchanged | sentences copied whole |\n|---|---:|---:|---:|")
    for name in options.runs.split(","):
        page = as_page(random.Random(options.seed), lines) if name == "page" else "".join(f"{line}\n" for line in lines)
        done = subprocess.run([options.tool, "translate", "--model", options.model, "--on-error", "copy", *runs[name]],
                              input=page, capture_output=True, text=True, check=True)
        found = of_page(done.stdout) if name == "page" else done.stdout.removesuffix("\n").split("\n")
        assert len(found) == len(lines), (len(found), len(lines))
        failed = [(kind, text, line, out) for line, parts, out in zip(lines, wanted, found)
                  for kind, text in parts if not is_once(out, text)]
        count = sum(map(len, wanted))
        copied = sum(line == out for line, out in zip(lines, found))
        print(f"| {name} | {count} | {count - len(failed)} | {copied} |", flush=True)
        for kind, number in collections.Counter(kind for kind, *_ in failed).most_common():
            print(f"  {kind}: {number}")
        for kind, text, line, out in failed[:options.show]:
            print(f"  {kind} {text}\n    {line}\n    {out}")


if __name__ == "__main__":
    main()
