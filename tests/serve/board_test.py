# SPDX-License-Identifier: Apache-2.0
"""board_test.py TOOL PROJECT: what Grafana's board asks for is what a service that has worked writes at /metrics, in a form
that Prometheus reads, without keys, addresses or anything that a client wrote; and nobody reads it without its token."""
import json
import os
import pathlib
import re
import sys
import tempfile

from service import Service, check, same

tool, project = sys.argv[1], sys.argv[2]

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? ([-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|Inf)|NaN)")
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "summary": ("_sum", "_count", ""), "counter": ("",), "gauge": ("",)}


def read(text):
    """Names of samples, and all samples with labels and value; every line has to be one of the format's."""
    types, names, samples = {}, set(), {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            check(name not in types, "a second TYPE:", line)
            types[name] = kind
        elif not line.startswith("# HELP "):
            match = SAMPLE.fullmatch(line)
            check(match, "no sample:", line)
            name, labels, value = match.groups()
            check((name, labels) not in samples, "twice:", line)
            samples[name, labels] = float(value)
            names.add(name)
            check(any(name == base + suffix for base, kind in types.items() for suffix in SUFFIXES[kind]),
                  "without its TYPE before it:", line)
    check(text.endswith("\n"), "the last line has no end")
    return names, samples


def expressions(board):
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            yield target["expr"]
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"]["query"]


board = json.loads(pathlib.Path(project, "scripts/packaging/service/grafana.json").read_text(encoding="utf-8"))
ids = [panel["id"] for panel in board["panels"]]
same(len(ids), len(set(ids)), "panels with an id of their own")
asked = {name for each in expressions(board) for name in re.findall(r"\b(?:dragoman|libretranslate)_[a-z0-9_]+", each)}
check(len(asked) > 15, "the board asks for", sorted(asked))

with tempfile.TemporaryDirectory() as folder:
    token = os.path.join(folder, "token")
    pathlib.Path(token).write_text("token-of-prometheus\n")
    with Service(tool, project, "--metrics-token-file", token) as service:
        for text in ("Guten Tag.", "Wo ist der Bahnhof?", "Guten Tag."):
            answer = service.post("/translate", json={"q": text, "source": "de", "target": "en"},
                                  headers={"Authorization": "Bearer geheimer-schluessel"})
            same(answer.status, 200, repr(answer))
        service.get("/nowhere/geheimer-pfad\"x", query={"api_key": "geheimer-schluessel"})
        service.request("GEHEIM", "/translate")
        same(service.get("/metrics").status, 401)
        same(service.get("/metrics", headers={"Authorization": "Bearer wrong"}).status, 401)
        answer = service.get("/metrics", headers={"Authorization": "Bearer token-of-prometheus"})
        same(answer.status, 200)
        check(answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"), answer.headers["Content-Type"])
        names, samples = read(answer.text)
        same(sorted(asked - names), [], "metrics of the board that the service does not write:")
        check("geheim" not in answer.text.lower(), "what a client wrote is in", answer.text)
        check("127.0.0.1" not in answer.text, "an address is in", answer.text)
        translations = [value for (name, labels), value in samples.items()
                        if name == "libretranslate_http_request_duration_seconds_count"
                        and 'endpoint="/translate"' in labels and 'status="200"' in labels]
        same(translations, [3.0], "requests to /translate")
        same(samples["libretranslate_http_requests_in_flight", None], 1.0, "requests at work: this one;")
        check("geheimer-schluessel" not in service.log, "a key is in the log:", service.log)
    with Service(tool, project) as service:
        same(service.get("/metrics").status, 404, "without --metrics")
print(f"{len(asked)} metrics on {len(board['panels'])} panels")
