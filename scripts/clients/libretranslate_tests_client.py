#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LibreTranslate's own tests of its API against a running service: libretranslate_tests_client.py URL

The functions of its test files run as they are, with a `client` that asks the service in place of Flask's. They ask for
Spanish, which the model that ships does not have: the client sends "de" instead."""
import importlib.util
import inspect
import json
import os
import pathlib
import traceback
import urllib.error
import urllib.parse
import urllib.request

from checks import Checks, url_argument

# Argos Translate's remote mode, a client of LibreTranslate, asks with POST; the service answers both.
DIFFERENT = {"test_api_get_languages_must_fail_bad_request_type"}


class Answer:
    def __init__(self, status, data):
        self.status_code, self.data = status, data

    @property
    def json(self):
        return json.loads(self.data)


class Client:
    def __init__(self, url):
        self.url = url

    def _ask(self, method, path, data=None, json_=None):
        fields = {name: "de" if (name, value) == ("target", "es") else value for name, value in (data or json_ or {}).items()}
        kind = "application/json" if json_ is not None else "application/x-www-form-urlencoded"
        body = json.dumps(fields) if json_ is not None else urllib.parse.urlencode(fields)
        request = urllib.request.Request(self.url + path, None if method == "GET" else body.encode(),
                                         {"Content-Type": kind}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Answer(answer.status, answer.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read())

    def get(self, path):
        return self._ask("GET", path)

    def post(self, path, data=None, **more):
        return self._ask("POST", path, data, more.get("json"))


folder = pathlib.Path(os.environ["CLIENT_SOURCES"]) / "libretranslate" / "tests" / "test_api"
version = (pathlib.Path(os.environ["CLIENT_SOURCES"]) / "VERSION").read_text().strip()
checks, client = Checks("LibreTranslate's own tests", version), Client(url_argument())
for file in sorted(folder.glob("test_*.py")):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, test in inspect.getmembers(module, inspect.isfunction):
        if not name.startswith("test_") or name in DIFFERENT:
            continue

        def passes(test=test):
            try:
                test(client)
            except AssertionError:
                return "".join(traceback.format_exc().splitlines(True)[-3:])
            return "passed"
        checks.call(f"{file.name}: {name}", passes, "passed")
checks.report()
