# SPDX-License-Identifier: Apache-2.0
"""Information and options as classes."""
from __future__ import annotations

import re

from csharp_names import Words, field_name, pascal, type_name
from csharp_native import heading

INFOS = re.compile(r"dragoman_(\w+_)?(info|stats|counts)")
OF_MODELS = {"dragoman_download": "$\"{File}: {DoneBytes} of {TotalBytes}\"", "dragoman_published_file": "Name",
             "dragoman_published_model": "Name", "dragoman_registry": "Id"}  # each with what it is as text
APART = {"dragoman_job_options", "dragoman_job_info"}  # jobs are tasks and streams
HANDLES = {"dragoman_device": "Device", "dragoman_glossary": "Glossary", "dragoman_memory": "TranslationMemory"}
LEFT_OUT = re.compile(r"struct_size|reserved\d*")


def info_field(field: dict) -> tuple[str, str]:
    """Type and value of a field of information."""
    raw, kind = f"raw->{field_name(field['name'])}", field["type"]
    if "array" in kind and kind["base"] == "char":
        return "string", f"Utf8.Chars({raw}, {kind['array'][0]})"
    if "array" in kind:
        return "string", f"Utf8.Hexadecimal({raw}, {kind['array'][0]})"
    if "flag" in field:
        return "bool", f"{raw} != 0"
    if field.get("role") == "commas":
        return "IReadOnlyList<string>", f"Models.Listed({raw})"
    if field.get("role") == "text":
        return "string", f"Utf8.Read({raw})"
    if field["name"] == "file_count":
        return "IReadOnlyList<PublishedFile>", f"files((int){raw})"
    if "enum" in field:
        return type_name(field["enum"]), f"({type_name(field['enum'])}){raw}"
    if kind["base"] in ("float", "double"):
        return kind["base"], raw
    return "long", raw if kind["base"] == "uint32_t" else f"(long){raw}"


def infos(structs: list[dict], words: Words) -> str:
    out = [*heading(), "using System;", "using System.Collections.Generic;", "", "namespace Dragoman", "{"]
    first = True
    for struct in structs:
        if struct["name"] not in OF_MODELS and (not INFOS.fullmatch(struct["name"]) or struct["name"] in APART):
            continue
        name = type_name(struct["name"])
        fields = [field for field in struct["fields"] if not LEFT_OUT.fullmatch(field["name"])]
        names = {field["name"]: "Files" if field["name"] == "file_count" else pascal(field["name"]) for field in fields}
        out += [] if first else [""]
        first = False
        out += [*words.doc(struct["doc"].replace(" Flags are 0 or 1.", "")), f"    public sealed unsafe class {name}",
                "    {"]
        for field in fields:
            text = words.flag(field["doc"]) if "flag" in field else field["doc"]
            if field["name"] == "file_count":
                text = "Its files, as far as they are known; Show() and Download() know them all."
            out += [*words.doc(text, "        "),
                    f"        public {info_field(field)[0]} {names[field['name']]} {{ get; }}"]
        more = ", Func<int, IReadOnlyList<PublishedFile>> files" if "file_count" in names else ""
        out += ["", f"        internal {name}(Native.{struct['name']}* raw{more})", "        {"]
        out += [f"            {names[field['name']]} = {info_field(field)[1]};" for field in fields]
        out += ["        }"]
        if struct["name"] in OF_MODELS:
            out += ["", f"        /// <summary>Its {OF_MODELS[struct['name']].lower()}.</summary>"
                    if "{" not in OF_MODELS[struct["name"]] else "        /// <summary>File and bytes.</summary>",
                    f"        public override string ToString() => {OF_MODELS[struct['name']]};"]
        out += ["    }"]
    return "\n".join([*out, "}"]) + "\n"


