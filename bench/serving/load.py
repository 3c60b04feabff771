# SPDX-License-Identifier: Apache-2.0
"""Load and probes, and what both cost this process."""
import asyncio
import pathlib
import time

from serving.wire import Connection, translation


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


def milliseconds(seconds):
    return {"n": len(seconds), "p50_ms": round(percentile(seconds, 0.5) * 1000, 1),
            "p99_ms": round(percentile(seconds, 0.99) * 1000, 1), "max_ms": round(max(seconds, default=0) * 1000, 1)}


class Watched:
    """Memory and processor time of a process (and its threads) by its id."""

    def __init__(self, pid):
        self.pid = pid

    def mb(self, name="VmRSS"):
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return round(int(line.split()[1]) / 1024, 1)
        raise RuntimeError(f"/proc/{self.pid}/status has no {name}")

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def threads(self):
        return len(list(pathlib.Path(f"/proc/{self.pid}/task").iterdir()))


async def closed_loop(url, texts, clients=64, seconds=60.0, settle=3.0, make=translation, texts_of=1):
    """Clients that each ask again as soon as they are answered. Rates count what is answered after `settle` seconds."""
    begin, used = time.perf_counter(), time.process_time()
    end, latencies, statuses, answered = begin + settle + seconds, [], {}, 0

    async def client():
        nonlocal answered
        connection = await Connection.open(url)
        while (now := time.perf_counter()) < end:
            text = next(texts) if texts_of == 1 else [next(texts) for _ in range(texts_of)]
            answer = await connection.send(make(text))
            done = time.perf_counter()
            answered += answer.status == 200
            if begin + settle <= done < end:
                statuses[answer.status] = statuses.get(answer.status, 0) + 1
                if answer.status == 200:
                    latencies.append(done - now)
        connection.close()
    await asyncio.gather(*(client() for _ in range(clients)))
    taken = time.perf_counter() - begin
    return {"clients": clients, "seconds": seconds, "answered": answered,
            "sentences_per_s": round(len(latencies) * texts_of / seconds, 1), **milliseconds(latencies), "statuses": statuses,
            "generator_cpu": round((time.process_time() - used) / taken, 3)}


async def probe(url, texts, count=200, pause=0.02, watched=None):
    """One client that asks for a short sentence, waits for the answer and a little, and asks again: seconds, and those
    of processors that the service used meanwhile, which are about the same beside other work on the machine."""
    connection, taken = await Connection.open(url), []
    for _ in range(count):
        used, begin = watched.cpu() if watched else 0, time.perf_counter()
        answer = await connection.send(translation(next(texts)))
        if answer.status != 200:
            raise RuntimeError(f"a lone request got {answer.status}: {answer.body[:200]}")
        taken.append((time.perf_counter() - begin, watched.cpu() - used if watched else 0))
        await asyncio.sleep(pause)
    connection.close()
    return taken


def both_times(taken):
    """Of probe()."""
    seconds, used = zip(*taken)
    return {**milliseconds(seconds), "cpu_p50_ms": round(percentile(used, 0.5) * 1000),
            "cpu_p99_ms": round(percentile(used, 0.99) * 1000)}
