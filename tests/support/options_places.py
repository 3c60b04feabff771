# SPDX-License-Identifier: Apache-2.0
"""The places of the sources that repeat the options, each compared with capi/options.json."""
import ast
import json
import re
import sys

import options_table
from options_table import names, of_model, said, same

C_TYPES = {"count": "uint32_t", "number": "float", "flag": "int32_t", "enumeration": "int32_t", "text": "const char*",
           "tokens": "const dragoman_string*", "sequences": "const dragoman_tokens*",
           "glossary": "const dragoman_glossary*", "memory": "dragoman_memory*"}
CPP_TYPES = {"count": "uint32_t", "number": "float", "flag": "bool", "text": "std::string",
             "tokens": "std::vector<std::string>", "sequences": "std::vector<Tokens>",
             "glossary": "std::shared_ptr<const text::Glossary>", "memory": "std::shared_ptr<recall::Memory>"}
PYTHON_TYPES = {"count": "int", "number": "float", "flag": "bool", "text": "str", "tokens": "Sequence[str]",
                "sequences": "Sequence[Sequence[str]]", "glossary": "Glossary",
                "memory": "TranslationMemory"}
NODE_TYPES = {"count": "number", "number": "number", "flag": "boolean", "text": "string", "tokens": "string[]",
              "sequences": "string[][]", "glossary": "Glossary",
              "memory": "TranslationMemory"}
GGUF_KINDS = {"count": "count", "number": "real", "flag": "flag", "enumeration": "word"}


def kind_of(row):
    return row.get("handle", row["type"])


def text_of(root, path):
    return (root / path).read_text(encoding="utf-8")


def block(text, begin, end="\n}"):
    start = text.find(begin)
    return text[start:text.find(end, start)] if start >= 0 else ""


def c_struct(root, options):
    """As capi/api.json has it, which is made from translator.h."""
    place, rows = "capi/api.json", options_table.rows(options)
    api = json.loads(text_of(root, place))
    fields = next(s for s in api["structs"] if s["name"] == "dragoman_translate_options")["fields"]
    counts = {field["count"] for field in fields if "count" in field}
    other = {"struct_size", "progress", "progress_user", "reserved", "reserved2"} | counts
    yield from names(place, rows, [field["name"] for field in fields if field["name"] not in other])
    enumerations = {e["name"]: [entry["name"] for entry in e["enumerators"]] for e in api["enumerations"]}
    for field in fields:
        row = rows.get(field["name"])
        if not row:
            continue
        yield from same(place, row["name"], "type", C_TYPES[kind_of(row)], field["type"]["c"])
        yield from same(place, row["name"], "flag", row["type"] == "flag", "flag" in field)
        yield from said(place, row, field["doc"])
        if row["type"] == "enumeration":
            prefix = field["enum"].upper() + "_"
            words = [name.removeprefix(prefix).lower() for name in enumerations[field["enum"]]]
            yield from same(place, row["name"], "values", row["values"], words)


def cpp_value(word):
    if word is None:
        return None
    return options_table.value(word) if options_table.value(word) is not None else word.split("::")[-1]


def members(text):
    """{name: (type, value)} of a struct without functions."""
    found = re.findall(r"^    ([\w:<>]+(?:<(?:const )?[\w:]+>)?) (\w+)(?:\{\}| = ([^;]+))?;", text, re.MULTILINE)
    return {name: (kind, cpp_value(word or None)) for kind, name, word in found}


def cpp_structs(root, options):
    place = "lib/pipeline/model/options.h"
    for struct in ("TranslateOptions", "TextOptions"):
        found = members(block(text_of(root, place), f"struct {struct} {{"))
        own = {row.get("member", row["name"]): row for row in options["options"]
               if (row["rule"] == "text") == (struct == "TextOptions")}
        yield from names(f"{place}: {struct}", [name.lstrip("!") for name in own], found)
        for name, row in own.items():
            if name.lstrip("!") not in found:
                continue
            kind, default = found[name.lstrip("!")]
            if row["type"] == "enumeration" and not of_model(row):
                expected = row["name"].title().replace("_", "")
            elif row["type"] == "enumeration":
                expected = kind if kind.startswith("std::optional<spec::") else "std::optional<spec::...>"
            else:
                expected = CPP_TYPES[kind_of(row)]
            if of_model(row) and row["type"] in ("count", "number"):
                expected = f"std::optional<{expected}>"
            yield from same(place, row["name"], "type", expected, kind)
            wanted = None if of_model(row) or row["type"] in ("text", "tokens", "sequences", "handle") else row["default"]
            yield from same(place, row["name"], "default", not wanted if name[0] == "!" else wanted, default)