class Option:
    """A property of a class of options, and how it gets into C's struct."""

    def __init__(self, field: dict):
        name, kind, role = field["name"], field["type"], field.get("role")
        self.name, raw = pascal(name), f"raw->{field_name(name)}"
        check, value, take = f"{self.name} != null", "", f"{self.name}.Value"
        if role == "text":
            self.type, value = "string", f"call.Text({self.name}, \"{name}\")"
        elif role == "commas":
            self.type, value = "IReadOnlyList<string>", f"call.Text(string.Join(\",\", {self.name}), \"{name}\")"
        elif role == "handle":
            self.type, value = HANDLES[kind["base"]], f"call.Hold({self.name}.Handle)"
        elif role == "array":
            self.type, value = self.array(kind["base"], name)
        elif role == "callback":
            downloads = kind["base"] == "dragoman_download_fn"
            self.type = "IProgress<Download>" if downloads else "IProgress<WorkDone>"
            self.lines = [f"            if ({check}) call.{'Downloads' if downloads else 'Progress'} = {self.name};"]
            return
        elif role == "struct":
            self.type = type_name(kind["base"])
            value = f"{self.type}.Make(call, {self.name})"
        elif "flag" in field:
            self.type, value = "bool?", f"{take} ? 1 : 0"
        elif "enum" in field:
            self.type, value = f"{type_name(field['enum'])}?", f"(int){take}"
        elif kind["base"] in ("float", "double"):
            self.type, value = f"{kind['base']}?", take
        elif kind["base"] == "int32_t":
            self.type, value = "int?", take
        elif kind["base"] == "uint32_t":
            self.type, value = "long?", f"Call.Unsigned({take}, \"{name}\")"
        else:
            self.type, value = "long?", f"Call.Large({take}, \"{name}\")"
        line = f"            if ({check}) {raw} = {value};"
        self.lines = [line] if len(line) <= 120 else [f"            if ({check})", f"                {raw} = {value};"]
        if role == "array":
            self.lines = [f"            if ({check})", "            {", f"                {raw} = {value};",
                          f"                raw->{field['count']} = {self.name}.Count;", "            }"]

    def array(self, base: str, name: str) -> tuple[str, str]:
        if base == "float":
            return "IReadOnlyList<float>", f"call.Floats({self.name})"
        if base == "dragoman_string":
            return "IReadOnlyList<string>", f"call.Strings({self.name}, \"{name}\")"
        return "IReadOnlyList<IReadOnlyList<string>>", f"call.Sequences({self.name}, \"{name}\")"


def options_class(struct: dict, words: Words) -> list[str]:
    name, raw = type_name(struct["name"]), f"Native.{struct['name']}"
    counts, of_models = {field.get("count") for field in struct["fields"]}, struct["header"].endswith("/models.h")
    fields = [field for field in struct["fields"] if not LEFT_OUT.fullmatch(field["name"])
              and field["name"] not in counts and field.get("role") != "user"]
    about = re.sub(r" ?Flags are[^.]*\.|\"The model's\": see above\.", "", struct["doc"]).strip()
    out = [*words.doc(f"{about} What is null has its default."), f"    public sealed unsafe partial class {name}", "    {"]
    made = [Option(field) for field in fields]
    for field, option in zip(fields, made):
        text = words.flag(field["doc"]) if "flag" in field else field["doc"]
        out += [*words.doc(text, "        "), f"        public {option.type} {option.name} {{ get; set; }}"]
    out += ["", "        /// <summary>C's struct, with what the first ones say unless a later one says otherwise.</summary>",
            f"        internal static {raw}* Make(Call call, params {name}[] given)", "        {",
            f"            var raw = ({raw}*)call.Take(sizeof({raw}));",
            f"            {'Models' if of_models else 'Call'}.Check(Native.{struct['init_sized']}(raw, sizeof({raw})));"
            if "init_sized" in struct else
            f"            raw->struct_size = (uint)sizeof({raw});",
            "            foreach (var one in given) one?.Write(call, raw);"]
    watched = [field for field in fields if field.get("role") == "callback"]
    if watched:
        user = next(field for field in struct["fields"] if field.get("role") == "user")
        out += ["            if (call.Watched)", "            {",
                f"                raw->{watched[0]['name']} = {'Models' if of_models else 'Call'}.Watch;",
                f"                raw->{user['name']} = call.User;",
                "            }"]
    out += ["            return raw;", "        }", "", f"        void Write(Call call, {raw}* raw)", "        {"]
    for option in made:
        out += option.lines
    return [*out, "        }", "    }"]


def options(structs: list[dict], words: Words) -> str:
    out = [*heading(), "using System;", "using System.Collections.Generic;", "", "namespace Dragoman", "{"]
    wanted = [struct for struct in structs if struct["name"].endswith("_options") and struct["name"] not in APART]
    for place, struct in enumerate(wanted):
        out += ([""] if place else []) + options_class(struct, words)
    return "\n".join([*out, "}"]) + "\n"
