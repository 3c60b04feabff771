#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/dragoman/_abi.py, the C interface as ctypes declares it, from capi/api.json. --check compares instead,
and fails when the file is stale."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys

PYTHON = pathlib.Path(__file__).resolve().parent.parent
API = PYTHON.parent.parent / "capi" / "api.json"
CTYPES = {"size_t": "c_size_t", "unsigned": "c_uint", "unsigned long": "c_ulong", "intptr_t": "c_ssize_t",
          "uintptr_t": "c_size_t"}


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.removeprefix("dragoman_").split("_"))


def fold(prefix: str, items: list[str], end: str, width: int = 118) -> list[str]:
    """prefix item, item, end over as many lines as it takes."""
    lines, current, indent = [], prefix, " " * len(prefix)
    for place, item in enumerate(items):
        piece = item + (", " if place + 1 < len(items) else end)
        if len(current) + len(piece.rstrip()) > width and current.strip():
            lines.append(current.rstrip())
            current = indent
        current += piece
    return [*lines, current.rstrip()] if items else [prefix + end]


class Table:
    def __init__(self, api: dict):
        self.api = api
        self.aliases = {alias["name"]: alias["type"] for alias in api["aliases"]}
        self.later = {callback["name"]: callback for callback in api["callbacks"]}

    def ctype(self, kind: dict, sized: bool = False) -> str:
        """The ctypes expression for a type; `sized`: a text with its length beside it, not ending with a zero byte."""
        if "base" not in kind:
            parts = [kind["returns"], *(parameter["type"] for parameter in kind["parameters"])]
            return f"ctypes.CFUNCTYPE({', '.join(map(self.ctype, parts))})"
        base, stars = kind["base"], kind.get("pointers", 0)
        if kind["kind"] == "alias":
            alias = self.aliases[base]
            return self.ctype({**alias, "pointers": alias.get("pointers", 0) + stars}, sized)
        if kind["kind"] in ("char", "void", "handle") and stars:
            inner = "ctypes.c_char_p" if kind["kind"] == "char" and not sized else "ctypes.c_void_p"
            stars -= 1
        elif kind["kind"] in ("struct", "callback"):
            inner = camel(base)
        elif kind["kind"] == "enum":
            inner = "ctypes.c_int32"
        else:
            inner = "None" if base == "void" else "ctypes." + CTYPES.get(base, "c_" + base.removesuffix("_t"))
        return "ctypes.POINTER(" * stars + inner + ")" * stars

    def callback(self, name: str) -> list[str]:
        callback = self.later.pop(name)
        out = []
        for parameter in callback["parameters"]:
            if parameter["type"].get("base") in self.later:
                out += self.callback(parameter["type"]["base"])
        kinds = [self.ctype(callback["returns"]), *(self.ctype(p["type"]) for p in callback["parameters"])]
        return [*out, "", "", *fold(f"{camel(name)} = ctypes.CFUNCTYPE(", kinds, ")")]

    def struct(self, struct: dict) -> list[str]:
        out = []
        for field in struct["fields"]:  # callbacks stand before the struct that has one, after those they get
            if field["type"].get("base") in self.later:
                out += self.callback(field["type"]["base"])
        out += ["", "", f"class {camel(struct['name'])}(ctypes.Structure):", "    _fields_ = ["]
        for field in struct["fields"]:
            ctype = self.ctype(field["type"], field.get("role") == "array")
            lengths = "".join(f" * {length}" for length in reversed(field["type"].get("array", [])))
            out.append(f'        ("{field["name"]}", {ctype}{lengths}),')
        return [*out, "    ]"]

    def text(self) -> str:
        out = ["# SPDX-License-Identifier: Apache-2.0",
               '"""The C interface: constants, enumerations, structs and functions of dragoman.h.',
               'Written by tools/make_abi.py from capi/api.json."""',
               "from __future__ import annotations", "", "import ctypes", "import enum", ""]
        out += [f"{one['name'].removeprefix('DRAGOMAN_')} = {one['value']!r}" for one in self.api["constants"]]
        for enum in self.api["enumerations"]:
            values = {one["name"]: one["value"] for one in enum["enumerators"]}
            prefix = re.match(r".*_", os.path.commonprefix(list(values)))[0]
            out += ["", "", f"class {camel(enum['name'])}(enum.IntEnum):"]
            out += [f"    {name.removeprefix(prefix)} = {value}" for name, value in values.items()]
        for struct in self.api["structs"]:
            out += self.struct(struct)
        for name in list(self.later):
            if name in self.later:
                out += self.callback(name)
        out += ["", "", "# name: (result, parameters)", "FUNCTIONS = {"]
        for function in self.api["functions"]:
            if not function["inline"]:
                kinds = [self.ctype(parameter["type"]) for parameter in function["parameters"]]
                result = self.ctype(function["returns"]["type"])
                out += fold(f'    "{function["name"]}": ({result}, [', kinds, "]),")
        return "\n".join([*out, "}"]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--api", type=pathlib.Path, default=API)
    parser.add_argument("--out", type=pathlib.Path, default=PYTHON / "src" / "dragoman" / "_abi.py")
    options = parser.parse_args()
    text = Table(json.loads(options.api.read_text(encoding="utf-8"))).text()
    if not options.check:
        options.out.write_text(text, encoding="utf-8")
    elif options.out.read_text(encoding="utf-8") != text:
        sys.exit(f"{options.out} is not what api.json says: run bindings/python/tools/make_abi.py")


if __name__ == "__main__":
    main()
