# SPDX-License-Identifier: Apache-2.0
"""Through `dragoman serve`, over its sockets."""
import collections
import concurrent.futures
import random
import re
import sys
import time

from . import system, texts

PROBE = "آتزمون"
THREADS = 4


class Work:
    def __init__(self, options):
        sys.path.insert(0, str(options.root / "tests/serve"))
        from service import Service
        self.service = Service(str(options.tool), str(options.root), "--metrics", "--log", "none", "--cache-size", "0", "--max-loaded", "1",
                               models=[str(options.model)], environment={"MALLOC_ARENA_MAX": "1"})
        self.chance = random.Random(options.seed)
        self.counts = collections.Counter()
        self.threads = concurrent.futures.ThreadPoolExecutor(THREADS)

    def __enter__(self):
        self.service.__enter__()
        return self

    def __exit__(self, *_):
        self.threads.shutdown()
        self.service.__exit__()

    def warm(self):
        codes = self.service.get("/languages").json()
        pairs = [(one["code"], target) for one in codes for target in one["targets"] if target != one["code"]]
        if not pairs:
            raise AssertionError(f"expected a pair of languages, the service has {codes}")
        self.source, self.target = pairs[0]
        self.expected = self.translate(PROBE)

    def translate(self, text, **more):
        answer = self.service.post("/translate", json={"q": text, "source": self.source, "target": self.target, **more})
        if answer.status != 200:
            raise AssertionError(f"expected 200, got {answer}")
        return answer.json()["translatedText"]

    def step(self):
        count = sum(self.threads.map(self.one, [random.Random(self.chance.random()) for _ in range(3 * THREADS)]))
        begun = time.perf_counter()
        found = self.translate(PROBE)
        took = time.perf_counter() - begun
        if found != self.expected:
            raise AssertionError(f"{PROBE}: expected {self.expected}, got {found}")
        return count + 1, [took]

    def one(self, chance):
        pairs = [texts.text(chance) for _ in range(chance.randint(1, 12))]
        given, count = [text or "x" for text, _ in pairs], sum(number for _, number in pairs)
        kind = chance.choice(("list", "list", "list", "html", "alternatives", "gone", "detect", "wrong", "file"))
        self.counts[kind] += 1
        if kind == "list":
            self.translate(given)
        elif kind == "html":
            self.translate(f"<p>{'</p><p>'.join(given)}</p>", format="html")
        elif kind == "alternatives":
            self.translate(given[0], alternatives=3)
            return 1
        elif kind == "detect":
            self.service.post("/detect", json={"q": given[0]})
            return 0
        elif kind == "wrong":
            if self.service.post("/translate", json={"q": given, "source": self.source, "target": "xx"}).status != 400:
                raise AssertionError("a language that is not there: expected 400")
            return 0
        elif kind == "file":
            answer = self.service.post("/translate_file", form={"source": self.source, "target": self.target},
                                       files=[("file", "a.txt", "\n".join(given).encode())])
            if answer.status != 200:
                raise AssertionError(f"expected 200, got {answer}")
        else:
            return self.leave(chance, given)
        return count

    def leave(self, chance, given):
        """A client that goes before its answer comes."""
        import json
        body = json.dumps({"q": given, "source": self.source, "target": self.target}).encode()
        head = f"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        with self.service.socket() as connection:
            connection.sendall(head.encode() + body[:chance.choice((len(body), len(body) // 2))])
            time.sleep(chance.choice((0, 0.005, 0.02)))
        return 0

    def look(self):
        metrics = self.service.get("/metrics").text
        held = re.search(r"^dragoman_device_memory_bytes(?:\{[^}]*\})? (\S+)", metrics, re.M)
        return {**system.look(self.service.pid), "held": int(float(held[1]))}
