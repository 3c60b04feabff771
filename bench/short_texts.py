#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What becomes of the shortest texts of pages: titles, headings, links, buttons and attributes of one or two words.

    bench/short_texts.py --tool before=OLD/dragoman --tool after=build/release/bin/dragoman --to de FOLDER...

The texts are those that most pages of the folders have, always the same ones. A translation raves if it has three words
more than its source, says a word twice that its source says once, or is more than three times as long."""
import argparse
import collections
import html.parser
import pathlib
import re
import subprocess

TEXT_ATTRIBUTES = {"title", "alt", "placeholder", "aria-label", "value"}
ELEMENTS = {"a", "button", "h1", "h2", "h3", "h4", "label", "option", "th", "title"}


class Texts(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.open = set(), []

    def handle_starttag(self, tag, attributes):
        self.found |= {value for name, value in attributes if name in TEXT_ATTRIBUTES and value}
        if tag in ELEMENTS:
            self.open.append([tag, ""])

    def handle_data(self, data):
        for each in self.open:
            each[1] += data

    def handle_endtag(self, tag):
        if self.open and self.open[-1][0] == tag:
            self.found.add(self.open.pop()[1])


def short_texts(folders, count):
    pages = collections.Counter()
    for folder in folders:
        for page in sorted(pathlib.Path(folder).rglob("*.html")):
            if page.is_symlink() or page.stat().st_size > 60_000:
                continue
            texts = Texts()
            texts.feed(page.read_text(encoding="utf-8", errors="replace"))
            pages.update({" ".join(text.split()) for text in texts.found})
    short = [(n, text) for text, n in pages.items() if re.fullmatch(r"[A-Za-z][a-z]+( [A-Za-z][a-z]+)?[:.!?]?", text)]
    return [text for _, text in sorted(short, key=lambda each: (-each[0], each[1]))[:count]]


def raves(source, target):
    words = [text.lower().split() for text in (source, target)]
    twice = [word for word, n in collections.Counter(words[1]).items() if n > words[0].count(word) + 1 or
             (n > 1 and len(words[0]) == 1)]
    return len(words[1]) > len(words[0]) + 3 or bool(twice) or len(target) > 3 * len(source) + 8


def translate(tool, options, texts):
    command = [tool, "translate", "--from", "en", "--to", options.to, "--beam", str(options.beam)]
    command += ["--model", options.model] if options.model else []
    output = subprocess.run(command, input="\n".join(texts) + "\n", check=True, stdout=subprocess.PIPE, text=True)
    return output.stdout.removesuffix("\n").split("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", action="append", required=True, metavar="NAME=PATH")
    parser.add_argument("--model")
    parser.add_argument("--to", default="de")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--all", action="store_true", help="print every translation")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    texts = short_texts(options.folders, options.count)
    outputs = {name: translate(path, options, texts) for name, _, path in (t.partition("=") for t in options.tool)}
    for i, text in enumerate(texts):
        mine = [output[i] for output in outputs.values()]
        if options.all or len(set(mine)) > 1 or any(raves(text, one) for one in mine):
            print("\t".join([text, *(one + (" (raves)" if raves(text, one) else "") for one in mine)]))
    for name, output in outputs.items():
        print(f"{name}: {len(texts)} texts, {sum(map(raves, texts, output))} rave, "
              f"{sum(a == b for a, b in zip(texts, output, strict=True))} are copies")


if __name__ == "__main__":
    main()
