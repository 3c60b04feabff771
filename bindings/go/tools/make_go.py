#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tables.go and calls.go from capi/api.json: the enumerations, options and information of the C interface as Go has
them and what turns them into each other; and each function as one that takes and gives what Go has. models/tables.go has what
models.h tells, which api.json leaves out, from that header. --check compares instead, and fails when a file is stale."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True
GO = pathlib.Path(__file__).resolve().parent.parent
CAPI = GO.parent.parent / "capi"
API = CAPI / "api.json"
sys.path.insert(0, str(CAPI / "tools"))
from c_header import read  # noqa: E402
from make_api import Builder  # noqa: E402

STRUCTS = re.compile(r"dragoman_(\w+_)?(options|info|stats|counts)")
# Written by hand.
APART = {"dragoman_job_options"}
SPELLED = {"api": "API", "cls": "CLS", "cpu": "CPU", "ctranslate2": "CTranslate2", "ffn": "FFN", "html": "HTML",
           "huggingface": "HuggingFace", "id": "ID", "io": "IO", "ok": "OK", "sha256": "SHA256", "url": "URL", "uuid": "UUID", "xml": "XML"}
NUMBERS = {"uint32_t": "uint32", "int32_t": "int32", "uint64_t": "uint64", "int64_t": "int64", "size_t": "int",
           "float": "float32", "double": "float64"}
# Options whose default is another number than 0, and for which 0 is not allowed or of no use: there 0 is the default.
ZERO_IS_DEFAULT = {"beam_size", "patience", "repetition_penalty", "max_decoding_length", "num_hypotheses",
                   "temperature", "min_similarity", "file_bytes", "repeat", "synthetic_sentences", "synthetic_tokens"}
# Fields of information that are something else in Go: its type, and the function that makes it.
MADE = {("dragoman_device_info", "api_version"): ("string", "vulkanVersion"),
        ("dragoman_device_info", "uuid"): ("string", "uuidText")}
# These options exist in Go only.
MORE = {"dragoman_translate_options": [
    ("Prefixes", "[][]string", "target tokens that each translation begins with, one sequence for each input; nil: none")]}
ARRAYS = {("dragoman_string", 1): ("[]string", "texts"), ("dragoman_tokens", 1): ("[][]string", "sequences"),
          ("float", 1): ("[]float32", "floats"), ("dragoman_file", 1): ("[]File", "files"),
          ("dragoman_model", 2): ("[]*Model", "models")}
# Handles that Go's types have; all others are read and ended at once.
KEPT = {"dragoman_device": "Device", "dragoman_model": "Model", "dragoman_translator": "Translator",
        "dragoman_job": "Job", "dragoman_glossary": "Glossary", "dragoman_memory": "TranslationMemory"}
MADE_BY_HAND = {"dragoman_job"}
# Structs of C that are plain values in Go, and the function that makes them.
VALUES = {"dragoman_string": ("string", "goString"), "dragoman_tokens": ("[]string", "goStrings"),
          "dragoman_ranges": ("[]Range", "goRanges"), "dragoman_matrix": ("Matrix", "goMatrix")}
# Functions that Go's package calls itself, or does not have.
SKIPPED = re.compile("dragoman_(set_log|logger_create|device_adopt|vulkan_wanted|find_route|translation_key|keep_answers|"
                     "job_wait|translate_texts|translate_tokens|job_feed_tokens|"
                     "model_describe_languages_files)")
