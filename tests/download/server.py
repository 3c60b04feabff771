#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server on this machine whose answers have faults: server.py [FOLDER [CERTIFICATE]]. Prints "port N" and serves until it is ended.

/bytes/SIZE/SEED   bytes that depend on both numbers
/file/NAME         a file of FOLDER
/_log              what was asked since the start or /_forget, a line each: METHOD PATH?QUERY | Header: value | ...

The query says what goes wrong:
cut=N              the connection ends after N bytes of an answer's body          drop=1     it ends without an answer
status=S           answers S                  retry=TEXT  with this Retry-After   times=N    only the first N answers (of an id)
clock=TEXT         with this Date
id=TEXT            requests that are counted together (else those of one path and query)
wrong=1            one byte is another one    slow=N      N bytes a second        stall=N    nothing more after N bytes
to=URL             redirects there            loop=1      redirects round         hops=N     N redirects, then the answer
norange=1          answers 200 to Range       from=N      answers 206 from N on   fits=0     answers 416
etag=changing|weak|none                       modified=none                       gzip=1     packed, with Content-Encoding
length=N|none      a Content-Length that lies, or none                            chunked=1
"""
import gzip
import http.server
import pathlib
import random
import ssl
import sys
import threading
import time
import urllib.parse

FOLDER = pathlib.Path(sys.argv[1]) if sys.argv[1:] and sys.argv[1] else None
LOCK = threading.Lock()
COUNTS, LOG = {}, []
MODIFIED = "Mon, 05 Oct 2026 10:00:00 GMT"


class Cut(Exception):
    pass


def body_of(path):
    parts = path.strip("/").split("/")
    if parts[0] == "bytes" and len(parts) == 3:
        return random.Random(int(parts[2])).randbytes(int(parts[1]))
    if parts[0] == "file" and FOLDER and ".." not in parts:
        file = FOLDER.joinpath(*parts[1:])
        return file if file.is_file() else None
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        ask = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        if url.path in ("/_log", "/_forget"):
            return self.tell(url.path)
        with LOCK:
            LOG.append(" | ".join([f"{self.command} {self.path}", *(f"{k}: {v}" for k, v in self.headers.items())]))
            key = ask.get("id") or self.path
            count = COUNTS[key] = COUNTS.get(key, 0) + 1
        try:
            self.answer(url, ask, count)
        except (Cut, ConnectionError):
            self.close_connection = True

    def tell(self, path):
        with LOCK:
            text = "\n".join(LOG).encode()
            if path == "/_forget":
                LOG.clear()
                COUNTS.clear()
        self.head(200, {"Content-Length": len(text)})
        self.wfile.write(text)

    def date_time_string(self, timestamp=None):
        ask = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        return ask.get("clock") or super().date_time_string(timestamp)

    def head(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()

    def redirected(self, url, ask):
        hops = int(ask.get("hops", 0))
        if "loop" in ask:
            target = f"{url.path}?loop={int(ask['loop']) + 1}&id={ask.get('id', '')}"
        elif hops > 0:
            target = url.path + "?" + urllib.parse.urlencode({**ask, "hops": hops - 1})
        elif "to" in ask:
            target = ask["to"]
        else:
            return False
        page = b"moved"
        self.head(302, {"Location": target, "Content-Length": len(page)})
        self.wfile.write(page)
        return True

    def answer(self, url, ask, count):
        faulty = count <= int(ask.get("times", 1 << 60))
        if faulty and "drop" in ask:
            raise Cut
        if faulty and "status" in ask:
            headers = {"Content-Length": 5}
            if "retry" in ask:
                headers["Retry-After"] = ask["retry"]
            self.head(int(ask["status"]), headers)
            self.wfile.write(b"sorry")
            return
        if self.redirected(url, ask):
            return
        body = body_of(url.path)
        if body is None:
            self.head(404, {"Content-Length": 0})
            return
        self.send(body, ask, count, faulty)

    def validators(self, ask, count, size):
        kind, headers = ask.get("etag", "strong"), {}
        if kind != "none":
            tag = f'"{size}-{count if kind == "changing" else 0}"'
            headers["ETag"] = "W/" + tag if kind == "weak" else tag
        if ask.get("modified") != "none" and kind != "changing":
            headers["Last-Modified"] = MODIFIED
        return headers

    def begin_of_range(self, ask, headers):
        """Where the answer begins; None: with status 200 from the start."""
        asked = self.headers.get("Range", "")
        if "norange" in ask or not asked.startswith("bytes="):
            return None
        condition = self.headers.get("If-Range")
        if condition and condition not in (headers.get("ETag"), headers.get("Last-Modified")):
            return None
        return int(asked[len("bytes="):].split("-")[0])

    def send(self, body, ask, count, faulty):
        if isinstance(body, pathlib.Path) and set(ask) <= {"id", "etag"}:
            return self.send_file(body, ask, count)
        if isinstance(body, pathlib.Path):
            body = body.read_bytes()
        if "wrong" in ask and faulty:
            body = body[:-1] + bytes([body[-1] ^ 1])
        headers = self.validators(ask, count, len(body))
        if "gzip" in ask:
            body = gzip.compress(body)
            headers["Content-Encoding"] = "gzip"
        begin, status = self.begin_of_range(ask, headers), 200
        if begin is not None and (begin >= len(body) or ask.get("fits") == "0"):
            self.head(416, {"Content-Range": f"bytes */{len(body)}", "Content-Length": 0})
            return
        if begin is not None:
            begin, status = int(ask.get("from", begin)), 206
            headers["Content-Range"] = f"bytes {begin}-{len(body) - 1}/{len(body)}"
            body = body[begin:]
        length = ask.get("length")
        if "chunked" in ask:
            headers["Transfer-Encoding"] = "chunked"
        elif length == "none":
            headers["Connection"] = "close"
        else:
            headers["Content-Length"] = length if length and faulty else len(body)
        self.head(status, headers)
        self.send_body(body, ask, faulty)
        if length:
            raise Cut

    def send_body(self, body, ask, faulty):
        cut = int(ask["cut"]) if "cut" in ask and faulty else None
        stall = int(ask["stall"]) if "stall" in ask and faulty else None
        slow = int(ask["slow"]) if "slow" in ask else None
        step = max(1, slow // 10) if slow else 1 << 16
        end = min(x for x in (cut, stall, len(body)) if x is not None)
        for at in range(0, end, step):
            piece = body[at:min(at + step, end)]
            if "chunked" in ask:
                piece = b"%x\r\n%s\r\n" % (len(piece), piece)
            self.wfile.write(piece)
            if slow:
                time.sleep(step / slow)
        if cut is not None:
            raise Cut
        if stall is not None:
            self.wfile.flush()
            time.sleep(600)
        if "chunked" in ask:
            self.wfile.write(b"0\r\n\r\n")

    def send_file(self, path, ask, count):
        """A large file, by the system."""
        size = path.stat().st_size
        headers = self.validators(ask, count, size)
        begin = self.begin_of_range(ask, headers) or 0
        if begin >= size > 0:
            self.head(416, {"Content-Range": f"bytes */{size}", "Content-Length": 0})
            return
        if begin:
            headers["Content-Range"] = f"bytes {begin}-{size - 1}/{size}"
        self.head(206 if begin else 200, {**headers, "Content-Length": size - begin})
        self.wfile.flush()
        with path.open("rb") as file:
            self.connection.sendfile(file, begin)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    tls = None

    def finish_request(self, request, client_address):
        """On the thread of the connection: who does not trust the certificate holds up nobody else."""
        if self.tls:
            request = self.tls.wrap_socket(request, server_side=True)
        try:
            super().finish_request(request, client_address)
        finally:
            if self.tls:
                request.close()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def main():
    server = Server(("127.0.0.1", 0), Handler)
    if sys.argv[2:] and sys.argv[2]:
        server.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.tls.load_cert_chain(sys.argv[2])
    print(f"port {server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
