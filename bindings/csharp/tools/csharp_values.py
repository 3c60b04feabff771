# SPDX-License-Identifier: Apache-2.0
"""Classes of results from values.json: what is read from C's struct or a handle at once ("fields"), and what is read
whenever it is asked for ("asked")."""
from __future__ import annotations

import re
import textwrap

from csharp_names import Words
from csharp_native import heading


def expression(kind: str, name: str, names: set[str]) -> str:
    """How a field is read that says nothing of it: from a parameter of its name, else from C's field of its name."""
    lower = name[:1].lower() + name[1:]
    if lower in names:
        return lower
    raw = "raw." + re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()
    if kind in ("string", "string[]"):
        return f"Utf8.Read({raw})"
    if kind == "bool":
        return f"{raw} != 0"
    return raw if kind in ("float", "long") else f"({kind}){raw}"


def value(given: dict, words: Words) -> list[str]:
    kept = given.get("kept", [])
    out = [*words.doc(given["doc"]), f"    public sealed unsafe class {given['name']}", "    {"]
    out += [f"        readonly {one};" for one in kept] + ([""] if kept else [])
    names = {one.split()[-1] for one in kept + given["given"]}
    for kind, name, doc, *_ in given["fields"]:
        out += [*words.doc(doc, "        "), f"        public {kind} {name} {{ get; }}"]
    out += ["", f"        internal {given['name']}({', '.join(kept + given['given'])})", "        {"]
    out += [f"            this.{one.split()[-1]} = {one.split()[-1]};" for one in kept]
    for kind, name, _, *read in given["fields"]:
        out += [f"            {name} = {read[0] if read else expression(kind, name, names)};"]
    out += ["        }"]
    for kind, name, doc, read in given.get("asked", []):
        line = f"        public {kind} {name} => {read};"
        folded = [f"        public {kind} {name} =>",
                  *textwrap.wrap(f"{read};", 108, initial_indent=" " * 12, subsequent_indent=" " * 16)]
        out += ["", *words.doc(doc, "        "), *([line] if len(line) <= 120 else folded)]
    if "text" in given:
        out += ["", "        /// <summary>The translation.</summary>",
                f"        public override string ToString() => {given['text']};"]
    return [*out, "    }"]


def values(listed: list[dict], words: Words) -> str:
    out = [*heading(), "using System.Collections.Generic;", "", "namespace Dragoman", "{"]
    for place, each in enumerate(listed):
        out += ([""] if place else []) + value(each, words)
    return "\n".join([*out, "}"]) + "\n"
