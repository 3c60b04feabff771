#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_csharp.py FOLDER: writes the C# sources that follow from the C API to FOLDER: declarations, handles,
enumerations, information and options, from capi/api.json; what documents.h and models.h declare, which api.json leaves
out, from those headers. The build calls it. A file that would not change is not written."""
from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
# What the fields of dragoman_document_options are.
ROLES = {"format": {"enum": "dragoman_document_kind"}, "progress": {"role": "callback"}, "user": {"role": "user"},
         "resume": {"role": "text"}}
CSHARP = pathlib.Path(__file__).resolve().parent.parent
CAPI = CSHARP.parent.parent / "capi"
VALUES = CSHARP / "tools" / "values.json"
sys.path[:0] = [str(CSHARP / "tools"), str(CAPI / "tools")]
import csharp_calls  # noqa: E402
import csharp_classes  # noqa: E402
import csharp_handles  # noqa: E402
import csharp_native  # noqa: E402
import csharp_values  # noqa: E402
from c_header import read  # noqa: E402
from csharp_names import Words  # noqa: E402
from make_api import Builder  # noqa: E402


def beside(header: str) -> dict:
    """What a header declares that api.json leaves out, in its form."""
    api = Builder(read(CAPI / "include" / "dragoman", header)).build()
    for key, entries in api.items():
        if isinstance(entries, list) and key != "headers":
            api[key] = [one for one in entries if one["header"] == f"dragoman/{header}"]
    return api


def documents() -> dict:
    api = beside("documents.h")
    for field in api["structs"][0]["fields"]:
        field.update(ROLES.get(field["name"], {}))
    return api


def models() -> dict:
    """Its comments in C#'s words: nothing is borrowed, and what has commas in C is a list."""
    api = beside("models.h")
    for struct in api["structs"]:
        doc = re.sub(r" Borrowed from its list(\.)?| Lives until the callback returns\.", "", struct["doc"])
        struct["doc"] = doc.replace(".;", ";")
        before = {}
        for field in struct["fields"]:
            doc, base = field["doc"], field["type"].get("base")
            if " with commas between them" in doc or (doc == "likewise" and before.get("role") == "commas"):
                field["role"] = "commas"
            elif base == "char":
                field["role"] = "text"
            elif base == "dragoman_download_fn":
                field["role"] = "callback"
                doc = ("told a few times a second, on the thread of the call, how far it is; what it throws stops the "
                       "call, and the next one goes on there; NULL (default): none")
            elif field["name"] == "user":
                field["role"] = "user"
            elif doc.startswith("1: "):
                field["flag"] = True
            doc = re.sub(r"^ids with commas between them", "their ids", doc.replace("or 1 where", "true where"))
            doc = re.sub(r"`(\w+)`", lambda match: match[1].capitalize(), doc)
            field["doc"] = doc.replace('BCP 47 with commas between them; "":', "BCP 47; none:")
            before = field
    return api


def files(api: dict) -> dict[str, str]:
    more, published = documents(), models()
    words = Words(api, more)
    structs = api["structs"] + more["structs"] + published["structs"]
    return {
        "Native.cs": csharp_native.native({"Library": api, "Documents": more, "Models": published}),
        "Handles.cs": csharp_handles.handles(api, more, published),
        "Calls.cs": csharp_calls.calls(api),
        "Enums.cs": csharp_native.enums(words, api, more),
        "Infos.cs": csharp_classes.infos(structs, words),
        "Options.cs": csharp_classes.options(structs, words),
        "Values.cs": csharp_values.values(json.loads(VALUES.read_text(encoding="utf-8")), words),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--api", type=pathlib.Path, default=CAPI / "api.json")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, text in files(json.loads(given.api.read_text(encoding="utf-8"))).items():
        path = given.folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
