# SPDX-License-Identifier: Apache-2.0
"""What a header is read into: tokens, types, declarations."""
from __future__ import annotations

import re
from dataclasses import dataclass, field

SCALARS = {  # name: (kind, size under LP64, size under LLP64)
    "void": ("void", 1, 1), "char": ("char", 1, 1), "bool": ("integer", 1, 1),
    "int8_t": ("integer", 1, 1), "uint8_t": ("integer", 1, 1), "int16_t": ("integer", 2, 2),
    "uint16_t": ("integer", 2, 2), "int32_t": ("integer", 4, 4), "uint32_t": ("integer", 4, 4),
    "int64_t": ("integer", 8, 8), "uint64_t": ("integer", 8, 8), "size_t": ("integer", 8, 8),
    "intptr_t": ("integer", 8, 8), "uintptr_t": ("integer", 8, 8), "int": ("integer", 4, 4),
    "unsigned": ("integer", 4, 4), "long": ("integer", 8, 4), "unsigned long": ("integer", 8, 4),
    "float": ("float", 4, 4), "double": ("float", 8, 8),
}

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*) | (?P<line>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*) | (?P<space>\s+)
    | (?P<word>[A-Za-z_]\w*) | (?P<number>\d[\w.]*) | (?P<text>"(?:\\.|[^"\\])*") | (?P<sign>.)""", re.X | re.S | re.M)


class HeaderError(Exception):
    """What the reader cannot read, or what the header does not say."""


@dataclass
class Token:
    kind: str
    text: str
    line: int


@dataclass
class Type:
    """`pointers` stars on `base`; constant[i] tells whether what the i-th level holds is const, the base first."""
    base: str = ""
    pointers: int = 0
    constant: list[bool] = field(default_factory=lambda: [False])
    array: list[str] = field(default_factory=list)
    function: tuple[Type, list[Item]] | None = None  # a pointer to it

    def spelling(self) -> str:
        if self.function:
            result, parameters = self.function
            return f"{result.spelling()} (*)({', '.join(p.type.spelling() for p in parameters) or 'void'})"
        text = ("const " if self.constant[0] else "") + self.base
        for constant in self.constant[1:]:
            text += "*" + (" const" if constant else "")
        return text


@dataclass
class Item:
    """A parameter, field, enumerator, macro or declaration."""
    name: str
    doc: str = ""
    type: Type = field(default_factory=Type)
    value: str = ""
    kind: str = ""
    items: list[Item] = field(default_factory=list)
    group: str = ""
    header: str = ""
    condition: str = ""
    macros: list[str] = field(default_factory=list)
    parameters: list[str] | None = None  # of a macro


def clean(comment: str) -> str:
    """The text of a doc comment: a paragraph is one line; code keeps its lines."""
    body = re.sub(r"^/\*\*<?|\*/$", "", comment)
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in body.split("\n")]
    paragraphs: list[str] = []
    fresh = True
    for line in lines:
        if re.match(r"\s*@(file|def\b)", line) or not line.strip():
            fresh = True
            continue
        code = re.match(r" {4}|\t", line) and (fresh or paragraphs[-1].startswith("    "))
        if fresh or code or re.match(r"- |Statuses:", line):
            paragraphs.append(line if code else line.strip())
        else:
            paragraphs[-1] += " " + line.strip()
        fresh = False
    return "\n".join(paragraphs)
