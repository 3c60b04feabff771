#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/options.md from capi/options.json, between its marks. --check compares instead, and fails
when the page is stale.

A new option is a row of capi/options.json, and then:
- capi/include/dragoman/translator.h: a field at the end of dragoman_translate_options; capi/tools/make_api.py and
  bindings/*/tools write api.json and the tables of the bindings from it;
- lib/pipeline/model/options.h: a member of TranslateOptions or TextOptions; options.cpp: its check and what it does;
- capi/translate.cpp: its default and how it is read;
- where a model can set it: a field of lib/spec/search_defaults.h and a key in lib/families/gguf/gguf_keys.h, docs/gguf.md;
- the tool's options.cpp: its flag;
- bindings/python/src/dragoman/options.py (twice) and bindings/node/index.d.ts: its name, type and sentence;
- this script, for docs/options.md.
The test source.options (tests/support/check_options.py) names each of them that was forgotten or differs.

Keys of a row. "section": where docs/options.md has it. "rule": whose it is: decoding, text or device. "engine": the
only search that has it, or all. "default": "model" is as the model says, or else its engine ("engines"). "min", "max",
"above", "below": bounds ("max" may name a field of dragoman_model_info); "also": values allowed beyond them; "with":
what its bounds need set. "needs": what a model must have. "handle": whose. "field", "member": its name in SearchDefaults, and in
TranslateOptions or TextOptions, where that is another one; "!" is its contrary."""
from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys

ENGINES = {"ctranslate2": "CTranslate2's", "marian": "Marian's", "huggingface": "Hugging Face's"}


def word(value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return {"model": "the model's", "": "none"}.get(value, str(value))


def meaning(row: dict) -> str:
    parts = [row["doc"]]
    if "values" in row:
        parts.append(", ".join(f"`{value}`" for value in row["values"]))
    if row.get("range", "any") != "any":
        parts.append(row["range"])
    if row["engine"] != "all":
        parts.append(f"only with {ENGINES[row['engine']]} search")
    return "; ".join(parts)


def table(rows: list[dict]) -> str:
    lines = ["| option | flag | default | meaning |", "|---|---|---|---|"]
    for row in rows:
        flag = f"`{row['flag']}`" if row["flag"] else ""
        lines.append(f"| `{row['name']}` | {flag} | {word(row['default'])} | {meaning(row)} |")
    return "\n".join(lines)


def engines(rows: list[dict]) -> str:
    lines = ["| default of | " + " | ".join(f"`{engine}`" for engine in ENGINES) + " |", "|---|---|---|---|"]
    for row in rows:
        if len(set(row.get("engines", {}).values())) > 1 or row["default"] == "model" and "engines" in row:
            lines.append(f"| `{row['name']}` | " + " | ".join(word(row["engines"][e]) for e in ENGINES) + " |")
    return "\n".join(lines)


def page(options: dict, text: str) -> str:
    """The page with its tables as the options are. ValueError for a mark or an option without the other."""
    rows, seen = options["options"], set()
    known = {row["section"] for row in rows} | {"engines"}

    def fill(match: re.Match) -> str:
        section = match[1]
        if section not in known - seen:
            raise ValueError(f"docs/options.md: no options for a first table \"{section}\"")
        seen.add(section)
        made = engines(rows) if section == "engines" else table([row for row in rows if row["section"] == section])
        return f"<!-- options: {section} -->\n{made}\n<!-- end -->"

    filled = re.sub(r"<!-- options: (\w+) -->\n.*?<!-- end -->", fill, text, flags=re.DOTALL)
    if known - seen:
        raise ValueError(f"docs/options.md: no table for {', '.join(sorted(known - seen))}")
    return filled


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    path = arguments.root / "docs" / "options.md"
    old = path.read_text(encoding="utf-8")
    options = json.loads((arguments.root / "capi" / "options.json").read_text(encoding="utf-8"))
    try:
        new = page(options, old)
    except ValueError as error:
        sys.exit(str(error))
    if arguments.check and old != new:
        sys.exit("docs/options.md: differs from capi/options.json; run capi/tools/make_options.py")
    if not arguments.check:
        path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
