#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the declarations of dragoman-sys, and of dragoman what follows from them (enumerations, options, information),
from capi/api.json; those of documents.h and models.h, which api.json leaves out, from these headers. --check compares instead, and
fails when one of them is stale."""
from __future__ import annotations

import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True
RUST = pathlib.Path(__file__).resolve().parent.parent
CAPI = RUST.parent.parent / "capi"
sys.path[:0] = [str(RUST / "tools"), str(CAPI / "tools")]
import rust_calls  # noqa: E402
import rust_enums  # noqa: E402
import rust_options  # noqa: E402
import rust_published  # noqa: E402
import rust_sys  # noqa: E402
from api_phrases import Notes  # noqa: E402
from api_roles import Roles  # noqa: E402
from c_header import read  # noqa: E402
from make_api import Builder  # noqa: E402

# What the comments of documents.h do not tell, as in capi/api_notes.json.
NOTES = {
    "dragoman_document_progress_fn": {"thread": "caller"},
    "dragoman_document_format.name": {"nullable": True},
    "dragoman_document_format.bytes": {"nullable": True},
    "dragoman_document_format_name.format": {"enum": "dragoman_document_kind"},
    "dragoman_translate_document_bytes.options": {"callbacks_until": "return"},
    "dragoman_translate_document_bytes.document_options": {"callbacks_until": "return"},
    "dragoman_document": {"keeps_callbacks": False},
    "dragoman_document_error.return": {"lifetime": "thread"},
}


def only(api: dict, header: str) -> dict:
    for key, entries in api.items():
        if isinstance(entries, list) and key != "headers":
            api[key] = [one for one in entries if one["header"] == f"dragoman/{header}"]
    return api


def documents() -> dict:
    """What documents.h declares, in api.json's form."""
    api = Builder(read(CAPI / "include" / "dragoman", "documents.h")).build()
    notes = json.loads((CAPI / "api_notes.json").read_text(encoding="utf-8"))
    Roles(api, Notes({**notes, **NOTES})).all()
    return only(api, "documents.h")


def models() -> dict:
    """The same of models.h."""
    api = Builder(read(CAPI / "include" / "dragoman", "models.h")).build()
    return rust_published.annotated(only(api, "models.h"))


def files(api: dict) -> dict[str, str]:
    more, published, made = documents(), models(), "src/made"
    return {
        "dragoman-sys/src/bindings.rs": rust_sys.declarations(api, "dragoman", "capi/api.json"),
        "dragoman-sys/src/documents.rs": rust_sys.declarations(more, "dragoman_documents", "documents.h"),
        "dragoman-sys/src/models.rs": rust_sys.declarations(published, "dragoman_models", "models.h"),
        "dragoman-sys/src/layout.rs": rust_sys.layouts(api, more),
        "dragoman-sys/src/models_layout.rs": rust_sys.layouts(published),
        f"{made}/calls.rs": rust_calls.calls(api),
        f"{made}/enums.rs": rust_enums.enums(api),
        f"{made}/handles.rs": rust_enums.handles(api),
        f"{made}/infos.rs": rust_enums.infos(api),
        f"{made}/methods.rs": rust_calls.methods(api),
        f"{made}/options.rs": rust_options.options(api),
        f"{made}/document_calls.rs": rust_calls.document_calls(more),
        f"{made}/document_enums.rs": rust_enums.enums(more),
        f"{made}/document_handles.rs": rust_enums.handles(more),
        f"{made}/document_options.rs": rust_options.document_options(more),
        f"{made}/published.rs": rust_published.published(published),
        f"{made}/published_handles.rs": rust_enums.handles(published),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--api", type=pathlib.Path, default=CAPI / "api.json")
    parser.add_argument("--rust", type=pathlib.Path, default=RUST, help="the folder to write to")
    options = parser.parse_args()
    for name, text in files(json.loads(options.api.read_text(encoding="utf-8"))).items():
        path = options.rust / name
        if not options.check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path} is not what api.json says: run bindings/rust/tools/make_sys.py")


if __name__ == "__main__":
    main()
