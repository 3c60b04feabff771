# SPDX-License-Identifier: Apache-2.0
"""A simulation of workers that share a corpus: what is cut into parts of which size, who takes which part, and how long
the last worker works while others have nothing left.

The corpus has files of equal rows. A file is of one source, and sources differ in how long their rows are; so do the
rows of a source. Workers differ a little in speed, some are slow, and some are lost: after a while, another worker (or
the same one, started again) goes on from the part's last checkpoint."""
import heapq
import math
import random
from collections import namedtuple

Part = namedtuple("Part", "tokens known")   # what it takes, and what its size in bytes lets expect
Workers = namedtuple("Workers", "speeds mean_life restart noticed")     # tokens a second of each; seconds
Run = namedtuple("Run", "seconds ideal lost")

POLICIES = ("files, fixed", "rows, fixed", "bytes, fixed", "bytes, fixed, LPT", "bytes, stolen, LPT", "bytes, tasks",
            "files, pulled", "rows, pulled", "bytes, pulled", "bytes, pulled, longest first")
FILES_PER_WORKER = 10
# Of the machines: all of one speed; some slow; and others taken away, too.
CONDITIONS = ("alike", "some slow", "and some lost")


def mean_tokens(figures, kind):
    variance = figures[f"length.{kind}.within"] ** 2 + figures[f"length.{kind}.between"] ** 2
    return math.exp(figures[f"length.{kind}.mean"] + variance / 2)


def corpus(figures, kind, tokens, files, chance):
    """(tokens, rows, known share of tokens) of each file."""
    between, within = figures[f"length.{kind}.between"], figures[f"length.{kind}.within"]
    rows = tokens / files / mean_tokens(figures, kind)
    spread = math.sqrt(math.exp(within ** 2) - 1) / math.sqrt(rows)     # sums of so many rows are normal
    found = []
    for _ in range(files):
        scale = chance.lognormvariate(-between ** 2 / 2, between)
        found.append((tokens / files * scale * max(0.1, 1 + spread * chance.gauss(0, 1)), rows,
                      chance.lognormvariate(0, figures["length.bytes_error"])))
    total = math.fsum(size for size, _, _ in found)
    return [(size * tokens / total, rows, known) for size, rows, known in found]


def cut(figures, kind, found, unit, part_tokens, chance):
    """Parts in the order of the files. Those by rows have the rows that part_tokens are in the mean."""
    parts, cv = [], math.sqrt(math.exp(figures[f"length.{kind}.within"] ** 2) - 1)
    for size, rows, known in found:
        of_bytes = size * known
        count = {"files": 1, "rows": max(1, round(rows * mean_tokens(figures, kind) / part_tokens)),
                 "bytes": max(1, math.ceil(of_bytes / part_tokens))}[unit]
        noise = cv / math.sqrt(max(1.0, rows / count)) if unit == "rows" else 0.0
        sizes = [1 + noise * chance.gauss(0, 1) for _ in range(count)]
        if unit == "bytes":     # all but a file's last part are full
            sizes = [part_tokens] * (count - 1) + [of_bytes - part_tokens * (count - 1)]
        whole = math.fsum(sizes)
        parts += [Part(size * part / whole, of_bytes * part / whole) for part in sizes]
    return parts


def deal(parts, count, longest_first):
    """The parts of each worker, without a word between them: every count-th, or by weight (LPT)."""
    if not longest_first:
        return [parts[i::count] for i in range(count)]
    hands, heap = [[] for _ in range(count)], [(0.0, i) for i in range(count)]
    for part in sorted(parts, key=lambda p: -p.known):
        load, i = heapq.heappop(heap)
        hands[i].append(part)
        heapq.heappush(heap, (load + part.known, i))
    return hands


class Lives:
    """When each worker is lost."""

    def __init__(self, workers, chance):
        self.mean, self.chance = workers.mean_life, chance
        self.ends = [self.after(0.0) for _ in workers.speeds]

    def after(self, now):
        return now + self.chance.expovariate(1 / self.mean) if math.isfinite(self.mean) else math.inf

    def end(self, worker, now):
        while self.ends[worker] < now:      # it was lost while it had nothing to do
            self.ends[worker] = self.after(self.ends[worker])
        return self.ends[worker]


