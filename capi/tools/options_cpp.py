# SPDX-License-Identifier: Apache-2.0
"""The C++ of the options, as pieces that sources include where they belong: members of structs, and statements of
functions whose heads stand there by hand."""
from __future__ import annotations

import json

from options_table import ENGINES, Table, in_model, range_of, unset_in_c

HEAD = "// Written by the build: capi/tools/make_options.py, from capi/options.json.\n"
TYPES = {"count": "uint32_t", "number": "float", "flag": "bool", "text": "std::string",
         "tokens": "std::vector<std::string>", "sequences": "std::vector<Tokens>"}
KEYS = {"count": "count", "number": "real", "flag": "flag", "enumeration": "word", "text": "optional_text",
        "tokens": "texts"}


def number(row: dict, value) -> str:
    return f"{float(value)}f" if row["type"] == "number" else str(value)


def literal(row: dict, value) -> str:
    """A default as an initializer."""
    if row["type"] == "flag":
        return str(value).lower()
    if row["type"] == "enumeration":
        return f"{row['cpp']}::{value}"
    return number(row, value)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def member(row: dict) -> str:
    return row["member"].lstrip("!")


def is_optional(row: dict) -> bool:
    """Whether the C++ option may be unset."""
    return unset_in_c(row) and row["type"] in ("count", "number", "enumeration")


def value_of(row: dict) -> str:
    """What holds in the end: the model's or the option."""
    return f"search.{row['field']}" if in_model(row) else f"o.{member(row)}"


def declarations(rows: list[dict]) -> str:
    out = []
    for row in rows:
        kind = row.get("cpp") or TYPES[row["type"]]
        if is_optional(row):
            out.append(f"std::optional<{kind}> {member(row)}{{}};")
        elif row["type"] in ("count", "number", "flag", "enumeration"):
            value = not row["default"] if row["member"][0] == "!" else row["default"]
            out.append(f"{kind} {member(row)} = {literal(row, value)};")
        else:
            out.append(f"{kind} {member(row)}{{}};")
        out[-1] += f"  // {row['comment']}" if row["member"][0] != "!" else f"  // {row['name']}, reversed"
    return lines(out)


def lines(out: list[str]) -> str:
    return HEAD + "".join(f"{line}\n" for line in out)


# ---- What models set

def model_fields(table: Table) -> list[dict]:
    """In the order of SearchDefaults: rows of options and of what models alone set."""
    alone = [{"gguf": f"dragoman.search.{one['name']}", "field": one["name"], **one} for one in table.of_models_alone]
    return [row for row in table.rows.values() if in_model(row)] + alone


def engine_default(row: dict, engine: str):
    return row["engines"][engine] if "engines" in row else row["default"]


def search_fields(table: Table) -> str:
    out = []
    for row in model_fields(table):
        first = ENGINES[0]
        if row["field"] == "style":
            out.append(f"SearchStyle style = SearchStyle::{first};")
        elif row["type"] == "text":
            out.append(f"std::optional<std::string> {row['field']}{{}};")
        elif row["type"] == "tokens":
            out.append(f"std::vector<std::string> {row['field']}{{}};")
        else:
            kind = row.get("cpp", "").removeprefix("spec::") or TYPES[row["type"]]
            value = literal(row, engine_default(row, first)).removeprefix("spec::")
            out.append(f"{kind} {row['field']} = {value};")
        out[-1] += f"  // {row['comment']}"
    return lines(out)


def engine_defaults(table: Table) -> str:
    out = []
    for engine in ENGINES[1:]:
        out.append(f"if (style == SearchStyle::{engine}) {{")
        for row in model_fields(table):
            value = engine_default(row, engine) if "engines" in row else None
            if value is not None and value != engine_default(row, ENGINES[0]):
                out.append(f"    defaults.{row['field']} = {literal(row, value).removeprefix('spec::')};")
        out.append("}")
    return lines(out)


def gguf_words(table: Table) -> str:
    out = []
    for row in model_fields(table):
        if row["type"] == "enumeration":
            words = ", ".join(f'{{"{word}", {row["cpp"]}::{word}}}' for word in row["values"][1:])
            out.append(f"inline constexpr std::pair<const char*, {row['cpp']}> k{words_of(row)}[] = {{{words}}};")
    return lines(out)


def words_of(row: dict) -> str:
    return row["cpp"].split("::")[-1] + "s"


def gguf_keys(table: Table) -> str:
    out = []
    for row in model_fields(table):
        more = ""
        if row["type"] == "count":
            more = f", {{{row['min']}, {row['max']}}}"
        elif row["type"] == "enumeration":
            more = f", Words<{row['cpp']}>(k{words_of(row)})"
        out.append(f'keys.{KEYS[row["type"]]}("{row["gguf"]}", search.{row["field"]}{more});')
    return lines(out)