# Functions that stand in Go as they are: of a type or none, the name, and whether they take a context.
METHODS = {
    "dragoman_device_memory": ("", "DeviceMemory", False), "dragoman_device_open": ("", "OpenDevice", False),
    "dragoman_device_get_info": ("Device", "Info", False), "dragoman_device_get_memory": ("Device", "Memory", False),
    "dragoman_device_member_info": ("Device", "MemberInfo", False), "dragoman_device_trim": ("Device", "Trim", False),
    "dragoman_model_load": ("", "LoadModel", True),
    "dragoman_model_load_files": ("", "LoadModelFiles", True), "dragoman_model_describe": ("", "Describe", False),
    "dragoman_model_describe_files": ("", "DescribeFiles", False), "dragoman_model_get_info": ("Model", "Info", False),
    "dragoman_model_has_token": ("Model", "HasToken", False), "dragoman_model_describe_all": ("", "DescribeAll", False),
    "dragoman_model_device": ("Model", "Device", False), "dragoman_model_memory": ("Model", "Memory", False),
    "dragoman_glossary_load": ("", "LoadGlossary", False), "dragoman_glossary_read": ("", "ReadGlossary", False),
    "dragoman_memory_create": ("", "NewTranslationMemory", False),
    "dragoman_memory_load_tmx": ("TranslationMemory", "LoadTMX", False),
    "dragoman_memory_read_tmx": ("TranslationMemory", "ReadTMX", False),
    "dragoman_memory_add": ("TranslationMemory", "Add", False),
    "dragoman_memory_write_tmx": ("TranslationMemory", "WriteTMX", False),
    "dragoman_memory_clear": ("TranslationMemory", "Clear", False),
    "dragoman_memory_stats": ("TranslationMemory", "Counts", False),
    "dragoman_translator_stats": ("Translator", "Stats", False),
    "dragoman_translator_reset_stats": ("Translator", "ResetStats", False),
    "dragoman_translator_trim": ("Translator", "Trim", False), "dragoman_job_poll": ("Job", "Poll", False),
    "dragoman_job_cancel": ("Job", "Cancel", False), "dragoman_model_convert": ("", "Convert", True),
}
# What comments call others, which are by hand.
BY_HAND = {"dragoman_model_describe_languages": "DescribeLanguages", "dragoman_device_check": "Device.Check",
           "dragoman_translate_tokens": "Translator.TranslateTokens", "dragoman_last_error": "the Message of an Error",
           "dragoman_result_attention": "Hypothesis.Attention", "dragoman_result_quality": "Hypothesis.Quality",
           "dragoman_result_sentence_alignment": "Sentence.Alignment"}
# Numbers of what a handle has; 0 after Close.
COUNTS = {"dragoman_device_member_count": ("Device", "MemberCount"), "dragoman_glossary_count": ("Glossary", "Len")}
# What package models has of models.h.
PUBLISHED = {"dragoman_download": "Progress", "dragoman_published_model": "Model", "dragoman_published_file": "File",
             "dragoman_registry": "Registry"}
SPLIT = {"from", "to"}
NULL_TOO = {("dragoman_bench_texts", "path"), ("dragoman_bench_tokens", "path"),
            ("dragoman_model_describe_all", "path")}  # the default model
# Functions with several results: the struct of Go that has them, its comment, and its fields with what reads each.
SEVERAL = {"dragoman_model_describe_all": ("Description", "is what a model's files say of it", (
    ("Info", "ModelInfo", "facts about the model", "newModelInfo(&{})"),
    ("Sources", "[]Language", "the languages that it translates from; none where its files do not say", "readLanguages({}, nil)"),
    ("Targets", "[]Language", "and to", "readLanguages({}, nil)")))}
# Numbers that are 1 or 0.
FLAGS = {"dragoman_model_has_token"}


def camel(name: str) -> str:
    words = name.removeprefix("dragoman_").removeprefix("DRAGOMAN_").lower().split("_")
    return "".join(SPELLED.get(word, word.capitalize()) for word in words)


VERBS = re.compile(r"(Adds|Asks|Describes|Forgets|Gives|Loads|Makes|Opens|Reads|Sets|Writes)\b")
SEVERAL_THINGS = re.compile(r"(Contents|Counters|Facts|Kinds|Levels)\b")