def search_defaults(root, options):
    """What each engine does by itself."""
    place = "lib/spec/search_defaults.h"
    text = text_of(root, place)
    common = {name: default for name, (_, default) in members(block(text, "struct SearchDefaults {", "\n\n")).items()}
    own = {row.get("field", row["name"]): row for row in options["options"] if row["gguf"]}
    alone = {key.split(".")[-1] for key in options["gguf_alone"]}
    yield from names(place, {*own, *alone}, common)
    for engine in options_table.ENGINES:
        special = re.findall(r"defaults\.(\w+) = ([^;]+);", block(text, f"style == SearchStyle::{engine}", "}"))
        here = common | {name: cpp_value(word) for name, word in special}
        for name, row in own.items():
            if "engines" in row:
                yield from same(place, row["name"], f"default of {engine}", row["engines"][engine], here.get(name))


def gguf_keys(root, options):
    place = "lib/families/gguf/gguf_keys.h"
    text = text_of(root, place)
    found = re.findall(r'keys\.(\w+)\("(dragoman\.search\.\w+)", search\.(\w+)(?:, ([^;]*))?\);', text)
    own = {row["gguf"]: row for row in options["options"] if row["gguf"]}
    yield from names(place, {*own, *options["gguf_alone"]}, [key for _, key, _, _ in found])
    page = block(text_of(root, "docs/gguf.md"), "### Search", "\n###")
    for kind, key, field, more in found:
        if f"`{key.split('.')[-1]}`" not in page:
            yield f"docs/gguf.md: {key}: is missing"
        row = own.get(key)
        if not row:
            continue
        name = row["name"]
        yield from same(place, name, "kind", GGUF_KINDS[row["type"]], kind)
        yield from same(place, name, "field", row.get("field", name), field)
        if kind == "count":
            yield from same(place, name, "range", f"{{{row.get('min')}, {row.get('max')}}}", more)
        if kind == "word":
            listed = re.search(r"\((k\w+)\)", more)[1]
            words = re.findall(r'\{"(\w+)"', block(text, f"{listed}[]", ";"))
            yield from same(place, name, "values", row["values"][1:], words)


def python(root, options):
    place, rows = "bindings/python/src/dragoman/options.py", options_table.rows(options)
    tree = ast.parse(text_of(root, place))
    aliases = {node.targets[0].id: ast.unparse(node.value) for node in tree.body
               if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}
    for kind in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        if kind.name not in ("TranslateOptions", "OptionArguments"):
            continue
        here = f"{place}: {kind.name}"
        fields = [(i, node) for i, node in enumerate(kind.body) if isinstance(node, ast.AnnAssign)]
        yield from names(here, rows, [node.target.id for _, node in fields])
        for i, node in fields:
            row = rows.get(node.target.id)
            if not row:
                continue
            declared = ast.unparse(node.annotation).removesuffix(" | None")
            expected = f"Literal{row['values']}" if "values" in row else PYTHON_TYPES[kind_of(row)]
            yield from same(here, row["name"], "type", expected, aliases.get(declared, declared))
            if kind.name == "TranslateOptions":
                yield from same(here, row["name"], "default", "None", node.value and ast.unparse(node.value))
                yield from said(here, row, ast.literal_eval(kind.body[i + 1].value))


def camel_case(name):
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def node(root, options):
    place = "bindings/node/index.d.ts"
    rows = {camel_case(row["name"]): row for row in options["options"]}
    text = block(text_of(root, place), "export interface TranslateOptions {")
    found = re.findall(r"(?:/\*\*(.*?)\*/\s*)?^    (\w+)\?: ([^;]+);", text, re.DOTALL | re.MULTILINE)
    yield from names(place, rows, [name for _, name, _ in found])
    for comment, name, kind in found:
        if row := rows.get(name):
            expected = " | ".join(f'"{v}"' for v in row["values"]) if "values" in row else NODE_TYPES[kind_of(row)]
            yield from same(place, name, "type", expected, kind)
            yield from said(place, row, comment)


def page(root, options):
    sys.path.insert(0, str(root / "capi" / "tools"))
    import make_options
    text = text_of(root, "docs/options.md")
    try:
        if make_options.page(options, text) != text:
            yield "docs/options.md: differs from capi/options.json; run capi/tools/make_options.py"
    except ValueError as error:
        yield str(error)


PLACES = (c_struct, cpp_structs, search_defaults, gguf_keys, python, node, page)
