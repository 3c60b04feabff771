#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_java.py FOLDER: writes the classes that follow from capi/api.json to FOLDER/java, and those for Java 22 to
FOLDER/java22: the C functions as JNA and java.lang.foreign declare them, where fields of structs are, and the public
enumerations, exceptions, options and facts; the same of documents.h and models.h, which are not in api.json, from
those headers; and the classes of results from values.json. The build calls it. A file that would not change is not
written."""
from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from java_calls import calls  # noqa: E402
from java_classes import constant, enumeration, exceptions, info, offsets, options, value  # noqa: E402
from java_docs import Docs  # noqa: E402
from java_overloads import by_hand  # noqa: E402
from java_functions import SYSTEM, callbacks, foreign, interface, jna, jna_string, libraries  # noqa: E402

JAVA = pathlib.Path(__file__).resolve().parent.parent
CAPI = JAVA.parent.parent / "capi"
sys.path.insert(0, str(CAPI / "tools"))
from c_header import read  # noqa: E402
from make_api import Builder  # noqa: E402

SOURCES = "src/main/java/dev/dragoman"
PACKAGE = pathlib.Path("java/dev/dragoman")
PACKAGE22 = pathlib.Path("java22/dev/dragoman")
INFOS = re.compile(r"dragoman_(\w+_info|stats|memory_counts)")
# What of models.h is public, and what it is as text.
OF_MODELS = {"dragoman_download": 'file + ": " + doneBytes + " of " + totalBytes', "dragoman_published_file": "name",
             "dragoman_published_model": "name", "dragoman_registry": "id"}
# What belongs to a call beside the C struct: name, kind, Java's type, comment.
BESIDE = {
    "dragoman_translate_options": [
        ("prefixes", "LOCAL", "List<List<String>>",
         "the target tokens that each translation begins with, one sequence for each input; default none")],
    "dragoman_job_options": [
        ("partial", "LOCAL", "boolean", "of streams: events of unfinished sentences, too; default false"),
        ("ahead", "LOCAL", "long", "of inputs that are read one after the other: how many of them, at most, are read "
                                   "before their translations have been taken; default 256")],
}


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.removeprefix("dragoman_").split("_"))


def other_api(header: str) -> dict:
    """What a header has that is not in api.json, as that would have it."""
    found = Builder(read(CAPI / "include" / "dragoman", header)).build()
    return {key: [one for one in found[key] if one["header"] == f"dragoman/{header}"]
            for key in ("enumerations", "structs", "functions", "callbacks")}


def document_api() -> dict:
    own = other_api("documents.h")
    for field in own["structs"][0]["fields"]:
        if field["name"] == "format":
            field["enum"] = "dragoman_document_kind"
    return own


def models_api() -> dict:
    """Its comments in Java's words: nothing is borrowed, flags are boolean, and what has commas in C is a list."""
    own = other_api("models.h")
    for struct in own["structs"]:
        struct["doc"] = re.sub(r" Borrowed from its list(\.)?| Lives until the callback returns\.", "", struct["doc"])
        struct["doc"] = struct["doc"].replace(".;", ";")
        before = {}
        for field in struct["fields"]:
            doc = field["doc"]
            if " with commas between them" in doc or (doc == "likewise" and "commas" in before):
                field["commas"] = True
            before = field
            if doc.startswith("1: "):
                field["flag"] = True
                doc = re.sub("^1: ", "true: ", doc).replace("default 0", "default false")
                doc = doc.replace("or 1 where", "true where")
            if field["type"].get("base") == "dragoman_download_fn":
                doc = ("told a few times a second, on the thread of the call, how far it is; false, or what it throws, "
                       "stops the call, and the next one goes on there; default: none")
            field["doc"] = (doc.replace('BCP 47 with commas between them; "":', "BCP 47; none:")
                            .replace("ids with commas between them; NULL (default):", "their ids; default:"))
    return own


def sources(api: dict, documents: dict, models: dict, values: list[dict]) -> dict[pathlib.Path, str]:
    docs = Docs({**api, "structs": api["structs"] + models["structs"]})
    public, own = {}, {}
    for each in [*api["enumerations"], *documents["enumerations"]]:
        public[camel(each["name"])] = enumeration(camel(each["name"]), each, docs)
    statuses = next(each for each in api["enumerations"] if each["name"] == "dragoman_status")
    public |= exceptions(statuses, docs)
    for struct in [*api["structs"], *documents["structs"], *models["structs"]]:
        name = camel(struct["name"])
        if name.endswith("Options"):
            public[name] = options(name, struct, BESIDE.get(struct["name"], []), docs)
        elif INFOS.fullmatch(struct["name"]):
            public[name] = info(name, struct, docs)
        elif struct["name"] in OF_MODELS:
            public[name] = info(name, struct, docs, OF_MODELS[struct["name"]])
    structs = {one["name"]: one for one in api["structs"]}
    for each in values:
        public[each["name"]] = value(each, structs)
    infos = {one["name"] for one in api["structs"] if INFOS.fullmatch(one["name"])}
    progress = {one["name"] for one in api["structs"] if any(field["name"] == "progress" for field in one["fields"])}
    own |= calls(api, docs, infos, progress, by_hand(JAVA / SOURCES))
    own["Offsets"] = offsets(api["structs"])
    own["Constants"] = constant(api["constants"])
    functions = [each for each in api["functions"] if not each["inline"]]
    aliases = {each["name"]: each["type"] for each in api["aliases"]}
    found = {}
    of_documents, of_models = ([each for each in one["functions"] if not each["inline"]] for one in (documents, models))
    others = {"SystemFunctions": ("", SYSTEM), "DocumentFunctions": ("dragoman_documents", of_documents),
              "ModelsFunctions": ("dragoman_models", of_models)}
    for name, (library, listed) in {"Functions": ("dragoman", functions), **others}.items():
        own[name] = interface(name, listed, aliases)
        own[f"Jna{name}"] = jna(name, listed, aliases)
        found[PACKAGE22 / f"Foreign{name}.java"] = foreign(name, library, listed, aliases)
    opened = [(name, library) for name, (library, _) in others.items()]
    own["JnaLibraries"] = libraries("Jna", opened)
    found[PACKAGE22 / "ForeignLibraries.java"] = libraries("Foreign", opened)
    own["JnaString"] = jna_string(structs["dragoman_string"], docs)
    called = [each for each in [*api["callbacks"], *models["callbacks"]] if each["name"] != "dragoman_queue_lock_fn"]
    own["CallbackKind"], own["JnaCallbacks"], found[PACKAGE22 / "ForeignCallbacks.java"] = callbacks(called, aliases)
    return found | {PACKAGE / f"{name}.java": text for name, text in (public | own).items()}


def write(folder: pathlib.Path, texts: dict[pathlib.Path, str]) -> None:
    for package in (PACKAGE, PACKAGE22):
        (folder / package).mkdir(parents=True, exist_ok=True)
        for path in (folder / package).glob("*"):
            if path.relative_to(folder) not in texts:
                path.unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--api", type=pathlib.Path, default=CAPI / "api.json")
    given = parser.parse_args()
    api, values = (json.loads(path.read_text(encoding="utf-8")) for path in (given.api, JAVA / "tools" / "values.json"))
    write(given.folder, sources(api, document_api(), models_api(), values))


if __name__ == "__main__":
    main()
