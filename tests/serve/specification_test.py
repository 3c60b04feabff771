#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The service's documents of its interfaces: that they are whole, and that the pages for people say the same.
specification_test.py TOOL PROJECT

Routes and documents are compared both ways by routes_test.cpp, answers and documents by answers_test.py."""
import html.parser
import os
import re
import sys

from service import Service, check, same

WORDS = {"code", "state", "marks"}  # fields whose values the page explains


def references(part):
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for each in part.values():
            yield from references(each)
    elif isinstance(part, list):
        for each in part:
            yield from references(each)


def resolved(document, reference):
    part = document
    for name in reference.removeprefix("#/").split("/"):
        part = part[name]
    return part


def whole(document):
    for reference in references(document):
        check(isinstance(resolved(document, reference), dict), reference)
    names = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
    same(len(names), len(set(names)), "operationId: ")
    for path, methods in document["paths"].items():
        for operation in methods.values():
            given = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
            same(given, {part[1:-1] for part in path.split("/") if part.startswith("{")}, path)


class Page(html.parser.HTMLParser):
    """What a page loads or runs, and the places in it that are named and linked."""
    def __init__(self, text):
        super().__init__()
        self.loaded, self.scripts, self.ids, self.links = [], 0, set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.scripts += tag == "script" or any(name.startswith("on") for name in given)
        self.loaded += [given[name] for name in ("src", "href") if name in given and tag != "a"]
        self.ids.add(given.get("id"))
        if tag == "a" and given["href"].startswith("#"):
            self.links.add(given["href"][1:])


def fields_of(document, part, found, done):
    """Names of all fields of a part of the document, in objects that it refers to, too, and the words of some."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str) and part["$ref"] not in done:
            done.add(part["$ref"])
            fields_of(document, resolved(document, part["$ref"]), found, done)
        if isinstance(part.get("properties"), dict):
            found.update(part["properties"])
            for name in WORDS & set(part["properties"]):
                of_field = part["properties"][name]
                found.update(of_field.get("enum", of_field.get("items", {}).get("enum", ())))
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        fields_of(document, each, found, done)


def page_has_all(document, page):
    """docs/serve_api.md names all paths and fields of the own interface, and what some of them say."""
    code = set(re.findall(r"\w+", " ".join(re.findall(r"```.*?```|`[^`]+`", page, re.DOTALL))))
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if operation["tags"] != ["Dragoman"]:
                continue
            found = set(re.findall(r"\w+", re.sub(r"{\w+}", "", path)))
            found.update(each["name"] for each in operation.get("parameters", ()) if each["in"] == "query")
            fields_of(document, operation, found, set())
            name = operation["operationId"]
            check(found <= code, f"docs/serve_api.md says nothing of {name}'s", sorted(found - code))


def main(tool, project):
    with Service(tool, project) as s:
        document = s.get("/v1/openapi.json").json()
        same(s.get("/openapi.json").json(), document)
        same(document["servers"], [{"url": s.url}])
        swagger = s.get("/spec").json()
        same((document["openapi"], swagger["swagger"]), ("3.1.0", "2.0"))
        whole(document)
        whole(swagger)
        with open(os.path.join(project, "docs", "serve_api.md"), encoding="utf-8") as page:
            page_has_all(document, page.read())
        answer = s.get("/docs")
        page = Page(answer.text)
        same((page.scripts, page.loaded), (0, ["docs.css"]))
        check(page.links <= page.ids, page.links - page.ids)
        check("script-src" not in answer.headers["Content-Security-Policy"], answer.headers["Content-Security-Policy"])
        same(s.get("/docs.css").headers["Content-Type"], "text/css; charset=utf-8")
        for path, methods in document["paths"].items():
            for operation in methods.values():
                check(operation["operationId"] in page.ids, operation["operationId"])
    with Service(tool, project, "--api-prefix", "/lt", wait=False) as s:
        check(s.get("/lt/openapi.json").json()["servers"][0]["url"].endswith("/lt"), "servers behind a prefix")
        same(s.get("/lt/spec").json()["basePath"], "/lt")


if __name__ == "__main__":
    main(*sys.argv[1:])
