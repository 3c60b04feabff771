# SPDX-License-Identifier: Apache-2.0
"""A method for each function that takes more than numbers: what its declaration says of parameters is enough to make
C's arguments of C#'s. Where a function needs more (callbacks, arrays that it fills) it is left to code by hand."""
from __future__ import annotations

import re

from csharp_classes import APART, INFOS
from csharp_handles import method, prefix_of
from csharp_names import field_name, fold, pascal, type_name
from csharp_native import heading

LEFT = re.compile(r"_init_sized$|_destroy$|_close$|_log$|_job_(poll|wait)$"
                  r"|^dragoman_(logger|vulkan|device_adopt|find_route|model_describe_all|translation_key"
                  r"|keep_answers)")
LISTS = {"dragoman_string": ("IReadOnlyList<string>", "Strings"),
         "dragoman_tokens": ("IReadOnlyList<IReadOnlyList<string>>", "Sequences")}
TEXTS = {"dragoman_glossary_read"}  # whose bytes are a text


def camel(name: str) -> str:
    return field_name(name[:1].lower() + pascal(name)[1:])


class Function:
    """One function as a method; `possible` says whether it can be one."""

    def __init__(self, function: dict):
        self.function = function
        self.items: list[str] = []      # C#'s parameters
        self.before: list[str] = []
        self.arguments: list[str] = []
        self.result, self.made, self.back = "void", "", ""
        self.given = {one["type"].get("base") for one in function["parameters"]}
        self.arrays = {one["count"]: camel(one["name"]) for one in reversed(function["parameters"])
                       if one.get("role") == "array" and not one.get("nullable")}
        status = function["returns"]["type"]["base"] == "dragoman_status"
        self.possible = status and all(self.parameter(one) for one in function["parameters"])

    def add(self, kind: str, name: str, made: str) -> bool:
        self.items.append(f"{kind} {name}")
        self.arguments.append(made)
        return True

    def parameter(self, one: dict) -> bool:
        kind, role, name = one["type"], one.get("role"), camel(one["name"])
        base, named = kind.get("base", ""), f'{name}, "{one["name"]}"'
        if one.get("direction") == "out":
            return self.out(base)
        if one["name"] in self.arrays:
            self.arguments.append(f"{self.arrays[one['name']]}.Count")
            return True
        if role == "handle":
            return self.add(f"{type_name(base)}Handle", name, f"call.Hold({name})")
        if role == "text":
            return self.add("string", name, f"call.Text({named})")
        if role == "array":
            return self.array(one, base, name, named)
        if role == "struct" and base == "dragoman_string":
            if one["name"] == "bytes" and self.function["name"] not in TEXTS:
                return self.add("byte[]", name, f"call.Bytes({name})")
            return self.add("string", name, f"call.String({named})")
        if base == "dragoman_job_options":  # the job writes them, with itself as what gets the events
            return self.add("Job", "job", "job.Write(call)")
        if role == "struct" and base.endswith("_options"):
            several = "[]" if base == "dragoman_translate_options" else ""
            return self.add(f"{type_name(base)}{several}", name, f"{type_name(base)}.Make(call, {name})")
        if "enum" in one:
            return self.add(type_name(one["enum"]), name, f"(int){name}")
        if "flag" in one:
            return self.add("bool", name, f"{name} ? 1 : 0")
        if base == "uint32_t":
            return self.add("long", name, f"Call.Unsigned({named})")
        return base in ("size_t", "int64_t") and "pointers" not in kind and self.add("int", name, name)

    def array(self, one: dict, base: str, name: str, named: str) -> bool:
        first = self.arrays.get(one["count"])
        if one["name"] == "prefixes" and "dragoman_translate_options" in self.given:
            self.arguments.append(f"TranslateOptions.PrefixesOf(call, {first}.Count, options)")
            return True
        if one.get("nullable"):
            self.arguments.append("null")
            return True
        if name != first:
            self.before.append(f'Call.Same("{name}", {name}.Count, {first}.Count);')
        if base == "dragoman_file":
            return self.add("IReadOnlyList<ModelFile>", name, f"call.Files({name})")
        if base == "dragoman_model":
            return self.add("IReadOnlyList<Model>", name, f"call.Models({name})")
        return base in LISTS and self.add(LISTS[base][0], name, f"call.{LISTS[base][1]}({named})")

    def out(self, base: str) -> bool:
        if INFOS.fullmatch(base) and base not in APART:
            self.made = f"var raw = new Native.{base} {{ struct_size = (uint)sizeof(Native.{base}) }};"
            self.result, self.back = type_name(base), f"new {type_name(base)}(&raw)"
            self.arguments.append("&raw")
        elif base in ("size_t", "uint32_t"):
            self.made, self.result, self.back = f"{'SizeT' if base == 'size_t' else 'uint'} found;", "long", "found"
            self.arguments.append("out found")
        elif base == "int32_t":
            self.made, self.result, self.back = "int found;", "bool", "found != 0"
            self.arguments.append("out found")
        else:
            self.made, self.result, self.back = "IntPtr found;", "IntPtr", "found"
            self.arguments.append("out found")
        return True

    def text(self) -> list[str]:
        name, submits = pascal(self.function["name"].removeprefix("dragoman_")), "dragoman_job_options" in self.given
        items = [*self.items, *([] if submits else ["CancellationToken cancel = default(CancellationToken)"])]
        body = [self.made] if self.made else []
        body += fold(f"call.Done(Native.{self.function['name']}(", self.arguments, "));", 100)
        body += [f"return {self.back};"] if self.back else []
        return [*fold(f"        internal static {self.result} {name}(", items, ")"), "        {",
                *(f"            {one}" for one in self.before),
                f"            using (var call = new Call({'submits: true' if submits else 'cancel'}))", "            {",
                *(f"                {one}" for one in body), "            }", "        }"]


def calls(api: dict) -> str:
    out = [*heading(), "using System;", "using System.Collections.Generic;", "using System.Threading;", "",
           "namespace Dragoman", "{", "    /// <summary>Functions of C that take C#'s own values.</summary>",
           "    internal static unsafe class Calls", "    {"]
    prefixes = {one["name"]: prefix_of(one) for one in api["handles"]}
    first = True
    for function in api["functions"]:
        head = function["parameters"][0]["type"].get("base") if function["parameters"] else None
        if function["inline"] or LEFT.search(function["name"]) or (
                head in prefixes and method(function, prefixes[head], api)):
            continue
        found = Function(function)
        if found.possible:
            out += ([] if first else [""]) + found.text()
            first = False
    return "\n".join([*out, "    }", "}"]) + "\n"
