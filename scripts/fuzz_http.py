#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends broken requests to a running service, and looks whether it answers HTTP and goes on.

    fuzz_http.py http://127.0.0.1:5000 [--count 1000000] [--seed 1] [--processes 2] [--json FILE]

Requests are changed at random and sent several at a time over raw sockets. A request counts when the service has
answered it or has ended the connection over it; those behind are not looked at and do not count. Everything that comes
back has to be whole answers of HTTP/1.1 and none of them 500, a batch has to end within 20 seconds, and a plain request
between batches has to be answered rightly.
The same seed sends the same batches; --only N sends the one that a failure names, and shows what comes back.
"""
import argparse
import collections
import json
import multiprocessing
import random
import re
import socket
import sys
import time
import urllib.parse

BATCH = 12        # requests on a connection
PROBE_EVERY = 50  # batches
PATIENCE = 20     # seconds
KEPT = 5          # failures of a kind that a process tells of; answers that are no HTTP end it then
STATUS_LINE = re.compile(rb"HTTP/1\.1 ([1-5]\d\d) [ -~]*\r\n")
HEADER_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+: [^\x00-\x08\x0a-\x1f\x7f]*\Z")


def request(method, target, body=None, headers=()):
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *headers]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


def seeds():
    """What clients send, mostly such that nothing has to be translated: this is about HTTP."""
    json_type = "Content-Type: application/json"
    form_type = "Content-Type: application/x-www-form-urlencoded"
    unknown = json.dumps({"q": "Hallo", "source": "de", "target": "xx"}).encode()
    parts = (b'--b\r\nContent-Disposition: form-data; name="q"\r\n\r\nHallo\r\n'
             b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n'
             b'Hallo\r\n--b--\r\n')
    chunked = b"1a;x=y\r\n{\"q\":\"Hallo\",\"source\":\"d\r\n10\r\ne\",\"target\":\"xx\"}\r\n0\r\nX: y\r\n\r\n"
    return [
        request("GET", "/health"), request("GET", "/languages"), request("GET", "/frontend/settings?a=b&c=%20"),
        request("GET", "/health", headers=["Connection: keep-alive", "Accept: */*", "User-Agent: fuzz"]),
        request("GET", "/no/such/%C3%BC/path?q=%zz&&=&a=%00"),
        request("OPTIONS", "/translate",
                headers=["Origin: https://example.org", "Access-Control-Request-Method: POST"]),
        request("POST", "/translate", unknown, [json_type]),
        request("POST", "/translate", b"q=Hallo&source=de&target=xx&format=html", [form_type]),
        request("POST", "/translate?q=Hallo&source=de&target=xx", b""),
        request("POST", "/detect", b'{"q":"Guten Tag"}', [json_type]),
        request("POST", "/translate", parts, ["Content-Type: multipart/form-data; boundary=b"]),
        request("POST", "/translate_file", parts, ["Content-Type: multipart/form-data; boundary=\"b\""]),
        request("POST", "/translate", None, [json_type, "Transfer-Encoding: chunked"]) + chunked,
        request("POST", "/v2/translate", b"text=Hallo&target_lang=XX",
                [form_type, "Authorization: DeepL-Auth-Key a:fx"]),
        request("POST", "/v2/glossaries", b'{"name":"a","source_lang":"de","target_lang":"en"}', [json_type]),
        request("GET", "/v2/languages?type=target"), request("GET", "/v3/glossaries"),
        request("POST", "/v1/chat/completions", b'{"model":"a","messages":[]}', [json_type]),
        request("POST", "/language/translate/v2", b'{"q":["a"],"target":"xx"}', [json_type]),
        request("POST", "/translate?api-version=3.0&to=xx&from=de", b'[{"Text":"Hallo"}]',
                [json_type, "Ocp-Apim-Subscription-Key: a"]),
        request("POST", "/translate?api-version=2026-06-06", b'{"inputs":[{"text":"a","targets":[{"language":"xx"}]}]}',
                [json_type]),
        request("POST", "/translate/batch", b'{"texts":["a"],"from":"de","to":"xx"}', [json_type, "X-API-Token: a"]),
        request("POST", "/hcfy?token=a", b'{"text":"a","destination":["xx"]}', [json_type, "Content-Encoding: gzip"]),
        request("POST", "/v3/glossaries", b"name=a&dictionaries%5B0%5D.source_lang=de&dictionaries%5B0%5D.entries=a%09b",
                [form_type]),
        request("PUT", "/v3/glossaries/x/dictionaries", b"{}", [json_type]), request("DELETE", "/v3/glossaries/x"),
        request("POST", "/translate", b"\xff\xfe{\x00" * 5, [json_type, "Expect: 100-continue"]),
        b"GET http://localhost/health HTTP/1.1\r\nHost: other\r\n\r\n",
        b"GET /health HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
    ]


WORDS = [
    b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"\0", b" ", b"\t", b":", b";", b",", b"%", b"%00", b"%2f", b"..",
    b"/../", b"\x0b", b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: xchunked\r\n",
    b"Transfer-Encoding : chunked\r\n", b"Content-Length: 5\r\n", b"Content-Length: 0\r\n",
    b"Content-Length: -1\r\n", b"Content-Length: 99999999999999999999\r\n", b"Host: b\r\n", b" folded\r\n",
    b"Connection: close\r\n", b"Connection: keep-alive\r\n", b"Expect: 100-continue\r\n", b"Upgrade: h2c\r\n",
    b"X-Forwarded-For: 1.2.3.4\r\n", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/0.9", b"PRI * HTTP/2.0\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"0\r\n\r\n", b"ffffffffffffffff\r\n", b"0x10", b"+5", b"-0",
    b"1;a=b", b"{", b"}", b"[" * 200, b"\"", b"\\u0000", b"\\ud800", b"null", b"1e999", b"--b--", b"--b",
    b"filename*=UTF-8''%ff", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"A" * 300,
    b"X: " + b"y" * 5000 + b"\r\n", b"GET", b"POST", b"OPTIONS * HTTP/1.1\r\n", b"CONNECT a:1 HTTP/1.1\r\n",
]


def change(chance, data, others):
    """One change of a request."""
    kind = chance.choice((0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9, 9, 9))
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice((1, 2, 4, 16, 64)))
    if kind == 0 and at < len(data):
        return data[:at] + bytes([chance.randrange(256)]) + data[at + 1:]
    if kind == 1:
        return data[:at] + data[end:]
    if kind == 2:
        return data[:end] + data[at:end] * chance.choice((1, 1, 1, 50)) + data[end:]
    if kind == 3:
        other = chance.choice(others)
        return data[:at] + other[chance.randrange(len(other)):]
    if kind == 4:
        lines = data.split(b"\r\n")
        first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
        return b"\r\n".join(lines)
    if kind == 5:
        lines = data.split(b"\r\n")
        place = chance.randrange(len(lines))
        return b"\r\n".join(lines[:place] + [lines[place]] + lines[place:])
    if kind == 6 and (numbers := list(re.finditer(rb"\d+", data))):
        number = chance.choice(numbers)
        value = chance.choice((b"0", b"1", b"2147483648", b"18446744073709551616", b"-1", b"007", b"1.5", b""))
        return data[:number.start()] + value + data[number.end():]
    if kind == 7:
        # Behind the head: what a handler gets, the connection goes on.
        start = data.find(b"\r\n\r\n") + 4
        if start < len(data):
            place = chance.randrange(start, len(data))
            return data[:place] + bytes([chance.randrange(256)]) + data[place + 1:]
    if kind == 9 and (start := data.find(b"?")) > 0:
        # In the query, likewise.
        place = chance.randrange(start + 1, max(start + 2, data.find(b" ", start)))
        return data[:place] + bytes([chance.choice(b"!$&'()*+,-./:;=?@_~%0aZ\"<>[]{}|^`")]) + data[place:]
    return data[:at] + chance.choice(WORDS) + data[at:]


def batch(seed, number, basis):
    chance = random.Random(f"{seed}/{number}")
    sent = []
    for _ in range(BATCH):
        data = chance.choice(basis)
        for _ in range(chance.choice((0, 1, 1, 1, 1, 1, 2, 3, 6))):
            data = change(chance, data, basis)
        sent.append(data)
    return b"".join(sent)


class Malformed(Exception):
    pass


def answers(received, may_be_head):
    """Statuses of the final answers; raises Malformed."""
    statuses, at = [], 0
    while at < len(received):
        first = STATUS_LINE.match(received, at)
        if not first:
            raise Malformed(f"no status line at byte {at}: {received[at:at + 80]!r}")
        end = received.find(b"\r\n\r\n", at)
        if end < 0:
            raise Malformed(f"a head has no end: {received[at:at + 200]!r}")
        status, length, chunked = int(first[1]), None, False
        for line in received[first.end():max(end, first.end())].split(b"\r\n") if end >= first.end() else []:
            if not HEADER_LINE.match(line):
                raise Malformed(f"no header: {line!r}")
            name, _, value = line.partition(b": ")
            if name.lower() == b"content-length":
                length = int(value)
            chunked = chunked or name.lower() == b"transfer-encoding"
        at = end + 4
        if status < 200:
            continue
        statuses.append(status)
        if status in (204, 304) or (may_be_head and (at == len(received) or received.startswith(b"HTTP/1.1 ", at))):
            continue
        if chunked:
            size = -1
            while size != 0:
                stop = received.find(b"\r\n", at)
                if stop < 0:
                    raise Malformed("a chunk's size has no end")
                size = int(received[at:stop], 16)
                at = stop + 2 + size
                if received[at:at + 2] != b"\r\n":
                    raise Malformed("a chunk has no end")
                at += 2
        elif length is None:
            raise Malformed(f"an answer {status} has no length")
        else:
            if at + length > len(received):
                raise Malformed(f"an answer {status} has {len(received) - at} bytes of {length}")
            at += length
    return statuses


def talk(address, data, source=None):
    """Sends bytes, says that there are no more, and gives all that comes back."""
    with socket.socket() as connection:
        connection.settimeout(PATIENCE)
        if source and address[0].startswith("127."):
            connection.bind((source, 0))  # ports of one address would run out
        connection.connect(address)
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it was refused before it had all
        received = b""
        try:
            while piece := connection.recv(65536):
                received += piece
        except ConnectionResetError:
            pass  # likewise: what came before is looked at
        return received


def probe(address, wanted):
    received = talk(address, b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    if answers(received, False) != [200] or wanted not in received:
        raise Malformed(f"the health of the service: {received[:300]!r}")


def await_model(address, seconds=300):
    """Until it is loaded, the service is healthy for nobody, and has no answers worth a question."""
    end = time.monotonic() + seconds
    while b'"loading"' in talk(address, b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"):
        if time.monotonic() > end:
            raise SystemExit(f"fuzz_http.py: expected a model within {seconds} s, the service is still loading it")
        time.sleep(0.2)


def work(address, seed, share, step, target, results):
    """Batches share, share + step ... until `target` requests have been looked at."""
    basis = seeds()
    counts, done, batches, number, failures = collections.Counter(), 0, 0, share, []
    reported = time.monotonic()
    hard = 0
    while done < target and hard < KEPT:
        data = batch(seed, number, basis)
        source = f"127.{1 + share}.{number // 250 % 250}.{1 + number % 250}"
        try:
            received = talk(address, data, source)
            statuses = answers(received, b"HEAD" in data)
            counts.update(statuses)
            counts["connections closed without an answer"] += not statuses
            done += max(1, len(statuses))
            if 500 in statuses and counts[500] <= KEPT:
                failures.append((number, "a handler failed: 500"))
            if batches % PROBE_EVERY == 0:
                probe(address, b'"ok"')
                counts["probes"] += 1
        except (Malformed, OSError, ValueError) as problem:
            failures.append((number, f"{type(problem).__name__}: {problem}"))
            hard += 1
        batches += 1
        number += step
        if time.monotonic() - reported > 30:
            reported = time.monotonic()
            print(f"process {share}: {done} requests", file=sys.stderr, flush=True)
    results.put((done, batches, dict(counts), failures))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("url")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", help="a file for the table")
    parser.add_argument("--only", type=int, help="the number of one batch")
    options = parser.parse_args()
    url = urllib.parse.urlsplit(options.url)
    address = (url.hostname, url.port)
    if options.only is not None:
        data = batch(options.seed, options.only, seeds())
        print(data, talk(address, data), sep="\n\n")
        return 0
    await_model(address)
    results = multiprocessing.Queue()
    start = time.monotonic()
    share = -(-options.count // options.processes)
    processes = []
    for i in range(options.processes):
        given = (address, options.seed, i, options.processes, share, results)
        processes.append(multiprocessing.Process(target=work, args=given))
    for process in processes:
        process.start()
    done, batches, counts, failures = 0, 0, collections.Counter(), []
    for _ in processes:
        one = results.get()
        done, batches = done + one[0], batches + one[1]
        counts.update(one[2])
        failures += one[3]
    for process in processes:
        process.join()
    seconds = time.monotonic() - start
    try:
        probe(address, b'"ok"')
    except (Malformed, OSError) as problem:
        failures.append((-1, f"at the end: {problem}"))
    probes = counts.pop("probes", 0)
    print(f"{done} requests in {batches} connections, {seconds:.0f} s, {done / seconds:.0f} a second; "
          f"{probes} probes answered")
    for status, count in sorted(counts.items(), key=str):
        print(f"{count:>10}  {status}")
    for number, what in failures:
        print(f"FAILED: batch {number} of seed {options.seed}: {what}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"requests": done, "connections": batches, "seconds": round(seconds, 1), "seed": options.seed,
                       "probes": probes,
                       "answers": {str(key): value for key, value in sorted(counts.items(), key=str)},
                       "failures": [{"batch": number, "what": what} for number, what in failures]}, file, indent=1)
            file.write("\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
