#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Translates real pages of HTML and compares what browsers see of them before and after: the same elements with the
same attributes, the same blocks in the same order, and in each block the same elements in its lines. Needs html5lib.

    bench/html_pages.py --program build/release/bench/bench_markup --model models/en-de --pages 60 /usr/share/doc/*/html

Each folder gives as many, chosen by the hash of their path: always the same ones."""
import argparse
import collections
import hashlib
import json
import pathlib
import subprocess
import sys

import html5lib

INLINE = set("a abbr acronym b bdi bdo big button cite code data del dfn em font i img input ins kbd label mark meter "
             "nobr output progress q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split())
# Elements whose content must not change.
KEPT = set("code kbd samp var pre script style textarea math".split())
TEXT_ATTRIBUTES = set("title alt placeholder label abbr summary content value aria-label aria-description "
                      "aria-placeholder aria-roledescription aria-valuetext".split())


def choose(folder, count, most_bytes):
    fit = [page for page in pathlib.Path(folder).rglob("*.html")
           if 500 <= page.stat().st_size <= most_bytes and not page.is_symlink()]
    return sorted(fit, key=lambda page: hashlib.sha256("/".join(page.parts[-3:]).encode()).digest())[:count]


def element(node):
    """Name and attributes; the text of attributes for readers may change."""
    name = node.tag.rsplit("}", 1)[-1]
    return name, tuple(sorted((key, "" if key in TEXT_ATTRIBUTES else value) for key, value in node.attrib.items()))


def seen(text):
    """What a page consists of: blocks in order, each with the elements of its lines, its kept texts and words."""
    blocks = []

    def visit(root):
        stack = [(root, None)]
        while stack:
            node, block = stack.pop()
            if not isinstance(node.tag, str):
                continue
            name, attributes = element(node)
            if name not in INLINE:
                block = {"block": (name, attributes), "lines": collections.Counter(), "kept": [], "words": []}
                blocks.append(block)
            else:
                block["lines"][name, attributes] += 1
            if name in KEPT:
                block["kept"].append("".join(node.itertext()))
                continue
            block["words"] += (node.text or "").split()
            below = [(child, block) for child in node]
            for child in node:
                block["words"] += (child.tail or "").split()
            stack += reversed(below)

    visit(html5lib.parse(text, treebuilder="etree", namespaceHTMLElements=False))
    return blocks


def empty_elements(text):
    """Elements in lines that stand around nothing."""
    tree = html5lib.parse(text, treebuilder="etree", namespaceHTMLElements=False)
    return sum(isinstance(node.tag, str) and node.tag in INLINE - {"img", "input", "wbr"} and len(node) == 0
               and not (node.text or "").strip() for node in tree.iter())


def compare(before, after):
    faults = []
    if [b["block"] for b in before] != [a["block"] for a in after]:
        faults.append("blocks")
    elif [b["lines"] for b in before] != [a["lines"] for a in after]:
        faults.append("elements in lines")
    if [sorted(b["kept"]) for b in before] != [sorted(a["kept"]) for a in after]:
        faults.append("kept texts")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--most-bytes", type=int, default=30_000)
    parser.add_argument("--out", default="/tmp/html_pages")
    parser.add_argument("--beam", default="1")
    parser.add_argument("--plain", action="store_true", help="time the same texts without tags, too")
    parser.add_argument("--reuse", action="store_true", help="compare what the last run left")
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    share = -(-arguments.pages // len(arguments.folders))
    pages = [page for folder in arguments.folders for page in choose(folder, share, arguments.most_bytes)]
    out = pathlib.Path(arguments.out)
    source = out / "source"
    source.mkdir(parents=True, exist_ok=True)
    copies = []
    for number, page in enumerate(pages):
        copy = source / f"{number:02}-{page.name}"
        copy.write_text(page.read_text(encoding="utf-8", errors="replace"), encoding="utf-8", newline="")
        copies.append(copy)
    if not arguments.reuse:
        command = [arguments.program, "--model", arguments.model, "--beam", arguments.beam, "--out", out / "target"]
        said = subprocess.run([*command, *(["--plain"] if arguments.plain else []), *copies], check=True,
                              capture_output=True, text=True)
        print(said.stdout, end="")
    total = collections.Counter()
    for copy, page in zip(copies, pages):
        text = copy.read_text(encoding="utf-8")
        translated = (out / "target" / copy.name).read_text(encoding="utf-8")
        before, after = seen(text), seen(translated)
        faults = compare(before, after)
        total.update(pages=1, equal=not faults, blocks=len(before),
                     lines=sum(sum(b["lines"].values()) for b in before),
                     changed=sum(b["words"] != a["words"] for b, a in zip(before, after)),
                     with_words=sum(bool(b["words"]) for b in before),
                     emptied=empty_elements(translated) - empty_elements(text))
        for fault in faults:
            print(f"{copy.name} ({page}): {fault}")
    print(json.dumps(total))
    sys.exit(total["equal"] < total["pages"])


if __name__ == "__main__":
    main()