def about(name: str, doc: str, function: bool = False) -> str:
    """A comment as Go has them: a sentence that begins with the name."""
    small = doc[:1].lower() + doc[1:]
    if VERBS.match(doc):
        return f"{name} {small}"
    if re.match(r"The same\b", doc):
        return f"{name} does {small}"
    if re.match(r"(How|When|Whether)\b", doc):
        return f"{name} says {small}"
    if SEVERAL_THINGS.match(doc):
        return f"{name} has {small}"
    return f"{name} {'gives' if function else 'is'} {'the ' if doc.startswith('Number of') else ''}{small}"


HEAD = ["// SPDX-License-Identifier: Apache-2.0", "",
        "// Code generated by tools/make_go.py from capi/api.json. DO NOT EDIT.", "", "package dragoman", ""]


def go_name(name: str) -> str:
    """Of what is not exported."""
    first, *others = name.split("_")
    name = first + "".join(SPELLED.get(word, word.capitalize()) for word in others)
    return name + "_" if name in ("range", "func", "type") else name


def signature(begin: str, parameters: list[str], end: str) -> list[str]:
    whole = ", ".join(one.replace(" ", "\0") for one in parameters) + end.replace(" ", "\0")
    lines = textwrap.wrap(begin.replace(" ", "\0") + whole, 112, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in (lines[0], *(f"\t{line}" for line in lines[1:]))]


