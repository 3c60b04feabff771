# SPDX-License-Identifier: Apache-2.0
"""What a dispatch costs on a device: a model with a few rates for every class of kernels, and how they are found.

A dispatch takes

    its device's cost of a dispatch
    + fixed                        what one workgroup needs however little it has to do: latency of memory, sums
    + groups x per group           launching workgroups, as many as the device takes at a time
    + operations of one workgroup x per operation      what a workgroup waits for, one thing after the other
    + operations / rate of operations
    + bytes / rate of bytes        one rate where the cache holds what a step touches, another where it does not

with the groups, operations and bytes of the recorded list. A class is a kernel's shader, whatever its tile (but
OWN_TILES). The times are those between timestamps around each dispatch: what a list takes beside them (less than
nothing, where they cost more than the barriers that are there anyway) is the device's cost of a dispatch."""
import collections
import re
import json
import pathlib

TERMS = "fixed", "groups", "serial", "flops", "cached", "streamed"
SCALE = dict(fixed=1e-6, groups=1e-6, serial=1e-12, flops=1e-12, cached=1e-12, streamed=1e-12)    # for sums of similar size
DEVICES = pathlib.Path(__file__).resolve().parent / "devices"
# Kernels that stand for another which a measured device has never run.
STANDS_FOR = {"beam_step_huggingface": "beam_step"}
# Kernels that do what two did before; the wait between these falls away.
QUERY = "step_cross_attention_query"
TILE_MATTERS = "topk_merge"     # the number of candidates is in it, and in nothing else in the list
OWN_TILES = "matmul_coopmat"    # few workgroups: what one waits for depends on its tile, where lists show it often enough
ENOUGH = 3


def shader(kernel):
    """The class of "matmul_split(float16,float16) 512 8 32": matmul_split(float16,float16)."""
    if kernel.startswith(TILE_MATTERS):
        return " ".join(kernel.split(" ")[:3])
    name, *constants = kernel.split(" ")
    # A search step whose fourth constant is 1 does what topk_merge does otherwise, with the second and third of it.
    merges = name.startswith("beam_step") and constants[3:4] == ["1"]
    return " ".join([name, "and", TILE_MATTERS, *constants[1:3]]) if merges else name


def both(rates, more, waits=True):
    """Of a kernel that does what two of these rates did; waits: one part for the other as two dispatches do."""
    if not rates or not more:
        return None
    return {term: rates[term] + (more[term] if waits or term != "fixed" else 0.0) for term in TERMS}


def least_squares(rows, values, least=0.0):
    """Factors, none below least, with the least sum of squares of rows x factors - values."""
    n = len(rows[0])
    gram = [[sum(r[i] * r[j] for r in rows) for j in range(n)] for i in range(n)]
    right = [sum(r[i] * v for r, v in zip(rows, values)) for i in range(n)]
    found = [0.0] * n
    for _ in range(20_000):
        for i in range(n):
            if gram[i][i]:
                rest = sum(gram[i][j] * found[j] for j in range(n) if j != i)
                found[i] = max(least, (right[i] - rest) / gram[i][i])
    return found


class List:
    """Dispatches, and what their times depend on."""

    def working_set(self):
        """Bytes that are touched again and again, and that a cache holds or not."""
        raise NotImplementedError

    def terms(self, dispatch, cache_bytes):
        """What the times of TERMS are for, of all runs of a dispatch."""
        cached = self.working_set() <= cache_bytes
        serial = dispatch["count"] * dispatch["flops"] / dispatch["groups"] if dispatch["groups"] else 0.0
        found = dict(fixed=dispatch["count"], groups=dispatch["groups"], serial=serial, flops=dispatch["flops"],
                     cached=dispatch["bytes"] if cached else 0.0, streamed=0.0 if cached else dispatch["bytes"])
        changed = dispatch.get("factors", {})   # of kernels as they might be (step_changes.py)
        return {t: amount * changed.get(t, 1.0) for t, amount in found.items()}


