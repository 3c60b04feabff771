# SPDX-License-Identifier: Apache-2.0
"""Comments of C as javadoc."""
from __future__ import annotations

import re
import textwrap

HEAD = "// SPDX-License-Identifier: Apache-2.0\n// Written by tools/make_java.py.\npackage dev.dragoman;\n\n"


def lower_camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


class Docs:
    def __init__(self, api: dict):
        self.fields = {field["name"] for struct in api["structs"] for field in struct["fields"] if "_" in field["name"]}
        self.enumerators = {one["name"]: re.sub(r"^DRAGOMAN_", "", one["name"])
                            for each in api["enumerations"] for one in each["enumerators"]}

    def text(self, doc: str) -> str:
        """One paragraph in Java's words and HTML."""
        doc = " ".join(doc.split())
        doc = doc.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
        doc = re.sub(r"`([^`]*)`", lambda match: "{@code " + lower_camel(match[1]) + "}", doc)
        doc = doc.replace("NULL", "null").replace("; null (default): none", "; default: none")
        doc = re.sub(r"\bDRAGOMAN_[A-Z0-9_]+", lambda match: self.enumerators.get(match[0], match[0]), doc)
        doc = re.sub(r"\bdragoman_(\w+)(\(\))?", lambda match: lower_camel(match[1]) + (match[2] or ""), doc)
        words = [lower_camel(word) if word in self.fields else word for word in re.split(r"(\w+)", doc)]
        doc = "".join(words).strip()
        return doc[:1].upper() + doc[1:]

    def sentence(self, doc: str) -> str:
        text = self.text(doc)
        return text if text.endswith((".", "!", "?")) else text + "."


def javadoc(text: str, indent: int = 0, tags: tuple[str, ...] = ()) -> str:
    space = " " * indent
    if not tags and len(text) + indent + 7 <= 120:
        return f"{space}/** {text} */\n"
    lines = textwrap.wrap(text, 117 - indent, break_long_words=False, break_on_hyphens=False)
    if tags:
        lines += ["", *tags]
    return f"{space}/**\n" + "".join(f"{space} * {line}".rstrip() + "\n" for line in lines) + f"{space} */\n"
