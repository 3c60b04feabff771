# SPDX-License-Identifier: Apache-2.0
"""The flags of `dragoman translate --help`, compared with capi/options.json; of `dragoman bench --help` those that are
options."""
import re
import subprocess

from options_table import names, same, value

WORDS = {"count": "UINT", "number": "FLOAT", "enumeration": "NAME", "flag": "", "text": "TEXT", "tokens": "TEXT",
         "sequences": "TEXT", "handle": "TEXT"}
FLAG = re.compile(r"^  (?:-\w,)?(--[\w-]+)(?: ([A-Z]+))?(?::(\{[^}]*\}))?(?: \.\.\.)?(?:=([\w.']+))?", re.MULTILINE)
GROUPS = ("Texts", "Decoding")  # all of their flags are options


def flags_in(text):
    return {flag: rest for flag, *rest in FLAG.findall(text)}


def check(options, tool):
    own = {row["flag"]: row for row in options["options"] if row["flag"]}
    for command in ("translate", "bench"):
        text = subprocess.run([tool, command, "--help"], capture_output=True, text=True, check=True).stdout
        place = f"dragoman {command} --help"
        if command == "translate":
            yield from complete(place, options, own, text)
        yield from alike(place, own, flags_in(text))


def complete(place, options, own, text):
    groups = re.split(r"^(\S[^\n]*):\n", text, flags=re.MULTILINE)
    of_options = {flag for title, lines in zip(groups[1::2], groups[2::2]) if title in GROUPS
                  for flag in flags_in(lines)}
    yield from names(place, {*own, *options["flags_of_the_tool"]}, of_options | {*own} & {*flags_in(text)})


def alike(place, own, flags):
    for flag, row in own.items():
        if flag not in flags:
            continue
        word, values, default = flags[flag]
        yield from same(place, flag, "type", WORDS[row["type"]], word)
        if row["type"] == "enumeration":
            yield from same(place, flag, "values", sorted(row["values"]), sorted(values.strip("{}").split(",")))
            yield from same(place, flag, "default", row["default"], default)
        if row["type"] in ("count", "number"):
            got = "model" if default == "model's" else value(default)
            yield from same(place, flag, "default", row["default"], got)
        if row["type"] == "flag":
            yield from same(place, flag, "default", row["default"], flag.startswith("--no-"))
