# SPDX-License-Identifier: Apache-2.0
"""How the C API's names, types and comments read in Rust."""
from __future__ import annotations

import os
import re
import textwrap

NUMBERS = {"int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32",
           "int64_t": "i64", "uint64_t": "u64", "size_t": "usize", "intptr_t": "isize", "uintptr_t": "usize",
           "float": "f32", "double": "f64", "int": "c_int", "unsigned": "c_uint", "unsigned long": "c_ulong",
           "char": "c_char", "void": "c_void"}
KEYWORDS = {"type", "match", "move", "ref", "use", "where", "box", "final", "override", "priv", "typeof", "virtual"}


def rust_name(name: str) -> str:
    return f"r#{name}" if name in KEYWORDS else name


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.removeprefix("dragoman_").split("_"))


def ctype(kind: dict) -> str:
    """A type of C as dragoman-sys declares it."""
    if "base" not in kind:
        parameters = ", ".join(ctype(parameter["type"]) for parameter in kind["parameters"])
        return f"Option<unsafe extern \"C\" fn({parameters}){returned(kind['returns'])}>"
    inner = NUMBERS.get(kind["base"], kind["base"])
    stars = kind.get("pointers", 0)
    for star in range(stars):
        constant = kind.get("const") if star == 0 else kind.get("inner_const")
        inner = f"*{'const' if constant else 'mut'} {inner}"
    for length in reversed(kind.get("array", [])):
        inner = f"[{inner}; {length}]"
    return inner


def returned(kind: dict) -> str:
    return "" if kind.get("base") == "void" and not kind.get("pointers") else f" -> {ctype(kind)}"


def variants(enum: dict) -> dict[str, dict]:
    """Rust's names of the enumerators, in their order."""
    prefix = re.match(r".*_", os.path.commonprefix([one["name"] for one in enum["enumerators"]]))[0]
    found = {camel(one["name"].removeprefix(prefix).lower()): one for one in enum["enumerators"]}
    return {f"{camel(enum['name'])}{name}" if name[0].isdigit() else name: one for name, one in found.items()}


def doc(text: str, indent: str = "", mark: str = "///") -> list[str]:
    """Lines of a comment. Outside of code and links to it, what rustdoc would take for links and tags is none."""
    lines = []
    for line in text.split("\n"):
        parts = re.split(r"(\[`[^`]*`\](?:\([^)]*\))?|`[^`]*`)", line.strip())
        escaped = "".join(part if place % 2 else re.sub(r"([\[\]<>])", r"\\\1", part)
                          for place, part in enumerate(parts))
        lines += textwrap.wrap(escaped, 118 - len(indent) - len(mark), break_long_words=False, break_on_hyphens=False)
    return [f"{indent}{mark} {line}" for line in lines]


def plain_doc(text: str) -> str:
    """A field's comment for people who do not see C: what stays away has its default."""
    text = re.sub(r'NULL(?:, ""| or "")? \(default\):? ?', "default: ", text)
    text = re.sub(r"\bNAN\b", "`f32::NAN`", text)
    text = re.sub(r"\bDRAGOMAN_ALL_HEADS\b", "`ALL_HEADS`", text)
    text = re.sub(r"\b(?:a )?dragoman_(\w+)\b(?!\()", lambda match: f"`{camel(match[1])}`", text)
    text = re.sub(r"\bdragoman_(\w+)\(\)", lambda match: f"C's `dragoman_{match[1]}()`", text)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", ":")) else ".")