class Tables:
    def __init__(self, api: dict):
        self.enums = api["enumerations"]
        self.structs = [one for one in api["structs"] if STRUCTS.fullmatch(one["name"]) and one["name"] not in APART]
        self.functions = [one for one in api["functions"] if one["returns"]["type"]["c"] == "dragoman_status"
                          and not one["inline"] and not re.search("_init_sized$", one["name"])
                          and not SKIPPED.fullmatch(one["name"])]
        self.counts = [one for one in api["functions"] if one["name"] in COUNTS]
        self.sized = {one["name"]: one["init"] for one in api["structs"] if one["sized"] and one.get("init")}
        self.ends = {one["name"]: one["destroy"] for one in api["handles"]}
        handles = [one["name"] for one in api["handles"]]
        enumerators = [one["name"] for enum in self.enums for one in enum["enumerators"]]
        known = [*(one["name"] for one in (*self.enums, *self.structs)), *enumerators]
        self.names = {name: camel(name) for name in known}
        self.names |= {name: self.handle(name) for name in handles}
        self.words = re.compile(r"\b(" + "|".join(map(re.escape, sorted(self.names, key=len, reverse=True))) + r")\b(?!\()")
        constants = [one for one in api["constants"] if isinstance(one["value"], int)]
        self.values = {one["name"]: one["value"] for enum in self.enums for one in enum["enumerators"]}
        self.values |= {one["name"]: one["value"] for one in constants} | {"NULL": 0}
        self.constants = [one for one in constants if not re.search("VERSION|EVENTS|MODEL_DEFAULT", one["name"])]

    @staticmethod
    def handle(name: str) -> str:
        return {"dragoman_memory": "TranslationMemory"}.get(name, camel(name))

    def say(self, text: str, indent: str = "") -> list[str]:
        """A comment; names of C become those of Go, where Go has them."""
        text = self.words.sub(lambda match: self.names[match[0]], text).replace('NULL or ""', '""')
        text = re.sub(r"(?<!C's )\bdragoman_(\w+)\(\)", self.called, text)
        text = text.replace("NULL: the default model, see LoadModel", '"": the default model, see LoadModel')
        text = re.sub(r"\bNULL\b", "nil", text.replace("`", ""))
        lines = [line for part in text.split("\n")
                 for line in textwrap.wrap(part, 112, break_long_words=False, break_on_hyphens=False)]
        return [f"{indent}// {line}".rstrip() for line in lines]

    @staticmethod
    def called(match: re.Match) -> str:
        """A function by its name in Go, if it has one there."""
        by_hand = BY_HAND.get(f"dragoman_{match[1]}", f"C's {match[0]}")
        kind, name, _ = METHODS.get(f"dragoman_{match[1]}", ("", by_hand, False))
        return f"{kind}.{name}" if kind else name

    def enum(self, enum: dict) -> list[str]:
        name, kind = enum["name"], camel(enum["name"])
        names = [one["name"] for one in enum["enumerators"]]
        bits = [one["value"] for one in enum["enumerators"]] != list(range(len(names)))
        out = ["", *self.say(about(kind, enum["doc"])), f"type {kind} {'uint32' if bits else 'int32'}", "",
               f"// The values of {kind}.", "const ("]
        for one in enum["enumerators"]:
            out += [*self.say(f"{camel(one['name'])}: {one['doc']}", "\t"),
                    f"\t{camel(one['name'])} {kind} = {one['value']}"]
        out.append(")")
        if bits:
            return out
        prefix = re.match(r".*_", os.path.commonprefix(names))[0]
        words = ", ".join(f'"{one.removeprefix(prefix).lower()}"' for one in names)
        table = kind[0].lower() + kind[1:] + "Words"
        listed = [f"\t{line}" for line in textwrap.wrap(words + ",", 112)]
        return [*out, "", f"var {table} = []string{{", *listed, "}", "",
                f"// String is the value's name in C, without what all {kind} begin with there: {words.split(', ')[-1]}.",
                f"func (v {kind}) String() string {{ return wordOf({table}, int32(v)) }}", "",
                "// MarshalText writes String().",
                f"func (v {kind}) MarshalText() ([]byte, error) {{ return []byte(v.String()), nil }}", "",
                "// UnmarshalText reads what String gives.",
                f"func (v *{kind}) UnmarshalText(text []byte) error {{",
                f'\treturn readWord("{name.removeprefix("dragoman_")}", {table}, string(text), (*int32)(v))', "}"]

    def fields(self, struct: dict) -> list[dict]:
        counts = {field.get("count") for field in struct["fields"]}
        return [field for field in struct["fields"] if not re.fullmatch(r"struct_size|reserved\d*", field["name"])
                and field["name"] not in counts and field.get("role") != "user"]

    def default(self, field: dict) -> bool:
        """Whether 0 is the default of an option."""
        value = field.get("default", 0)
        return field["name"] in ZERO_IS_DEFAULT or self.values.get(value, value) == 0

    def option(self, struct: dict, field: dict) -> tuple[str, list[str]]:
        """The type in Go, and the lines that put it into the struct of C."""
        kind, name, go = field["type"], field["name"], camel(field["name"])
        role = field.get("role")
        if role == "callback":  # set before the others, as a context may stop a call without options
            return "func(done, total int)", []
        if role == "text":
            return "string", [f'\tc.{name} = a.text("{name}", o.{go})']
        if role == "handle":
            return "*" + self.handle(kind["base"]), [
                f"\tif o.{go} != nil {{", f"\t\tc.{name} = (*C.{kind['base']})(a.use(o.{go}.handle))", "\t}"]
        if role == "struct":
            return "*" + camel(kind["base"]), [f"\tif o.{go} != nil {{", f"\t\tc.{name} = o.{go}.c(a)", "\t}"]
        if role == "array":
            made, function = ARRAYS[kind["base"], kind.get("pointers", 0)]
            return made, [f"\tc.{name}, c.{field['count']} = a.{function}(o.{go}), C.size_t(len(o.{go}))"]
        if "flag" in field:
            if self.default(field):
                return "bool", [f"\tc.{name} = flag(o.{go})"]
            return "*bool", [f"\tif o.{go} != nil {{", f"\t\tc.{name} = flag(*o.{go})", "\t}"]
        if kind["base"] not in NUMBERS:
            sys.exit(f"{struct['name']}.{name}: {kind['c']}: expected one of {', '.join(NUMBERS)}")
        made = camel(field["enum"]) if "enum" in field else NUMBERS[kind["base"]]
        if self.default(field):
            return made, [f"\tif o.{go} != 0 {{", f"\t\tc.{name} = C.{kind['base']}(o.{go})", "\t}"]
        return "*" + made, [f"\tif o.{go} != nil {{", f"\t\tc.{name} = C.{kind['base']}(*o.{go})", "\t}"]

    def told(self, struct: dict, field: dict) -> tuple[str, str]:
        """The type in Go, and the expression that makes it of the struct of C."""
        kind, value = field["type"], f"c.{field['name']}"
        if (struct["name"], field["name"]) in MADE:
            made, function = MADE[struct["name"], field["name"]]
            return made, f"{function}({value})"
        if "array" in kind and kind["base"] == "char":
            return "string", f"C.GoString(&{value}[0])"
        if "flag" in field:
            return "bool", f"{value} != 0"
        made = camel(field["enum"]) if "enum" in field else NUMBERS[kind["base"]]
        return made, f"{made}({value})"

    def struct(self, struct: dict) -> list[str]:
        name, go, options = struct["name"], camel(struct["name"]), struct["name"].endswith("_options")
        rows, lines = [], []
        for field in self.fields(struct):
            made, code = self.option(struct, field) if options else self.told(struct, field)
            own = camel(field["name"])
            tag = "-" if made.startswith("func") or field.get("role") in ("handle", "struct") \
                else field["name"] + (",omitempty" if options else "")
            rows += [*self.say(field["doc"], "\t"), f'\t{own} {made} `json:"{tag}"`']
            lines += code if options else [f"\t\t{own}: {code},"]
        for own, made, doc in MORE.get(name, ()):
            rows += [*self.say(doc, "\t"), f'\t{own} {made} `json:"-"`']
        more = " Where a field is absent (0, false, nil), C's default holds." if options else ""
        out = ["", *self.say(about(go, struct["doc"] + more)), f"type {go} struct {{", *rows, "}", ""]
        if options:
            watched = any(field.get("role") == "callback" for field in struct["fields"])
            ask = ["\ta.observe(&c.progress, &c.progress_user, o.Progress)"] if watched else []
            return [*out, f"func (o *{go}) c(a *arena) *C.{name} {{",
                    f"\tc := (*C.{name})(a.alloc(C.sizeof_{name}))", f"\tC.{struct['init']}(c)",
                    "\tif o == nil {", f"\t\to = &{go}{{}}", "\t}", *ask, *lines, "\treturn c", "}"]
        return [*out, f"func new{go}(c *C.{name}) {go} {{", f"\treturn {go}{{", *lines, "\t}", "}"]

    def parameters(self, function: dict) -> tuple[list[str], list[str], list[str]]:
        """Of a function: Go's parameters, the lines that prepare C's, and C's."""
        given, lines, passed, counted = [], [], [], {}
        for one in function["parameters"]:
            kind, name, role = one["type"], one["name"], one.get("role")
            go, made = go_name(name), f"c{len(passed)}"
            passed.append(made)
            if role == "handle":
                raw = f"*C.{kind['base']}"
                given.append(f"{go} *handle" if kind["base"] in KEPT else f"{go} {raw}")
                lines.append(f"{made} := ({raw})(a.use({go}))" if kind["base"] in KEPT else f"{made} := {go}")
            elif role == "text":
                null = one["nullable"] or (function["name"], name) in NULL_TOO
                given.append(f"{go} string")
                lines.append(f'{made} := a.{"text" if null else "given"}("{name}", {go})')
            elif role == "array":
                made_of, method = ARRAYS[kind["base"], kind["pointers"]]
                given.append(f"{go} {made_of}")
                lines.append(f"{made} := a.{method}({go})")
                if one["count"] in counted:
                    lines.append(f'a.same("{name}", len({go}), len({counted[one["count"]]}))')
                counted.setdefault(one["count"], go)
            elif role == "struct" and kind["base"] == "dragoman_string":
                given.append(f"{go} string")
                lines.append(f"{made} := a.texts([]string{{{go}}})")
            elif role == "struct" and kind["base"] in APART:
                given.append(f"{go} *C.{kind['base']}")
                lines.append(f"{made} := {go}")
            elif role == "struct":
                given.append(f"{go} *{camel(kind['base'])}")
                lines.append(f"{made} := {go}.c(a)")
            elif name in counted:
                lines.append(f"{made} := C.size_t(len({counted[name]}))")
            elif "flag" in one:
                given.append(f"{go} bool")
                lines.append(f"{made} := flag({go})")
            else:
                given.append(f"{go} {camel(one['enum']) if 'enum' in one else NUMBERS[kind['base']]}")
                lines.append(f"{made} := C.{kind['base']}({go})")
        return given, lines, passed

    def function(self, function: dict) -> list[str]:
        """A function with a status; those that read a handle keep the first error, all others are of one call's arena."""
        name, inputs, out = function["name"], dict(function), None
        if name in SEVERAL:
            return self.several(function)
        if function["parameters"][-1].get("direction") == "out":
            inputs["parameters"], out = function["parameters"][:-1], function["parameters"][-1]
        given, lines, passed = self.parameters(inputs)
        first = function["parameters"][0]
        reads = first.get("role") == "handle" and first["type"]["base"] not in KEPT
        go, ready, made, value, drop = go_name(name.removeprefix("dragoman_")), "", "struct{}", "", "nil"
        if out:
            base, stars = out["type"]["base"], "*" * (out["type"]["pointers"] - 1)
            made = f"{stars}C.{base}"
            result, value = made, "out"
            if base in VALUES:
                result, function_of = VALUES[base]
                value = f"{function_of}(out)"
            elif base in self.sized and base in [one["name"] for one in self.structs]:
                result, value = camel(base), f"new{camel(base)}(&out)"
            elif name in FLAGS:
                result, value = "bool", "out != 0"
            elif not stars and base in NUMBERS:
                result, value = NUMBERS[base], f"{NUMBERS[base]}(out)"
            elif stars and base in self.ends:
                drop = f"func(made {made}) {{ C.{self.ends[base]}(made) }}"
            if base in self.sized:
                ready = f"C.{self.sized[base]}(out)"
            passed.append("out")
        lines = [f"\t{line}" for line in lines]
        body = [f"func(out *{made}) C.dragoman_status {{", *([f"\t\t{ready}"] if ready else []),
                f"\t\treturn C.{name}({', '.join(passed)})", "\t}"]
        if reads:
            body[0], body[-1] = f"\tout := get(failed, {body[0]}", "\t})"
            return ["", *signature(f"func {go}(", ["failed *error", *given], f") {result} {{"), *lines, *body,
                    f"\treturn {value}", "}"]
        start = f"func (a *arena) {go}("
        if not out:
            body[0], body[-1] = f"\t_, err := call(a, {body[0]}", f"\t}}, {drop})"
            return ["", *signature(start, given, ") error {"), *lines, *body, "\treturn err", "}",
                    *self.method(function, go, given, "error")]
        body[0], body[-1] = f"\tout, err := call(a, {body[0]}", f"\t}}, {drop})"
        if base in KEPT and base not in MADE_BY_HAND:
            result, value = f"*{KEPT[base]}", f"&{KEPT[base]}{{handle: new{KEPT[base]}Handle(out)}}, nil"
            body += ["\tif err != nil {", "\t\treturn nil, err", "\t}"]
        else:
            value = f"{value}, err"
        return ["", *signature(start, given, f") ({result}, error) {{"), *lines, *body, f"\treturn {value}", "}",
                *self.method(function, go, given, f"({result}, error)")]

    def several(self, function: dict) -> list[str]:
        """A function with several results, and the struct that has them."""
        kind, about, fields = SEVERAL[function["name"]]
        outs = [one for one in function["parameters"] if one.get("direction") == "out"]
        given, lines, passed = self.parameters({**function, "parameters": function["parameters"][:-len(outs)]})
        go = go_name(function["name"].removeprefix("dragoman_"))
        read = [f"read{place}" for place in range(len(outs))]
        made = [f"\tvar {own} {'*' * (one['type']['pointers'] - 1)}C.{one['type']['base']}" for own, one in zip(read, outs)]
        ready = [f"\tC.{self.sized[one['type']['base']]}(&{own})" for own, one in zip(read, outs) if one["type"]["base"] in self.sized]
        values = [value.format(own) for own, (_, _, _, value) in zip(read, fields)]
        plain = [f"\tplain{place} := {value}" if "nil" not in value else f"\tplain{place}, _ := {value}"
                 for place, value in enumerate(values)]
        names = ", ".join(f"plain{place}" for place in range(len(outs)))
        return ["", f"// {kind} {about}.", f"type {kind} struct {{",
                *(f'\t// {doc}\n\t{own} {java} `json:"{own.lower()}"`' for own, java, doc, _ in fields), "}", "",
                *signature(f"func (a *arena) {go}(", given, f") ({kind}, error) {{"),
                *(f"\t{line}" for line in lines), *made, *ready,
                "\t_, err := call(a, func(*struct{}) C.dragoman_status {",
                f"\t\treturn C.{function['name']}({', '.join([*passed, *('&' + own for own in read)])})", "\t}, nil)",
                "\tif err != nil {", f"\t\treturn {kind}{{}}, err", "\t}", *plain,
                f"\treturn {kind}{{{names}}}, nil", "}",
                *self.method(function, go, given, f"({kind}, error)")]

    def method(self, function: dict, call: str, given: list[str], result: str) -> list[str]:
        """What a program calls, where nothing is left to do by hand."""
        if function["name"] not in METHODS:
            return []
        kind, name, context = METHODS[function["name"]]
        doc = re.sub(r" ?Any model, any thread\.|: `\*known` is 1, or 0", "", function["doc"])
        doc = re.sub(r" ?Any thread\b[^.]*\.", "", doc).replace("of dragoman_model_load()", "of LoadModel")
        for one in function["parameters"]:
            doc = re.sub(rf"`{one['name']}` NULL\b", f'`{one["name"]}` ""' if one.get("role") == "text" else r"\g<0>", doc)
        passed = [one.split(" ")[0] for one in given]
        start = f"func {name}("
        if kind:
            start, given = f"func ({kind[0].lower()} *{kind}) {name}(", given[1:]
            passed[0] = f"{kind[0].lower()}.handle"
        begin = "during(ctx)" if context else "plain()"
        return ["", *self.say(about(name, doc.strip(), True)),
                *signature(start, ["ctx context.Context"] * context + given, f") {result} {{"),
                f"\treturn {begin}.{call}({', '.join(passed)})", "}"]

    def calls(self) -> str:
        out = [*HEAD, '// #include "callbacks.h"', 'import "C"', "", "import (", '\t"context"', '\t"unsafe"', ")"]
        for name, kind in KEPT.items():
            if name in MADE_BY_HAND:
                continue
            out += ["", f"func new{kind}Handle(made *C.{name}) *handle {{",
                    f'\treturn newHandle(unsafe.Pointer(made), "{name.removeprefix("dragoman_")}", '
                    "func(pointer unsafe.Pointer) {", f"\t\tC.{self.ends[name]}((*C.{name})(pointer))", "\t})", "}"]
        for function in self.functions:
            out += self.function(function)
        for function in self.counts:
            kind, name = COUNTS[function["name"]]
            handle = next(one for one, kept in KEPT.items() if kept == kind)
            out += ["", *self.say(about(name, function["doc"].replace("for NULL. Any thread", "after Close"), True)),
                    f"func ({kind[0].lower()} *{kind}) {name}() int {{", f"\tpointer, err := {kind[0].lower()}.enter()", "\tif err != nil {",
                    "\t\treturn 0", "\t}", f"\tdefer {kind[0].lower()}.leave()",
                    f"\treturn int(C.{function['name']}((*C.{handle})(pointer)))", "}"]
        return "\n".join(out) + "\n"

    def text(self) -> str:
        out = [*HEAD, '// #include "callbacks.h"', 'import "C"', "", "// Constants of the C interface.", "const ("]
        for one in self.constants:
            kind = "uint32 " if one["type"] == "uint32_t" else ""
            out += [*self.say(f"{camel(one['name'])}: {one['doc']}", "\t"), f"\t{camel(one['name'])} {kind}= {one['value']}"]
        out.append(")")
        for enum in self.enums:
            out += self.enum(enum)
        for struct in self.structs:
            out += self.struct(struct)
        return aligned("\n".join(out) + "\n")