def kept(tokens, done, checkpoint):
    """What is left of a part of which so much was done."""
    return tokens - min(tokens, done // checkpoint * checkpoint)


def fixed(hands, workers, overhead, checkpoint, chance):
    lives, last, lost = Lives(workers, chance), 0.0, 0.0
    for worker, (hand, speed) in enumerate(zip(hands, workers.speeds)):
        now = 0.0
        for part in hand:
            left = part.tokens
            while (end := lives.end(worker, now)) < now + overhead + left / speed:
                done = max(0.0, end - now - overhead) * speed
                after = kept(left, done, checkpoint)
                lost += done - (left - after)
                left, now = after, end + workers.restart
            now += overhead + left / speed
        last = max(last, now)
    return last, lost


def stolen(hands, workers, overhead, checkpoint, chance):
    """As fixed, but who has nothing left takes the largest part that another has not begun. Hands are the largest first."""
    lives, lost, last = Lives(workers, chance), 0.0, 0.0
    hands = [list(reversed(hand)) for hand in hands]
    begun = [None] * len(hands)     # what is left of the part that a worker was lost with
    free = [(0.0, worker) for worker in range(len(workers.speeds))]
    heapq.heapify(free)
    largest = [(-hand[-1].known, owner) for owner, hand in enumerate(hands) if hand]
    heapq.heapify(largest)
    while free:
        now, worker = heapq.heappop(free)
        if begun[worker] is not None:
            left, begun[worker] = begun[worker], None
        elif hands[worker]:
            left = hands[worker].pop().tokens
        else:
            while largest and not (hands[largest[0][1]] and -largest[0][0] == hands[largest[0][1]][-1].known):
                _, owner = heapq.heappop(largest)       # its owner, or another, has begun that part
                if hands[owner]:
                    heapq.heappush(largest, (-hands[owner][-1].known, owner))
            if not largest:
                continue
            left = hands[largest[0][1]].pop().tokens
        speed, end = workers.speeds[worker], lives.end(worker, now)
        if end < now + overhead + left / speed:
            done = max(0.0, end - now - overhead) * speed
            begun[worker] = kept(left, done, checkpoint)
            lost += done - (left - begun[worker])
            heapq.heappush(free, (end + workers.restart, worker))
        else:
            now += overhead + left / speed
            last = max(last, now)
            heapq.heappush(free, (now, worker))
    return last, lost


def pulled(parts, workers, overhead, checkpoint, chance):
    lives, lost, last = Lives(workers, chance), 0.0, 0.0
    waiting, returned = list(reversed(parts)), []
    free = [(0.0, worker) for worker in range(len(workers.speeds))]
    heapq.heapify(free)
    while waiting or returned:
        now, worker = heapq.heappop(free)
        if returned and returned[0][0] <= now:
            left = heapq.heappop(returned)[1]
        elif waiting:
            left = waiting.pop().tokens
        else:
            heapq.heappush(free, (returned[0][0], worker))
            continue
        speed, end = workers.speeds[worker], lives.end(worker, now)
        if end < now + overhead + left / speed:
            done = max(0.0, end - now - overhead) * speed
            after = kept(left, done, checkpoint)
            lost += done - (left - after)
            heapq.heappush(returned, (end + workers.noticed, after))
            heapq.heappush(free, (end + workers.restart, worker))
        else:
            now += overhead + left / speed
            last = max(last, now)
            heapq.heappush(free, (now, worker))
    return last, lost


def make_workers(figures, count, tokens_per_second, condition, chance):
    slow = 0 if condition == "alike" else max(1, round(figures["machines.slow_share"] * count))
    speeds = [figures["machines.slow_speed"] if i < slow else chance.gauss(1, figures["machines.spread"])
              for i in range(count)]
    chance.shuffle(speeds)
    life = 86400 / figures["failures.spot_per_gpu_day"] if condition == CONDITIONS[-1] else math.inf
    restart = figures["failures.noticed"] + start(figures)
    return Workers([tokens_per_second * s for s in speeds], life, restart, figures["failures.noticed"])


def start(figures):
    """Seconds from asking for a process to its first sentence, on a node that has the model and its pipelines."""
    return math.fsum(figures[f"start.{name}"] for name in ("scheduler", "python", "pyarrow", "load"))


def part_overhead(figures, gpu, overlapped):
    """Seconds of a part beside its tokens: its file is made safe, and the longest of its last sentences ends alone
    where the next part has not begun."""
    more = figures["length.training.longest"] - mean_tokens(figures, "training")
    return figures["part.commit"] + (0.0 if overlapped else more * figures[f"{gpu}.step_alone"])


def simulate(figures, policy, *, kind, tokens, parts_per_worker, count, tokens_per_second, overhead, condition,
             seed=1):
    """tokens: of all rows. overhead: seconds of a part beside its tokens."""
    unit, way, *more = policy.split(", ")
    chance = random.Random(f"{seed} {kind} {condition}")
    found = corpus(figures, kind, tokens, FILES_PER_WORKER * count, chance)
    workers = make_workers(figures, count, tokens_per_second, condition, chance)
    parts = cut(figures, kind, found, unit, tokens / count / parts_per_worker, chance)
    checkpoint = figures["part.checkpoint_rows"] * mean_tokens(figures, kind)
    if way in ("fixed", "stolen"):
        run = fixed if way == "fixed" else stolen
        seconds, lost = run(deal(parts, count, bool(more)), workers, overhead, checkpoint, chance)
    else:
        if more:
            parts.sort(key=lambda p: -p.known)
        if way == "tasks":      # of a scheduler, each a process of its own
            overhead += start(figures)
        seconds, lost = pulled(parts, workers, overhead, checkpoint, chance)
    return Run(seconds, tokens / math.fsum(workers.speeds), lost)


def beyond(figures, policy, seeds=2, **options):
    """The time beyond the ideal as a share of it, the mean over seeds."""
    runs = [simulate(figures, policy, seed=seed, **options) for seed in range(1, seeds + 1)]
    return math.fsum(run.seconds / run.ideal - 1 for run in runs) / seeds


def table(figures, parts_per_worker, policies=POLICIES, conditions=CONDITIONS, **options):
    """(policy, parts for each worker, or None where the files say how many) -> the time beyond for each condition."""
    return {(policy, None if policy.startswith("files") else n): [
                beyond(figures, policy, parts_per_worker=n, condition=condition, **options) for condition in conditions]
            for policy in policies
            for n in (parts_per_worker[:1] if policy.startswith("files") else parts_per_worker)}


def choice(tables):
    """The policy and the parts for each worker with which the worst of all tables and conditions is least."""
    return min(tables[0], key=lambda key: max(max(found[key]) for found in tables))
