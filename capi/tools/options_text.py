# SPDX-License-Identifier: Apache-2.0
"""What is checked in of the options, each between marks in a file that is otherwise by hand: the enumerations and the
struct of the C header, the options of Python and TypeScript, and tables of docs/."""
from __future__ import annotations

import json
import re
import textwrap

from options_table import ENGINES, Table, default_in, in_model, range_of, unset_in_c

WIDTH = 120
C_TYPES = {"count": "uint32_t ", "number": "float ", "flag": "int32_t ", "enumeration": "int32_t ", "text": "const char* ",
           "tokens": "const dragoman_string* ", "sequences": "const dragoman_tokens* "}
HANDLES = {"glossary": "const dragoman_glossary* ", "memory": "dragoman_memory* "}
CLASSES = {"glossary": "GlossaryLike", "memory": "MemoryLike"}  # of Python and TypeScript
PYTHON_TYPES = {"count": "int", "number": "float", "flag": "bool", "text": "str", "tokens": "Sequence[str]",
                "sequences": "Sequence[Sequence[str]]"}
NODE_TYPES = {"count": "number", "number": "number", "flag": "boolean", "text": "string", "tokens": "string[]",
              "sequences": "string[][]"}


def plain(value) -> str:
    return "the model's" if value == "model" else str(value)


# ---- C

def c_comment(row: dict) -> str:
    text, kind = row["comment"], row["type"]
    if row["rule"] == "text":
        text = f"of texts: {text}"
    if kind == "enumeration":
        text = f"dragoman_{row['name']}: {text}; default DRAGOMAN_{row['name']}_{row['default']}".replace(
            f"{row['name']}_{row['default']}", f"{row['name']}_{row['default']}".upper())
    elif kind == "text":
        text += f'; NULL or "" (default): {row["unset"]}'
    elif kind in ("tokens", "sequences", "handle"):
        text += f"; NULL (default): {row['unset']}"
    else:
        text = default_in(text, plain(int(row["default"]) if kind == "flag" else row["default"]))
    return text + (f"; see {row['see']}" if "see" in row else "")


def c_field(declaration: str, comment: str) -> list[str]:
    """The comment behind the field, or where that is too long, in lines of its own."""
    begin = f"    {declaration};"
    behind = f"{begin:<33} /**< {comment} */"
    if len(behind) <= WIDTH:
        return [behind]
    wrapped = textwrap.wrap(comment, WIDTH - len("     * "), break_long_words=False, break_on_hyphens=False)
    if len(wrapped) == 1 and len(wrapped[0]) <= WIDTH - len("    /**  */"):
        return [f"    /** {wrapped[0]} */", begin]
    return ["    /**", *(f"     * {line}" for line in wrapped), "     */", begin]


def c_struct(table: Table) -> str:
    out = []
    for row in table.c_fields:
        if "c" in row:
            out += c_field(row["c"], row["doc"])
            continue
        kind = HANDLES[row["handle"]] if row["type"] == "handle" else C_TYPES[row["type"]]
        out += c_field(kind + row["name"], c_comment(row))
        if row["type"] in ("tokens", "sequences"):
            out += c_field(f"size_t {row['name'].removesuffix('s')}_count", f"how many; 0 (default): {row['unset']}")
    return "\n".join(out)


def c_enumerations(table: Table) -> str:
    out = []
    for one in table.enumerations:
        name, values = f"dragoman_{one['name']}", list(one["values"].items())
        out += ["", *c_doc(one["doc"]), f"typedef enum {name} {{"]
        words = [f"    {name}_{word}".upper() + f" = {place}{',' if place + 1 < len(values) else ''}"
                 for place, (word, _) in enumerate(values)]
        width = max(map(len, words))
        out += [f"{word:<{width}} /**< {doc} */" for word, (_, doc) in zip(words, values)]
        out.append(f"}} {name};")
    return "\n".join(out[1:])


def c_doc(text: str) -> list[str]:
    if len(text) <= WIDTH - len("/**  */"):
        return [f"/** {text} */"]
    wrapped = textwrap.wrap(text, WIDTH - len(" * "), break_long_words=False, break_on_hyphens=False)
    return ["/**", *(f" * {line}" for line in wrapped), " */"]


# ---- Python and TypeScript

def comment(table: Table, row: dict, language: str) -> str:
    """A sentence, with the values as the language has them."""
    words = {"python": ("False", "True"), "node": ("false", "true")}[language]
    text, kind = row["comment"].replace("DRAGOMAN_ALL_HEADS", "ALL_HEADS"), row["type"]
    if kind == "flag":
        text = re.sub(r"(^|; )([01]): ", lambda match: f"{match[1]}{words[int(match[2])]}: ", text)
        text = default_in(text, words[bool(row["default"])])
    elif kind == "enumeration":
        text += f'; default "{row["default"]}"'
    elif kind in ("count", "number"):
        text = default_in(text, plain(row["default"]))
    else:
        text += f"; default {row['unset']}"
    if row["rule"] == "text":
        text = f"of texts: {text}"
    if language == "node":
        text = re.sub(r"\b[a-z]+(?:_[a-z]+)+\b", lambda match: camel(match[0]) if match[0] in table.rows else match[0], text)
    begins = re.match(r"[a-z]+_|score =", text)  # a name stays as it is
    return (text if begins else text[0].upper() + text[1:]) + "."


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def python_type(row: dict) -> str:
    if row["type"] == "enumeration":
        return "".join(word.capitalize() for word in row["name"].split("_")) + "Name"
    return CLASSES[row["handle"]] if row["type"] == "handle" else PYTHON_TYPES[row["type"]]


