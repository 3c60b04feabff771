# SPDX-License-Identifier: Apache-2.0
"""Starts `dragoman serve` for a test and ends it again: on a free port, with the model that ships and empty user
folders.

    with Service(tool, project, "--suggestions", environment={"DRAGOMAN_SERVE_KEYS": "one"}) as s:
        answer = s.post("/translate", json={"q": "Guten Tag.", "source": "de", "target": "en"})
        answer.status, answer.headers, answer.body, answer.text, answer.json()
"""
import http.client
import json as json_module
import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse

UNSET = object()
START_LIMIT = 120  # seconds: drivers that run on the processor compile for a while the first time


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode("utf-8")

    def json(self):
        return json_module.loads(self.text)

    def __repr__(self):
        return f"{self.status} {self.body[:500]!r}"


def urlencoded(pairs):
    """A query or a form of a dictionary or a list of pairs."""
    return urllib.parse.urlencode(pairs, doseq=True)


def multipart(fields, files=()):
    """Content type and body of a form; `files`: (field, name, bytes) or (field, name, bytes, type)."""
    boundary = "----------------------------5c1f7e0b9a3d"
    parts = []
    for name, value in fields.items() if isinstance(fields, dict) else fields:
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() +
                     str(value).encode() + b"\r\n")
    for field, name, data, *kind in files:
        kind = kind[0] if kind else "application/octet-stream"
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
                     f"Content-Type: {kind}\r\n\r\n".encode() + data + b"\r\n")
    return f"multipart/form-data; boundary={boundary}", b"".join(parts) + f"--{boundary}--\r\n".encode()


class Service:
    def __init__(self, tool, project, *arguments, environment=None, models=None, wait=True):
        """`models`: paths or names; None: the model that ships. `wait`: until it has loaded its first model."""
        self.folder = tempfile.TemporaryDirectory(prefix="dragoman-service-")
        self.project = project
        self._wait = wait
        given = [os.path.join(project, "models", "en-de")] if models is None else list(models)
        self.ready_file = os.path.join(self.folder.name, "ready")
        self.command = [tool, "serve", "--port", "0", "--ready-file", self.ready_file, *arguments, *given]
        self.environment = dict(os.environ, **self._user_folders(), **(environment or {}))
        self.log_file = os.path.join(self.folder.name, "log")
        self.process = None
        self.url = ""

    def _user_folders(self):
        folders = {}
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HF_HUB_CACHE", "DRAGOMAN_MODELS_DIR"):
            folders[name] = os.path.join(self.folder.name, name.lower())
            os.makedirs(folders[name])
        return folders

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.folder.cleanup()

    def start(self):
        """Again after stop() or kill(), too: with the same folders."""
        if os.path.exists(self.ready_file):
            os.remove(self.ready_file)
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log)
        end = time.monotonic() + START_LIMIT
        self.url = self._until(end, self._address)
        self.host, self.port = urllib.parse.urlsplit(self.url).hostname, urllib.parse.urlsplit(self.url).port
        if self._wait:
            self._until(end, lambda: self.get("/health").status == 200)

    def _address(self):
        try:
            with open(self.ready_file) as file:
                return file.read().strip()
        except FileNotFoundError:
            return ""

    def _until(self, end, happened):
        while time.monotonic() < end:
            value = happened()
            if value:
                return value
            if self.process.poll() is not None:
                raise RuntimeError(f"{' '.join(self.command)} ended with {self.process.returncode}:\n{self.log}")
            time.sleep(0.05)
        self.process.kill()
        raise RuntimeError(f"{' '.join(self.command)} was not ready after {START_LIMIT} s:\n{self.log}")

    def stop(self, limit=60):
        """SIGTERM, as an operator ends it; gives the exit status."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise RuntimeError(f"the service did not end within {limit} s of SIGTERM:\n{self.log}") from None

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def pid(self):
        return self.process.pid

    @property
    def log(self):
        """What it wrote so far."""
        with open(self.log_file, errors="replace") as file:
            return file.read()

    def request(self, method, path, json=UNSET, form=None, files=None, query=None, body=None, headers=None,
                timeout=120):
        """`json`, `form` (urlencoded; with `files`, which may be [], multipart) or `body`, with any method."""
        sent = dict(headers or {})
        if query is not None:
            path += "?" + urlencoded(query)
        if json is not UNSET:
            sent.setdefault("Content-Type", "application/json")
            body = json_module.dumps(json, ensure_ascii=False).encode()
        elif files is not None:
            sent["Content-Type"], body = multipart(form or {}, files)
        elif form is not None:
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
            body = urlencoded(form).encode()
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request(method, path, body=body, headers=sent)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path, **given):
        return self.request("GET", path, **given)

    def post(self, path, **given):
        return self.request("POST", path, **given)

    def put(self, path, **given):
        return self.request("PUT", path, **given)

    def patch(self, path, **given):
        return self.request("PATCH", path, **given)

    def delete(self, path, **given):
        return self.request("DELETE", path, **given)

    def socket(self, timeout=30):
        """A connection of its own, for what no library would send."""
        return socket.create_connection((self.host, self.port), timeout)

    def raw(self, data, timeout=30):
        """Sends bytes and gives all that comes until the service ends the connection or nothing comes any more."""
        received = b""
        with self.socket(timeout) as connection:
            connection.sendall(data)
            try:
                while piece := connection.recv(65536):
                    received += piece
            except (TimeoutError, ConnectionResetError):
                pass
        return received


def events(body):
    """Server-sent events of an answer: [(event, data)]; comments are left out."""
    found = []
    for block in body.decode().replace("\r\n", "\n").split("\n\n"):
        name, data = "message", []
        for line in block.split("\n"):
            field, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
        if data:
            found.append((name, "\n".join(data)))
    return found


def check(condition, *what):
    """Fails with what was seen."""
    if not condition:
        raise AssertionError(" ".join(str(each) for each in what))


def same(seen, wanted, what=""):
    check(seen == wanted, what, "seen:", repr(seen), "wanted:", repr(wanted))


def error_text(answer, status):
    """The text of {"error": ...}, after its status was checked."""
    same(answer.status, status, f"status of {answer!r};")
    return answer.json()["error"]


def ok(answer):
    """The value of an answer of 200."""
    same(answer.status, 200, f"{answer!r};")
    return answer.json()


GERMAN = "Guten Morgen, mein Freund."


def plain(service, text=GERMAN, source="de", target="en"):
    """What LibreTranslate's interface says of a text."""
    return ok(service.post("/translate", json={"q": text, "source": source, "target": target}))["translatedText"]