def gguf_checks(table: Table) -> str:
    """Of real numbers: counts are checked as they are read."""
    out = []
    for row in model_fields(table):
        if row["type"] == "number" and bounds(row, f"search.{row['field']}"):
            value = f"search.{row['field']}"
            out.append(f'if (!({bounds(row, value)})) file.wrong("{row["gguf"]}", {quoted(range_of(row))}, '
                       f'fmt::format("{{}}", {value}));')
    return lines(out)


# ---- Checks

def bounds(row: dict, value: str) -> str:
    """The condition that a value is allowed; empty: any is."""
    signs = {"min": ">=", "above": ">", "max": "<=", "below": "<"}
    tests = [f"{value} {sign} {number(row, row[key])}" for key, sign in signs.items()
             if isinstance(row.get(key), (int, float)) and not (row["type"] == "count" and sign == ">=" and row[key] == 0)]
    if row["type"] == "number" and not {"max", "below"} & row.keys():
        tests.append(f"std::isfinite({value})")
    return " && ".join(tests)


def range_checks(rows: list[dict]) -> str:
    out = []
    for row in rows:
        name, value = row["name"], value_of(row)
        if row["type"] == "enumeration" and is_optional(row):
            first, last = (f"{row['cpp']}::{row['values'][place]}" for place in (1, -1))
            out.append(f'if (o.{member(row)}) expect(*o.{member(row)} >= {first} && *o.{member(row)} <= {last}, "{name}", '
                       f'int(*o.{member(row)}), "1 to {len(row["values"]) - 1}");')
        elif row["type"] in ("count", "number") and not isinstance(row.get("max"), str) and bounds(row, value):
            out.append(f'expect({bounds(row, value)}, "{name}", {value}, {quoted(range_of(row))});')
    return lines(out)


def samples(row: dict) -> bool:
    return row.get("with", {}).get("sampling") == 2


def default_test(row: dict) -> tuple[str, str]:
    """Whether the caller left it as it is, and what is expected then."""
    if is_optional(row):
        return f"!o.{member(row)}", "no value"
    if row["type"] in ("count", "number"):
        return f"o.{member(row)} == {number(row, row['default'])}", str(row["default"])
    if row["type"] == "flag":
        value = f"o.{member(row)}"
        return value if row["default"] != (row["member"][0] == "!") else f"!{value}", str(int(row["default"]))
    if row["type"] == "enumeration":
        return f"o.{member(row)} == {row['cpp']}::{row['default']}", "0"
    return f"o.{member(row)}.empty()", f"no {row['name'].split('_')[-1]}"


def shown(row: dict, value: str) -> str:
    """As the messages have it."""
    return f"int({value})" if row["type"] in ("flag", "enumeration") else value


def style_checks(rows: list[dict]) -> str:
    """What only one engine's search has. A number of Marian's that is 0 may be said to the others."""
    out = []
    for row in rows:
        if row["engine"] == "all":
            continue
        test, expected = default_test(row)
        if row["default"] == "model" and row["type"] == "number":
            zero = next(iter(set(row["engines"].values())))
            test, expected = f"{value_of(row)} == {number(row, zero)}", str(zero)
        out.append(f'if (search.style != spec::SearchStyle::{row["engine"]}) only({test}, "{row["name"]}", '
                   f'{shown(row, value_of(row))}, "{expected}", "{row["engine"]}");')
    return lines(out)


def sampling_needs(rows: list[dict]) -> str:
    out = []
    for row in rows:
        if samples(row):
            test, expected = default_test(row)
            expected = "it not set" if is_optional(row) else expected
            out.append(f'needs({test}, "{row["name"]}", {value_of(row)}, "{expected}");')
    return lines(out)


def resolve(rows: list[dict]) -> str:
    out = []
    for row in rows:
        if in_model(row) and row["field"] != "style":
            set_it = f"set(search.{row['field']}, o.{member(row)});"
            out.append(set_it if is_optional(row) else f"search.{row['field']} |= o.{member(row)};")
    return lines(out)


def continuing(table: Table) -> str:
    out = []
    for row in table.rows.values():
        if row["continuing"] != "refused":
            continue
        text = row["rule"] == "text"
        value = f"{'text' if text else 'decoding'}.{member(row)}"
        if is_optional(row):
            zero = number(row, 0)
            out.append(f'only({value}.value_or({zero}) == {zero}, "{row["name"]}", {value}.value_or({zero}), "0");')
        else:
            test, expected = default_test(row)
            out.append(f'only({test.replace(f"o.{member(row)}", value)}, "{row["name"]}", {shown(row, value)}, '
                       f'"{expected}");')
    return lines(out)


# ---- The C interface

def c_defaults(table: Table) -> str:
    out = []
    for row in table.rows.values():
        if row["type"] == "count" and row["default"] == "model":
            out.append(f"to.{row['name']} = DRAGOMAN_MODEL_DEFAULT;")
        elif row["type"] == "number" and row["default"] == "model":
            out.append(f"to.{row['name']} = kModelDefault;")
        elif row["type"] in ("count", "number", "flag") and row["default"]:
            out.append(f"to.{row['name']} = {number(row, int(row['default']) if row['type'] == 'flag' else row['default'])};")
    return lines(out)


