# SPDX-License-Identifier: Apache-2.0
"""Options as the crate dragoman has them: a setter for each field of C's struct, under its name."""
from __future__ import annotations

import re

from rust_names import NUMBERS, camel, doc, plain_doc
from rust_sys import heading

APART = {"dragoman_job_options": {"on_event", "events"}}  # the crate's own
HANDLES = {"dragoman_device": "Device", "dragoman_glossary": "Glossary", "dragoman_memory": "TranslationMemory"}
# What a call takes beside its options in C.
BESIDE = {"dragoman_translate_options": [
    {"name": "prefixes", "type": {"base": "dragoman_tokens"}, "role": "array", "beside": True,
     "doc": "target tokens that each translation begins with, one sequence for each input; default: none"}],
    "dragoman_job_options": [
    {"name": "partial", "type": {"base": "int32_t"}, "flag": True, "beside": True,
     "doc": "of streams: also the best translation so far of sentences at work; default 0"}]}


class Field:
    """What a field is in Rust: a member beside the raw struct, a setter, and how the member gets into a call."""

    def __init__(self, field: dict):
        self.name, kind, role = field["name"], field["type"], field.get("role")
        self.member = ""       # its type, if C's struct cannot hold it
        self.prepare: list[str] = []
        name = self.name
        if role == "text":
            self.member, self.given = "Text", "impl AsRef<OsStr>"
            self.set = f"self.{name} = Text::of(value.as_ref());"
            self.prepare = [f'raw.{name} = self.{name}.pointer("{name}")?;']
        elif role == "handle":
            handle = HANDLES[kind["base"]]
            self.member, self.given = f"Option<{handle}>", f"&{handle}"
            self.set = f"self.{name} = Some(value.clone());"
            pointer = f"self.{name}.as_ref().map_or(null_mut(), |one| one.pointer())"
            self.prepare = [f"raw.{name} = {pointer}{self.cast(kind)};"]
        elif role == "array":
            self.array(field)
        elif role == "callback":
            self.member = "Progress"
            self.given = "impl Fn(usize, usize) -> ControlFlow<()> + Send + Sync + 'static"
            self.set = f"self.{name} = crate::watch::Callback(Some(std::sync::Arc::new(value)));"
            self.prepare = [f"let watch = Watch::of(&self.{name});",
                            f"(raw.{name}, raw.{field['user']}) = (watch.callback(), watch.user());"]
        elif role == "struct":
            self.member, self.given = f"Option<{camel(kind['base'])}>", f"&{camel(kind['base'])}"
            self.set = f"self.{name} = Some(value.clone());"
        elif "flag" in field and field.get("beside"):
            self.member, self.given, self.set = "bool", "bool", f"self.{name} = value;"
        elif "flag" in field:
            self.given, self.set = "bool", f"self.raw.{name} = value.into();"
        elif "enum" in field:
            self.given, self.set = camel(field["enum"]), f"self.raw.{name} = value as i32;"
        else:
            self.given, self.set = NUMBERS[kind["base"]], f"self.raw.{name} = value;"

    @staticmethod
    def cast(kind: dict) -> str:
        return " as *const _" if kind.get("const") else ""

    def array(self, field: dict) -> None:
        name, base = self.name, field["type"]["base"]
        if base == "float":
            self.member, self.given = "Vec<f32>", "impl Into<Vec<f32>>"
            self.set = f"self.{name} = value.into();"
            views = ""
        elif base == "dragoman_string":
            self.member, self.given = "Vec<String>", "impl IntoIterator<Item = impl Into<String>>"
            self.set = f"self.{name} = value.into_iter().map(Into::into).collect();"
            views = f"Strings::of(&self.{name})"
        else:
            self.member = "Vec<Vec<String>>"
            self.given = "impl IntoIterator<Item = impl IntoIterator<Item = impl Into<String>>>"
            tokens = "one.into_iter().map(Into::into).collect()"
            self.set = f"self.{name} = value.into_iter().map(|one| {tokens}).collect();"
            views = f"Sequences::of(&self.{name})"
        if not field.get("beside"):
            value = name if views else f"self.{name}"
            self.prepare = [f"let {name} = {views};"] if views else []
            self.prepare.append(f"(raw.{name}, raw.{field['count']}) = (pointer_of(&{value}), {value}.len());")

    def setter(self, text: str) -> list[str]:
        head = f"    pub fn {self.name}(mut self, value: {self.given}) -> Self {{"
        lines = [head]
        if len(head) > 120:
            lines = [f"    pub fn {self.name}(", "        mut self,", f"        value: {self.given},",
                     "    ) -> Self {"]
        return ["", *doc(plain_doc(text), "    "), "    #[must_use]", *lines, f"        {self.set}", "        self",
                "    }"]


