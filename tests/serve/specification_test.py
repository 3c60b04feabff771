#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The service's documents of its interfaces: that they are made, right, and what it answers. specification_test.py TOOL PROJECT

Routes and documents are compared both ways by routes_test.cpp."""
import html.parser
import json
import sys

from service import Service, check, same


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


def valid(documents):
    try:
        import openapi_spec_validator
    except ImportError:
        print("openapi-spec-validator is not there: the documents were only read")
        return
    for document in documents:
        openapi_spec_validator.validate(document)


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


def answers_fit(s, document):
    """Answers of the own interface have what the document says, as far as a validator is there."""
    try:
        import jsonschema
    except ImportError:
        print("jsonschema is not there: answers were not compared")
        return
    ask = {"text": "Guten Morgen. Ich habe einen Hund.", "from": "de", "to": "en", "scores": True, "quality": True,
           "coverage": True, "alignment": True, "tokens": True, "alternatives": 2, "glossary": {"Hund": "hound"}}
    calls = [("post", "/v1/translate", ask), ("post", "/v1/detect", {"text": "Guten Morgen."}), ("get", "/v1/languages", None),
             ("get", "/v1/models", None), ("get", "/v1/info", None), ("get", "/v1/formats", None), ("get", "/v1/jobs", None),
             ("post", "/v1/embed", {"text": "Hund", "from": "de"}), ("post", "/v1/tokenize", {"text": "Hund", "from": "de"}),
             ("post", "/v1/score", {"source": "Hund", "target": "dog", "from": "de", "to": "en"}),
             ("get", "/languages", None), ("post", "/translate", {"q": "Hund", "source": "de", "target": "en"})]
    for method, path, body in calls:
        answer = s.request(method.upper(), path, **({"json": body} if body is not None else {}))
        same(answer.status, 200, repr(answer))
        schema = document["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(answer.json(), {**schema, "components": document["components"]})
    asked = document["components"]["schemas"]["Ask"]
    jsonschema.validate(ask, {**asked, "components": document["components"]})
    wrong = s.post("/v1/translate", json={"text": "x"})
    jsonschema.validate(wrong.json(), {**document["components"]["schemas"]["Error"], "components": document["components"]})


def main(tool, project):
    with Service(tool, project) as s:
        document = s.get("/v1/openapi.json").json()
        same(s.get("/openapi.json").json(), document)
        same(document["servers"], [{"url": s.url}])
        swagger = s.get("/spec").json()
        same((document["openapi"], swagger["swagger"]), ("3.1.0", "2.0"))
        whole(document)
        whole(swagger)
        valid([document, swagger])
        answer = s.get("/docs")
        page = Page(answer.text)
        same((page.scripts, page.loaded), (0, ["docs.css"]))
        check(page.links <= page.ids, page.links - page.ids)
        check("script-src" not in answer.headers["Content-Security-Policy"], answer.headers["Content-Security-Policy"])
        same(s.get("/docs.css").headers["Content-Type"], "text/css; charset=utf-8")
        for path, methods in document["paths"].items():
            for operation in methods.values():
                check(operation["operationId"] in page.ids, operation["operationId"])
        answers_fit(s, document)
    with Service(tool, project, "--api-prefix", "/lt", wait=False) as s:
        check(s.get("/lt/openapi.json").json()["servers"][0]["url"].endswith("/lt"), "servers behind a prefix")
        same(s.get("/lt/spec").json()["basePath"], "/lt")


if __name__ == "__main__":
    main(*sys.argv[1:])
