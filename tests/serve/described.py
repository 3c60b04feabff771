# SPDX-License-Identifier: Apache-2.0
"""Compares what the service says with its OpenAPI document: paths, statuses, fields of requests and of answers, in both
directions. Needs the package jsonschema.

    d = Described(service, document)
    answer = d.post("/v1/translate", json={"text": "Hund", "to": "en"})          # 200, and as the document says
    d.post("/v1/translate", 400, json={"text": "Hund"})
    d.unasked(), d.unseen()
"""
import json
import re
import urllib.parse

import jsonschema

from service import check, same


def strict(schema):
    """Objects have no fields but those that are described."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(value) if name != "enum" else value for name, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        made.setdefault("additionalProperties", False)
    return made


def kind_of(answer):
    return (answer.headers["Content-Type"] or "").partition(";")[0]


class Described:
    def __init__(self, service, document, prefix=""):
        self.service, self.document, self.prefix = service, document, prefix
        self.components = strict(document["components"])
        self.asked, self.seen = set(), set()
        # Those with the most that is said first: /v1/jobs/{id}/events is no job whose id has a slash.
        self.paths = sorted(document["paths"], key=lambda path: -len(re.sub(r"{\w+}", "", path)))

    def path(self, path):
        found = [each for each in self.paths
                 if re.fullmatch(".+".join(map(re.escape, re.split(r"{\w+}", each))), path)]
        check(found, path, "is not described")
        return found[0]

    def resolved(self, part):
        return self.components[part["$ref"].split("/")[-2]][part["$ref"].split("/")[-1]] if "$ref" in part else part

    def faults(self, value, schema):
        whole = {**strict(schema), "components": self.components}
        return [f"{'/'.join(map(str, each.absolute_path))}: {each.message}" for each in
                sorted(jsonschema.Draft202012Validator(whole).iter_errors(value), key=str)]

    def fits(self, value, schema, what):
        faults = self.faults(value, schema)
        check(not faults, what, "is not as described:", "; ".join(faults)[:2000], json.dumps(value)[:2000])
        self.note(value, schema)

    def note(self, value, schema, name=None):
        """Remembers which fields of the document's objects were there."""
        if "$ref" in schema:
            return self.note(value, self.resolved(schema), schema["$ref"].split("/")[-1])
        for choice in schema.get("anyOf", schema.get("oneOf", ())) if "properties" not in schema else ():
            if not self.faults(value, choice):
                return self.note(value, choice, name)
        for each in value if isinstance(value, list) and "items" in schema else ():
            self.note(each, schema["items"])
        if isinstance(value, dict):
            for field, inner in schema.get("properties", {}).items():
                if field in value:
                    self.seen.add((name, field))
                    self.note(value[field], inner, f"{name}.{field}")
        return None

    def sent(self, operation, path, how):
        """A request that is answered with success sends nothing that is not described."""
        fields = {each["name"] for each in operation.get("parameters", ())}
        contents = operation.get("requestBody", {}).get("content", {})
        if "json" in how:
            check("application/json" in contents, path, "takes no JSON")
            self.fits(how["json"], contents["application/json"]["schema"], f"the request to {path}")
        if how.get("body"):
            check((how.get("headers") or {}).get("Content-Type") in contents, path, "takes no such body")
        for kind, name in (("query", "query"), ("form", "form")):
            given = how.get(kind) or {}
            named = fields if kind == "query" else fields | set(self.properties(contents))
            check(set(given) <= named, path, name, set(given) - named)

    def properties(self, contents):
        found = []
        for each in contents.values():
            waiting = [each["schema"]]
            while waiting:
                schema = self.resolved(waiting.pop())
                found += schema.get("properties", ())
                waiting += schema.get("anyOf", ())
        return found

    def request(self, method, path, status=200, **how):
        bare, _, query = path.partition("?")
        name = self.path(bare)
        operation = self.document["paths"][name][method.lower()]
        if query:
            how.setdefault("query", dict(urllib.parse.parse_qsl(query)))
        answer = self.service.request(method, self.prefix + bare, **how)
        what = f"{method} {path}"
        same(answer.status, status, f"{what} {answer!r};")
        check(str(status) in operation["responses"], what, status, "is not described")
        self.answered(answer, self.resolved(operation["responses"][str(status)]), f"{what} {status}")
        if status < 400:
            self.sent(operation, path, how)
            self.asked.add((method.lower(), name))
        return answer

    def answered(self, answer, described, what):
        contents = described.get("content")
        if contents is None:
            return same(answer.body, b"", what)
        check(kind_of(answer) in contents, what, kind_of(answer), "is not one of", list(contents))
        if kind_of(answer) == "application/json":
            self.fits(answer.json(), contents["application/json"]["schema"], what)
        return None

    def get(self, path, *status, **how):
        return self.request("GET", path, *status, **how)

    def post(self, path, *status, **how):
        return self.request("POST", path, *status, **how)

    def put(self, path, *status, **how):
        return self.request("PUT", path, *status, **how)

    def patch(self, path, *status, **how):
        return self.request("PATCH", path, *status, **how)

    def delete(self, path, *status, **how):
        return self.request("DELETE", path, *status, **how)

    def unasked(self):
        """Operations that no request has had an answer of."""
        return {(method, path) for path, methods in self.document["paths"].items() for method in methods} - self.asked

    def unseen(self):
        """Fields of the document's objects that were in nothing that was asked or answered."""
        named = {(name, field) for name, schema in self.document["components"]["schemas"].items()
                 for field in schema.get("properties", ())}
        return named - self.seen