def aligned(text: str) -> str:
    """As gofmt writes it: columns of fields, values and tags in each run of lines without a comment between."""
    def pad(rows: list[list[str]]) -> list[str]:
        widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
        return [" ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[-1]]) for row in rows]

    out, run = [], []
    row = re.compile(r"(\t+)(\w+:) +(\S.*)$")  # of a literal: the only runs, as a comment stands above each field
    for line in text.split("\n"):
        if match := row.fullmatch(line):
            run.append([match[1] + match[2], match[3]])
            continue
        out += pad(run) if run else []
        run = []
        out.append(line)
    return "\n".join(out)


def published_field(struct: dict, field: dict) -> tuple[str, str, str, str]:
    """Name, type, comment and value in Go; a value of "": it is set by hand."""
    name, kind, text = field["name"], field["type"], field["doc"].replace("BCP 47 with commas between them", "BCP 47")
    value, own = f"c.{name}", camel(name)
    if name == "file_count":
        return "Files", "[]File", "those that it has", ""
    if kind["base"] == "char" and name in SPLIT and struct["name"] == "dragoman_published_model":
        return own, "[]string", text.replace('""', "none"), f'split({value}, ",")'
    if kind["base"] == "char":
        return own, "string", text, f"C.GoString({value})"
    if name == "installed":
        return own, "bool", text.replace("1: ", "", 1), f"{value} != 0"
    return own, NUMBERS[kind["base"]], text, f"{NUMBERS[kind['base']]}({value})"


def published() -> str:
    api = Builder(read(CAPI / "include" / "dragoman", "models.h")).build()
    out = [*HEAD[:2], "// Code generated by tools/make_go.py from models.h. DO NOT EDIT.", "", "package models", "",
           "// #include <dragoman/models.h>", 'import "C"']
    for struct in (one for one in api["structs"] if one["name"] in PUBLISHED):
        go = PUBLISHED[struct["name"]]
        fields = [published_field(struct, field) for field in struct["fields"]
                  if not re.fullmatch(r"struct_size|reserved", field["name"])]
        text = re.sub(r" ?(Borrowed from its list|Lives until the callback returns)[^.]*\.", "", struct["doc"])
        out += ["", f"// {about(go, text)}", f"type {go} struct {{"]
        for own, made, text, _ in fields:
            tag = re.sub("(?<=[a-z])(?=[A-Z])", "_", own).lower()
            out += [*textwrap.wrap(text.replace("`", ""), 112, initial_indent="\t// ", subsequent_indent="\t// "),
                    f'\t{own} {made} `json:"{tag}"`']
        out += ["}", "", f"func {go.lower()}Of(c *C.{struct['name']}) {go} {{", f"\treturn {go}{{",
                *(f"\t\t{own}: {code}," for own, _, _, code in fields if code), "\t}", "}"]
    return aligned("\n".join(out) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--api", type=pathlib.Path, default=API)
    parser.add_argument("--go", type=pathlib.Path, default=GO, help="the folder to write to")
    options = parser.parse_args()
    tables = Tables(json.loads(options.api.read_text(encoding="utf-8")))
    for path, text in ((options.go / "tables.go", tables.text()), (options.go / "calls.go", tables.calls()),
                       (options.go / "models" / "tables.go", published())):
        if not options.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not what api.json says: run bindings/go/tools/make_go.py")


if __name__ == "__main__":
    main()
