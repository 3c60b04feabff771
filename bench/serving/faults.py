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
            connections = [await Connection.open(service.url) for _ in range(1000)]

            async def client(connection):
                begin = time.perf_counter()
                answer = await connection.send(translation(next(source)))
                return answer, time.perf_counter() - begin
            results = []
            for _ in range(5):  # waves of 200, so that the times are those of the service and not of its accept queue
                batch, connections = connections[:200], connections[200:]
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
    """A document of 1,500 sentences; the service is killed in the middle of it and started again."""
    lines = list(itertools.islice(texts.different(), 1500, 3000))
    key = "Authorization: DeepL-Auth-Key none\r\n"
    with settings.service() as service:
        def ask(data, limit=120):
            return asyncio.run(once(service.url, data, limit))

        def post(path, fields):
            return ask(request("POST", path, json.dumps(fields).encode(), headers=key))
        data = upload("/v2/document", "long.txt", ("\n".join(lines) + "\n").encode(), {"source_lang": "EN", "target_lang": "DE"})
        answer = ask(data)
        if answer.status != 200:
            raise RuntimeError(f"/v2/document: {answer.status} {answer.body[:200]}")
        document, secret = answer.json["document_id"], {"document_key": answer.json["document_key"]}
        begin, at_work = time.perf_counter(), {}
        while time.perf_counter() - begin < 4:
            at_work = post(f"/v2/document/{document}", secret).json
            time.sleep(0.2)
        service.kill()
        if at_work["status"] == "done":
            raise RuntimeError("the document was done before the service was killed: make it longer")
        service.start()
        restarted, state = time.perf_counter(), {}
        while time.perf_counter() - restarted < 120:
            state = post(f"/v2/document/{document}", secret).json
            if state.get("status") in ("done", "error", None):
                break
            time.sleep(0.2)
        taken = time.perf_counter() - restarted
        result = post(f"/v2/document/{document}/result", secret)
        got = result.body.decode().splitlines()
        expected = ask(translation(lines[:50])).json["translatedText"] + ask(translation(lines[-50:])).json["translatedText"]
    whole = len(got) == len(lines) and got[:50] + got[-50:] == expected
    return {"before": at_work, "after": state, "seconds_before": 4, "seconds_after_restart": round(taken, 1),
            "lines": len(got), "whole": whole, "goal": "the document goes on and is whole", "met": whole}
