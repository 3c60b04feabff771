# SPDX-License-Identifier: Apache-2.0
"""The functions of C as safe functions of Rust, from what api.json says of their parameters, and the methods of results
that follow from them."""
from __future__ import annotations

import re

from rust_enums import INFOS, info_name
from rust_names import NUMBERS, camel, doc, plain_doc
from rust_sys import fold, heading

# Those that the crate calls itself: callbacks, devices of the program, and what says what went wrong.
APART = re.compile(r"dragoman_(set_log|logger_create|utf8_prefix|last_error|document_error|find_route|document_bytes"
                   r"|model_describe_all|translation_key|keep_answers|device_adopt|vulkan_\w+|wanted_\w+"
                   r"|\w+_init_sized|status_name|document_format_name)")
BORROWED = {"dragoman_string": ("&str", "string"), "dragoman_tokens": ("Vec<&str>", "crate::text::tokens"),
            "dragoman_ranges": ("Vec<Range<usize>>", "spans"), "dragoman_matrix": ("Matrix<'_>", "Matrix::of")}
ARRAYS = {"dragoman_string": "&Strings", "dragoman_tokens": "&Sequences", "dragoman_file": "&[sys::dragoman_file]",
          "void": "&[u8]"}


class Call:
    """One function: Rust's parameters, what stands before C's call, C's arguments, and what becomes of its result."""

    def __init__(self, function: dict):
        self.function, self.name = function, function["name"].removeprefix("dragoman_")
        self.given: list[str] = []
        self.before: list[str] = []
        self.arguments: list[str] = []
        self.options: list[tuple[str, bool]] = []   # with whether their callbacks are left out
        self.out: dict | None = None
        self.fails, self.status = False, function["returns"]["type"]["c"] == "dragoman_status"
        self.counts = {parameter.get("count") for parameter in function["parameters"]}
        self.firsts: dict[str, str] = {}
        for parameter in function["parameters"]:
            self.take(parameter)

    def take(self, parameter: dict) -> None:
        name, kind, role = parameter["name"], parameter["type"], parameter.get("role")
        base = kind.get("base", "")
        if parameter.get("direction") == "out":
            self.out = parameter
            self.arguments.append("out")
        elif name in self.counts:
            self.arguments.append(f"{self.firsts[name]}.len() as _")
        elif role == "array":
            self.array(parameter)
        elif role == "handle":
            self.given.append(f"{name}: &Owned<sys::{base}>")
            self.arguments.append(f"{name}.pointer()")
        elif role == "text":
            self.fails = True
            self.given.append(f"{name}: impl Into<Text>")
            self.before += [f"let {name}: Text = {name}.into();", f'let {name} = {name}.pointer("{name}")?;']
            self.arguments.append(name)
        elif role == "struct" and base == "dragoman_string":
            self.given.append(f"{name}: &str")
            self.arguments.append(f"&view({name})")
        elif role == "struct":
            self.given.append(f"{name}: &{camel(base)}" if base != "dragoman_job_options" else f"{name}: &sys::{base}")
            if base != "dragoman_job_options":
                self.options.append((name, parameter.get("callbacks_until", "return") != "return"))
            self.arguments.append(name)
        else:
            self.scalar(parameter)

    def array(self, parameter: dict) -> None:
        name, base, count = parameter["name"], parameter["type"]["base"], parameter["count"]
        if parameter["type"]["kind"] == "handle":
            self.given.append(f"{name}: &[&Owned<sys::{base}>]")
            self.before.append(f"let {name}: Vec<_> = {name}.iter().map(|one| one.pointer() as *const _).collect();")
        else:
            self.given.append(f"{name}: {ARRAYS[base]}")
        if count in self.firsts:
            check = f'same_length("{name}", {self.firsts[count]}.len(), {name}.len())?;'
            self.before.append(f"if !{name}.is_empty() {{\n        {check}\n    }}" if parameter["nullable"] else check)
        self.firsts.setdefault(count, name)
        value = f"pointer_of({'&' if parameter['type']['kind'] == 'handle' else ''}{name})"
        self.arguments.append(f"{value}.cast()" if base == "void" else value)

    def scalar(self, parameter: dict) -> None:
        name, base = parameter["name"], parameter["type"]["base"]
        kind, value = NUMBERS[base], name
        if "flag" in parameter:
            kind, value = "bool", f"{name}.into()"
        elif "enum" in parameter:
            kind, value = camel(parameter["enum"]), f"{name} as i32"
        elif name == "timeout_ms":
            kind, value = "Option<Duration>", f"milliseconds({name})"
        self.given.append(f"{name}: {kind}")
        self.arguments.append(value)

    def result(self) -> tuple[str, str, str]:
        """The type, and what stands around C's call."""
        if not self.status:
            return self.plain_result()
        if not self.out:
            return "()", "check(", ")"
        kind, base = self.out["type"], self.out["type"]["base"]
        check = "document_" if "document" in self.name else ""
        if self.out["role"] == "handle":
            made, optional = ("maybe", "Option<%s>") if self.out["nullable"] else ("made", "%s")
            return optional % f"Owned<sys::{base}>", f"Owned::{check}{made}(|out| ", ")"
        if self.out.get("ownership") == "borrowed" and base in BORROWED:
            rust, convert = BORROWED[base]
            return rust, "read(|out| ", f").map(|raw| unsafe {{ {convert}(raw) }})"
        if INFOS.fullmatch(base):
            return info_name(base), "read(|out| ", f").map(|raw| {info_name(base)}::of(&raw))"
        return (f"sys::{base}" if kind["kind"] == "struct" else NUMBERS[base]), "read(|out| ", ")"

    def plain_result(self) -> tuple[str, str, str]:
        returns = self.function["returns"]
        kind = returns["type"]
        if returns.get("role") == "text":
            convert = "text_or_none(" if returns["nullable"] else "borrowed("
            return "Option<&'static str>" if returns["nullable"] else "&'static str", convert, ")"
        if kind.get("pointers"):
            count = self.function["name"].removesuffix("_data") + "_count"
            return f"&[sys::{kind['base']}]", "slice(", f", sys::{count}({self.arguments[0]}))"
        if "flag" in returns:
            return "bool", "", " != 0"
        return NUMBERS[kind["base"]], "", ""

    def text(self) -> list[str]:
        rust, head, tail = self.result()
        fails = self.status or self.fails
        call = f"sys::{self.function['name']}({', '.join(self.arguments)})"
        if not self.status:
            body = f"unsafe {{ {head}{call}{tail} }}"
            body = f"Ok({body})" if fails else body
        elif not self.out:
            check = "check_document(" if "translate_document" in self.name else "check("
            body = f"{check}unsafe {{ {call} }})"
        else:
            body = f"{head}unsafe {{ {call} }}{tail}"
        lines = [body]
        for name, quiet in reversed(self.options):
            more = [f"let mut {name} = *{name};", f"{name}.progress = None; // the events say it",
                    f"let {name} = &{name};"]
            lines = [f"{name}.with(|{name}| {{", *(f"    {line}" for line in [*(more if quiet else []), *lines]), "})"]
        result = f"Result<{rust}>" if fails else rust
        out = fold(f"pub(crate) fn {self.name}(", self.given, f") -> {result} {{")
        return ["", *out, *(f"    {line}" for line in [*self.before, *lines]), "}"]


