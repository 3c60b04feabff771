# SPDX-License-Identifier: Apache-2.0
"""Short ways to write parts of an OpenAPI document."""
import re

OPERATIONS = []  # (method, path, operation), in the order of the document


def string(description="", **more):
    return {"type": "string", **({"description": description} if description else {}), **more}


def integer(description="", **more):
    return {"type": "integer", **({"description": description} if description else {}), **more}


def number(description="", **more):
    return {"type": "number", **({"description": description} if description else {}), **more}


def boolean(description="", **more):
    return {"type": "boolean", **({"description": description} if description else {}), **more}


def array(items, description="", **more):
    return {"type": "array", "items": items, **({"description": description} if description else {}), **more}


def mapping(values, description=""):
    return {"type": "object", "additionalProperties": values, **({"description": description} if description else {})}


def record(properties, required="", description="", **more):
    """`required`: names with blanks between them."""
    return {"type": "object", **({"description": description} if description else {}), "properties": properties,
            **({"required": required.split()} if required else {}), **more}


def one_of(*schemas, description=""):
    return {**({"description": description} if description else {}), "oneOf": list(schemas)}


def any_of(*schemas, description=""):
    return {**({"description": description} if description else {}), "anyOf": list(schemas)}


def choice(*values, description="", **more):
    return string(description, enum=list(values), **more)


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def texts(description):
    return one_of(string(), array(string()), description=description)


def query(name, schema, required=False):
    schema = dict(schema)
    description = schema.pop("description", "")
    return {"name": name, "in": "query", **({"required": True} if required else {}),
            **({"description": description} if description else {}), "schema": schema}


def queries(schema):
    """The fields of an object as parameters of the query."""
    needed = schema.get("required", ())
    return [query(name, each, name in needed) for name, each in schema["properties"].items()]


def content(schema, *types):
    return {kind: {"schema": schema} for kind in types or ("application/json",)}


def body(schema, *types, required=True):
    return {"required": required, "content": content(schema, *types)}


def answer(description, schema=None, *types):
    return {"description": description, **({"content": content(schema, *types)} if schema is not None else {})}


BINARY = {"type": "string", "format": "binary"}
EVENTS = string("Server-sent events")
FORMS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")


# Who may ask: everybody; who has a key, where there are keys; who may change the service.
OPEN, KEY, ADMIN = "open", "key", "admin"


def statuses(access, limited, unauthorized, asks):
    """Those of errors that a route has whatever it does: of its fields, of keys and of limits, and failures."""
    found = {500} if access == OPEN else {403, 429, 500, unauthorized}
    return found | ({400, 413} if asks == "body" else {400} if asks else set()) | ({429} if limited else set())


def add(tag, error, method, path, name, summary, answers, *, description="", parameters=(), request=None, access=KEY,
        limited=None, unauthorized=401, schemes=(), errors=()):
    """`answers`: {status: answer}; `error`: the name of the answer for errors; `errors`: statuses of the route's own;
    `unauthorized`: the status without a key; `schemes`: where a key may stand besides Authorization: Bearer KEY."""
    in_path = [{"name": part, "in": "path", "required": True, "schema": {"type": "string"}}
               for part in re.findall(r"{(\w+)}", path)]
    limited = access == KEY if limited is None else limited
    failures = statuses(access, limited, unauthorized, "body" if request else bool(parameters)) | set(errors)
    operation = {"tags": [tag], "operationId": name, "summary": summary,
                 **({"description": description} if description else {}),
                 **({"parameters": [*in_path, *parameters]} if in_path or parameters else {}),
                 **({"requestBody": request} if request else {}),
                 "responses": {**{str(status): each for status, each in answers.items()},
                               **{str(status): {"$ref": f"#/components/responses/{error}"}
                                  for status in sorted(failures - set(answers))}},
                 "security": [{}, *({each: []} for each in ("bearer", *schemes))] if access != OPEN else [{}]}
    OPERATIONS.append((method.lower(), path, operation))
