# SPDX-License-Identifier: Apache-2.0
"""The declarations of dragoman-sys, and the test of their layout."""
from __future__ import annotations

import textwrap

from rust_names import ctype, doc, returned, rust_name


def fold(head: str, items: list[str], tail: str) -> list[str]:
    """head item, item tail: on one line if it fits, else with a line for each item."""
    line = head + ", ".join(items) + tail
    if len(line) <= 120:
        return [line]
    indent = " " * (len(head) - len(head.lstrip()))
    return [head, *(f"{indent}    {item}," for item in items), indent + tail]


def signature(entry: dict) -> list[str]:
    return [f"{rust_name(one['name'])}: {ctype(one['type'])}" for one in entry["parameters"]]


def heading(origin: str) -> list[str]:
    return ["// SPDX-License-Identifier: Apache-2.0", f"// Written by tools/make_sys.py from {origin}."]


def constant(one: dict) -> list[str]:
    if isinstance(one["value"], str):
        return [*doc(one["doc"]), f"pub const {one['name']}: &str = {one['value']!r};".replace("'", '"')]
    kind = {"size_t": "usize", "uint32_t": "u32", "int": "i32"}[one["type"]]
    return [*doc(one["doc"]), f"pub const {one['name']}: {kind} = {one['value']};"]


def enumeration(enum: dict) -> list[str]:
    out = ["", *doc(enum["doc"]), f"pub type {enum['name']} = i32;"]
    for one in enum["enumerators"]:
        out += [*doc(one["doc"]), f"pub const {one['name']}: {enum['name']} = {one['value']};"]
    return out


def callback(one: dict) -> list[str]:
    return ["", *doc(one["doc"]),
            *fold(f"pub type {one['name']} = Option<unsafe extern \"C\" fn(", signature(one),
                  f"){returned(one['returns'])}>;")]


def handle(one: dict) -> list[str]:
    return ["", *doc(one["doc"]), "#[repr(C)]", f"pub struct {one['name']} {{", "    _private: [u8; 0],",
            "    _marker: PhantomData<(*mut u8, PhantomPinned)>,", "}"]


def struct(one: dict) -> list[str]:
    out = ["", *doc(one["doc"]), "#[repr(C)]", "#[derive(Clone, Copy, Debug)]", f"pub struct {one['name']} {{"]
    for field in one["fields"]:
        out += [*doc(field["doc"], "    "), f"    pub {rust_name(field['name'])}: {ctype(field['type'])},"]
    out += ["}", "", f"impl Default for {one['name']} {{"]
    why = "    /// Zeros, with `struct_size`." if one["sized"] else "    /// Zeros."
    out += [why, "    fn default() -> Self {",
            "        // SAFETY: numbers, pointers and functions that may be absent: zeros are values."]
    if one["sized"]:
        out += ["        let mut value: Self = unsafe { mem::zeroed() };",
                "        value.struct_size = mem::size_of::<Self>() as u32;", "        value"]
    else:
        out.append("        unsafe { mem::zeroed() }")
    return [*out, "    }", "}"]


def function(one: dict) -> list[str]:
    return [*doc(one["doc"], "    "),
            *fold(f"    pub fn {one['name']}(", signature(one), f"){returned(one['returns']['type'])};")]


def declarations(api: dict, library: str, origin: str) -> str:
    out = heading(origin)
    if library != "dragoman":
        out += ["use crate::bindings::*;"]
    text: list[str] = [""]
    for one in api["constants"]:
        text += constant(one)
    for one in api["enumerations"]:
        text += enumeration(one)
    for one in api["aliases"]:
        text += ["", *doc(one["doc"]), f"pub type {one['name']} = {ctype(one['type'])};"]
    for one in api["callbacks"]:
        text += callback(one)
    for one in api["handles"]:
        text += handle(one)
    for one in api["structs"]:
        text += struct(one)
    text += ["", f'#[link(name = "{library}")]', 'extern "C" {']
    for place, one in enumerate(one for one in api["functions"] if not one["inline"]):
        text += ([""] if place else []) + function(one)
    text.append("}")
    body = "\n".join(text)
    names = [name for name in ("c_char", "c_int", "c_uint", "c_ulong", "c_void") if name in body]
    if any(api["handles"]):
        out.append("use std::marker::{PhantomData, PhantomPinned};")
    out += ["use std::mem;", f"use std::os::raw::{{{', '.join(names)}}};"]
    return "\n".join(out) + "\n" + body + "\n"


def layouts(*apis: dict) -> str:
    """Sizes and offsets as the C compiler has them, which the test capi.api_json asks."""
    out = [*heading("capi/api.json"), "//! Sizes and offsets are C's.", "use crate::*;",
           "use std::mem::{align_of, size_of};", "", "macro_rules! layout {",
           "    ($struct:ty, $size:literal, $alignment:literal, $($field:ident = $offset:literal),*) => {{",
           "        let value = <$struct>::default();", "        let begin = std::ptr::addr_of!(value) as usize;",
           "        let name = stringify!($struct);",
           "        assert_eq!((size_of::<$struct>(), align_of::<$struct>()), ($size, $alignment), \"{name}\");",
           "        $(let offset = std::ptr::addr_of!(value.$field) as usize - begin;",
           "        assert_eq!(offset, $offset, \"{name}.{}\", stringify!($field));)*", "    }};", "}"]
    for model, condition in (("lp64", "not(windows)"), ("llp64", "windows")):
        out += ["", "#[test]", f'#[cfg(all(target_pointer_width = "64", {condition}))]', f"fn as_in_{model}() {{"]
        for one in (struct for api in apis for struct in api["structs"]):
            layout = one["layout"][model]
            offsets = ", ".join(f"{rust_name(field['name'])} = {offset}"
                                for field, offset in zip(one["fields"], layout["offsets"]))
            head = f"layout!({one['name']}, {layout['size']}, {layout['alignment']}, {offsets});"
            out += textwrap.wrap(head, 118, initial_indent="    ", subsequent_indent="        ")
        out.append("}")
    return "\n".join(out) + "\n"
