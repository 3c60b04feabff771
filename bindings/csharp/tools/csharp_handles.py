# SPDX-License-Identifier: Apache-2.0
"""Handles as SafeHandles, with a method for each function that asks one for something or tells it something."""
from __future__ import annotations

from csharp_classes import APART, INFOS
from csharp_names import NUMBERS, ctype, field_name, fold, pascal, type_name
from csharp_native import heading

# What is borrowed is copied while the handle is held.
COPIES = {"dragoman_string": ("string", "Utf8.Read({0})"), "dragoman_tokens": ("string[]", "Utf8.Read({0})"),
          "dragoman_matrix": ("Matrix", "new Matrix({0})"), "dragoman_ranges": ("Native.dragoman_range[]", "Utf8.Copy({0})"),
          "float": ("float", "{0}")}
PLAIN = {"size_t", "int32_t", "int64_t"}


def prefix_of(handle: dict) -> str:
    """What the names of its functions begin with."""
    destroy = handle.get("destroy", handle["name"] + "_destroy")
    return destroy.removesuffix("destroy").removesuffix("close")


def method(function: dict, prefix: str, api: dict) -> list[str]:
    """A method; none where arguments are more than numbers."""
    head, *rest = function["parameters"]
    status = function["returns"]["type"]["base"] == "dragoman_status"
    name = pascal(function["name"].removeprefix(prefix))
    out = rest.pop() if status and rest and rest[-1].get("direction") == "out" else None
    if any(one["type"]["base"] not in PLAIN or one["type"].get("pointers") for one in rest):
        return []
    arguments = ["held", *(field_name(one["name"]) for one in rest)]
    result, body = "void", []
    if out:
        base = out["type"]["base"]
        if base in COPIES and out["type"].get("pointers") == 1:
            result, copy = COPIES[base]
            made = NUMBERS.get(base, f"Native.{base}")
            body = [f"{made} found;", f"Call.Check(Native.{function['name']}({', '.join([*arguments, 'out found'])}));",
                    f"return {copy.format('found')};"]
        elif INFOS.fullmatch(base) and base not in APART:
            result = type_name(base)
            body = [f"var raw = new Native.{base} {{ struct_size = (uint)sizeof(Native.{base}) }};",
                    f"Call.Check(Native.{function['name']}({', '.join([*arguments, '&raw'])}));", f"return new {result}(&raw);"]
        elif next((one["sized"] for one in api["structs"] if one["name"] == base), False) and base not in APART:
            result = f"Native.{base}"
            body = [f"var raw = new {result} {{ struct_size = (uint)sizeof({result}) }};",
                    f"Call.Check(Native.{function['name']}({', '.join([*arguments, '&raw'])}));", "return raw;"]
    elif status:
        body = [f"Call.Check(Native.{function['name']}({', '.join(arguments)}));"]
    elif function["returns"]["type"]["base"] == "size_t" and not function["returns"]["type"].get("pointers"):
        result, body = "int", [f"return (int)Native.{function['name']}({', '.join(arguments)});"]
    if not body or not function["name"].startswith(prefix):
        return []
    items = [f"{ctype(one)} {field_name(one['name'])}" for one in rest]
    return ["", *fold(f"        internal {result} {name}(", items, ")"), "        {",
            "            using (var held = new Held(this))", "            {", *(f"                {line}" for line in body),
            "            }", "        }"]


def of(handle: dict, function: dict) -> bool:
    parameters = function["parameters"]
    first = parameters[0]["type"] if parameters else {}
    return (first.get("base") == handle["name"] and first.get("pointers") == 1 and not function["inline"]
            and function["returns"]["type"]["base"] in ("dragoman_status", "size_t"))


def handles(*apis: dict) -> str:
    out = [*heading(), "namespace Dragoman", "{"]
    functions = [one for api in apis for one in api["functions"]]
    for place, one in enumerate(one for api in apis for one in api["handles"]):
        name = type_name(one["name"]) + "Handle"
        destroy = one.get("destroy", one["name"] + "_destroy")
        out += [""] if place else []
        out += [f"    internal sealed unsafe class {name} : Handle", "    {",
                f"        internal {name}(System.IntPtr pointer) : base(pointer) {{ }}", "",
                "        protected override bool ReleaseHandle()", "        {", f"            Native.{destroy}(handle);",
                "            return true;", "        }"]
        for function in functions:
            if of(one, function):
                out += method(function, prefix_of(one), apis[0])
        out += ["    }"]
    return "\n".join([*out, "}"]) + "\n"
