#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_abi.py dragoman.h > _abi.py: the C interface as ctypes declares it. A test runs it and compares."""
from __future__ import annotations

import os
import pathlib
import re
import sys

SCALARS = {
    "void": "None", "char": "c_char", "float": "c_float", "double": "c_double", "size_t": "c_size_t",
    "int32_t": "c_int32", "int64_t": "c_int64", "uint8_t": "c_uint8", "uint32_t": "c_uint32", "uint64_t": "c_uint64",
    "int": "c_int",
}
LIMITS = {"UINT32_MAX": 2**32 - 1, "UINT64_MAX": 2**64 - 1, "SIZE_MAX": 2**64 - 1}


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.removeprefix("dragoman_").split("_"))


class Header:
    """What the declarations of a header say; knows this header's habits, not all of C."""

    def __init__(self, text: str):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
        text = text.replace("\\\n", " ")
        self.constants = self._constants(text)
        text = re.sub(r"^\s*#[^\n]*", "", text, flags=re.M)
        text = re.sub(r"static inline [^{;]*\{(?:[^{}]|\{[^{}]*\})*\}", "", text)
        self.opaque = re.findall(r"typedef struct \w+ (\w+);", text)
        self.enums = {name: self._values(body) for body, name in
                      re.findall(r"typedef enum \w+ \{(.*?)\} (\w+);", text, re.S)}
        self.callbacks = {name: (result, self._parameters(args)) for result, name, args in
                          re.findall(r"typedef ([\w ]+?)\s*\(\*(\w+)\)\((.*?)\);", text, re.S)}
        bodies = re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, re.S)
        self.structs = {name: self._fields(body) for body, name in bodies}
        self.functions = {name: (result.strip(), self._parameters(args)) for result, name, args in
                          re.findall(r"DRAGOMAN_API ([\w\s*]+?)\s*\b(dragoman_\w+)\((.*?)\);", text, re.S)}

    @staticmethod
    def _constants(text: str) -> dict[str, object]:
        found = {}
        for name, value in re.findall(r"^#define (DRAGOMAN_[A-Z0-9_]+)[ \t]+([^\n]+?)[ \t]*$", text, re.M):
            value = re.sub(r"\(size_t\)\s*", "", value)
            if value in LIMITS:
                found[name] = LIMITS[value]
            elif re.fullmatch(r"[0-9a-fx<>()|+* ]+", value) and "(" not in name:
                found[name] = eval(value)  # noqa: S307, digits and operators only
        return found

    @staticmethod
    def _values(body: str) -> dict[str, int]:
        return {name: int(value, 0) for name, value in re.findall(r"(\w+)\s*=\s*(-?\w+)", body)}

    @staticmethod
    def _declaration(text: str) -> tuple[str, str, str]:
        """(type, name, array length) of "const char* name[2]"."""
        match = re.fullmatch(r"(.*?[\s*])(\w+)(?:\[(\w+)\])?", " ".join(text.split()))
        if not match:
            raise ValueError(f"cannot read the declaration {text!r}")
        return match[1].strip(), match[2], match[3] or ""

    def _parameters(self, text: str) -> list[tuple[str, str]]:
        if text.strip() in ("void", ""):
            return []
        return [self._declaration(part)[:2] for part in text.split(",")]

    def _fields(self, body: str) -> list[tuple[str, str, str]]:
        fields = []
        for line in filter(str.strip, body.split(";")):
            first, *more = line.split(",")
            kind, name, length = self._declaration(first)
            fields.append((kind, name, length))
            fields += [(kind, other.strip(), "") for other in more]
        return fields

    def ctype(self, kind: str, in_struct: str = "") -> str:
        """The ctypes expression for a C type."""
        kind = kind.replace("const ", "").replace("struct ", "").replace(" ", "")
        base, stars = kind.rstrip("*"), kind.count("*")
        if base == "char" and stars:
            # With a length beside it, or written to: not a text that ends with a zero byte.
            inner = "c_void_p" if in_struct == "dragoman_string" else "c_char_p"
            return f"ctypes.{inner}" if stars == 1 else f"ctypes.POINTER(ctypes.{inner})"
        if base == "void":
            return "None" if not stars else "ctypes.c_void_p"
        if base in self.opaque:
            return "ctypes.c_void_p" if stars == 1 else "ctypes.POINTER(ctypes.c_void_p)"
        if base in self.enums:
            inner = "ctypes.c_int32"
        elif base in self.structs or base in self.callbacks:
            inner = camel(base)
        else:
            inner = "ctypes." + SCALARS[base]
        return "ctypes.POINTER(" * stars + inner + ")" * stars


def read(path: pathlib.Path, seen: set[pathlib.Path]) -> str:
    """A header with those of its own folder in place of their #include lines, each once."""
    if path in seen:
        return ""
    seen.add(path)

    def include(match: re.Match[str]) -> str:
        return read(path.parent / match[1], seen)

    return re.sub(r"^#include <dragoman/([\w.]+)>", include, path.read_text(encoding="utf-8"), flags=re.M)


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


def generate(text: str) -> str:
    header = Header(text)
    out = ["# SPDX-License-Identifier: Apache-2.0",
           '"""The C interface: constants, enumerations, structs and functions of dragoman.h.',
           'Written by tools/make_abi.py."""',
           "from __future__ import annotations", "", "import ctypes", "import enum", ""]
    for name, value in header.constants.items():
        out.append(f"{name.removeprefix('DRAGOMAN_')} = {value}")
    for name, values in header.enums.items():
        prefix = re.match(r".*_", os.path.commonprefix(list(values)))[0]
        out += ["", "", f"class {camel(name)}(enum.IntEnum):"]
        out += [f"    {value.removeprefix(prefix)} = {number}" for value, number in values.items()]
    rest = dict(header.callbacks)

    def callback(name: str) -> list[str]:
        result, parameters = rest.pop(name)
        kinds = [header.ctype(result), *(header.ctype(kind) for kind, _ in parameters)]
        return ["", "", *fold(f"{camel(name)} = ctypes.CFUNCTYPE(", kinds, ")")]

    for name, fields in header.structs.items():
        for kind, _, _ in fields:  # they come before the struct that has one, and behind the structs they get
            if kind in rest:
                out += callback(kind)
        out += ["", "", f"class {camel(name)}(ctypes.Structure):", "    _fields_ = ["]
        for kind, field, length in fields:
            ctype = header.ctype(kind, in_struct=name)
            out.append(f'        ("{field}", {f"{ctype} * {length}" if length else ctype}),')
        out.append("    ]")
    for name in list(rest):
        out += callback(name)
    out += ["", "", "# name: (result, parameters)", "FUNCTIONS = {"]
    for name, (result, parameters) in header.functions.items():
        kinds = [header.ctype(kind) for kind, _ in parameters]
        lines = fold(f'    "{name}": ({header.ctype(result)}, [', kinds, "]),")
        out += lines
    out.append("}")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(generate(read(pathlib.Path(sys.argv[1]), set())))
