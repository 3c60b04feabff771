# SPDX-License-Identifier: Apache-2.0
"""Reads the declarations and doc comments of public headers: the part of C that such headers are written in."""
from __future__ import annotations

import pathlib
import re

from c_items import SCALARS, TOKEN, HeaderError, Item, Token, Type, clean

OTHER_LIBRARIES = {"documents.h", "models.h"}  # headers of libraries on top of this one


class Reader:
    """One header's declarations, in their order, as `found`."""

    def __init__(self, path: pathlib.Path, name: str, decorations: set[str]):
        self.name, self.decorations = name, decorations
        self.found: list[Item] = []
        self.doc = ""  # of the file
        self._pending = ""
        self._last: Item | None = None
        self._conditions: list[tuple[str, str]] = []
        self._tokens = self._read(path.read_text(encoding="utf-8"))
        self._place = 0
        while self._peek():
            self._declaration()

    # ---- Tokens

    def _read(self, text: str) -> list[Token]:
        tokens, line = [], 1
        for match in TOKEN.finditer(text):
            if match.lastgroup != "space":
                tokens.append(Token(str(match.lastgroup), match[0], line))
            line += match[0].count("\n")
        return tokens

    def fail(self, message: str) -> HeaderError:
        line = self._tokens[min(self._place, len(self._tokens) - 1)].line
        return HeaderError(f"{self.name}:{line}: {message}")

    def _peek(self) -> str:
        """The next token of the language; comments and preprocessor lines before it are dealt with."""
        while self._place < len(self._tokens):
            token = self._tokens[self._place]
            if token.kind == "comment":
                self._comment(token.text)
            elif token.kind == "line":
                self._preprocess(token.text)
            elif self._skipped():
                pass
            else:
                return token.text
            self._place += 1
        return ""

    def _take(self, expected: str = "") -> str:
        text = self._peek()
        if not text or (expected and text != expected):
            raise self.fail(f"expected {expected or 'more'}, got {text or 'the end of the file'}")
        self._place += 1
        return text

    def _word(self) -> str:
        text = self._take()
        if not re.fullmatch(r"[A-Za-z_]\w*", text):
            raise self.fail(f"expected a name, got {text}")
        return text

    def _accept(self, text: str) -> bool:
        if self._peek() != text:
            return False
        self._place += 1
        return True

    def _comment(self, text: str) -> None:
        if self._skipped():
            return
        if text.startswith("/**<"):
            if self._last is None:
                raise self.fail("a comment after nothing")
            self._last.doc = f"{self._last.doc} {clean(text)}".strip()
        elif text.startswith("/**"):
            if "@file" in text:
                self.doc = clean(text)
            else:
                self._pending = clean(text)
        else:
            self._group = clean(re.sub(r"^/\*", "/**", text)) if text.startswith("/*") else ""

    def _documented(self, item: Item) -> Item:
        """The item with the comment before it; a comment after it follows."""
        item.doc, self._pending = self._pending, ""
        item.header = self.name
        item.condition = " && ".join(text for kind, text in self._conditions if kind == "other")
        self._last = item
        return item

    # ---- Preprocessor

    def _skipped(self) -> bool:
        return any(kind == "skipped" for kind, _ in self._conditions)

    def _preprocess(self, text: str) -> None:
        text = re.sub(r"\\\n", " ", text)
        comments = re.findall(r"/\*.*?\*/", text, re.S)
        text = " ".join(re.sub(r"/\*.*?\*/|//.*", " ", text, flags=re.S).split())
        directive, _, rest = text.removeprefix("#").strip().partition(" ")
        if directive in ("if", "ifdef", "ifndef"):
            condition = {"if": rest, "ifdef": f"defined({rest})", "ifndef": f"!defined({rest})"}[directive]
            self._conditions.append((self._condition_kind(directive, rest), condition))
        elif directive in ("else", "elif"):
            kind, condition = self._conditions.pop()
            kind = "guard" if kind == "skipped" and directive == "else" else "other" if kind == "skipped" else kind
            self._conditions.append((kind, rest if directive == "elif" else f"!({condition})"))
        elif directive == "endif":
            self._conditions.pop()
        elif directive == "define" and not self._skipped():
            self._define(rest)
            for comment in comments:
                self._comment(comment)

    def _condition_kind(self, directive: str, rest: str) -> str:
        if rest in ("__cplusplus", "defined(__cplusplus)"):
            return "skipped"
        first = not any(token.kind in ("word", "line") for token in self._tokens[:self._place]) \
            if hasattr(self, "_place") else True
        return "guard" if directive == "ifndef" and first else "other"

    def _define(self, rest: str) -> None:
        match = re.match(r"(\w+)(?:\(([^)]*)\))?\s*(.*)", rest)
        assert match
        name, parameters, value = match[1], match[2], match[3]
        if not value and parameters is None and any(kind == "guard" for kind, _ in self._conditions) \
                and f"!defined({name})" in (text for _, text in self._conditions):
            return
        item = self._documented(Item(name, value=value, kind="macro"))
        if not value or re.match(r"__(attribute__|declspec)|\[\[", value):
            self.decorations.add(name)  # stands before declarations
            return
        item.parameters = None if parameters is None else [part.strip() for part in parameters.split(",")]
        self.found.append(item)

    # ---- Declarations

    def _declaration(self) -> None:
        self._group = ""
        if self._accept(";"):
            return
        macros = self._decorations()
        text = self._peek()
        if text == "typedef":
            self._typedef()
        elif text in ("struct", "enum", "union"):
            self._tagged()
            self._take(";")
        else:
            self._function(macros)

    def _decorations(self) -> list[str]:
        macros = []
        while self._peek() in self.decorations:
            macros.append(self._take())
            if self._accept("("):
                depth = 1
                while depth:
                    depth += {"(": 1, ")": -1}.get(self._take(), 0)
        return macros

    def _typedef(self) -> None:
        self._take("typedef")
        if self._peek() in ("struct", "enum", "union"):
            item = self._tagged()
            if item:
                name = self._word() if self._peek() != ";" else item.name
                if name != item.name:
                    raise self.fail(f"a type of two names: {item.name} and {name}")
                self._take(";")
                return
        item = self._documented(Item("", kind="alias"))
        item.type, item.name = self._declarator(self._specifiers())
        if item.type.function:
            item.kind = "callback"
        self._take(";")
        self.found.append(item)

    def _tagged(self) -> Item | None:
        """struct or enum with its body, or a name alone; None where something else is declared with it."""
        start = self._place
        kind, name = self._take(), self._word()
        if kind == "union":
            raise self.fail(f"union {name}: generators of bindings cannot follow")
        if not self._accept("{"):
            if self._peek() not in (";", name):
                self._place = start
                return None
            item = Item(name, kind="opaque")
            if all(other.name != name for other in self.found):
                self.found.append(self._documented(item))
            return item
        item = self._documented(Item(name, kind=kind))
        self.found = [other for other in self.found if other.name != name or other.kind != "opaque"]
        self.found.append(item)
        self._group = ""
        while not self._accept("}"):
            item.items += self._enumerator() if kind == "enum" else self._fields()
        self._last = item
        return item

    def _enumerator(self) -> list[Item]:
        name = self._word()
        item = self._documented(Item(name))
        if self._accept("="):
            parts = []
            while self._peek() not in (",", "}"):
                parts.append(self._take())
            item.value = " ".join(parts)
        self._accept(",")
        self._peek()  # the comment after it
        return [item]

    def _fields(self) -> list[Item]:
        fields, base = [], self._specifiers()
        doc, self._pending = self._pending, ""
        while True:
            kind, name = self._declarator(base)
            item = self._documented(Item(name, type=kind, group=self._group))
            item.doc = doc
            fields.append(item)
            if not self._accept(","):
                break
        self._take(";")
        self._peek()
        for item in fields[:-1]:
            item.doc = item.doc or fields[-1].doc
        return fields

    def _specifiers(self) -> Type:
        constant, words = False, []
        while re.match(r"\w", self._peek()):
            text = self._peek()
            if text in ("const", "struct", "enum"):
                constant |= self._take() == "const"
            elif words and not (text in SCALARS and words[-1] in ("unsigned", "long")):
                break
            else:
                words.append(self._take())
        if not words:
            raise self.fail(f"expected a type, got {self._peek()}")
        name = " ".join(words)
        return Type({"_Bool": "bool", "unsigned int": "unsigned"}.get(name, name), 0, [constant])

    def _declarator(self, base: Type) -> tuple[Type, str]:
        kind = Type(base.base, base.pointers, list(base.constant))
        while self._accept("*"):
            kind.pointers += 1
            kind.constant.append(self._accept("const"))
        if self._accept("("):
            self._take("*")
            name = self._word() if self._peek() != ")" else ""
            self._take(")")
            return Type(function=(kind, self._parameters())), name
        name = self._word() if re.match(r"\w", self._peek()) else ""
        while self._accept("["):
            length = ""
            while not self._accept("]"):
                length += self._take()
            kind.array.append(length)
        return kind, name

    def _parameters(self) -> list[Item]:
        self._take("(")
        parameters: list[Item] = []
        while not self._accept(")"):
            kind, name = self._declarator(self._specifiers())
            if kind.array:  # a parameter that is written as an array is a pointer
                kind.array, kind.pointers = [], kind.pointers + 1
                kind.constant.append(False)
            if (kind.base, kind.pointers, name) != ("void", 0, ""):
                parameters.append(Item(name or f"argument{len(parameters)}", type=kind))
            self._accept(",")
        return parameters

    def _function(self, macros: list[str]) -> None:
        inline = False
        while self._peek() in ("static", "inline", "extern"):
            inline |= self._take() == "inline"
        item = self._documented(Item("", kind="inline" if inline else "function"))
        macros += self._decorations()
        item.type, item.name = self._declarator(self._specifiers())
        item.items = self._parameters()
        item.macros = macros + self._decorations()
        self.found.append(item)
        if not inline:
            self._take(";")
            return
        self._take("{")
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(self._take(), 0)


def read(folder: pathlib.Path, first: str) -> list[Reader]:
    """The headers of a folder in the order in which `first` includes them, `first` included, then any others."""
    order: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        text = (folder / name).read_text(encoding="utf-8")
        for other in re.findall(r"^#include <" + re.escape(folder.name) + r"/([\w.]+\.h)>", text, re.M):
            if other not in order and other != name:
                visit(other)
        order.append(name)

    visit(first)
    for path in sorted(folder.glob("*.h")):
        if path.name not in OTHER_LIBRARIES:
            visit(path.name)
    decorations: set[str] = set()
    return [Reader(folder / name, name, decorations) for name in order]
