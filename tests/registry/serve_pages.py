#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""serve_pages.py FOLDER: a local server that answers what FOLDER/pages.json has at the moment of each request:
{"/path?query": {"body": "...", "status": 200, "headers": {}}}. Prints its port, and writes each request as a line to
FOLDER/requests: the path and what it was authorised with."""
import http.server
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(folder / "requests", "a", encoding="utf-8") as log:
            print(self.path, self.headers.get("Authorization", "-"), file=log)
        pages = json.loads((folder / "pages.json").read_text(encoding="utf-8"))
        page = pages.get(self.path, {"status": 404, "body": "not here"})
        body = page.get("body", "").encode()
        self.send_response(page.get("status", 200))
        for name, value in page.get("headers", {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"port {server.server_port} ready", flush=True)
server.serve_forever()
