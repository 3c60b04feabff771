#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/fields_table.cpp, the fields of options and information, and lib/enums.js, the words of enumerations,
from capi/api.json; and src/published_table.cpp, the fields of models.h, which api.json leaves out, from that header.
--check compares instead, and fails when one of them is stale."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True
NODE = pathlib.Path(__file__).resolve().parent.parent
CAPI = NODE.parent.parent / "capi"
API = CAPI / "api.json"
sys.path.insert(0, str(CAPI / "tools"))
from c_header import read  # noqa: E402
from make_api import Builder  # noqa: E402

STRUCTS = re.compile(r"dragoman_(\w+_)?(options|info|stats|counts)")
MODELS = re.compile(r"dragoman_(models_options|published_model|published_file|registry)")
# What src/ treats itself.
APART = {
    "dragoman_device_info": {"api_version", "uuid"},
    "dragoman_models_options": {"progress", "user"},
    "dragoman_published_model": {"from", "to", "file_count"},
}
FLAGS = re.compile(r"installed|offline|refresh|again")  # of models.h
KINDS = {"uint32_t": "u32", "int32_t": "i32", "uint64_t": "u64", "int64_t": "i64", "size_t": "size", "float": "f32",
         "double": "f64"}


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def fold(begin: str, rest: str) -> list[str]:
    """Lines of at most 120 columns, those after the first one indented as far as `begin`."""
    lines = textwrap.wrap(rest, 120 - len(begin), break_long_words=False, break_on_hyphens=False)
    return [begin + lines[0], *(" " * len(begin) + line for line in lines[1:])]


def published() -> dict:
    """What models.h declares, in api.json's form."""
    api = Builder(read(CAPI / "include" / "dragoman", "models.h")).build()
    for field in (field for struct in api["structs"] if MODELS.fullmatch(struct["name"]) for field in struct["fields"]):
        if field["type"].get("base") == "char":
            field["role"] = "text"
        elif FLAGS.fullmatch(field["name"]):
            field["flag"] = True
    return api


class Tables:
    def __init__(self, api: dict, structs: re.Pattern = STRUCTS):
        self.enums = {enum["name"]: enum for enum in api["enumerations"]}
        self.structs = [struct for struct in api["structs"] if structs.fullmatch(struct["name"])]

    def words(self, name: str) -> list[str]:
        enum = self.enums[name]
        names = [one["name"] for one in enum["enumerators"]]
        if [one["value"] for one in enum["enumerators"]] != list(range(len(names))):
            sys.exit(f"{name}: expected the values 0 to {len(names) - 1}")
        prefix = re.match(r".*_", os.path.commonprefix(names))[0]
        return [name.removeprefix(prefix).lower() for name in names]

    def kind(self, struct: dict, field: dict) -> str:
        """The Field::Kind, "" for what has no place in a table of plain values."""
        name, kind = field["name"], field["type"]
        counts = {other.get("count") for other in struct["fields"]}
        if name == "struct_size" or re.fullmatch(r"reserved\d*", name) or name in APART.get(struct["name"], ()):
            return ""
        if name in counts or kind["kind"] in ("callback", "struct") or field.get("role", "text") != "text":
            return ""
        if field.get("role") == "text":
            return "text"
        if "array" in kind:
            if kind["base"] != "char":
                sys.exit(f"{struct['name']}.{name}: {kind['c']}[]: expected char; or name it in APART")
            return "chars"
        if "enum" in field and not struct["name"].endswith("_options"):
            return "word"
        if "flag" in field:
            return "flag"
        if kind["base"] not in KINDS:
            sys.exit(f"{struct['name']}.{name}: {kind['c']}: expected one of {', '.join(KINDS)}; or name it in APART")
        return KINDS[kind["base"]]

    def cpp(self, origin: str = "capi/api.json", *includes: str) -> str:
        out = ["// SPDX-License-Identifier: Apache-2.0", f"// Written by tools/make_tables.py from {origin}.",
               "// clang-format off", *includes, '#include "fields.h"', "", "namespace addon {"]
        for struct in self.structs:
            name, rows, words = struct["name"], [], []
            for field in struct["fields"]:
                kind = self.kind(struct, field)
                if not kind:
                    continue
                more = ""
                if kind == "word":
                    list_name = f"{field['name']}_words"
                    texts = ", ".join(f'"{word}"' for word in self.words(field["enum"]))
                    words += fold(f"    static constexpr const char* {list_name}[] = {{", texts + "};")
                    more = f", {list_name}"
                rows += fold("        {", f'"{camel(field["name"])}", Field::Kind::{kind}, '
                                          f'offsetof({name}, {field["name"]}){more}}},')
            if rows:
                out += ["", "template <>", f"Fields fields<{name}>() {{", *words, "    static const Field all[] = {",
                        *rows, "    };", "    return all;", "}"]
        return "\n".join([*out, "", "}  // namespace addon"]) + "\n"

    def javascript(self) -> str:
        found = {}
        for struct in self.structs:
            for field in struct["fields"]:
                if struct["name"].endswith("_options") and "enum" in field:
                    words = self.words(field["enum"])
                    if found.setdefault(camel(field["name"]), words) != words:
                        sys.exit(f"{struct['name']}.{field['name']}: another option of this name has other words")
        out = ["// SPDX-License-Identifier: Apache-2.0", "// Written by tools/make_tables.py from capi/api.json.",
               '"use strict";', "",
               "/** The words for options that are enumerations in C, in the order of their numbers. */",
               "const enums = {"]
        out += [f"    {name}: {json.dumps(words)}," for name, words in found.items()]
        return "\n".join([*out, "};", "", "module.exports = { enums };"]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--api", type=pathlib.Path, default=API)
    parser.add_argument("--node", type=pathlib.Path, default=NODE, help="the folder to write to")
    options = parser.parse_args()
    tables = Tables(json.loads(options.api.read_text(encoding="utf-8")))
    models = Tables(published(), MODELS).cpp("models.h", "#include <dragoman/models.h>", "")
    for path, text in ((options.node / "src" / "fields_table.cpp", tables.cpp()),
                       (options.node / "src" / "published_table.cpp", models),
                       (options.node / "lib" / "enums.js", tables.javascript())):
        if not options.check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not what api.json says: run bindings/node/tools/make_tables.py")


if __name__ == "__main__":
    main()
