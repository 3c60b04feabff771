#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes capi/api.json: what the public headers declare and say, for generators of bindings and documentation.
docs/api-json.md describes it. --check compares instead, and fails when the file is stale."""
from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys

from api_phrases import Notes
from api_roles import Roles
from c_header import Reader, read
from c_items import SCALARS, HeaderError, Item, Type
from c_values import Layout, Values

CAPI = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 150


class Builder:
    """The declarations as one value that JSON can hold."""

    def __init__(self, readers: list[Reader]):
        self.readers = readers
        items = [item for reader in readers for item in reader.found]
        kinds = {"opaque": "handle", "enum": "enum", "struct": "struct", "callback": "callback", "alias": "alias"}
        self.kinds = {item.name: kinds[item.kind] for item in items if item.kind in kinds}
        self.values = Values()
        self.layout = Layout(self.kinds, self.values)
        self.api: dict = {"schema": 1, "library": "dragoman", "version": "", "rules": "", "headers": [],
                          "constants": [], "macros": [], "enumerations": [], "aliases": [], "callbacks": [],
                          "handles": [], "structs": [], "functions": []}

    def build(self) -> dict:
        for reader in self.readers:
            self.api["headers"].append({"name": f"dragoman/{reader.name}", "doc": reader.doc})
            for item in reader.found:
                try:
                    getattr(self, f"_{item.kind}")(item)
                except HeaderError as error:
                    raise HeaderError(f"{reader.name}: {item.name}: {error}") from None
        parts = [self.values.known.get(f"DRAGOMAN_VERSION_{part}", 0) for part in ("MAJOR", "MINOR", "PATCH")]
        self.api["version"] = ".".join(map(str, parts))
        self.api["rules"] = next((r.doc for r in self.readers if "Rules that hold" in r.doc), "")
        return self.api

    def _entry(self, item: Item, **more) -> dict:
        if not item.doc:
            raise HeaderError("no documentation")
        entry = {"name": item.name, "doc": item.doc, "header": f"dragoman/{item.header}", **more}
        since = re.search(r"\bSince (\d+\.\d+)\b", item.doc)
        if since:
            entry["since"] = since[1]
        if item.condition:
            entry["condition"] = item.condition
        return entry

    def type(self, kind: Type) -> dict:
        if kind.function:
            result, parameters = kind.function
            return {"c": kind.spelling(), "kind": "callback", "returns": self.type(result),
                    "parameters": [{"name": p.name, "type": self.type(p.type)} for p in parameters]}
        if kind.base not in SCALARS and kind.base not in self.kinds:
            raise HeaderError(f"unknown type {kind.base}")
        entry = {"c": kind.spelling(), "kind": self.kinds.get(kind.base) or SCALARS[kind.base][0], "base": kind.base}
        if kind.pointers:
            entry["pointers"] = kind.pointers
        if kind.constant[0]:
            entry["const"] = True
        if kind.pointers > 1 and kind.constant[1]:
            entry["inner_const"] = True
        if kind.array:
            entry["array"] = self.layout.length(kind)
        return entry

    def _macro(self, item: Item) -> None:
        if item.parameters is not None:
            self.values.macros[item.name] = (item.parameters, item.value)
            self.api["macros"].append(self._entry(item, parameters=item.parameters, value=item.value))
            return
        value, kind = self.values.evaluate(item.value)
        self.values.known[item.name], self.values.types[item.name] = value, kind
        self.api["constants"].append(self._entry(item, type=kind, value=value, expression=item.value))

    def _enum(self, item: Item) -> None:
        enumerators, following = [], 0
        for one in item.items:
            value = self.values.evaluate(one.value)[0] if one.value else following
            following = int(value) + 1
            self.values.known[one.name] = value
            enumerators.append({"name": one.name, "value": value, "doc": one.doc})
            if not one.doc:
                raise HeaderError(f"{one.name}: no documentation")
        self.api["enumerations"].append(self._entry(item, enumerators=enumerators))

    def _alias(self, item: Item) -> None:
        self.layout.aliases[item.name] = item.type
        self.api["aliases"].append(self._entry(item, type=self.type(item.type)))

    def _callback(self, item: Item) -> None:
        signature = self.type(item.type)
        self.api["callbacks"].append(self._entry(item, returns=signature["returns"],
                                                 parameters=signature["parameters"]))

    def _opaque(self, item: Item) -> None:
        self.api["handles"].append(self._entry(item))

    def _struct(self, item: Item) -> None:
        layout = self.layout.add(item.name, [one.type for one in item.items])
        fields = []
        for one in item.items:
            if not one.doc:
                raise HeaderError(f"{one.name}: no documentation")
            entry = {"name": one.name, "type": self.type(one.type), "doc": one.doc}
            if one.group:
                entry["group"] = one.group
            fields.append(entry)
        sized = bool(item.items) and item.items[0].name == "struct_size"
        self.api["structs"].append(self._entry(item, sized=sized, layout=layout, fields=fields))

    def _function(self, item: Item) -> None:
        inline = item.kind == "inline"
        if not inline and not item.macros:
            raise HeaderError("not marked as exported")
        entry = self._entry(item, inline=inline, macros=item.macros, returns={"type": self.type(item.type)},
                            parameters=[{"name": p.name, "type": self.type(p.type)} for p in item.items])
        self.api["functions"].append(entry)
        init = re.fullmatch(r"(\w+?)_init(_sized)?", item.name)
        struct = next((s for s in self.api["structs"] if init and s["name"] == init[1]), None)
        if struct and init:
            struct["init_sized" if init[2] else "init"] = item.name

    _inline = _function


def dump(value, indent: int = 0) -> str:
    """JSON, with what fits in a line on one line."""
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or indent + len(text) <= WIDTH:
        return text
    inner = " " * (indent + 1)
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + dump(part, indent + 1) for part in value) + f"\n{' ' * indent}]"
    parts = [f"{inner}{json.dumps(key)}: {dump(part, indent + 1)}" for key, part in value.items()]
    return "{\n" + ",\n".join(parts) + f"\n{' ' * indent}}}"


def make(include: pathlib.Path, first: str, notes: dict) -> str:
    api = Builder(read(include, first)).build()
    Roles(api, Notes(notes)).all()
    return dump(api) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--include", type=pathlib.Path, default=CAPI / "include" / "dragoman", help="folder of headers")
    parser.add_argument("--first", default="dragoman.h", help="the header that includes the others")
    parser.add_argument("--notes", type=pathlib.Path, default=CAPI / "api_notes.json")
    parser.add_argument("--out", type=pathlib.Path, default=CAPI / "api.json")
    options = parser.parse_args()
    try:
        text = make(options.include, options.first, json.loads(options.notes.read_text(encoding="utf-8")))
    except HeaderError as error:
        sys.exit(str(error))
    if not options.check:
        options.out.write_text(text, encoding="utf-8")
    elif not options.out.exists() or options.out.read_text(encoding="utf-8") != text:
        sys.exit(f"{options.out} is not what the headers say: run capi/tools/make_api.py")


if __name__ == "__main__":
    main()
