#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an OpenAPI document as a page without scripts: page.py OPENAPI.JSON PAGE.HTML"""
import html
import json
import pathlib
import sys


def kind(schema):
    """A schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{name}">{name}</a>'
    for name in ("oneOf", "anyOf"):
        if name in schema:
            return " or ".join(dict.fromkeys(kind(each) for each in schema[name]))
    if "enum" in schema:
        return ", ".join(f"<code>{html.escape(str(each))}</code>" for each in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}"
    if "additionalProperties" in schema and isinstance(schema["additionalProperties"], dict):
        return f"object of {kind(schema['additionalProperties'])}"
    if schema.get("format") == "binary":
        return "file"
    return schema.get("type", "anything")


def fields(schema):
    """A table of an object's fields; what has none is a word."""
    if "properties" not in schema:
        if schema.get("type") == "array" and "properties" in schema["items"]:
            return "<p>list of</p>" + fields(schema["items"])
        return f"<p>{kind(schema)}</p>"
    rows = []
    for name, each in schema["properties"].items():
        needed = " (required)" if name in schema.get("required", ()) else ""
        default = f" Default: <code>{html.escape(json.dumps(each['default']))}</code>." if "default" in each else ""
        rows.append(f"<tr><th scope=row><code>{html.escape(name)}</code>{needed}</th><td>{kind(each)}</td>"
                    f"<td>{html.escape(each.get('description', ''))}{default}</td></tr>")
        inner = each["items"] if each.get("type") == "array" else each
        if "properties" in inner:
            rows.append(f"<tr><td></td><td colspan=2>{fields(inner)}</td></tr>")
    return "<table>" + "".join(rows) + "</table>"


def parameters(operation):
    given = operation.get("parameters", ())
    if not given:
        return ""
    schema = {"properties": {each["name"]: each["schema"] | {"description": each.get("description", "")}
                             for each in given},
              "required": [each["name"] for each in given if each.get("required")]}
    return "<h4>In the path or the query</h4>" + fields(schema)


def contents(content):
    return "".join(f"<p><code>{html.escape(name)}</code></p>" + fields(each["schema"])
                   for name, each in content.items())


def operation_section(method, path, operation, document):
    parts = [f'<details id="{operation["operationId"]}"><summary><code>{method.upper()} {html.escape(path)}</code> '
             f'{html.escape(operation["summary"])}</summary>']
    if "description" in operation:
        parts.append(f"<p>{html.escape(operation['description'])}</p>")
    parts.append(parameters(operation))
    if "requestBody" in operation:
        parts.append("<h4>Body</h4>" + contents(operation["requestBody"]["content"]))
    for status, each in operation["responses"].items():
        if "$ref" in each:
            each = document["components"]["responses"][each["$ref"].rpartition("/")[2]]
        parts.append(f"<h4>{status}</h4><p>{html.escape(each['description'])}</p>" + contents(each.get("content", {})))
    return "".join(parts) + "</details>"


def page(document):
    info = document["info"]
    parts = ["<!doctype html><html lang=en><head><meta charset=utf-8>"
             "<meta name=viewport content=\"width=device-width, initial-scale=1\">"
             f"<title>{info['title']}: interface</title><link rel=stylesheet href=docs.css></head><body><main>"
             f"<h1>{info['title']}</h1><p>{html.escape(info['summary'])}</p>"
             f"<p>{html.escape(info['description'])}</p>"
             "<p>For programs: <a href=openapi.json>OpenAPI 3.1</a>, <a href=spec>Swagger 2.0</a> of LibreTranslate's "
             "routes.</p>"]
    for tag in document["tags"]:
        parts.append(f"<section><h2>{tag['name']}</h2><p>{html.escape(tag['description'])}</p>")
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if operation["tags"] == [tag["name"]]:
                    parts.append(operation_section(method, path, operation, document))
        parts.append("</section>")
    parts.append("<section><h2>Objects</h2>")
    for name, schema in document["components"]["schemas"].items():
        parts.append(f'<details id="{name}" open><summary><code>{name}</code></summary>{fields(schema)}</details>')
    return "".join(parts) + "</section></main></body></html>\n"


def main():
    source, target = map(pathlib.Path, sys.argv[1:])
    target.write_text(page(json.loads(source.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
