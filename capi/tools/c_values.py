# SPDX-License-Identifier: Apache-2.0
"""What the compiler would make of constants and structs, without one: values of expressions, sizes and offsets."""
from __future__ import annotations

import ast
import operator
import re

from c_items import SCALARS, HeaderError, Type

MODELS = {"lp64": 1, "llp64": 2}  # places in SCALARS' rows; pointers have 8 bytes in both
LIMITS = {"INT32_MAX": 2**31 - 1, "INT32_MIN": -2**31, "UINT32_MAX": 2**32 - 1, "INT64_MAX": 2**63 - 1,
          "UINT64_MAX": 2**64 - 1, "SIZE_MAX": 2**64 - 1}
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitOr: operator.or_, ast.BitAnd: operator.and_, ast.BitXor: operator.xor,
    ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Invert: operator.invert,
}


class Values:
    """Constants known so far."""

    def __init__(self) -> None:
        self.known: dict[str, int | float | str] = dict(LIMITS)
        self.types = {name: name.removesuffix("_MAX").removesuffix("_MIN").lower() + "_t" for name in LIMITS}
        self.macros: dict[str, tuple[list[str], str]] = {}

    def evaluate(self, text: str) -> tuple[int | float | str, str]:
        """(value, type) of a C constant expression."""
        text = text.strip()
        if re.fullmatch(r'"(?:\\.|[^"\\])*"', text):
            return ast.literal_eval(text), "const char*"
        if re.fullmatch(r"\d+\.\d*(e-?\d+)?f?", text):
            return float(text.rstrip("f")), "float" if text.endswith("f") else "double"
        expanded = self._expand(text)
        names = re.findall(r"\b[A-Za-z_]\w*\b", expanded)
        types = [name for name in names if name in SCALARS] + [self.types[name] for name in names if name in self.types]
        if re.search(r"\b(0[xX][0-9a-fA-F]+|\d+)[uU]\b", expanded):
            types.append("uint32_t")
        plain = re.sub(r"\(\s*(?:%s)\s*\)" % "|".join(SCALARS), " ", expanded)
        plain = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", plain)
        try:
            value = self._walk(ast.parse(plain.strip(), mode="eval").body)
        except (SyntaxError, KeyError, TypeError) as error:
            raise HeaderError(f"no constant: {text} ({error})") from None
        return value, types[0] if types else "int"

    def _expand(self, text: str) -> str:
        for _ in range(16):
            match = re.search(r"\b(%s)\s*\(([^()]*)\)" % "|".join(map(re.escape, self.macros)), text) \
                if self.macros else None
            if not match:
                return text
            parameters, body = self.macros[match[1]]
            given = dict(zip(parameters, match[2].split(","), strict=True))
            body = re.sub(r"\b[A-Za-z_]\w*\b", lambda word: f"({given[word[0]]})" if word[0] in given else word[0], body)
            text = f"{text[:match.start()]}({body}){text[match.end():]}"
        raise HeaderError(f"no end of macros: {text}")

    def _walk(self, node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name):
            return self.known[node.id]
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Div):
                return self._walk(node.left) // self._walk(node.right)
            return OPERATORS[type(node.op)](self._walk(node.left), self._walk(node.right))
        if isinstance(node, ast.UnaryOp):
            return OPERATORS[type(node.op)](self._walk(node.operand))
        raise TypeError(ast.dump(node))


class Layout:
    """Sizes and alignments of types, in each data model."""

    def __init__(self, kinds: dict[str, str], values: Values):
        self.kinds, self.values = kinds, values
        self.aliases: dict[str, Type] = {}
        self.structs: dict[str, dict[str, dict]] = {}

    def length(self, kind: Type) -> list[int]:
        return [int(self.values.evaluate(length)[0]) for length in kind.array]

    def of(self, kind: Type, model: str) -> tuple[int, int]:
        """(size, alignment)"""
        if kind.pointers or kind.function or self.kinds.get(kind.base) == "callback":
            size = alignment = 8
        elif kind.base in self.aliases:
            size, alignment = self.of(self.aliases[kind.base], model)
        elif kind.base in self.structs:
            size, alignment = (self.structs[kind.base][model][part] for part in ("size", "alignment"))
        elif self.kinds.get(kind.base) == "enum":
            size = alignment = 4
        elif kind.base in SCALARS:
            size = alignment = SCALARS[kind.base][MODELS[model]]
        else:
            raise HeaderError(f"{kind.base}: of unknown size")
        for length in self.length(kind):
            size *= length
        return size, alignment

    def add(self, name: str, fields: list[Type]) -> dict[str, dict]:
        """Size, alignment and the offsets of the fields."""
        layout = {}
        for model in MODELS:
            end, most, offsets = 0, 1, []
            for kind in fields:
                size, alignment = self.of(kind, model)
                end = (end + alignment - 1) // alignment * alignment
                offsets.append(end)
                end, most = end + size, max(most, alignment)
            layout[model] = {"size": (end + most - 1) // most * most, "alignment": most, "offsets": offsets}
        self.structs[name] = layout
        return layout