def wanted(function: dict) -> bool:
    taken = any(parameter.get("ownership") == "taken" for parameter in function["parameters"])
    return not (function["inline"] or taken or APART.fullmatch(function["name"]))


def calls(api: dict) -> str:
    out = [*heading("capi/api.json"), "use super::enums::*;", "use super::infos::*;", "use super::options::*;",
           "use crate::error::*;", "use crate::owned::*;", "use crate::text::*;", "use dragoman_sys as sys;",
           "use std::ops::Range;", "use std::time::Duration;"]
    for function in filter(wanted, api["functions"]):
        out += Call(function).text()
    return "\n".join(out) + "\n"


def document_calls(api: dict) -> str:
    out = [*heading("documents.h"), "use super::document_options::*;", "use super::options::*;", "use crate::error::*;",
           "use crate::owned::*;", "use crate::text::*;", "use dragoman_sys as sys;"]
    for function in filter(wanted, api["functions"]):
        out += Call(function).text()
    return "\n".join(out) + "\n"


PLACES = {"result": {("result", "input"): "Hypothesis", ("result", "input", "hypothesis"): "Hypothesis",
                     ("result", "input", "hypothesis", "sentence"): "Sentence"}}
ARGUMENTS = {"Hypothesis": ["&self.found", "self.input", "self.rank"],
             "Sentence": ["&self.owner.found", "self.owner.input", "self.owner.rank", "self.place"]}


