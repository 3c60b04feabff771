# SPDX-License-Identifier: Apache-2.0
"""A local server that plays every registry: lists of their shapes, and small models of tests/data as their publishers
pack them."""
from __future__ import annotations

import contextlib
import gzip
import hashlib
import http.server
import io
import json
import pathlib
import subprocess
import tarfile
import threading
import urllib.parse
import uuid
import zipfile


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def zipped(files: dict[str, bytes], folder: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(folder + name, data)
    return out.getvalue()


def tarred(files: dict[str, bytes], folder: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(folder + name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zstd(data: bytes) -> bytes:
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


class Played:
    """Answers by path, whatever the host was called: tests point each registry's mirror here."""

    def __init__(self, data: pathlib.Path, registries: pathlib.Path):
        self.pages: dict[str, bytes] = {}
        self.requests: list[tuple[str, str, dict[str, str]]] = []  # server, path, headers
        self.refuse: dict[str, list[int]] = {}  # path: statuses of the next answers
        self.first, self.second = self._serve("first"), self._serve("second")
        self.lists = {}
        for file in registries.glob("*.json"):
            described = json.loads(file.read_text())
            self.lists[described["id"]] = described
        self._student = {"model": self._read(data, "marian/int8-firefox/model.xxyy.intgemm.alphas.bin.gz", unpack=True),
                         "lex": self._read(data, "marian/int8-firefox/lex.50.50.xxyy.s2t.bin"),
                         "vocab": self._read(data, "marian/int8-firefox/vocab.xxyy.spm")}
        self._argos_model = {name: self._read(data, f"toy-text/{name}")
                             for name in ("model.bin", "config.json", "source_vocabulary.txt", "target_vocabulary.txt")}
        self._pieces = self._read(data, "toy-text/source.spm")
        self._opus = self._read(data, "marian/opus/opus.zip")
        self._hub = {file.name: file.read_bytes() for file in (data / "huggingface/shared").iterdir()}

    def close(self):
        for server in (self.first, self.second):
            server.shutdown()
            server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.first.server_port}"

    @property
    def other(self) -> str:
        """The same machine under another name and port: another host."""
        return f"http://localhost:{self.second.server_port}"

    @staticmethod
    def _read(data: pathlib.Path, name: str, unpack: bool = False) -> bytes:
        read = (data / name).read_bytes()
        return gzip.decompress(read) if unpack else read

    def _serve(self, name: str) -> http.server.ThreadingHTTPServer:
        played = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, with_body: bool):
                path = urllib.parse.unquote(self.path)
                plain = path.split("?")[0]
                played.requests.append((name, path, {key.lower(): value for key, value in self.headers.items()}))
                status, body, headers = played.answer(name, path, plain)
                begin = 0
                asked = self.headers.get("Range", "")
                if status == 200 and asked.startswith("bytes="):
                    begin = int(asked[6:].split("-")[0])
                    status = 206 if begin < len(body) else 416
                    headers["Content-Range"] = f"bytes {begin}-{len(body) - 1}/{len(body)}" if status == 206 else f"bytes */{len(body)}"
                    body = body[begin:]
                self.send_response(status)
                for key, value in headers.items():
                    self.send_header(key, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if with_body:
                    with contextlib.suppress(ConnectionError):  # who asked has read enough
                        self.wfile.write(body)

            def do_GET(self):
                self.answer(True)

            def do_HEAD(self):
                self.answer(False)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def answer(self, name: str, path: str, plain: str) -> tuple[int, bytes, dict[str, str]]:
        waiting = self.refuse.get(plain)
        if waiting:
            status = waiting.pop(0)
            return status, b"", {"Retry-After": "0"} if status == 429 else {}
        if name == "first" and "/resolve/" in plain and plain.endswith(".safetensors"):
            return 302, b"", {"Location": f"{self.other}/signed{plain}?Signature=1", "X-Linked-Etag": '"1"'}
        body = self.pages.get(path, self.pages.get(plain.removeprefix("/signed")))
        if body is None:
            return 404, b"not here", {}
        return 200, body, {"ETag": f'"{sha256(body)[:16]}"'}

    def list_path(self, registry: str) -> str:
        return urllib.parse.urlparse(self.lists[registry]["list"]).path

    # ------------------------------------------------------------------------------------------------ registries
    def publish_firefox(self, source: str, target: str, version: str = "3.0", **more) -> list[dict]:
        """One more model of Mozilla's list; gives its records."""
        records = []
        for kind, name in (("model", f"model.{source}{target}.intgemm.alphas.bin"),
                           ("lex", f"lex.50.50.{source}{target}.s2t.bin"), ("vocab", f"vocab.{source}{target}.spm")):
            plain = self._student[kind]
            packed = zstd(plain)
            location = f"main-workspace/translations-models-v2/{uuid.uuid4()}.zst"
            self.pages["/" + location] = packed
            records.append({"id": str(uuid.uuid4()), "schema": 1, "last_modified": 1760000000000, "name": name,
                            "fileType": kind, "version": version, "architecture": "tiny", "sourceLanguage": source,
                            "targetLanguage": target, "filter_expression": "", "decompressedHash": sha256(plain),
                            "decompressedSize": len(plain),
                            "attachment": {"hash": sha256(packed), "size": len(packed), "filename": name + ".zst",
                                           "location": location, "mimetype": "application/zstd"}, **more})
        path = self.list_path("firefox")
        listed = json.loads(self.pages.get(path, b'{"data": []}'))["data"]
        self.pages[path] = json.dumps({"data": listed + records}).encode()
        return records

    def publish_argos(self, source: str, target: str, version: str = "1.9") -> str:
        code = f"translate-{source}_{target}"
        facts = {"package_version": version, "argos_version": "1.9.6", "from_code": source, "from_name": source,
                 "to_code": target, "to_name": target}
        files = {"metadata.json": json.dumps(facts).encode(), "sentencepiece.model": self._pieces,
                 "README.md": b"A toy.", **{f"model/{name}": data for name, data in self._argos_model.items()}}
        path = f"/v1/{code}-{version.replace('.', '_')}.argosmodel"
        self.pages[path] = zipped(files, f"{code}-{version.replace('.', '_')}/")
        index = self.list_path("argos")
        listed = [entry for entry in json.loads(self.pages.get(index, b"[]")) if entry["code"] != code]
        listed.append({"code": code, "links": [f"https://argos-net.com{path}", "ipfs://Qm"], **facts})
        self.pages[index] = json.dumps(listed).encode()
        return path

    def publish_student(self, registry: str, source: str, target: str) -> str:
        """translateLocally's and HPLT's lists of archives."""
        short = f"{source}-{target}-tiny"
        config = (f"relative-paths: true\nmodels:\n  - model.intgemm.alphas.bin\nvocabs:\n  - vocab.spm\n  - vocab.spm\n"
                  "shortlist:\n  - lex.s2t.bin\n  - false\nbeam-size: 1\nnormalize: 1.0\nword-penalty: 0\n"
                  "max-length-factor: 2.0\ngemm-precision: int8shiftAlphaAll\n")
        facts = {"shortName": short, "modelName": f"{source}-{target} tiny", "src": source, "trg": target,
                 "srcTags": {source: source}, "trgTag": target, "type": "tiny", "version": 1, "API": 1,
                 "repository": "Played"}
        archive = tarred({"config.intgemm8bitalpha.yml": config.encode(), "model_info.json": json.dumps(facts).encode(),
                          "model.intgemm.alphas.bin": self._student["model"], "lex.s2t.bin": self._student["lex"],
                          "vocab.spm": self._student["vocab"]}, short + "/")
        path = f"/models/{short}.tar.gz"
        self.pages[path] = archive
        where = self.list_path(registry)
        listed = json.loads(self.pages.get(where, b'{"models": []}'))["models"]
        listed.append({**facts, "url": f"https://data.example{path}", "checksum": sha256(archive)})
        self.pages[where] = json.dumps({"models": listed}).encode()
        return path

    def publish_opus(self, pair: str, date: str = "2020-02-26"):
        path = f"OPUS-MT-models/{pair}/opus-{date}.zip"
        self.pages["/" + path] = self._opus
        where = self.list_path("opus")
        self.pages[where] = self.pages.get(where, b"") + f"{pair}/opus-{date}.zip\n".encode()

    def publish_tatoeba(self, pair3: str, pair2: str, chrf: float = 0.5):
        path = f"/Tatoeba-MT-models/{pair3}/opus-2021-02-22.zip"
        self.pages[path] = self._opus
        source, target = pair2.split("-")
        line = "\t".join([f"https://object.pouta.csc.fi{path}", pair3, pair2, str(chrf), "30.1", source, target])
        where = self.list_path("tatoeba")
        self.pages[where] = self.pages.get(where, b"") + line.encode() + b"\n"

    def publish_hub(self, repository: str, gated: bool = False, commit: str = "0" * 39 + "1",
                    files: dict[str, bytes] | None = None):
        """`files` by their paths; a model that translates, unless said otherwise."""
        tree, siblings = [], []
        for name, data in sorted((files or self._hub).items()):
            blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
            entry = {"type": "file", "path": name, "size": len(data), "oid": blob}
            if name.endswith(".safetensors"):
                entry["lfs"] = {"oid": sha256(data), "size": len(data), "pointerSize": 130}
            tree.append(entry)
            siblings.append({"rfilename": name, "size": len(data), "blobId": blob})
            for revision in ("main", commit):
                self.pages[f"/{repository}/resolve/{revision}/{name}"] = data
        facts = {"id": repository, "sha": commit, "gated": "manual" if gated else False, "private": False,
                 "tags": ["translation", "license:cc-by-4.0"], "cardData": {"license": "cc-by-4.0"}, "siblings": siblings}
        for revision in ("main", commit):
            for slash in ("", "/"):
                self.pages[f"/api/models/{repository}/revision/{revision}"] = json.dumps(facts).encode()
                self.pages[f"/api/models/{repository}/tree/{revision}{slash}"] = json.dumps(tree).encode()
        self.pages[f"/api/models/{repository}"] = json.dumps(facts).encode()

    def remove_hub(self, repository: str):
        """The repository is gone."""
        self.pages = {path: page for path, page in self.pages.items() if repository not in path}
