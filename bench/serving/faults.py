# SPDX-License-Identifier: Apache-2.0
"""What clients and operators do to it: pipelining, more than fits, going away, killing it."""
import asyncio
import itertools
import json
import random
import time

from serving import texts
from serving.load import Watched, closed_loop, milliseconds
from serving.wire import Connection, once, request, translation, upload


def pipelined(settings):
    lines = texts.sentences()[:5]
    with settings.service() as service:
        async def five():
            connection = await Connection.open(service.url)
            futures = [asyncio.get_running_loop().create_future() for _ in lines]
            connection.waiting.extend(futures)
            connection.transport.write(b"".join(map(translation, lines)))  # in one packet
            return [answer.json["translatedText"] for answer in await asyncio.wait_for(asyncio.gather(*futures), 60)]

        async def one_by_one():
            return [(await once(service.url, translation(line))).json["translatedText"] for line in lines]
        together, alone = asyncio.run(five()), asyncio.run(one_by_one())
    return {"answers": len(together), "in_order": together == alone, "goal": "5 answers in the order of the requests",
            "met": together == alone and len(set(together)) == 5}


def beyond_the_queue(settings):
    """1,000 clients at once where 100 translations may wait. Those turned away must be told so at once."""
    with settings.service("--max-waiting", "100") as service:
        watched = Watched(service.pid)
        asyncio.run(closed_loop(service.url, texts.different(), clients=16, seconds=1, settle=3))
        before = watched.mb()

        async def rush():
            source = itertools.islice(texts.different(), 1500, None)
            async def client(connection):
                begin = time.perf_counter()
                answer = await connection.send(translation(next(source)))
                return answer, time.perf_counter() - begin
            results = []
            # Waves of 200, so that the times are those of the service and not of its accept queue; each opened when it
            # comes, since a slow machine needs longer for those before than a connection may be idle.
            for _ in range(5):
                batch = [await Connection.open(service.url) for _ in range(200)]
                results += await asyncio.gather(*map(client, batch))
                for each in batch:
                    each.close()
            return results
        results = asyncio.run(rush())
        peak, after = watched.mb("VmHWM"), watched.mb()
    refused = [(answer, taken) for answer, taken in results if answer.status in (429, 503)]
    served = [answer for answer, _ in results if answer.status == 200]
    times = milliseconds([taken for _, taken in refused])
    said = sum(bool(answer.header("Retry-After")) for answer, _ in refused)
    return {"requests": len(results), "served": len(served), "refused": len(refused), "with_retry_after": said,
            "refused_within": times, "others": sorted({a.status for a, _ in results} - {200, 429, 503}),
            "rss_mb": {"before": before, "peak": peak, "after": after},
            "goal": "all served or refused, each refusal with Retry-After, half of them within 50 ms",
            "met": bool(refused) and said == len(refused) and len(served) + len(refused) == len(results) and
            times["p50_ms"] <= 50}


async def metrics(url):
    lines = (await once(url, request("GET", "/metrics"))).body.decode().splitlines()
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines if line and line[0] != "#"}


def cancelled(settings):
    """400 clients that ask for 50 sentences each and go away within 0.3 s, at any point of request and answer."""
    draw = random.Random(7)
    with settings.service("--metrics") as service:
        watched = Watched(service.pid)
        asyncio.run(closed_loop(service.url, texts.different(), clients=32, seconds=1, settle=3))

        async def flee():
            source = itertools.islice(texts.different(), 1500, None)
            before = await metrics(service.url)

            async def client():
                connection = await Connection.open(service.url)
                data = translation(list(itertools.islice(source, 50)))
                if draw.random() < 0.3:  # in the middle of the request
                    connection.transport.write(data[:draw.randrange(1, len(data))])
                else:
                    connection.transport.write(data)
                await asyncio.sleep(draw.random() * 0.3)
                connection.close()
            for _ in range(20):
                await asyncio.gather(*(client() for _ in range(20)))
            gone, cpu = time.perf_counter(), watched.cpu()
            idle = None
            while time.perf_counter() - gone < 60:
                await asyncio.sleep(0.5)
                now = watched.cpu()
                if now - cpu < 0.05:
                    idle = time.perf_counter() - gone - 0.5
                    break
                cpu = now
            await asyncio.sleep(1)
            after = await metrics(service.url)
            alone = await once(service.url, translation("She is wearing a hat."))
            return before, after, idle, alone.json["translatedText"]
        before, after, idle, alone = asyncio.run(flee())
        changed = {name: value - before.get(name, 0) for name, value in after.items()
                   if value != before.get(name, 0) and any(word in name for word in ("sentence", "cancel", "waiting", "token"))}
        waiting = {name: value for name, value in after.items() if "waiting" in name}
    return {"clients": 400, "sentences_asked": 400 * 50, "idle_after_s": idle and round(idle, 1), "changed": changed,
            "waiting": waiting, "next_answer": alone, "goal": "nothing is at work 3 s after the last client went",
            "met": idle is not None and idle <= 3 and not any(waiting.values())}


def killed(settings):
    """A subtitle file of 600 lines; the service is killed in the middle of it and started again."""
    content = texts.subtitles(list(itertools.islice(texts.different(), 1500, 2100)))
    with settings.service() as service:
        def ask(data):
            return asyncio.run(once(service.url, data, 120))

        def job_of(document):
            return ask(request("GET", f"/v1/jobs/{document}")).json

        def add():
            answer = ask(upload("/v1/documents", "film.srt", content, {"from": "en", "to": "de"}))
            if answer.status not in (200, 201, 202):
                raise RuntimeError(f"/v1/documents: {answer.status} {answer.body[:200]}")
            return answer.json["id"]

        def until(document, holds, limit=300):
            begin = time.perf_counter()
            while time.perf_counter() - begin < limit:
                job = job_of(document)
                if holds(job, time.perf_counter() - begin) or job.get("state") not in ("queued", "translating"):
                    return job, round(time.perf_counter() - begin, 1)
                time.sleep(0.1)
            raise RuntimeError(f"nothing came of it in {limit} s: {job}")

        def result(document):
            return ask(request("GET", f"/v1/jobs/{document}/result")).body
        first = add()
        before, seconds_before = until(first, lambda job, taken: taken > 5 and job.get("seconds_remaining", 1000) <= taken)
        service.kill()
        service.start()
        began = job_of(first)
        after, seconds_after = until(first, lambda *_: False)
        again = add()
        until(again, lambda *_: False)
        went_on, straight = result(first), result(again)
    same = went_on == straight and len(went_on) > len(content) / 2 and after["state"] == "done"
    return {"killed_at": [before["state"], before["done"], before["total"]],
            "after_restart": [began["state"], began["done"], began["total"]], "end": after["state"],
            "seconds_before": seconds_before, "seconds_after": seconds_after, "bytes": len(went_on),
            "goal": "the document goes on, quicker than from the start, and is the same as one that was never interrupted",
            "met": same and before["state"] == "translating" and seconds_after < seconds_before * 1.5}
