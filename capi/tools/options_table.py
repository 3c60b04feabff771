# SPDX-License-Identifier: Apache-2.0
"""Reads capi/options.json, fills in what its rows may leave out, and names what is wrong with them. make_options.py says
what the keys mean."""
from __future__ import annotations

import json
import pathlib
import re

ENGINES = ("ctranslate2", "marian", "huggingface")
BOUNDS = ("min", "above", "max", "below")
TYPES = ("count", "number", "flag", "enumeration", "text", "tokens", "sequences", "handle")
ROW = {"name", "section", "rule", "engine", "type", "handle", "default", "engines", "cpp", "held", "unset", *BOUNDS, "also",
       "with", "needs", "flag", "gguf", "field", "member", "group", "tool", "continuing", "text", "comment", "see", "help",
       "doc"}
CHOICES = {"rule": ("decoding", "text", "device"), "engine": ("all", *ENGINES), "type": TYPES,
           "continuing": ("allowed", "ignored", "refused"), "text": ("same", "another")}
NEEDED = {"flag": ("group",), "handle": ("handle", "cpp", "held", "unset"), "enumeration": ("cpp",), "text": ("unset",),
          "tokens": ("unset",), "sequences": ("unset",)}


class TableError(ValueError):
    pass


class Table:
    """The table. `rows`: the options, by their names; `c_fields`: of C's struct, a row or what has none."""

    def __init__(self, root: pathlib.Path):
        table = json.loads((root / "capi" / "options.json").read_text(encoding="utf-8"))
        self.enumerations = table["enumerations"]
        self.of_models_alone = table["of_models_alone"]
        self.values = {one["name"]: list(one["values"]) for one in self.enumerations}
        self.rows = {row["name"]: self._filled(row) for row in table["options"]}
        self.c_fields = [self.rows.get(field, field) if isinstance(field, str) else field for field in table["c_fields"]]
        faults = [*self._fields(table), *(fault for row in table["options"] for fault in self._row(row))]
        if faults:
            raise TableError("\n".join(f"capi/options.json: {fault}" for fault in faults))

    def _filled(self, row: dict) -> dict:
        text = row.get("rule") == "text"
        filled = {"engine": "all", "group": "Texts" if text else "Decoding", "gguf": None, "flag": None, "text": "another",
                  "continuing": "ignored" if text else "allowed", "field": row["name"], "member": row["name"], **row}
        if row.get("type") == "enumeration":
            filled["values"] = self.values.get(row["name"], [])
        return filled

    def _fields(self, table: dict):
        names = [row["name"] for row in table["options"]]
        listed = [field for field in table["c_fields"] if isinstance(field, str)]
        yield from (f"{name}: is there twice" for name in sorted({one for one in names if names.count(one) > 1}))
        yield from (f"{name}: is twice among c_fields" for name in sorted({one for one in listed if listed.count(one) > 1}))
        yield from (f"{name}: is not among c_fields; a new one goes to their end" for name in names if name not in listed)
        yield from (f"{name}: is among c_fields, but no option" for name in listed if name not in names)

    def _row(self, given: dict):
        name, row = given["name"], self.rows[given["name"]]
        for key in sorted(set(given) - ROW):
            yield f"{name}: unknown key {key}"
        needed = ("section", "rule", "type", "default", "comment", "doc", *NEEDED.get(row.get("type"), ()))
        missing = [key for key in needed if key not in row]
        if missing:
            yield f"{name}: has no {', '.join(missing)}"
            return
        for key, known in CHOICES.items():
            if row[key] not in known:
                yield f"{name}: {key}: expected one of {', '.join(known)}, got {row[key]!r}"
        if in_model(row) and row["type"] in ("count", "number", "flag") and tuple(row.get("engines", ())) != ENGINES:
            yield f"{name}: engines: expected a default for each of {', '.join(ENGINES)}"
        if row["type"] == "enumeration" and row["default"] != (row["values"] or [None])[0]:
            yield f"{name}: default: expected the first value of the enumeration {name}, got {row['default']!r}"
        if row["type"] in ("count", "number"):
            yield from self._bounds(name, row)

    @staticmethod
    def _bounds(name: str, row: dict):
        low, high = row.get("min", row.get("above")), row.get("max", row.get("below"))
        for value in (row["default"], *row.get("engines", {}).values()):
            if isinstance(value, bool) or not isinstance(value, (int, float)) and value != "model":
                yield f"{name}: default: expected a number, got {value!r}"
            elif value != "model" and not within(row, value):
                yield f"{name}: default: {value} is not in its own range, {range_of(row)}"
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low >= high:
            yield f"{name}: its lowest value, {low}, is not below its highest, {high}"


def in_model(row: dict) -> bool:
    """Whether models may set it."""
    return row["gguf"] is not None


def unset_in_c(row: dict) -> bool:
    """Whether the model, or its engine, has the word where nothing is set."""
    return row["default"] == "model" or row["type"] == "enumeration" and row["rule"] != "text"


def within(row: dict, value: float) -> bool:
    checks = {"min": lambda bound: value >= bound, "above": lambda bound: value > bound,
              "max": lambda bound: value <= bound, "below": lambda bound: value < bound}
    return all(checks[key](row[key]) for key in BOUNDS if isinstance(row.get(key), (int, float)))


def range_of(row: dict) -> str:
    """What is allowed, in words; empty: anything."""
    low, above, high, below = (row.get(key) for key in BOUNDS)
    if isinstance(high, str):
        return f"{low} to the decoder's {high.removeprefix('decoder_')}"
    if low is not None and high is not None:
        return f"{low} to {high}"
    if above is not None and high is not None:
        return f"more than {above}, at most {high}"
    if low is not None and below is not None:
        return f"{low} or more, below {below}"
    if above is not None:
        return f"a finite number above {above}"
    return "a finite number" if row["type"] == "number" else ""


def default_in(text: str, value: str) -> str:
    """A comment that also says the default: behind the meaning of that value, if it says one, or at the end."""
    said = re.compile(rf"(^|; ){re.escape(value)}(?=: )")
    if said.search(text):
        return said.sub(lambda match: f"{match[0]} (default)", text, count=1)
    return f"{text}; default {value}"