def fields_of(struct: dict) -> list[tuple[Field, str]]:
    counts = {field.get("count") for field in struct["fields"]}
    left = [field for field in struct["fields"]
            if not re.fullmatch(r"struct_size|reserved\d*", field["name"]) and field["name"] not in counts
            and field.get("role") != "user"]
    users = {field["of"]: field["name"] for field in struct["fields"] if field.get("role") == "user"}
    left = [{**field, "user": users.get(field["name"])} for field in left
            if field["name"] not in APART.get(struct["name"], ())]
    found = []
    for field in [*left, *BESIDE.get(struct["name"], [])]:
        text = field["doc"]
        if "flag" in field:
            text = re.sub(r"\b1: ", "true: ", re.sub(r"\b0: ", "false: ", text))
            text = re.sub(r"\b0 \(default\)", "false (default)", re.sub(r"default 0\b", "default false", text))
            text = re.sub(r"default 1\b", "default true", text)
        found.append((Field(field), text))
    return found


def defaults(struct: dict) -> list[str]:
    """C's. Where they are all zeros, its struct has them already."""
    raw = f"sys::{struct['name']}::default();"
    if "init_sized" not in struct:
        return [f"        let raw = {raw}"]
    return [f"        let mut raw = {raw}", "        let size = raw.struct_size as usize;",
            "        // SAFETY: the struct and its size, for which it cannot fail.",
            f"        unsafe {{ sys::{struct['init_sized']}(&mut raw, size) }};"]


def struct_of(struct: dict) -> list[str]:
    name, raw = camel(struct["name"]), f"sys::{struct['name']}"
    fields = fields_of(struct)
    members = [field for field, _ in fields if field.member]
    about = re.sub(r" ?Flags are[^.]*\.|\"The model's\": see above\.", "", struct["doc"]).strip()
    out = ["", *doc(plain_doc(about)), "#[derive(Clone, Debug)]", f"pub struct {name} {{", f"    raw: {raw},"]
    out += [f"    pub(crate) {field.name}: {field.member}," for field in members]
    out += ["}", "", "// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.",
            f"unsafe impl Send for {name} {{}}", f"unsafe impl Sync for {name} {{}}",
            "", f"impl Default for {name} {{", "    fn default() -> Self {", *defaults(struct),
            f"        {name} {{", "            raw,"]
    out += [f"            {field.name}: Default::default()," for field in members]
    out += ["        }", "    }", "}", "", f"impl {name} {{", "    /// The defaults.", "    pub fn new() -> Self {",
            "        Self::default()", "    }"]
    for field, text in fields:
        out += field.setter(text)
    watched = any(field.member == "Progress" for field in members)
    changed = any(field.prepare or field.member.endswith("Options>") for field in members)
    mutable = "mut " if changed else ""
    out += ["", "    /// Calls with C's struct, which borrows from this one.",
            f"    pub(crate) fn with<R>(&self, call: impl FnOnce(&{raw}) -> Result<R>) -> Result<R> {{",
            f"        let {mutable}raw = self.raw;"]
    for field in members:
        out += [f"        {line}" for line in field.prepare]
    nested = [field for field in members if field.member.endswith("Options>")]
    if nested:
        one = nested[0].name
        out += [f"        match &self.{one} {{", f"            Some({one}) => {one}.with(|given| {{",
                f"                raw.{one} = given;", "                call(&raw)", "            }),",
                "            None => call(&raw),", "        }"]
    elif watched:
        out += ["        let done = call(&raw);", "        watch.resume();", "        done"]
    else:
        out.append("        call(&raw)")
    return [*out, "    }", "}"]


def options(api: dict) -> str:
    out = [*heading("capi/api.json"), "use super::enums::*;",
           "use crate::text::{pointer_of, Sequences, Strings, Text};",
           "use crate::watch::{Progress, Watch};", "use crate::{Device, Glossary, Result, TranslationMemory};",
           "use dragoman_sys as sys;", "use std::ffi::OsStr;", "use std::ops::ControlFlow;", "use std::ptr::null_mut;"]
    for struct in api["structs"]:
        if struct["name"].endswith("_options"):
            out += struct_of(struct)
    return "\n".join(out) + "\n"


def document_options(api: dict) -> str:
    out = [*heading("documents.h"), "use super::document_enums::*;", "use crate::text::Text;",
           "use crate::watch::{Progress, Watch};", "use crate::Result;", "use dragoman_sys as sys;",
           "use std::ffi::OsStr;", "use std::ops::ControlFlow;"]
    return "\n".join([*out, *struct_of(api["structs"][0])]) + "\n"
