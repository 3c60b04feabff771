# SPDX-License-Identifier: Apache-2.0
"""How fast: many clients beside the tool, a lone request beside large ones, and with thousands of idle connections."""
import asyncio
import contextlib
import itertools
import pathlib
import resource
import subprocess
import tempfile
import time

from serving import texts
from serving.load import Watched, both_times, closed_loop, probe
from serving.wire import Connection, once, request, translation, upload


def tool_rate(tool, lines):
    """Sentences a second of `dragoman translate` on a file, without what it needs to start; and with it. Also for each
    second of processors, which says something while others use them, too."""
    def seconds(content):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "lines"
            source.write_text("\n".join(content) + "\n", encoding="utf-8")
            begin, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([tool, "translate", "--from", "en", "--to", "de", "--input", source, "--output",
                            source.with_suffix(".out")], check=True, stderr=subprocess.DEVNULL)
            now = resource.getrusage(resource.RUSAGE_CHILDREN)
            return time.perf_counter() - begin, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    (start, start_cpu), (whole, whole_cpu) = seconds(lines[:1]), seconds(lines)
    return {"sentences": len(lines), "start_s": round(start, 2), "seconds": round(whole, 2),
            "sentences_per_s": round((len(lines) - 1) / (whole - start), 1), "with_start": round(len(lines) / whole, 1),
            "sentences_per_cpu_s": round((len(lines) - 1) / (whole_cpu - start_cpu), 1)}


def many_clients(settings):
    """The tool and the service in turns: what else runs on the machine is about the same for both."""
    source = itertools.islice(texts.different(), 1500, None)
    tool, served = [], []
    with settings.service() as service:
        watched = Watched(service.pid)
        asyncio.run(closed_loop(service.url, texts.different(), seconds=1, settle=3))  # kernels of all shapes
        memory = watched.mb()
        for _ in range(settings.rounds):
            tool.append(tool_rate(settings.tool, list(itertools.islice(source, settings.lines))))
            cpu, begin = watched.cpu(), time.perf_counter()
            one = asyncio.run(closed_loop(service.url, source, seconds=settings.seconds / settings.rounds))
            used, taken = watched.cpu() - cpu, time.perf_counter() - begin
            served.append({**one, "service_cpu": round(used / taken, 2),
                           "sentences_per_cpu_s": round(one["answered"] / used, 1)})
        memory = {"before": memory, "after": watched.mb(), "peak": watched.mb("VmHWM")}

    def share_of(name):
        return sum(each[name] for each in served) / sum(each[name] for each in tool)
    share = share_of("sentences_per_s")
    return {"tool": tool, "service": served, "rss_mb": memory, "share": round(share, 3),
            "share_per_cpu_s": round(share_of("sentences_per_cpu_s"), 3),
            "goal": "at least 0.9 of the tool's sentences a second", "met": share >= 0.9}


@contextlib.asynccontextmanager
async def large_requests(url, source):
    """Two subtitle files and a document at work, and others when they are done."""
    async def subtitles():
        while True:
            answer = await once(url, translation(list(itertools.islice(source, 800))), 600)
            if answer.status != 200:
                raise RuntimeError(f"a subtitle file got {answer.status}: {answer.body[:200]}")

    async def document():
        while True:
            content = texts.word_document(list(itertools.islice(source, 800)))
            answer = await once(url, upload("/translate_file", "report.docx", content, {"source": "en", "target": "de"}), 600)
            if answer.status != 200:
                raise RuntimeError(f"a document got {answer.status}: {answer.body[:200]}")
    tasks = [asyncio.create_task(each()) for each in (subtitles, subtitles, document)]
    await asyncio.sleep(0.5)
    try:
        yield
        for each in tasks:
            if each.done():
                each.result()
    finally:
        for each in tasks:
            each.cancel()


def short_beside_long(settings):
    """In turns, too. The 99th of a hundred is that of all turns together. What is asked while large requests come in is
    told apart: the first one of each turn."""
    short, source = texts.short(), itertools.islice(texts.different(), 5000, None)
    count = settings.probes // settings.rounds
    with settings.service() as service:
        watched = Watched(service.pid)

        async def measure():
            await closed_loop(service.url, texts.different(), seconds=1, settle=3)
            alone, arriving, beside = [], [], []
            for _ in range(settings.rounds):
                alone += await probe(service.url, short, count, watched=watched)
                async with large_requests(service.url, source):
                    arriving += await probe(service.url, short, 1, watched=watched)
                    beside += await probe(service.url, short, count, watched=watched)
                await asyncio.sleep(3)  # what was at work is cancelled
            return map(both_times, (alone, arriving, beside))
        alone, arriving, beside = asyncio.run(measure())
    times = {f"{name}_times": round(beside[f"{name}_ms"] / alone[f"{name}_ms"], 2)
             for name in ("p50", "p99", "cpu_p50", "cpu_p99")}
    return {"alone": alone, "while_two_subtitle_files_and_a_document_arrive": arriving, "beside_them": beside, **times,
            "goal": "p99 at most 5 times its own alone", "met": times["p99_times"] <= 5}


async def idle_connections(url, count):
    made = []
    for begin in range(0, count, 100):
        made += await asyncio.gather(*(Connection.open(url) for _ in range(min(100, count - begin))))
        answers = await asyncio.gather(*(each.send(request("GET", "/health")) for each in made[begin:]))
        if any(answer.status != 200 for answer in answers):
            raise RuntimeError("a connection was not served")
    return made


async def slow_sender(url, stop):
    connection = await Connection.open(url)
    connection.transport.write(b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                               b"Content-Length: 4000\r\n\r\n")
    while not stop.is_set() and not connection.lost:
        connection.transport.write(b" ")
        await asyncio.sleep(1)
    connection.close()


def crowded(settings):
    """Without, with and without them: what else the machine does changes less than it would from run to run."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))  # this process has as many as the service
    source = itertools.islice(texts.different(), 1500, None)
    with settings.service() as service:
        watched = Watched(service.pid)

        async def loop(seconds=20):
            cpu = watched.cpu()
            result = await closed_loop(service.url, source, seconds=seconds)
            result["sentences_per_cpu_s"] = round(result["answered"] / (watched.cpu() - cpu), 1)
            return result
        asyncio.run(loop(5))
        plain, before = [asyncio.run(loop())], watched.mb()

        async def beside():
            stop = asyncio.Event()
            idle = await idle_connections(service.url, settings.idle)
            memory = watched.mb()
            slow = [asyncio.create_task(slow_sender(service.url, stop)) for _ in range(64)]
            result = await loop()
            alive = sum(not each.lost for each in idle)
            stop.set()
            await asyncio.gather(*slow)
            for each in idle:
                each.close()
            return {**result, "idle_alive": alive, "rss_mb": {"before": before, "with_idle": memory, "after": watched.mb()}}
        loaded = asyncio.run(beside())
        plain.append(asyncio.run(loop()))

    def share_of(name):
        return loaded[name] * len(plain) / sum(each[name] for each in plain)
    share = share_of("sentences_per_s")
    return {"without": plain, "with_idle_and_slow": loaded, "idle": settings.idle, "slow": 64, "share": round(share, 3),
            "share_per_cpu_s": round(share_of("sentences_per_cpu_s"), 3),
            "goal": "the rate is the same (0.95 or more), all idle connections live",
            "met": share >= 0.95 and loaded["idle_alive"] == settings.idle}
