#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes openapi.json (OpenAPI 3.1, all routes of the service) and swagger.json (Swagger 2.0, LibreTranslate's routes)
to a folder. The routes are in own.py, libretranslate.py, deepl.py, openai.py, mtranserver.py and
others.py."""
import argparse
import json
import pathlib
import sys

import azure
import deepl
import libretranslate
import mtranserver
import openai
import others
import own
import own_schemas
import schema
import shapes

TITLE = "Dragoman"
SUMMARY = "Translations on any GPU: an interface of its own, and those of services that programs know already."
ALWAYS = ("Any request may also be answered with a status of HTTP itself, in the form of the interface that it asks: "
          "400, 405, 408, 413, 414, 415, 417, 431, 501, 503 or 505. Names of the service that it does not know (421) and "
          "pages of other sites that may not ask (403) are refused as `{\"error\": \"...\"}` everywhere.")
TAGS = {
    "Dragoman": "The service's own interface", "LibreTranslate": "As that service has it",
    "DeepL": "As that service has it: Authorization: DeepL-Auth-Key KEY",
    "MTranServer": "As that service has it, with the shapes that it has for add-ons of browsers",
    "Google": "Google's Cloud Translation, version 2",
    "nllb-api": "As that service has it", "Lingva": "As that service has it",
    "Hugging Face": "Its translation task", "OpenAI": "Chats whose answer is the translation",
    "Page": "The page for people",
}


SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "Where the service has keys"},
    "deepl": {"type": "apiKey", "in": "header", "name": "Authorization", "description": "DeepL-Auth-Key KEY"},
    "deeplField": {"type": "apiKey", "in": "query", "name": "auth_key", "description": "Or a field of the body"},
    "google": {"type": "apiKey", "in": "header", "name": "X-goog-api-key"},
    "googleField": {"type": "apiKey", "in": "query", "name": "key", "description": "Or a field of the body"},
    "azure": {"type": "apiKey", "in": "header", "name": "Ocp-Apim-Subscription-Key"},
    "mTranServer": {"type": "apiKey", "in": "header", "name": "X-API-Token", "description": "Or Authorization: TOKEN"},
    "mTranServerField": {"type": "apiKey", "in": "query", "name": "token", "description": "Or api_token"},
    "libreTranslate": {"type": "apiKey", "in": "query", "name": "api_key", "description": "Or a field of the body"},
}


def openapi():
    for group in (own, libretranslate, deepl, others, mtranserver, openai):
        group.add_all()
    paths = {}
    for method, path, operation in schema.OPERATIONS:
        methods = paths.setdefault(path, {})
        if method in methods:
            sys.exit(f"{method} {path} stands twice")
        methods[method] = operation
    schemas = {}
    for part in (own_schemas.SCHEMAS, libretranslate.SCHEMAS, shapes.schemas(), deepl.SCHEMAS, others.SCHEMAS,
                 openai.SCHEMAS, azure.SCHEMAS):
        schemas.update(part)
    told = "A problem, in the form of that interface"
    errors = {name: schema.answer(told, schema.ref(name)) for name in schemas if name.endswith("Error")}
    errors["ShapeError"] = shapes.error(told)
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "summary": SUMMARY, "description": ALWAYS, "version": "1", "license": {
            "name": "Apache-2.0", "identifier": "Apache-2.0"}},
        "servers": [{"url": "/"}],
        "security": [{}, {"bearer": []}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": SCHEMES,
            "schemas": schemas,
            "responses": errors,
        },
    }


def older(part):
    """A schema as Swagger 2.0 has it."""
    if isinstance(part, list):
        return [older(each) for each in part]
    if not isinstance(part, dict):
        return part
    for name in ("oneOf", "anyOf"):
        if name in part:
            return {**older(part[name][0]), **({"description": part["description"]} if "description" in part else {})}
    return {name: value.replace("#/components/schemas/", "#/definitions/") if name == "$ref" else older(value)
            for name, value in part.items() if name != "examples"}


def older_parameters(operation, definitions):
    made = []
    for parameter in operation.get("parameters", ()):
        if parameter in (*azure.TRANSLATE, *azure.LANGUAGES):
            continue
        made.append({**{k: v for k, v in parameter.items() if k != "schema"}, **older(parameter["schema"])})
    if "requestBody" in operation:
        wanted = older(next(iter(operation["requestBody"]["content"].values()))["schema"])
        if "$ref" in wanted:
            wanted = definitions[wanted["$ref"].rpartition("/")[2]]
        for name, each in wanted["properties"].items():
            kind = {"type": "file"} if each.get("format") == "binary" else each
            made.append({"name": name, "in": "formData", "required": name in wanted.get("required", ()), **kind})
    return made


def older_answers(operation, document):
    made = {}
    for status, each in operation["responses"].items():
        if "$ref" in each:
            each = document["components"]["responses"][each["$ref"].rpartition("/")[2]]
        made[status] = {"description": each["description"] or "The answer"}
        if "content" in each:
            made[status]["schema"] = older(next(iter(each["content"].values()))["schema"])
    return made


# What LibreTranslate does not have.
OURS = ("/translator/translate", "/docs.css", "/docs", "/spec", ("get", "/translate"), ("post", "/languages"))


def swagger(document):
    definitions = {name: older(each) for name, each in libretranslate.SCHEMAS.items()}
    paths = {}
    for method, path, operation in schema.OPERATIONS:
        if operation["tags"] != [libretranslate.TAG] or path in OURS or (method, path) in OURS:
            continue
        made = {"tags": ["translate"], "summary": operation["summary"], "operationId": operation["operationId"]}
        parameters = older_parameters(operation, definitions)
        if parameters:
            made["parameters"] = parameters
        if any(each["in"] == "formData" for each in parameters):
            made["consumes"] = ["multipart/form-data"]
        paths.setdefault(path, {})[method] = made | {"responses": older_answers(operation, document)}
    answers = paths["/translate"]["post"]["responses"]["200"]
    answers["schema"] = {"$ref": "#/definitions/LibreTranslateAnswer"}
    return {"swagger": "2.0", "info": {"title": "LibreTranslate", "version": "1", "description": SUMMARY},
            "basePath": "/", "produces": ["application/json"], "paths": paths, "definitions": definitions}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    document = openapi()
    for name, made in (("openapi.json", document), ("swagger.json", swagger(document))):
        (folder / name).write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
