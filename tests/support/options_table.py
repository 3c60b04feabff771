# SPDX-License-Identifier: Apache-2.0
"""Reads capi/options.json, and compares what pages and comments say with its rows. All that compare yield sentences."""
import json
import re

RULES = {"decoding", "text", "device"}
ENGINES = ("ctranslate2", "marian", "huggingface")
TYPES = {"count", "number", "flag", "enumeration", "text", "tokens", "sequences", "handle"}
KEYS = {"handle", "name", "section", "rule", "engine", "type", "values", "default", "engines", "min", "above", "below", "max",
        "also", "range", "with", "needs", "flag", "gguf", "field", "member", "doc"}
BOUNDS = ("min", "above", "below", "max")


def read(root):
    return json.loads((root / "capi" / "options.json").read_text(encoding="utf-8"))


def rows(options):
    return {row["name"]: row for row in options["options"]}


def of_model(row):
    """Whether the model, or its engine, has the word where nothing is set."""
    return row["default"] == "model" or row["type"] == "enumeration" and row["rule"] != "text"


def same(place, name, what, expected, got):
    if expected != got:
        yield f"{place}: {name}: {what}: expected {expected!r}, got {got!r}"


def names(place, expected, got):
    """Each name once, on both sides."""
    got = list(got)
    for name in sorted(set(expected) - set(got)):
        yield f"{place}: {name}: is missing"
    for name in sorted(set(got) - set(expected)):
        yield f"{place}: {name}: is not in capi/options.json"
    for name in sorted({name for name in got if got.count(name) > 1}):
        yield f"{place}: {name}: is there twice"


def value(word):
    """A default as comments have it; None for one in words."""
    if word == "the model's":
        return "model"
    if word.lower() in ("true", "false"):
        return word.lower() == "true"
    return float(word.rstrip("f")) if re.fullmatch(r"-?\d+(\.\d+)?f?", word) else None


def said(place, row, text):
    """A default and a range in a comment are those of the row, and a number's default is there."""
    found = re.findall(r"[Dd]efault (the model's|[\w.]*\w)", text) + re.findall(r"(\w+) \(default\)", text)
    found = [value(word) for word in found if value(word) is not None]
    if row["type"] in ("count", "number") or row["default"] is True:
        if not found:
            yield f"{place}: {row['name']}: says no default, expected {row['default']!r}"
    for default in found:
        yield from same(place, row["name"], "default", row["default"], default)
    for low, high in re.findall(r"\b(\d+)(?: \(\w+\))? to (\d+)\b", text):
        yield from same(place, row["name"], "range", (row.get("min"), row.get("max")), (int(low), int(high)))


def table(options):
    """Rows are complete, and their ranges in words are those in numbers."""
    place = "capi/options.json"
    yield from names(place, rows(options), [row["name"] for row in options["options"]])
    for row in options["options"]:
        name, kind = row["name"], row["type"]
        for key in sorted(set(row) - KEYS):
            yield f"{place}: {name}: unknown key {key}"
        for key, known in (("rule", RULES), ("engine", {"all", *ENGINES}), ("type", TYPES)):
            if row[key] not in known:
                yield f"{place}: {name}: {key}: expected one of {sorted(known)}, got {row[key]!r}"
        if row["gguf"] and kind != "enumeration" or kind in ("count", "number") and row["default"] == "model":
            yield from same(place, name, "engines", ENGINES, tuple(row.get("engines", ())))
        if kind == "enumeration":
            yield from same(place, name, "default", row["values"][0], row["default"])
        if kind in ("count", "number"):
            bounds = {float(row[key]) for key in BOUNDS if key in row and not isinstance(row[key], str)}
            if row["range"] not in ("any", "finite"):
                yield from same(place, name, "range", bounds, {float(n) for n in re.findall(r"\d+", row["range"])})