def options_of(table: Table) -> list[dict]:
    return [row for row in table.c_fields if "name" in row]


def python_names(table: Table) -> str:
    return "\n".join(f"{python_type(row)} = Literal[{', '.join(map(json.dumps, row['values']))}]"
                     for row in table.rows.values() if row["type"] == "enumeration")


def python_fields(table: Table) -> str:
    out = []
    for row in options_of(table):
        out.append(f"    {row['name']}: {python_type(row)} | None = None")
        text = f'"""{comment(table, row, "python")}"""'
        out += textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False,
                             break_on_hyphens=False)
    return "\n".join(out)


def python_arguments(table: Table) -> str:
    return "\n".join(f"    {row['name']}: {python_type(row)} | None" for row in options_of(table))


def python_enums(table: Table) -> str:
    out = []
    for row in table.rows.values():
        if row["type"] == "enumeration":
            out.append(f'    "{row["name"]}": _abi.{python_type(row).removesuffix("Name")},')
    return "\n".join(out)


def node_fields(table: Table) -> str:
    out = []
    for row in options_of(table):
        kind = NODE_TYPES.get(row["type"]) or CLASSES.get(row.get("handle"))
        if row["type"] == "enumeration":
            kind = " | ".join(json.dumps(value) for value in row["values"])
        text = comment(table, row, "node")
        if len(text) <= WIDTH - len("    /**  */"):
            out.append(f"    /** {text} */")
        else:
            wrapped = textwrap.wrap(text, WIDTH - len("     * "), break_long_words=False, break_on_hyphens=False)
            out += ["    /**", *(f"     * {line}" for line in wrapped), "     */"]
        out.append(f"    {camel(row['name'])}?: {kind};")
    return "\n".join(out)


# ---- docs/

TITLES = {"ctranslate2": "CTranslate2's", "marian": "Marian's", "huggingface": "Hugging Face's"}


def word(value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return {"model": "the model's", "": "none"}.get(value, str(value))


def meaning(row: dict) -> str:
    parts = [row["doc"]]
    if "values" in row:
        parts.append(", ".join(f"`{value}`" for value in row["values"]))
    if row["type"] in ("count", "number") and range_of(row):
        parts.append(range_of(row))
    if row["engine"] != "all":
        parts.append(f"only with {TITLES[row['engine']]} search")
    return "; ".join(parts)


def docs_table(rows: list[dict]) -> str:
    out = ["| option | flag | default | meaning |", "|---|---|---|---|"]
    for row in rows:
        flag = f"`{row['flag'].split(',')[-1]}`" if row["flag"] else ""
        out.append(f"| `{row['name']}` | {flag} | {word(row['default'])} | {meaning(row)} |")
    return "\n".join(out)


def docs_engines(rows: list[dict]) -> str:
    out = ["| default of | " + " | ".join(f"`{engine}`" for engine in ENGINES) + " |", "|---|---|---|---|"]
    for row in rows:
        if len(set(row.get("engines", {}).values())) > 1 or row["default"] == "model" and "engines" in row:
            out.append(f"| `{row['name']}` | " + " | ".join(word(row["engines"][e]) for e in ENGINES) + " |")
    return "\n".join(out)


def docs_gguf(table: Table) -> str:
    kinds = {"count": "uint32", "number": "float32", "flag": "bool", "text": "string", "tokens": "array of strings"}
    out = ["| key | type | what |", "|---|---|---|"]
    for row in [row for row in table.rows.values() if in_model(row)] + table.of_models_alone:
        key = row["gguf"].split(".")[-1] if "gguf" in row else row["name"]
        kind = kinds.get(row["type"]) or "string: " + ", ".join(f"`{value}`" for value in row["values"][1:])
        said = f"`{row['name']}`" if "gguf" in row else row["comment"]
        allowed = f"; {range_of(row)}" if row["type"] in ("count", "number") else ""
        out.append(f"| `{key}` | {kind} | {said}{allowed} |")
    return "\n".join(out)


def regions(table: Table) -> dict[str, dict[str, str]]:
    """Of each file, the text of each mark."""
    rows = list(table.rows.values())
    sections = dict.fromkeys(row["section"] for row in rows)
    tables = {section: docs_table([row for row in rows if row["section"] == section]) for section in sections}
    return {
        "capi/include/dragoman/translator.h": {"enumerations": c_enumerations(table), "fields": c_struct(table)},
        "bindings/python/src/dragoman/options.py": {
            "names": python_names(table), "fields": python_fields(table), "arguments": python_arguments(table),
            "enumerations": python_enums(table)},
        "bindings/node/index.d.ts": {"fields": node_fields(table)},
        "docs/options.md": {**tables, "engines": docs_engines(rows)},
        "docs/gguf.md": {"gguf": docs_gguf(table)},
    }


MARK = r"(?P<begin>^[^\n]*\boptions: (?P<name>\w+)\b[^\n]*\n)(?P<old>.*?)(?P<end>^[^\n]*\bend of options\b[^\n]*$)"


def filled(path: str, text: str, made: dict[str, str]) -> str:
    """The file with what is between its marks as the options are. ValueError for a mark or a text without the other."""
    seen = set()

    def fill(match: re.Match) -> str:
        if match["name"] not in made or match["name"] in seen:
            raise ValueError(f"{path}: nothing is made for a first mark \"options: {match['name']}\"")
        seen.add(match["name"])
        return f"{match['begin']}{made[match['name']]}\n{match['end']}"

    result = re.sub(MARK, fill, text, flags=re.DOTALL | re.MULTILINE)
    if made.keys() - seen:
        raise ValueError(f"{path}: no mark \"options: {', '.join(sorted(made.keys() - seen))}\"")
    return result
