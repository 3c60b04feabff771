# SPDX-License-Identifier: Apache-2.0
"""What broken networks and rude clients do to a running service: it answers what can be answered, lets go of the rest,
and others notice nothing."""
import gzip
import os
import socket
import struct
import sys
import threading
import time

from service import Service, check, same

HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def translate(text, more=b""):
    body = b'{"q":"' + text + b'","source":"de","target":"en"}'
    return (b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + more +
            b"Content-Length: %d\r\n\r\n" % len(body) + body)


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def status(received):
    check(received.startswith(b"HTTP/1.1 "), received[:200])
    return int(received[9:12])


def until(happened, limit=30):
    end = time.monotonic() + limit
    while not happened():
        check(time.monotonic() < end, "did not happen in", limit, "s")
        time.sleep(0.05)


def open_files(service):
    return len(os.listdir(f"/proc/{service.pid}/fd"))


def resident(service):
    with open(f"/proc/{service.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def receive(connection):
    received = b""
    while piece := connection.recv(65536):
        received += piece
    return received


def five_in_a_row(service):
    texts = [b"Guten Tag.", b"Wie geht es dir?", b"Das ist ein Haus.", b"Guten Tag.", b"Auf Wiedersehen."]
    alone = []
    for text in texts:
        alone.append(service.post("/translate", json={"q": text.decode(), "source": "de", "target": "en"}).text)
    with service.socket() as connection:
        connection.sendall(b"".join(map(translate, texts[:-1])) + translate(texts[-1], b"Connection: close\r\n"))
        received = receive(connection)
    same(received.count(b"HTTP/1.1 200 OK\r\n"), 5, received)
    places = []
    for text in alone:
        places.append(received.find(text.encode(), places[-1] + 1 if places else 0))
    check(-1 not in places and places == sorted(places), places, received)


def gone_at_every_point(service):
    """Clients that go after each byte of a request, closing and resetting."""
    request = translate(b"Guten Tag.")
    before = open_files(service)
    for size in range(len(request) + 1):
        for end in (socket.socket.close, reset):
            connection = service.socket()
            connection.sendall(request[:size])
            end(connection)
    until(lambda: open_files(service) <= before + 1)
    same(service.get("/health").status, 200)


def ends_early(service):
    """Clients that say that they send no more, within a request, are told what is missing."""
    request = translate(b"Guten Tag.")
    start = request.index(b"\r\n\r\n") + 4
    for size in (1, 20, start - 1, start, start + 5, len(request) - 1):
        with service.socket() as connection:
            connection.sendall(request[:size])
            connection.shutdown(socket.SHUT_WR)
            same(status(receive(connection)), 400, size)
    with service.socket() as connection:  # and get what they asked for, if it was whole
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        received = receive(connection)
        check(b"HTTP/1.1 200 OK\r\n" in received, received)


def bodies(service):
    def post(body, more=b"", path=b"/translate"):
        with service.socket() as connection:
            connection.sendall(b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + more +
                               b"\r\n" + body)
            connection.shutdown(socket.SHUT_WR)
            return status(receive(connection))
    json_type = b"Content-Type: application/json\r\n"
    for broken in (b"\xff\xfe", b'{"q":"\xc3","source":"de","target":"en"}',
                   b'{"q":"\xed\xa0\x80","source":"de","target":"en"}', b"{", b"[" * 5000, b'{"q":' * 2000, b"", b'"q"',
                   b"null"):
        same(post(broken, json_type + b"Content-Length: %d\r\n" % len(broken)), 400, broken[:40])
    same(post(b"", json_type + b"Content-Length: 999999999999\r\n"), 413)
    same(post(b"%x\r\n" % (1 << 50), json_type + b"Transfer-Encoding: chunked\r\n"), 400, "a chunk that ends early")
    form = b"Content-Type: application/x-www-form-urlencoded\r\n"
    same(post(b"q=%zz", form + b"Content-Length: 5\r\n"), 400)
    same(post(b"no parts", b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 8\r\n"), 400)


def packed(service):
    """A body in a content coding is refused by its name, and not read as what it is not."""
    plain = b'{"q":"Hund","source":"de","target":"en"}'
    for path, ask in (("/translate", plain), ("/v1/translate", b'{"text":"Hund","from":"de","to":"en"}')):
        for coding, body in (("gzip", gzip.compress(ask)), ("br", ask), ("GZIP", gzip.compress(ask))):
            answer = service.post(path, body=body, headers={"Content-Type": "application/json", "Content-Encoding": coding})
            same(answer.status, 415, f"{path} {coding} {answer!r};")
            check(f'Content-Encoding is \\"{coding}\\"' in answer.text, answer)
        same(service.post(path, body=ask, headers={"Content-Type": "application/json",
                                                   "Content-Encoding": "identity"}).status, 200, path)


def slow_senders(service):
    """64 clients that send a byte now and then, 500 idle ones, and one that just asks."""
    def ask(count=100):
        times = []
        with service.socket() as connection:
            for _ in range(count):
                start = time.monotonic()
                connection.sendall(HEALTH)
                received = b""
                while b'"ok"' not in received:
                    piece = connection.recv(65536)
                    check(piece, "ended:", received)
                    received += piece
                times.append(time.monotonic() - start)
        return sorted(times)[count * 9 // 10] * 1000
    alone = ask()
    memory = resident(service)
    slow, idle = [service.socket() for _ in range(64)], [service.socket() for _ in range(500)]
    ended = threading.Event()

    def drip():
        request = translate(b"Guten Tag.")
        for place in range(request.index(b"\r\n\r\n")):
            for connection in slow:
                try:
                    connection.sendall(request[place:place + 1])
                except OSError:
                    pass  # its time is over
            if ended.wait(0.02):
                return
    thread = threading.Thread(target=drip)
    thread.start()
    beside = ask()
    grown = resident(service) - memory
    # Two cores may do other things now; what would be wrong are seconds, not milliseconds.
    check(beside < max(50, 20 * alone), "an answer takes", beside, "ms beside them,", alone, "ms alone")
    check(grown < 10_000_000, "they take", grown, "bytes")
    time.sleep(11)  # the time for a head
    ended.set()
    thread.join()
    for connection in slow[:3]:
        received = receive(connection)
        same(status(received), 408, received)
    for connection in slow + idle:
        connection.close()
    print(f"beside 64 slow senders and 500 idle ones: {beside:.1f} ms (alone {alone:.1f} ms), {grown / 1024:.0f} KiB")


def told_to_end(service):
    """SIGTERM: what is at work is answered, new clients are refused, and the service ends well."""
    sentences = b" ".join(b"Das ist der Satz mit der Nummer %d." % i for i in range(40))
    connection, idle = service.socket(120), service.socket()
    connection.sendall(translate(sentences))
    time.sleep(0.3)
    thread = threading.Thread(target=lambda: result.append(service.stop()))
    result = []
    thread.start()
    same(idle.recv(100), b"", "an idle connection")
    received = receive(connection)
    same(status(received), 200)
    check(b"\r\nConnection: close\r\n" in received, received[:500])
    thread.join()
    same(result, [0], service.log)
    try:
        service.socket().close()
        raise AssertionError("a client was taken after the end")
    except ConnectionRefusedError:
        pass


def main():
    with Service(*sys.argv[1:3]) as service:
        for check_one in (five_in_a_row, gone_at_every_point, ends_early, bodies, packed, slow_senders, told_to_end):
            start = time.monotonic()
            check_one(service)
            print(f"{check_one.__name__}: {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