def own_names(text: str, whole: bool = True) -> str:
    """A comment with links to methods where it names functions that read results."""
    text = plain_doc(text) if whole else plain_doc(text)[:1].lower() + plain_doc(text)[1:]
    text = re.sub(r"C's `dragoman_result_sentence_(\w+)\(\)`", r"[`Sentence::\1`]", text)
    return re.sub(r"C's `dragoman_result_(\w+)\(\)`", r"[`Hypothesis::\1`]", text)


def methods(api: dict) -> str:
    """Methods of hypotheses and sentences: what C reads at their places, under its names."""
    found: dict[str, list[str]] = {"Hypothesis": [], "Sentence": []}
    for function in api["functions"]:
        call = Call(function) if wanted(function) and function["name"].startswith("dragoman_result_") else None
        if not call or not call.out or call.out["type"]["base"] not in {*BORROWED, "float"}:
            continue
        owner = PLACES["result"][tuple(one["name"] for one in function["parameters"][:-1])]
        arguments = ARGUMENTS[owner][:len(function["parameters"]) - 1]
        rust = call.result()[0]
        name = call.name.removeprefix("result_").removeprefix("sentence_")
        asked = f"calls::{call.name}({', '.join(arguments)})"
        sure = '.expect("a place within the count")'
        fails = "DRAGOMAN_UNSUPPORTED" in function.get("statuses", [])
        text = own_names(re.sub(r"\s*Statuses:.*", "", function["doc"], flags=re.S))
        if fails:
            why = re.search(r"DRAGOMAN_UNSUPPORTED ([^.]*)\.", function["doc"])[1]
            text += f" [`Unsupported`](crate::Error::Unsupported) {own_names(why, False)}"
        found[owner] += ["", *doc(text, "    "),
                         f"    pub fn {name}(&self) -> {f'Result<{rust}>' if fails else rust} {{",
                         f"        {asked}{'' if fails else sure}", "    }"]
    found["Sentence"] += sentence(next(one for one in api["structs"] if one["name"] == "dragoman_sentence"))
    shown = {owner: re.findall(r"pub fn (\w+)\(&self\) -> f32", "\n".join(lines)) for owner, lines in found.items()}
    out = [*heading("capi/api.json"), "use super::calls;", "use crate::result::Hypothesis;",
           "use crate::sentence::Sentence;", "use crate::text::{borrowed, Matrix};", "use crate::Result;",
           "use std::fmt;", "use std::ops::Range;"]
    for owner, lines in found.items():
        out += ["", f"impl {owner} {{", *lines[1:], "}", *debug(owner, shown[owner])]
    return "\n".join(out) + "\n"


def debug(owner: str, numbers: list[str]) -> list[str]:
    """The text, and each number that is not 0 as what was not asked for is."""
    text = "&self.to_string()" if owner == "Hypothesis" else "&self.text()"
    return ["", "/// The text, and the numbers that are not 0.", f"impl fmt::Debug for {owner} {{",
            "    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {",
            f'        let mut shown = formatter.debug_struct("{owner}");', f'        shown.field("text", {text});',
            f"        for (name, value) in [{', '.join(pairs(numbers))}] {{",
            "            if value != 0.0 {", "                shown.field(name, &value);", "            }", "        }",
            "        shown.finish()", "    }", "}"]


def pairs(names: list[str]) -> list[str]:
    return [f'("{name}", self.{name}())' for name in names]


def sentence(struct: dict) -> list[str]:
    """What C's struct of a sentence has; begin and end are a range."""
    lines: list[str] = []
    for field in struct["fields"]:
        name, kind = field["name"], field["type"]
        if re.fullmatch(r"struct_size|reserved\d*|flags|\w+_end", name):
            continue
        if name.endswith("_begin"):
            name = name.removesuffix("_begin")
            rust, value = "Range<usize>", f"self.info.0.{name}_begin..self.info.0.{name}_end"
            name += "s" if name.endswith("token") else ""
        elif field.get("role") == "text":
            rust, value = "&str", f"unsafe {{ borrowed(self.info.0.{name}) }}"
        else:
            rust, value = NUMBERS[kind["base"]], f"self.info.0.{name}"
        text = own_names(field["doc"]).replace("Bytes of", "Where it is, in bytes of")
        lines += ["", *doc(re.sub(r"^In (?=\[)", "Where they are, in ", text), "    "),
                  f"    pub fn {name}(&self) -> {rust} {{", f"        {value}", "    }"]
    return lines