class Recorded(List):
    """A list of dispatches as `bench_translate --dispatches --json` writes it, sums over a whole run."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.json = json.loads(self.path.read_text(encoding="utf-8"))
        if not self.json.get("dispatch_times"):
            raise SystemExit(f"{path}: expected dispatch_times, got a report without --dispatches")
        self.dispatches = [d for d in self.json["dispatch_times"] if d["pass"]]
        self.passes = {p["name"]: p for p in self.json["passes"]}

    def runs(self, part):
        """Times that the encoder's or decoder's list ran."""
        return self.passes[f"{part}/embed"]["count"]

    def working_set(self):
        """Bytes that an encoder's run and a step touch."""
        return sum(d["bytes"] / self.runs(part) for part in ("encoder", "decoder") for d in self.dispatches
                   if d["pass"].startswith(part + "/"))


class Device:
    """A table of devices/: rates of its own, or those of the device it is compared with."""

    def __init__(self, table):
        self.table = table
        self.name = table["name"]
        base = Device.named(table["like"]).table if "like" in table else table
        self.dispatch = table.get("dispatch_seconds", base["dispatch_seconds"]) + table.get("more_dispatch_seconds", 0.0)
        self.mark = table.get("timestamp_seconds", 0.0)
        self.cache = table["cache_bytes"]
        self.wait = table["submit_wait_seconds"]
        self.classes = base["classes"]
        if base is not table:
            scale = self.ratios(table["figures"], base["figures"])
            most = 1 / table["figures"]["matrix_flops_per_second"]
            self.classes = {name: self.scaled(name, rates, scale, most) for name, rates in base["classes"].items()}
            self.classes |= table.get("classes", {})

    @classmethod
    def named(cls, name):
        path = pathlib.Path(name)
        return cls(json.loads((path if path.suffix == ".json" else DEVICES / f"{name}.json").read_text("utf-8")))

    @staticmethod
    def scaled(name, rates, scale, most):
        found = {term: seconds * scale[term] for term, seconds in rates.items()}
        if "coopmat" in name and rates["flops"]:
            # They use a fraction of what an H100's matrices can do: what limits them is the rest of a multiprocessor.
            found["flops"] = max(found["flops"], most)
        return found

    @staticmethod
    def ratios(own, base):
        """How much longer than on the other device each part takes."""
        latency = own["latency_seconds"] / base["latency_seconds"]
        lanes = base["vector_flops_per_second"] / own["vector_flops_per_second"]    # times their clock
        return dict(fixed=latency, serial=latency, groups=lanes, flops=lanes,
                    cached=base["cache_bytes_per_second"] / own["cache_bytes_per_second"],
                    streamed=base["memory_bytes_per_second"] / own["memory_bytes_per_second"])

    def rates(self, kernel):
        name = kernel if kernel in self.classes else shader(kernel)
        if " and " in name and name not in self.classes:
            return both(*map(self.rates, name.split(" and ")))
        if name.startswith(QUERY) and name not in self.classes:
            own, _, weights = name[len(QUERY) + 1:-1].split(",")
            product = self.rates(f"matmul_split({own},{weights},{own})")
            return both(self.rates(f"step_cross_attention({own})"), product, waits=False)
        alike = (c for c in self.classes if c.split(" ")[0] == name.split(" ")[0])
        # How attention sees its buffers (its second type) is younger than some tables.
        viewless = re.sub(r"(attention\w*)\((\w+),\w+\)", r"\1(\2)", name)
        bare = viewless.split("(")[0]
        for candidate in (name, STANDS_FOR.get(name), next(alike, None), viewless, bare):
            if candidate in self.classes:
                return self.classes[candidate]
        return None

    def seconds(self, recorded, dispatch):
        """{term: seconds} of all runs of a dispatch, or None for a kernel that the table does not have."""
        rates = self.rates(dispatch["kernel"])
        if rates is None:
            return None
        parts = {t: amount * rates[t] for t, amount in recorded.terms(dispatch, self.cache).items()}
        return parts | {"dispatch": dispatch["count"] * self.dispatch}


