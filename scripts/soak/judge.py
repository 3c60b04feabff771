# SPDX-License-Identifier: Apache-2.0
"""Whether the rows of a long run are flat."""
import statistics

WARM = 0.2             # of a run, before anything is judged
MOST_SLOPE = 1.0       # MB in 100,000 sentences
MOST_SLOWER = 1.2      # the last tenth's p99 to the first's
LEAST_ROWS = 10


def slope(points):
    """The median of the slopes between all pairs of points (Theil and Sen): one jump does not make it."""
    slopes = [(y2 - y1) / (x2 - x1) for i, (x1, y1) in enumerate(points) for x2, y2 in points[i + 1:] if x2 != x1]
    return statistics.median(slopes) if slopes else 0.0


def tenth(rows, last):
    count = max(1, len(rows) // 10)
    return rows[-count:] if last else rows[:count]


def judge(rows):
    """Of the longest run without an end in between: processes begin anew with another memory."""
    segments = {}
    for row in rows:
        segments.setdefault(row["segment"], []).append(row)
    if not segments:
        return {"faults": ["there are no rows"]}
    run = max(segments.values(), key=len)
    steady = run[int(len(run) * WARM):]
    faults, found = [], {"sentences": run[-1]["sentences"], "seconds": run[-1]["seconds"], "rows": len(run), "runs": len(segments)}
    if len(steady) < LEAST_ROWS:
        faults.append(f"expected at least {LEAST_ROWS} rows after the first fifth, there are {len(steady)}")
    for name in ("resident", "held", "allocated"):
        if steady and steady[0].get(name) is None:
            continue
        growth = slope([(row["sentences"], row[name]) for row in steady]) * 100_000 / 1e6
        found[f"{name}_mb_per_100000"] = round(growth, 3)
        found[f"{name}_mb"] = [round(row[name] / 1e6, 1) for row in (steady[0], steady[-1])]
        if growth > MOST_SLOPE:
            faults.append(f"{name}: expected at most {MOST_SLOPE} MB in 100,000 sentences, it grows by {growth:.2f}")
    for name in ("files", "threads"):
        first, last = (max(row[name] for row in tenth(steady, end)) for end in (False, True))
        found[name] = [first, last]
        if last > first:
            faults.append(f"{name}: expected at most {first}, as after the first fifth, there are {last}")
    first, last = (statistics.median(row["p99_ms"] for row in tenth(steady, end)) for end in (False, True))
    found["p99_ms"] = [first, last]
    found["load"] = [round(statistics.median(row["load"] for row in tenth(steady, end)), 2) for end in (False, True)]
    if last > MOST_SLOWER * first:
        faults.append(f"p99: expected at most {MOST_SLOWER} times {first} ms, the last tenth has {last} ms")
    found["faults"] = faults
    return found
