# SPDX-License-Identifier: Apache-2.0
"""Requests byte by byte as a client sends them, with the standard library only."""
import http.client
import json
import urllib.parse


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def text(self):
        return self.body.decode("utf-8")

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:400]!r}"


def send(base, method, path, body=None, headers=None, timeout=60):
    """One request on a connection of its own. `path` may be a whole address of the same service."""
    where = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=timeout)
    try:
        connection.request(method, path.removeprefix(base), body=body, headers=headers or {})
        return Answer(connection.getresponse())
    finally:
        connection.close()


def send_json(base, path, fields, method="POST", headers=None):
    return send(base, method, path, json.dumps(fields).encode(), {"Content-Type": "application/json", **(headers or {})})


def send_form(base, path, fields, method="POST", headers=None):
    """`fields`: pairs, or a dict."""
    return send(base, method, path, urllib.parse.urlencode(fields).encode(),
                {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})})


def send_query(base, path, fields, method="POST"):
    return send(base, method, path + "?" + urllib.parse.urlencode(fields))


def send_multipart(base, path, fields, files=(), headers=None):
    """`files`: of (field, name, type, bytes)."""
    mark = "----------------------------83ff53821b7c"
    parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + value.encode() for name, value in fields]
    parts += [f'Content-Disposition: form-data; name="{field}"; filename="{name}"\r\nContent-Type: {kind}\r\n\r\n'.encode() +
              content for field, name, kind, content in files]
    body = b"".join(b"--" + mark.encode() + b"\r\n" + part + b"\r\n" for part in parts) + f"--{mark}--\r\n".encode()
    return send(base, "POST", path, body, {"Content-Type": f"multipart/form-data; boundary={mark}", **(headers or {})})
