# SPDX-License-Identifier: Apache-2.0
"""Enumerations, handles and information as the crate dragoman has them."""
from __future__ import annotations

import os
import re

from rust_names import NUMBERS, camel, doc, plain_doc, variants
from rust_sys import heading

INFOS = re.compile(r"dragoman_(\w+_)?(info|stats|counts)")
# Kinds of std's errors that say what a status says. Not Interrupted, which std's own loops try again.
KINDS = {"InvalidArgument": "InvalidInput", "BadModel": "InvalidData", "Unsupported": "Unsupported",
         "OutOfMemory": "OutOfMemory"}
FORMATTED = """
impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Error {}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        use std::io::ErrorKind as Kind;
        let kind = match error {"""
OTHERS = """            _ => Kind::Other,
        };
        std::io::Error::new(kind, error)
    }
}

/// For a word that is none of an enumeration's.
pub(crate) fn unknown_word<T: ToString>(name: &str, word: &str, all: &[T]) -> Error {
    let all = all.iter().map(T::to_string).collect::<Vec<_>>().join(", ");
    Error::InvalidArgument(format!("{name}: expected one of {all}, got {word:?}"))
}"""
RENAMED = {"MemoryInfo": "DeviceMemory"}


def info_name(struct: str) -> str:
    return RENAMED.get(camel(struct), camel(struct))


def errors(enum: dict) -> list[str]:
    """A variant of Error for each status but that of success."""
    left = {variant: one for variant, one in variants(enum).items() if one["value"]}
    out = ["", "/// What the library reports: a status that a program can act on, with its sentence for a person.",
           "#[derive(Clone, Debug, PartialEq, Eq)]", "#[non_exhaustive]", "pub enum Error {"]
    for variant, one in left.items():
        out += [*doc(plain_doc(one["doc"]), "    "), f"    {variant}(String),"]
    out += ["}", "", "impl Error {", "    pub(crate) fn of(status: i32, message: String) -> Self {",
            "        match Status::of(status) {"]
    out += [f"            Status::{variant} => Error::{variant}(message)," for variant in list(left)[:-1]]
    out += [f"            _ => Error::{list(left)[-1]}(message),", "        }", "    }", "", "    /// Its status in C.",
            "    pub fn status(&self) -> Status {", "        match self {"]
    out += [f"            Error::{variant}(_) => Status::{variant}," for variant in left]
    out += ["        }", "    }", "", "    /// The library's sentence for a person.",
            "    pub fn message(&self) -> &str {", "        match self {"]
    out += [f"            {'| ' if place else ''}Error::{variant}(message)" for place, variant in enumerate(left)]
    out[-1] += " => message,"
    kinds = [f"            Error::{variant}(_) => Kind::{kind}," for variant, kind in KINDS.items() if variant in left]
    return [*out, "        }", "    }", "}", *FORMATTED.split("\n"), *kinds, *OTHERS.split("\n")]


def enums(api: dict) -> str:
    out = [*heading("capi/api.json"), "use dragoman_sys as sys;"]
    for enum in api["enumerations"]:
        name, found = camel(enum["name"]), variants(enum)
        derived = "Clone, Copy, Debug, PartialEq, Eq, Hash"
        out += ["", *doc(plain_doc(enum["doc"])), f"#[derive({derived})]", "#[non_exhaustive]", "#[repr(i32)]",
                f"pub enum {name} {{"]
        for variant, one in found.items():
            out += [*doc(plain_doc(one["doc"]), "    "), f"    {variant} = sys::{one['name']},"]
        out += ["}", "", f"impl {name} {{",
                "    /// All of them, in the order of their numbers.",
                f"    pub const ALL: &'static [{name}] = &["]
        out += [f"        {name}::{variant}," for variant in found]
        last = "Unknown" if "Unknown" in found else list(found)[-1]
        out += ["    ];", "", "    /// Its word in Python and in reports.",
                "    pub fn word(self) -> &'static str {", "        match self {"]
        prefix = len(re.match(r".*_", common(enum))[0])
        words = {variant: one["name"][prefix:].lower() for variant, one in found.items()}
        out += [f'            {name}::{variant} => "{word}",' for variant, word in words.items()]
        out += ["        }", "    }", "", "    #[allow(dead_code)]", "    pub(crate) fn of(number: i32) -> Self {",
                f"        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&{name}::{last})", "    }",
                "}", *texts(name, enum["name"].removeprefix("dragoman_"))]
        if enum["name"] == "dragoman_status":
            out += errors(enum)
    return "\n".join(out) + "\n"


def texts(name: str, option: str) -> list[str]:
    """An enumeration as text and from it."""
    return ["", "/// Its word.", f"impl std::fmt::Display for {name} {{",
            "    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {",
            "        formatter.pad(self.word())", "    }", "}", "",
            "/// From its word, in any case.", f"impl std::str::FromStr for {name} {{", "    type Err = crate::Error;", "",
            "    fn from_str(word: &str) -> crate::Result<Self> {",
            "        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));",
            f'        found.copied().ok_or_else(|| crate::made::enums::unknown_word("{option}", word, Self::ALL))', "    }", "}"]


def common(enum: dict) -> str:
    return os.path.commonprefix([one["name"] for one in enum["enumerators"]])


def handles(api: dict) -> str:
    out = [*heading("capi/api.json"), "use crate::owned::Handle;", "use dragoman_sys as sys;"]
    for one in api["handles"]:
        out += ["", f"impl Handle for sys::{one['name']} {{", "    unsafe fn end(pointer: *mut Self) {",
                f"        sys::{one['destroy']}(pointer);", "    }", "}"]
    return "\n".join(out) + "\n"


def info_field(field: dict) -> tuple[str, str]:
    """Type and value of a field of information."""
    name, kind = field["name"], field["type"]
    if "array" in kind:
        return ("String", f"chars(&raw.{name})") if kind["base"] == "char" else ("[u8; 16]", f"raw.{name}")
    if "flag" in field:
        return "bool", f"raw.{name} != 0"
    if "enum" in field:
        return camel(field["enum"]), f"{camel(field['enum'])}::of(raw.{name})"
    return NUMBERS[kind["base"]], f"raw.{name}"


def infos(api: dict) -> str:
    out = [*heading("capi/api.json"), "use super::enums::*;", "use crate::text::chars;", "use dragoman_sys as sys;"]
    for struct in api["structs"]:
        if not INFOS.fullmatch(struct["name"]):
            continue
        name = info_name(struct["name"])
        fields = [field for field in struct["fields"] if not re.fullmatch(r"struct_size|reserved\d*", field["name"])]
        out += ["", *doc(plain_doc(struct["doc"])), "#[derive(Clone, Debug, PartialEq)]", "#[non_exhaustive]",
                f"pub struct {name} {{"]
        for field in fields:
            out += [*doc(plain_doc(field["doc"]), "    "), f"    pub {field['name']}: {info_field(field)[0]},"]
        out += ["}", "", f"impl {name} {{", f"    pub(crate) fn of(raw: &sys::{struct['name']}) -> Self {{",
                f"        {name} {{"]
        for field in fields:
            value = info_field(field)[1]
            out.append(f"            {field['name']}: {value},")
        out += ["        }", "    }", "}"]
    return "\n".join(out) + "\n"
