# SPDX-License-Identifier: Apache-2.0
"""Requests that two readers may take in two ways are refused by a running service, and what hides in them is not
answered.

Each shape is sent with a second request behind it that a reader who is fooled would answer. What counts are statuses
that come back: of one answer where the shape is refused, of as many as there are requests where it is fine.
"""
import re
import socket
import sys

from service import Service, check, same

HIDDEN = "GET /health HTTP/1.1\r\nHost: hidden\r\n\r\n"
CLOSE = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def post(lines, body="", version="1.1", host="Host: localhost\r\n"):
    return f"POST /detect HTTP/{version}\r\n{host}{lines}\r\n{body}"


def head(lines, start="GET /health HTTP/1.1\r\n"):
    return f"{start}{lines}\r\n"


FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
EMPTY = "0\r\n\r\n"

# name, bytes, statuses. A body "q=a" is answered with 200 by /detect.
SHAPES = [
    # What is fine.
    ("plain", CLOSE, [200]),
    ("length", post(FORM + "Content-Length: 3\r\n", "q=a") + CLOSE, [200, 200]),
    ("chunked", post(FORM + CHUNKED, "3\r\nq=a\r\n" + EMPTY) + CLOSE, [200, 200]),
    ("chunked in capitals", post(FORM + "TRANSFER-ENCODING: CHUNKED\r\n", "3\r\nq=a\r\n" + EMPTY) + CLOSE, [200, 200]),
    ("chunk extension and trailer", post(FORM + CHUNKED, "3;a=b\r\nq=a\r\n0;c\r\nX: y\r\n\r\n") + CLOSE, [200, 200]),
    ("five in a row", head("Host: localhost\r\n") * 4 + CLOSE, [200] * 5),
    ("an empty line before", "\r\n" + CLOSE, [200]),
    ("absolute target", CLOSE.replace("/health", "http://localhost/health"), [200]),
    ("1.0", "GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n", [200]),
    ("1.0 without Host", "GET /health HTTP/1.0\r\n\r\n", [421]),  # no name that is served
    # Two lengths.
    ("CL.TE", post("Content-Length: 4\r\n" + CHUNKED, EMPTY + HIDDEN), [400]),
    ("TE.CL", post(CHUNKED + "Content-Length: 4\r\n", "5c\r\n" + HIDDEN + EMPTY), [400]),
    ("CL.CL equal", post("Content-Length: 3\r\nContent-Length: 3\r\n", "q=a" + HIDDEN), [400]),
    ("CL.CL different", post("Content-Length: 3\r\nContent-Length: 60\r\n", "q=a" + HIDDEN), [400]),
    ("CL list", post("Content-Length: 3, 3\r\n", "q=a" + HIDDEN), [400]),
    ("TE.TE", post(CHUNKED + "Transfer-Encoding: identity\r\n", EMPTY + HIDDEN), [400]),
    ("TE twice", post(CHUNKED + CHUNKED, EMPTY + HIDDEN), [400]),
    # Lengths that are none.
    *[(f"Content-Length: {value!r}", post(f"Content-Length: {value}\r\n", "q=a" + HIDDEN), [400])
      for value in ("+3", "-3", " 3 3", "0x3", "3.0", "3e0", "", "3;", "\x0b3", "18446744073709551619", "9" * 20,
                    "\u0663")],
    # Codings that are not exactly chunked.
    *[(f"Transfer-Encoding: {value!r}", post(f"Transfer-Encoding: {value}\r\n", EMPTY + HIDDEN), [501])
      for value in ("xchunked", "chunkedx", "gzip, chunked", "chunked, identity", "identity", "chunked, chunked",
                    ",chunked", "\"chunked\"", "chunked;a", "")],
    *[(f"Transfer-Encoding: {value!r}", post(f"Transfer-Encoding: {value}\r\n", EMPTY + HIDDEN), [400])
      for value in ("\x0bchunked", "chunked\x0c", "\0chunked", "chunked\x7f")],
    ("chunked on 1.0", post(CHUNKED, EMPTY + HIDDEN, version="1.0"), [400]),
    # Names and lines.
    ("blank before the colon", post("Transfer-Encoding : chunked\r\n", EMPTY + HIDDEN), [400]),
    ("tab before the colon", post("Content-Length\t: 3\r\n", "q=a" + HIDDEN), [400]),
    ("blank before the name", post(" Transfer-Encoding: chunked\r\n", EMPTY + HIDDEN), [400]),
    ("folded header", post("X: y\r\n Transfer-Encoding: chunked\r\n", EMPTY + HIDDEN), [400]),
    ("folded coding", post("Transfer-Encoding:\r\n chunked\r\n", EMPTY + HIDDEN), [400]),
    ("no colon", post("Transfer-Encoding chunked\r\n", EMPTY + HIDDEN), [400]),
    ("no name", post(": chunked\r\n", EMPTY + HIDDEN), [400]),
    ("NUL in a name", post("Transfer-Encoding\0: chunked\r\n", EMPTY + HIDDEN), [400]),
    ("NUL in a value", post("X: a\0b\r\nContent-Length: 0\r\n", HIDDEN), [400]),
    ("bare LF", "GET /health HTTP/1.1\nHost: localhost\n\n" + HIDDEN, [400]),
    ("bare LF in a header", head("Host: localhost\r\nX: y\nContent-Length: 60\r\n") + HIDDEN, [400]),
    ("bare CR", head("Host: localhost\r\nX: y\rContent-Length: 60\r\n") + HIDDEN, [400]),
    ("CR CR LF", head("Host: localhost\r\r\n") + HIDDEN, [400]),
    ("LF behind the head", "GET /health HTTP/1.1\r\nHost: localhost\r\n\n" + HIDDEN, [400]),
    # Chunks.
    *[(f"chunk size {size!r}", post(FORM + CHUNKED, f"{size}\r\nq=a\r\n{EMPTY}{HIDDEN}"), [400])
      for size in ("0x3", "+3", "-3", " 3", "3 ", "3 ;a", "", "g", "3_", "00000000000000003", "fffffffffffffffff",
                   "1000000000000003")],
    ("chunk size in LF", post(FORM + CHUNKED, "3\nq=a\r\n" + EMPTY + HIDDEN), [400]),
    ("chunk without CRLF", post(FORM + CHUNKED, "3\r\nq=a" + EMPTY + HIDDEN), [400]),
    ("chunk longer than its size", post(FORM + CHUNKED, "2\r\nq=a\r\n" + EMPTY + HIDDEN), [400]),
    ("extension with LF", post(FORM + CHUNKED, "3;a\nb\r\nq=a\r\n" + EMPTY + HIDDEN), [400]),
    ("extension of 5,000 bytes", post(FORM + CHUNKED, "3;" + "a" * 5000 + "\r\nq=a\r\n" + EMPTY + HIDDEN), [431]),
    ("trailer Content-Length", post(FORM + CHUNKED, "3\r\nq=a\r\n0\r\nContent-Length: 60\r\n\r\n" + HIDDEN), [400]),
    ("trailer that is none", post(FORM + CHUNKED, "3\r\nq=a\r\n0\r\n" + HIDDEN), [400]),
    ("trailers in LF", post(FORM + CHUNKED, "3\r\nq=a\r\n0\n\n" + HIDDEN), [400]),
    # Host.
    ("no Host", head("X: y\r\n") + HIDDEN, [400]),
    ("two Hosts", head("Host: localhost\r\nHost: other\r\n") + HIDDEN, [400]),
    *[(f"Host: {value!r}", head(f"Host: {value}\r\n") + HIDDEN, [400])
      for value in ("", "a b", "localhost:x", "localhost:65536", "user@localhost", "localhost/x", "[::1", "a,b")],
    # First lines.
    ("HTTP/0.9", "GET /health\r\n" + HIDDEN, [400]),
    ("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HIDDEN, [505]),
    ("HTTP/1.2", head("Host: localhost\r\n", "GET /health HTTP/1.2\r\n") + HIDDEN, [505]),
    ("two blanks", head("Host: localhost\r\n", "GET  /health HTTP/1.1\r\n") + HIDDEN, [400]),
    ("blank in the target", head("Host: localhost\r\n", "GET /health /x HTTP/1.1\r\n") + HIDDEN, [400]),
    ("no target", head("Host: localhost\r\n", "GET HTTP/1.1\r\n") + HIDDEN, [400]),
    ("fragment", head("Host: localhost\r\n", "GET /health#x HTTP/1.1\r\n") + HIDDEN, [400]),
    ("CONNECT", head("Host: localhost\r\n", "CONNECT localhost:80 HTTP/1.1\r\n") + HIDDEN, [405]),
    ("TRACE", head("Host: localhost\r\n", "TRACE /health HTTP/1.1\r\n") + HIDDEN, [405]),
    ("unknown method", head("Host: localhost\r\n", "GETX /health HTTP/1.1\r\n") + HIDDEN, [501]),
    ("escaped NUL", head("Host: localhost\r\n", "GET /health%00 HTTP/1.1\r\n") + HIDDEN, [400]),
    ("escaped slash", head("Host: localhost\r\n", "GET /v2%2fusage HTTP/1.1\r\n") + HIDDEN, [400]),
    ("parent folder", head("Host: localhost\r\n", "GET /x/../health HTTP/1.1\r\n") + HIDDEN, [400]),
    ("escaped parent folder", head("Host: localhost\r\n", "GET /x/%2e%2e/health HTTP/1.1\r\n") + HIDDEN, [400]),
    ("overlong UTF-8", head("Host: localhost\r\n", "GET /%c0%ae%c0%ae/health HTTP/1.1\r\n") + HIDDEN, [400]),
    ("a target of 20,000 bytes", head("Host: localhost\r\n", f"GET /{'a' * 20000} HTTP/1.1\r\n") + HIDDEN, [414]),
    ("a header of 20,000 bytes", head("Host: localhost\r\nX: " + "a" * 20000 + "\r\n") + HIDDEN, [431]),
    ("101 headers", head("Host: localhost\r\n" + "X: y\r\n" * 100) + HIDDEN, [431]),
    ("unknown expectation", post("Expect: 200-ok\r\nContent-Length: 3\r\n", "q=a") + HIDDEN, [417]),
    ("upgrade is passed over", head("Host: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n"), [200]),
]


def statuses(data):
    """Of the final answers in these bytes; everything in them has to be answers with a Content-Length or in chunks."""
    found = []
    while data:
        first = re.match(rb"HTTP/1\.1 (\d\d\d) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n", data)
        check(first, "no answer:", data[:200])
        top, data = first.group(0), data[first.end():]
        if first[1].startswith(b"1"):
            continue
        found.append(int(first[1]))
        length = re.search(rb"\r\nContent-Length: (\d+)\r\n", top)
        check(length, "no length:", top)
        check(len(data) >= int(length[1]), "cut short:", top, data)
        data = data[int(length[1]):]
    return found


def answered(service, request):
    with service.socket() as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while piece := connection.recv(65536):
            received += piece
        return received


def main():
    with Service(*sys.argv[1:3]) as service:
        for name, request, wanted in SHAPES:
            received = answered(service, request.encode())
            same(statuses(received), wanted, f"{name}: {received[:500]!r};")
            if wanted != [200] * len(wanted):
                check(b"\r\nConnection: close\r\n" in received, name, "goes on:", received)
        # A byte at a time says the same.
        slow = SHAPES[:8] + [shape for shape in SHAPES if shape[0] in ("CL.TE", "bare LF", "folded header")]
        for name, request, wanted in slow:
            with service.socket() as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                received = b""
                try:
                    for byte in request.encode():
                        connection.sendall(bytes([byte]))
                    connection.shutdown(socket.SHUT_WR)
                except (BrokenPipeError, ConnectionResetError, OSError):
                    pass  # it was refused before its end
                while piece := connection.recv(65536):
                    received += piece
            same(statuses(received), wanted, f"{name}, byte by byte: {received[:500]!r};")
        same(service.get("/health").status, 200, "afterwards")
    print(f"{len(SHAPES)} shapes: each was answered as it has to be")


if __name__ == "__main__":
    main()