def predict(device, recorded):
    """{pass: {term: seconds}} of a run, and the kernels that are missing."""
    passes, missing = collections.defaultdict(collections.Counter), set()
    for d in recorded.dispatches:
        parts = device.seconds(recorded, d)
        if parts is None:
            missing.add(shader(d["kernel"]))
        else:
            passes[d["pass"]].update(parts)
    return dict(passes), sorted(missing)


def fit_classes(lists, cache_bytes):
    """{class: {term: seconds}} with the least relative errors."""
    rows = collections.defaultdict(list)
    for recorded in lists:
        for d in recorded.dispatches:
            if d["seconds"] > 0:
                terms = recorded.terms(d, cache_bytes)
                names = {shader(d["kernel"])} | ({d["kernel"]} if d["kernel"].startswith(OWN_TILES) else set())
                for name in names:
                    rows[name].append([terms[t] * SCALE[t] / d["seconds"] for t in TERMS])
    classes = {}
    for name, r in sorted(rows.items()):
        if name != shader(name) and len(r) < ENOUGH:
            continue
        found = dict(zip(TERMS, (f * SCALE[t] for f, t in zip(least_squares(r, [1.0] * len(r)), TERMS))))
        # Figures in none of the lists are taken to be like those in the lists.
        for one, other in (("cached", "streamed"), ("streamed", "cached")):
            if not any(row[TERMS.index(one)] for row in r):
                found[one] = found[other]
        classes[name] = found
    return classes


def fit_kernels(device, measured):
    """Rates of single kernels from (a list of one dispatch, seconds, between timestamps or else barriers). So few points
    say little of what they do not touch: no kernel is taken to pass the device's ceilings."""
    ceilings = device.table["ceilings"]
    rows = collections.defaultdict(list)
    for recorded, seconds, timestamps in measured:
        d = recorded.dispatches[0]
        seconds -= 0.0 if timestamps else device.dispatch
        terms = recorded.terms(d, 0.0)      # weights come from memory, as in a step
        rows[shader(d["kernel"])].append([terms[t] * SCALE[t] / seconds for t in TERMS])
    classes = {}
    for name, r in sorted(rows.items()):
        least = [(dict(flops=1 / ceilings["flops_per_second"], streamed=1 / ceilings["bytes_per_second"]).get(t, 0.0)
                  / SCALE[t]) for t in TERMS]
        rest = [1.0 - sum(a * f for a, f in zip(row, least)) for row in r]
        found = [f + more for f, more in zip(least, least_squares(r, rest))]
        classes[name] = {t: float(f"{f * SCALE[t]:.4g}") for t, f in zip(TERMS, found)}
        classes[name]["cached"] = classes[name]["streamed"]
    return classes


def fit_gaps(lists):
    """Seconds beside a dispatch's own, and of a pass's timestamps, from passes as they were measured."""
    rows, values = [], []
    for recorded in lists:
        for name, p in recorded.passes.items():
            own = [d for d in recorded.dispatches if d["pass"] == name]
            count = sum(d["count"] for d in own)
            if count and p["seconds"] > 0:
                rows.append([count / p["seconds"], p["count"] / p["seconds"]])
                values.append((p["seconds"] - sum(d["seconds"] for d in own)) / p["seconds"])
    scaled = least_squares([[a * 1e-6, b * 1e-6] for a, b in rows], values, least=float("-inf"))
    return [x * 1e-6 for x in scaled]


def calibrate(name, paths, cache_bytes, submit_wait):
    lists = [Recorded(p) for p in paths]
    dispatch, mark = fit_gaps(lists)
    return dict(name=name, dispatch_seconds=dispatch, timestamp_seconds=mark, submit_wait_seconds=submit_wait,
                cache_bytes=cache_bytes, classes=fit_classes(lists, cache_bytes))
