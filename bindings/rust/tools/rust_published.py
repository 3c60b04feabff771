# SPDX-License-Identifier: Apache-2.0
"""What models.h declares as the crate dragoman has it: options, and values that own their strings."""
from __future__ import annotations

import re

import rust_options
from rust_names import NUMBERS, camel, doc, plain_doc
from rust_sys import heading

OPTIONS = "dragoman_models_options"
NAMES = {"dragoman_download": "Download"}
FLAGS = {"installed", "offline", "refresh", "again"}
LISTS = {("dragoman_published_model", "from"), ("dragoman_published_model", "to")}
# What stands for a number of things: the things.
FILES = {"file_count": ("files", "Vec<PublishedFile>", "Its files.")}


def annotated(api: dict) -> dict:
    """With what the generators ask of api.json's roles."""
    for handle in api["handles"]:
        handle["destroy"] = f"{handle['name']}_destroy"
    for struct in api["structs"]:
        for field in struct["fields"]:
            base = field["type"].get("base")
            if field["name"] == "user":
                field |= {"role": "user", "of": "progress"}
            elif field["type"]["kind"] == "callback":
                field |= {"role": "callback", "doc": "Told a few times a second how far it is; it may stop the call; default: none"}
            elif base == "char":
                field["role"] = "text"
            elif field["name"] in FLAGS:
                field |= {"flag": True, "doc": field["doc"].replace(", or 1 where", ", or true where")}
    return api


def value(struct: dict, field: dict) -> tuple[str, str, str, str]:
    """Name, type, comment and value of a field."""
    name, raw, text = field["name"], f"raw.{field['name']}", field["doc"].replace("BCP 47 with commas between them", "BCP 47")
    if name in FILES:
        own, rust, text = FILES[name]
        return own, rust, text, own
    if (struct["name"], name) in LISTS:
        return name, "Vec<String>", text.replace('""', "none"), f"words(borrowed({raw}))"
    if field.get("role") == "text":
        return name, "String", text, f"borrowed({raw}).to_owned()"
    if "flag" in field:
        return name, "bool", re.sub(r"\b1: ", "true: ", text), f"{raw} != 0"
    return name, NUMBERS[field["type"]["base"]], text, raw


def owned(struct: dict) -> list[str]:
    name = NAMES.get(struct["name"], camel(struct["name"]))
    fields = [value(struct, field) for field in struct["fields"] if not re.fullmatch(r"struct_size|reserved", field["name"])]
    about = re.sub(r" ?(Borrowed from its list|Lives until the callback returns)[^.]*\.", "", struct["doc"])
    out = ["", *doc(plain_doc(about)), "#[derive(Clone, Debug, PartialEq)]", "#[non_exhaustive]", f"pub struct {name} {{"]
    for own, rust, text, _ in fields:
        out += [*doc(plain_doc(text), "    "), f"    pub {own}: {rust},"]
    more = "".join(f", {own}: {rust}" for own, rust, _, code in fields if own == code)
    out += ["}", "", f"impl {name} {{", f"    pub(crate) unsafe fn of(raw: &sys::{struct['name']}{more}) -> Self {{",
            f"        {name} {{"]
    out += [f"            {own}," if own == code else f"            {own}: {code}," for own, _, _, code in fields]
    return [*out, "        }", "    }", "}"]


def published(api: dict) -> str:
    structs = {struct["name"]: struct for struct in api["structs"]}
    out = [*heading("models.h"), "use crate::models::progress::{Progress, Watch};", "use crate::text::{borrowed, words, Text};",
           "use crate::Result;", "use dragoman_sys as sys;", "use std::ffi::OsStr;", "use std::ops::ControlFlow;"]
    options = "\n".join(rust_options.struct_of(structs.pop(OPTIONS)))
    out.append(options.replace("impl Fn(usize, usize)", "impl Fn(&Download)"))
    for struct in structs.values():
        out += owned(struct)
    return "\n".join(out) + "\n"
