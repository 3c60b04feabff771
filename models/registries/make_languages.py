#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_languages.py TOOL PAGE: writes the tables of languages between their marks in a page, of what registries offer.
`TOOL models search` asks them, or takes their lists as they are on this machine (DRAGOMAN_OFFLINE=1). A registry
without a list here is not in the tables. Models of many languages are counted, and have no rows."""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARKS = {part: (f"<!-- {part}: made by models/registries/make_languages.py -->\n", f"<!-- {part}: end -->\n")
         for part in ("by registry", "by language")}
METRICS = {"comet22": "COMET-22", "chrf": "chrF", "bleu": "BLEU"}
TOGETHER = {"firefox-all": "firefox"}  # the same models: one list has sizes, the other quality


def lines_of(tool, *words):
    ran = subprocess.run([tool, "models", *words, "--json"], capture_output=True, text=True, check=False)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def names():
    """English names of languages by their codes."""
    text = (ROOT / "lib/spec/language_table.cpp").read_text(encoding="utf-8")
    rows = "".join(re.findall(r'^    "(.*)"', text, re.M)).split(";")
    columns = [row.split(",", 4) for row in rows if row.count(",") >= 4]
    return {code: name for one in columns for code, name in ((one[0], one[4]), (one[1], one[4])) if code}


def name_of(tag, known):
    language, *rest = tag.split("-")
    more = {"Hant": "traditional script", "Hans": "simplified script", "BR": "Brazil"}
    return known.get(language, tag) + "".join(f", {more.get(part, part)}" for part in rest)


def size_text(size):
    return f"{size / 1e6:.0f} MB" if size else ""


def quality_text(model):
    if not model.get("quality"):
        return ""
    return f"{METRICS[model['metric']]} {model['quality']:.{2 if model['metric'] == 'comet22' else 0}f}"


def pair_of(model):
    return (model["from"][0], model["to"][0]) if len(model["from"]) == len(model["to"]) == 1 else None


def by_registry(registries, offered):
    lines = ["| registry | models | languages | size of one | licence | quality | list of |",
             "|---|---:|---:|---|---|---|---|"]
    for registry in registries:
        models = offered.get(registry["id"])
        if not models:
            continue
        languages = {tag for model in models for tag in model["from"] + model["to"]}
        sizes = sorted(model["bytes"] for model in models if model["bytes"])
        size = f"{sizes[0] / 1e6:.0f} to {size_text(sizes[-1])}" if sizes else "not in its list"
        licences = sorted({model.get("license", "") or "not stated" for model in models})
        measured = sorted((model for model in models if model.get("quality")), key=lambda model: model["quality"])
        quality = ""
        if measured:
            quality = f"{quality_text(measured[0])} to {measured[-1]['quality']:.2f}, {len(measured)} of {len(models)}"
        lines.append(f"| `{registry['id']}` | {len(models)} | {len(languages)} | {size} | {', '.join(licences)} "
                     f"| {quality or 'not published'} | {registry['list_time'][:10]} |")
    return lines


def cell(models):
    """The registries that have a direction, with what is known of the best of each."""
    found = {}
    for model in models:
        registry = model["name"].split(":")[0]
        facts = found.setdefault(TOGETHER.get(registry, registry), {})
        for key, value in (("size", size_text(model["bytes"])), ("quality", quality_text(model))):
            facts.setdefault(key, value)
            facts[key] = facts[key] or value
    return "; ".join(", ".join(filter(None, (f"`{registry}`", facts["size"], facts["quality"])))
                     for registry, facts in sorted(found.items()))


def by_language(offered):
    known, pairs = names(), {}
    for models in offered.values():  # each list the best first
        for model in models:
            if pair := pair_of(model):
                pairs.setdefault(pair, []).append(model)
    others = sorted({tag for pair in pairs if "en" in pair for tag in pair} - {"en"},
                    key=lambda tag: name_of(tag, known))
    lines = ["| language | from English | into English |", "|---|---|---|"]
    for tag in others:
        lines.append(f"| {name_of(tag, known)} (`{tag}`) | {cell(pairs.get(('en', tag), []))} "
                     f"| {cell(pairs.get((tag, 'en'), []))} |")
    rest = sorted(pair for pair in pairs if "en" not in pair)
    if rest:
        lines += ["", "| without English | |", "|---|---|"]
        lines += [f"| {name_of(a, known)} to {name_of(b, known)} (`{a}` to `{b}`) | {cell(pairs[a, b])} |"
                  for a, b in rest]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("page", type=pathlib.Path)
    options = parser.parse_args()
    registries = [one for one in lines_of(options.tool, "registries") if one["list_url"]]
    offered = {one["id"]: lines_of(options.tool, "search", "--registry", one["id"]) for one in registries}
    if not any(offered.values()):
        sys.exit("no registry has a list here, and none could be asked")
    registries = [one for one in lines_of(options.tool, "registries") if one["list_url"]]  # with the lists' times
    text = options.page.read_text(encoding="utf-8")
    for part, lines in (("by registry", by_registry(registries, offered)), ("by language", by_language(offered))):
        begin, end = MARKS[part]
        if text.count(begin) != 1 or text.count(end) != 1:
            sys.exit(f"{options.page}: expected the marks of \"{part}\" once each")
        before, rest = text.split(begin)
        text = before + begin + "\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1]
    options.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
