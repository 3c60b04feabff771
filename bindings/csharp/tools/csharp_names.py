# SPDX-License-Identifier: Apache-2.0
"""How the C API's names, types and comments read in C#."""
from __future__ import annotations

import os
import re
import textwrap
from xml.sax.saxutils import escape

NUMBERS = {"int8_t": "sbyte", "uint8_t": "byte", "int16_t": "short", "uint16_t": "ushort", "int32_t": "int",
           "uint32_t": "uint", "int64_t": "long", "uint64_t": "ulong", "size_t": "SizeT", "float": "float",
           "double": "double", "int": "int", "char": "byte", "void": "void", "dragoman_status": "Status"}
KEYWORDS = {"lock", "event", "object", "string", "base", "params", "ref", "out", "in", "is", "as"}
# Where C's name means something else in C#, or too little.
RENAMED = {"dragoman_sentence_flag": "SentenceFlags", "dragoman_memory_info": "DeviceMemory",
           "dragoman_stats": "TranslatorStats", "dragoman_document_kind": "DocumentFormat"}


def pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def type_name(name: str) -> str:
    return RENAMED.get(name) or pascal(name.removeprefix("dragoman_"))


def field_name(name: str) -> str:
    return f"@{name}" if name in KEYWORDS else name


def members(enum: dict) -> dict[str, dict]:
    """C#'s names of the enumerators, in their order."""
    prefix = re.match(r".*_", os.path.commonprefix([one["name"] for one in enum["enumerators"]]))[0]
    found = {pascal(one["name"].removeprefix(prefix).lower()): one for one in enum["enumerators"]}
    return found


def of_handle(kind: dict) -> bool:
    return kind.get("kind") == "handle"


def ctype(entry: dict) -> str:
    """A parameter's or field's type: handles and what belongs to callbacks are IntPtr, other pointers stay pointers."""
    kind = entry["type"]
    stars = kind.get("pointers", 0)
    if "base" not in kind or kind.get("kind") == "callback" or entry.get("role") == "user" or entry["name"] == "user":
        return "IntPtr"
    if of_handle(kind) and stars:
        return "IntPtr" + "*" * (stars - 1)
    return NUMBERS.get(kind["base"], kind["base"]) + "*" * stars


def returned(entry: dict) -> str:
    return ctype({"name": "", **entry["returns"]} if "type" in entry["returns"] else {"name": "", "type": entry["returns"]})


class Words:
    """Comments for people who do not see C: its names become C#'s."""

    def __init__(self, *apis: dict):
        enums = [enum for api in apis for enum in api["enumerations"]]
        self.constants = {one["name"]: f"{type_name(enum['name'])}.{name}"
                          for enum in enums for name, one in members(enum).items()}
        self.constants |= {"DRAGOMAN_ALL_HEADS": "Library.AllHeads", "NAN": "float.NaN", "NULL": "null"}

    def plain(self, text: str) -> str:
        text = re.sub(r'NULL(?:, ""| or "")? \(default\)', "null (default)", text)
        text = re.sub(r"\b(?:DRAGOMAN_\w+|NAN|NULL)\b", lambda match: self.constants.get(match[0], match[0]), text)
        text = re.sub(r"\b(?:a )?dragoman_(\w+)::(\w+)", lambda match: f"{pascal(match[1])}.{pascal(match[2])}", text)
        text = re.sub(r"\ba dragoman_(\w+)\b(?!\()", lambda match: type_name(f"dragoman_{match[1]}"), text)
        text = re.sub(r"\bdragoman_(\w+)\b(?!\()", lambda match: type_name(match[0]), text)
        return text[:1].upper() + text[1:]

    def flag(self, text: str) -> str:
        text = re.sub(r"\b1: ", "true: ", re.sub(r"\b0: ", "false: ", text))
        text = re.sub(r"\b0 \(default\)", "false (default)", re.sub(r"default 0\b", "default false", text))
        return re.sub(r"default 1\b", "default true", text)

    def doc(self, text: str, indent: str = "    ") -> list[str]:
        body = escape(" ".join(self.plain(text).split()))
        body += "" if body[-1] in ".:!?" else "."
        line = f"{indent}/// <summary>{body}</summary>"
        if len(line) <= 118:
            return [line]
        head = f"{indent}/// "
        return textwrap.wrap(f"<summary>{body}</summary>", 118, initial_indent=head, subsequent_indent=head,
                             break_long_words=False, break_on_hyphens=False)


def fold(head: str, items: list[str], tail: str, width: int = 120) -> list[str]:
    """head item, item tail, in lines that end behind an item."""
    line = head + ", ".join(items) + tail
    if len(line) <= width:
        return [line]
    indent = " " * (len(head) - len(head.lstrip()))
    joined = textwrap.wrap(", ".join(item.replace(" ", "\xa0") for item in items) + tail, width - 4 - len(indent))
    return [head, *(f"{indent}    {one}".replace("\xa0", " ") for one in joined)]