def c_reading(table: Table) -> str:
    out = []
    for row in table.c_fields:
        if "c" in row:
            name = row["c"].split()[-1]
            if name.startswith("reserved"):
                out.append(f'if (from.{name} != 0) fail(Status::invalid_argument, "options.{name}: expected 0, got {{}}", '
                           f'from.{name});')
            continue
        name, kind = row["name"], row["type"]
        to = f"result.{'text' if row['rule'] == 'text' else 'decoding'}.{member(row)}"
        field, said = f"from.{name}", f'"options.{name}"'
        last = f"DRAGOMAN_{name}_{row['values'][-1]}".upper() if kind == "enumeration" else ""
        if kind == "count":
            out.append(f"{to} = {f'unless_default({field})' if is_optional(row) else field};")
        elif kind == "number":
            out.append(f"{to} = {'unless_default' if is_optional(row) else 'finite'}({field}, {said});")
        elif kind == "flag":
            out.append(f"{to} = {'!' if row['member'][0] == '!' else ''}flag({field}, {said});")
        elif kind == "enumeration" and is_optional(row):
            out.append(f"if (enumerator({field}, {last}, {said})) {to} = {row['cpp']}({field});")
        elif kind == "enumeration":
            out.append(f"{to} = pipeline::{row['cpp']}(enumerator({field}, {last}, {said}));")
        elif kind == "text":
            out.append(f"{to} = text(dragoman_str({field}), {{{said}}});")
        elif kind == "handle":
            out.append(f"if ({field}) {to} = {field}->{row['held']};")
        else:
            count = count_of(row)
            read, named = ("tokens", "") if kind == "tokens" else ("sequences", f', "options.{count}"')
            out.append(f"{to} = {read}({{{field}, from.{count}{named}}}, {{{said}}});")
    return lines(out)


def count_of(row: dict) -> str:
    return f"{row['name'].removesuffix('s')}_count"


def key_lines(rows: list[dict]) -> str:
    """What translations that are kept depend on: every option but those that only say how the device works."""
    return lines([f'add("{row["name"]}", {value_of(row)});' for row in rows if row["rule"] != "device"])


# ---- The tool

def help_of(row: dict) -> str:
    return row.get("help") or row["comment"][0].upper() + row["comment"][1:]


def flags(table: Table) -> str:
    out = []
    for row in table.rows.values():
        if not row["flag"]:
            continue
        begin = f'if (group == "{row["group"]}"' + (")" if row["continuing"] == "allowed" else " && translates)")
        said = f'"{row["flag"]}"'
        target = f"command.{row['tool']}" if "tool" in row else f"options.{row['name']}"
        kind, more, words = row["type"], "", ""
        if kind == "enumeration":
            more = f"{{{', '.join(quoted(value) for value in row['values'])}}}, "
        elif kind == "flag":
            more = f"{int(not row['default'])}, "
        elif kind in ("count", "number"):
            more = "kModels, " if row["default"] == "model" else "kOwn, "
        if "also" in row:
            words = f", {{{', '.join(f'{{{quoted(name)}, {value}u}}' for name, value in row['also'].items())}}}"
        out.append(f"{begin} add_{kind}(app, {said}, {target}, {more}{quoted(help_of(row))}, group{words});")
    return lines(out)


def flag_names(table: Table) -> str:
    """The names of options in messages, and what the tool calls them."""
    return lines([f"{{{quoted(row['name'])}, {quoted(row['flag'].split(',')[-1])}}}," for row in table.rows.values()
                  if row["flag"]])


def pieces(table: Table) -> dict[str, str]:
    rows = list(table.rows.values())
    decoding, text = ([row for row in rows if (row["rule"] == "text") == is_text] for is_text in (False, True))
    return {
        "spec/search_fields.inc": search_fields(table),
        "spec/engine_defaults.inc": engine_defaults(table),
        "families/gguf/search_words.inc": gguf_words(table),
        "families/gguf/search_keys.inc": gguf_keys(table),
        "families/gguf/search_checks.inc": gguf_checks(table),
        "pipeline/model/decoding_fields.inc": declarations(decoding),
        "pipeline/model/text_fields.inc": declarations(text),
        "pipeline/model/decoding_resolve.inc": resolve(decoding),
        "pipeline/model/decoding_checks.inc": range_checks([row for row in decoding if not samples(row)]),
        "pipeline/model/style_checks.inc": style_checks(decoding),
        "pipeline/model/sampling_needs.inc": sampling_needs(decoding),
        "pipeline/model/sampling_checks.inc": range_checks([row for row in decoding if samples(row)]),
        "pipeline/model/text_checks.inc": range_checks(text),
        "pipeline/model/continuing_checks.inc": continuing(table),
        "pipeline/run/decoding_key.inc": key_lines(decoding),
        "pipeline/run/text_key.inc": key_lines(text),
        "capi/option_defaults.inc": c_defaults(table),
        "capi/option_reading.inc": c_reading(table),
        "cli/option_flags.inc": flags(table),
        "cli/option_names.inc": flag_names(table),
    }
