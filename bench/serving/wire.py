# SPDX-License-Identifier: Apache-2.0
"""HTTP/1.1 over asyncio as plainly as load needs it: a few dozen microseconds of this process for a request."""
import asyncio
import collections
import json
import urllib.parse


def address(url):
    parts = urllib.parse.urlsplit(url)
    return parts.hostname, parts.port


def request(method, path, body=b"", kind="application/json", headers=""):
    length = f"Content-Length: {len(body)}\r\nContent-Type: {kind}\r\n" if body or method == "POST" else ""
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{length}{headers}\r\n".encode() + body


def ask(fields, path="/translate"):
    return request("POST", path, json.dumps(fields).encode())


def translation(text, source="en", target="de", **more):
    return ask({"q": text, "source": source, "target": target, **more})


def upload(path, name, content, fields):
    mark = "----------9c41be2f"
    parts = [f'Content-Disposition: form-data; name="{key}"\r\n\r\n{value}'.encode() for key, value in fields.items()]
    parts.append(f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n'
                 "Content-Type: application/octet-stream\r\n\r\n".encode() + content)
    body = b"".join(f"--{mark}\r\n".encode() + part + b"\r\n" for part in parts) + f"--{mark}--\r\n".encode()
    return request("POST", path, body, f"multipart/form-data; boundary={mark}")


class Answer:
    def __init__(self, status, head, body):
        self.status, self.head, self.body = status, head, body

    @property
    def json(self):
        return json.loads(self.body)

    def header(self, name):
        for line in self.head.split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name.lower().encode():
                return value.strip().decode()
        return ""


class Connection(asyncio.Protocol):
    """Kept alive; requests may be sent before earlier ones are answered, answers come in their order."""

    def __init__(self):
        self.buffer, self.waiting, self.lost = bytearray(), collections.deque(), None

    @classmethod
    async def open(cls, url):
        return (await asyncio.get_running_loop().create_connection(cls, *address(url)))[1]

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.lost = error or ConnectionResetError("the service ended the connection")
        while self.waiting:
            future = self.waiting.popleft()
            if not future.done():
                future.set_exception(self.lost)

    def data_received(self, data):
        self.buffer += data
        while (answer := self._complete()) and self.waiting:
            future = self.waiting.popleft()
            if not future.done():
                future.set_result(answer)

    def _complete(self):
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self.buffer[:end])
        status, low, begin = int(head[9:12]), head.lower(), end + 4
        if b"transfer-encoding: chunked" in low:
            body = self._chunks(begin)
            if body is None:
                return None
            return Answer(status, head, body)
        at = low.find(b"content-length:")
        length = int(low[at + 15:].split(b"\r\n", 1)[0]) if at >= 0 and status not in (204, 304) else 0
        if len(self.buffer) < begin + length:
            return None
        body = bytes(self.buffer[begin:begin + length])
        del self.buffer[:begin + length]
        return Answer(status, head, body)

    def _chunks(self, at):
        body = b""
        while (line := self.buffer.find(b"\r\n", at)) >= 0:
            size = int(self.buffer[at:line].split(b";")[0], 16)
            if len(self.buffer) < line + size + 4:
                return None
            body += self.buffer[line + 2:line + 2 + size]
            at = line + size + 4
            if size == 0:
                del self.buffer[:at]
                return body
        return None

    def send(self, data):
        """A future with the answer."""
        future = asyncio.get_running_loop().create_future()
        if self.lost:
            future.set_exception(self.lost)
        else:
            self.waiting.append(future)
            self.transport.write(data)
        return future

    def close(self):
        self.transport.abort()


async def once(url, data, limit=120):
    connection = await Connection.open(url)
    try:
        return await asyncio.wait_for(connection.send(data), limit)
    finally:
        connection.close()
