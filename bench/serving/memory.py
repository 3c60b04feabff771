# SPDX-License-Identifier: Apache-2.0
"""Memory after many requests of all kinds."""
import asyncio
import itertools
import time

from serving import texts
from serving.load import Watched
from serving.wire import Connection, ask, request, translation


def mixture():
    """Short texts that come again, a new one now and then, lists, markup, detection, lists of languages, mistakes."""
    repeated = itertools.cycle(texts.sentences()[:200])
    new = itertools.islice(texts.different(), 2000, None)
    for i in itertools.count():
        kind = i % 20
        if kind == 0 and i % 200 == 0:
            yield translation(next(new)), 200
        elif kind == 1:
            yield translation([next(repeated) for _ in range(4)]), 200
        elif kind == 2:
            yield translation(f"<p>{next(repeated)}</p>", format="html"), 200
        elif kind in (3, 4):
            yield ask({"q": next(repeated)}, "/detect"), 200
        elif kind == 5:
            yield request("GET", "/languages"), 200
        elif kind == 6:
            yield request("GET", "/health"), 200
        elif kind == 7:
            yield translation(next(repeated), target="zz"), 400
        elif kind == 8:
            yield request("POST", "/translate", b"{"), 400
        elif kind == 9:
            yield request("GET", "/nothing/here"), 404
        else:
            yield translation(next(repeated)), 200


def many_requests(settings):
    with settings.service() as service:
        watched, requests, marks, wrong = Watched(service.pid), mixture(), {}, []
        begin = time.perf_counter()

        async def run():
            done = itertools.count(1)
            marks[0] = watched.mb()

            async def client():
                connection = await Connection.open(service.url)
                for used in itertools.count(1):
                    data, expected = next(requests)
                    answer = await connection.send(data)
                    if answer.status != expected:
                        wrong.append((answer.status, expected, answer.body[:120]))
                    count = next(done)
                    if count % (settings.requests // 10) == 0:
                        marks[count] = watched.mb()
                    if count > settings.requests - 32:
                        break
                    if used % 500 == 0 or b"connection: close" in answer.head.lower():
                        connection.close()
                        connection = await Connection.open(service.url)
                connection.close()
            await asyncio.gather(*(client() for _ in range(32)))
        asyncio.run(run())
        taken = time.perf_counter() - begin
        marks["end"] = watched.mb()
    first = marks[settings.requests // 10]
    growth = marks["end"] - first
    return {"requests": settings.requests, "seconds": round(taken, 1), "requests_per_s": round(settings.requests / taken),
            "rss_mb": marks, "growth_mb": round(growth, 1), "wrong": len(wrong), "examples": [str(each) for each in wrong[:3]],
            "goal": "grows by less than 10 MB from a tenth of the requests to the last one", "met": growth < 10 and not wrong}
