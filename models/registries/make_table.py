#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_table.py [--check] PAGE: writes the table of registries between its marks in a page, or only tells whether it is
the one that the data files make."""
import argparse
import json
import pathlib
import sys

BEGIN, END = "<!-- registries: made by models/registries/make_table.py -->\n", "<!-- registries: end -->\n"
EXAMPLES = {"hub": "OWNER/NAME", "address": "https://HOST/FILE"}


def checks(data):
    """How files are checked, by the keys that the registry has for them."""
    if data["shape"] == "hub":
        return "SHA-256, small files by git's SHA-1"
    if data["shape"] == "address":
        return "`#sha256=` in the name, otherwise at first use"
    found = [key for key in ("sha256", "unpacked_sha256") if any(key in file for file in data["files"])]
    names = {"sha256": "as transferred", "unpacked_sha256": "unpacked"}
    if not found:
        return "at first use"
    whole = all(any(key in file for key in found) for file in data["files"])
    return "SHA-256 " + " and ".join(names[key] for key in found) + ("" if whole else ", of some files")


def example(data):
    languages = {"firefox": "de-en", "firefox-all": "de-en", "opus": "de-en", "tatoeba": "deu-eng", "argos": "de_en",
                 "hplt": "af-en-tiny", "translatelocally": "cs-en-tiny"}
    return f"`{data['id']}:{languages.get(data['id'], EXAMPLES.get(data['shape'], 'MODEL'))}`"


def table(folder):
    lines = ["| name | what it has | licence | files are checked |", "|---|---|---|---|"]
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        title = f"[{data['title']}]({data['homepage']})" if data.get("homepage") else data["title"]
        if data.get("publisher"):
            title += f", by {data['publisher']}"
        license = data.get("license") or "by model"
        lines.append(f"| {example(data)} | {title} | {license} | {checks(data)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("page", type=pathlib.Path)
    options = parser.parse_args()

    text = options.page.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{options.page}: expected the marks of the table once each")
    before, rest = text.split(BEGIN)
    made = before + BEGIN + "\n" + table(pathlib.Path(__file__).resolve().parent) + "\n" + END + rest.split(END)[1]
    if options.check:
        if made != text:
            sys.exit(f"{options.page}: expected the table that the data files make: run {__file__} {options.page}")
    elif made != text:
        options.page.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
