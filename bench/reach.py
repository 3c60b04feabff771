#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What run_gpu.sh measured, as Markdown: `report FILE` is one report of `dragoman bench --json`; `goals FOLDER` says of
every goal for a GPU whether the JSON files in a folder show that it is met, or that nothing there measured it.

Files: bench-STEM.json of `dragoman bench`, compare-STEM.json of compare.py, matmul.json of matmul_peer.py. The goals
read bench-base-1-1.json (sentences alone, greedy), compare-few.json (batches of 1 and 32) and compare-many.json (a
large file, sorted and shuffled).
"""
import json
import pathlib
import sys

CTRANSLATE2_RATIO, CEILING_RATIO, HOST_WAITS, CUBLAS_SHARE, ORDER_RATIO = 3.0, 2.0, 1.0, 0.7, 1.05
NOT_MEASURED = "not measured"


def read(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def report(r):
    throughput, latency, memory, ceilings, profile = (
        r[part] for part in ("throughput", "latency", "memory", "ceilings", "profile"))
    counters = throughput["counters"]
    lines = [f"{r['device']['name']}, {r['device']['driver']}; {r['model']['compute_type']}, beam "
             f"{r['options']['beam_size']}, {counters['sentences']} sentences in {counters['batches']} batches, "
             f"{counters['target_tokens']} target tokens.", "",
             "| | |", "|---|---:|",
             f"| target tokens per second | {throughput['target_tokens_per_second']:.0f} |",
             f"| sentences per second | {throughput['sentences_per_second']:.1f} |",
             f"| seconds, median (least to most) | {throughput['seconds']['median']:.4f} "
             f"({throughput['seconds']['min']:.4f} to {throughput['seconds']['max']:.4f}) |",
             f"| first translation from the start, seconds | {r['first_translation']['seconds']:.3f} |",
             f"| dispatches per step | {counters['dispatches_per_step']} |",
             f"| MiB on the device, at most | {memory['device_peak_bytes'] / 2**20:.0f} |"]
    if latency:
        lines.append(f"| one alone, milliseconds: 50, 90, 99 % | {1e3 * latency['p50_seconds']:.2f}, "
                     f"{1e3 * latency['p90_seconds']:.2f}, {1e3 * latency['p99_seconds']:.2f} |")
        lines.append(f"| one alone, host waits | {latency['counters']['host_waits_per_sentence']:.2f} |")
    if ceilings:
        lines.append(f"| ceilings: copy GB/s, product GFLOP/s, dispatch µs, submission and wait µs "
                     f"| {1e-9 * ceilings['copy_bytes_per_second']:.0f}, "
                     f"{1e-9 * ceilings['matmul_flops_per_second']:.0f}, {1e6 * ceilings['dispatch_seconds']:.2f}, "
                     f"{1e6 * ceilings['submit_wait_seconds']:.0f} |")
    if profile:
        lines += ["", "| pass | ms | share | dispatches | GFLOP/s | GB/s | of the ceiling |",
                  "|---|---:|---:|---:|---:|---:|---:|"]
        for p in profile["passes"]:
            ceiling = f"{p['of_ceiling']:.0%}, {p['bound']}" if "of_ceiling" in p else ""
            lines.append(f"| {p['name']} | {1e3 * p['seconds']['median']:.3f} | {p['share']:.1%} | {p['dispatches']} "
                         f"| {1e-9 * p['flops_per_second']:.1f} | {1e-9 * p['bytes_per_second']:.1f} | {ceiling} |")
        lines.append(f"| together | {1e3 * profile['passes_seconds']:.3f} | | | | | "
                     + (f"{profile['of_ceiling']:.0%}" if "of_ceiling" in profile else "") + " |")
    return lines


class Goals:
    def __init__(self):
        self.lines = ["| goal | measured | wanted | met |", "|---|---:|---:|---|"]

    def add(self, what, value, wanted=None, least=True, digits=2):
        """`least`: the wanted value is the least that will do; else the most."""
        limit = "" if wanted is None else f"{'≥' if least else '≤'} {wanted:g}"
        if value is None:
            self.lines.append(f"| {what} | {NOT_MEASURED} | {limit} | |")
            return
        met = "" if wanted is None else "yes" if (value >= wanted if least else value <= wanted) else "**no**"
        self.lines.append(f"| {what} | {value:.{digits}f} | {limit} | {met} |")


def ratio(results, peer, **work):
    for result in results or []:
        if all(result[name] == value for name, value in work.items()):
            found = result["peers"].get(peer, {})
            return found.get("ratio")
    return None


def device_against_ceilings(r):
    """GPU time of a run of single sentences over what its bytes and dispatches must take."""
    if not r or not r["profile"] or not r["ceilings"]:
        return None
    passes, ceilings = r["profile"]["passes"], r["ceilings"]
    least = sum(p["bytes"] for p in passes) / ceilings["copy_bytes_per_second"]
    least += sum(p["dispatches"] for p in passes) * ceilings["dispatch_seconds"]
    return r["profile"]["passes_seconds"] / least


def goals(folder):
    few, many, matmul = (read(folder / name) for name in ("compare-few.json", "compare-many.json", "matmul.json"))
    alone = read(folder / "bench-base-1-1.json")
    table = Goals()
    for beam, name in ((1, "greedy"), (4, "beam 4")):
        table.add(f"tokens/s, base shape, {name}, batch 32: times CTranslate2's",
                  ratio(few, "ctranslate2", batch=32, beam=beam), CTRANSLATE2_RATIO)
    count = many[0]["sentences"] if many else 3000
    for beam, name in ((1, "greedy"), (4, "beam 4")):
        table.add(f"tokens/s, base shape, {name}, {count} sentences: times CTranslate2's",
                  ratio(many, "ctranslate2", order="shuffled", beam=beam), CTRANSLATE2_RATIO)
    table.add("one sentence, greedy: host waits",
              alone["latency"]["counters"]["host_waits_per_sentence"] if alone and alone["latency"] else None,
              HOST_WAITS, least=False)
    table.add("one sentence, greedy: GPU time / (bytes / bandwidth + dispatches x replay)",
              device_against_ceilings(alone), CEILING_RATIO, least=False)
    for product in matmul or [{"shape": "", "gflops": None}]:
        share = product["gflops"] and product["gflops"] / product["peer_gflops"]
        what = f" {product['shape']} {product['type']}, {product['kernel']}" if product["shape"] else ""
        table.add(f"encoder matmul{what}: rate / {product.get('peer', 'cuBLAS')}'s", share,
                  CUBLAS_SHARE)
    for beam, name in ((1, "greedy"), (4, "beam 4")):
        seconds = {r["order"]: r["median_seconds"] for r in many or [] if r["beam"] == beam}
        order_ratio = seconds["shuffled"] / seconds["sorted"] if len(seconds) == 2 else None
        table.add(f"{count} sentences, {name}: time shuffled / time sorted", order_ratio, ORDER_RATIO, least=False,
                  digits=3)
    for peer in ("ctranslate2", "transformers", "transformers-compiled"):
        for beam, name in ((1, "greedy"), (4, "beam 4")):
            for batch in (1, 32):
                if peer != "ctranslate2" or batch == 1:
                    table.add(f"tokens/s, base shape, {name}, batch {batch}: times {peer}'s",
                              ratio(few, peer, batch=batch, beam=beam))
    devices = {f"{r['device']}, {r['driver']}; peers on {peer['device']}" for r in few or []
               for peer in r["peers"].values() if "skipped" not in peer}
    return table.lines + [""] + sorted(devices)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("report", "goals"):
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "goals":
        print("\n".join(goals(path)))
        return
    found = read(path)
    if found is None:
        sys.exit(f"{path}: no report of dragoman bench")
    print("\n".join(report(found)))


if __name__ == "__main__":
    main()
