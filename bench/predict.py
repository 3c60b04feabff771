#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Predicts how long the passes of a translation take on a device, from a recorded list of dispatches, and prints it
beside what was measured where the list comes from.

    build/release/bench/bench_translate --model MODEL --synthetic 8 --beam 4 --dispatches --json list.json
    bench/predict.py list.json --device lavapipe                      # a table of devices/, or a file
    bench/predict.py list.json --device rtx-4090 --no-measured        # another device than the list's
    bench/predict.py --calibrate "my GPU" --out my-gpu.json a.json b.json    # rates from lists measured there
    bench/predict.py --kernels devices/h100_kernels.tsv --device h100 --out devices/h100.json    # of single kernels

step_model.py says what the model is; README.md how good."""
import argparse
import json
import pathlib

from made_list import Made, measured_kernels
from step_model import OWN_TILES, Device, Recorded, calibrate, fit_kernels, predict


def parse():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("lists", nargs="*", type=pathlib.Path, help="of bench_translate --dispatches --json")
    p.add_argument("--device", default="lavapipe", help="name of a table in devices/, or a file (default: lavapipe)")
    p.add_argument("--no-measured", action="store_true", help="the list was recorded on another device")
    p.add_argument("--json", action="store_true")
    p.add_argument("--calibrate", metavar="NAME", help="find the rates of the device that the lists come from")
    p.add_argument("--kernels", type=pathlib.Path, help="find the rates of the kernels that were measured one by one")
    p.add_argument("--out", type=pathlib.Path, help="of --calibrate and --kernels: the table to write")
    p.add_argument("--cache-bytes", type=float, default=64e6,
                   help="of --calibrate: lists that touch more take their weights from memory (default: %(default).0f)")
    p.add_argument("--submit-wait", type=float, default=40e-6, metavar="SECONDS",
                   help="of --calibrate: a submission and its wait, as dragoman bench reports it")
    options = p.parse_args()
    if (options.calibrate or options.kernels) and not options.out:
        p.error("--calibrate and --kernels need --out")
    if not options.lists and not options.kernels:
        p.error("no lists")
    return options


def rows_of(device, recorded, measured):
    """One row for every pass of the list, the longest first."""
    passes, missing = predict(device, recorded)
    rows = []
    for name, parts in passes.items():
        times = recorded.passes[name]
        # A pass that was measured has its timestamps in it.
        seconds = sum(parts.values()) + (times["count"] * device.mark if measured else 0.0)
        rows.append(dict(name=name, seconds=seconds, count=times["count"], mostly=max(parts, key=parts.get),
                         measured=times["seconds"] if measured else None))
    return sorted(rows, key=lambda r: -(r["measured"] or r["seconds"])), missing


def summary(device, recorded, rows, measured):
    """Seconds of an encoder's run, a step and a sentence."""
    run, marks = recorded.json, sum(r["count"] for r in rows) * device.mark if measured else 0.0
    part = {p: sum(r["seconds"] for r in rows if r["name"].startswith(p)) / recorded.runs(p)
            for p in ("encoder", "decoder")}
    total = sum(r["seconds"] for r in rows) - marks + run["host_waits"] * device.wait
    found = dict(encoder_seconds=part["encoder"], step_seconds=part["decoder"],
                 sentence_seconds=total / run["sentences"], tokens_per_second=run["target_tokens"] / total)
    if measured:
        for name, p in (("encoder_seconds", "encoder"), ("step_seconds", "decoder")):
            of_part = sum(r["measured"] for r in rows if r["name"].startswith(p)) / recorded.runs(p)
            found["measured_" + name] = of_part
        found["measured_sentence_seconds"] = run["median_seconds"] / run["sentences"]
    return found


def report(device, recorded, measured):
    rows, missing = rows_of(device, recorded, measured)
    total = sum(r["measured"] or r["seconds"] for r in rows)
    for r in rows:
        r["share"] = (r["measured"] or r["seconds"]) / total
        r["ratio"] = r["seconds"] / r["measured"] if r["measured"] else None
    return dict(list=recorded.path.stem, device=device.name, missing=missing, passes=rows,
                **summary(device, recorded, rows, measured))


def with_kernels(device, path):
    """The device's table with rates of single kernels in the place of those that were found before."""
    found = fit_kernels(device, [(Made([d]), seconds, between) for d, seconds, between in measured_kernels(path)])
    kept = {name: rates for name, rates in device.classes.items() if not (name.startswith(OWN_TILES) and " " in name)}
    return device.table | {"classes": dict(sorted((kept | found).items()))}


def print_report(r):
    print(f"## {r['list']} on {r['device']}\n")
    print("| pass | share | predicted ms | measured ms | ratio | mostly |\n|---|---:|---:|---:|---:|---|")
    for p in r["passes"]:
        measured = f"{1e3 * p['measured']:.2f} | {p['ratio']:.2f}" if p["measured"] else " | "
        print(f"| {p['name']} | {p['share']:.1%} | {1e3 * p['seconds']:.2f} | {measured} | {p['mostly']} |")
    print()
    for name, unit, factor in (("encoder", "ms", 1e3), ("step", "us", 1e6), ("sentence", "ms", 1e3)):
        beside = r.get(f"measured_{name}_seconds")
        print(f"{name}: {factor * r[f'{name}_seconds']:.2f} {unit}"
              + (f", measured {factor * beside:.2f}" if beside else ""))
    if r["missing"]:
        print(f"not in the table, and left out: {', '.join(r['missing'])}")
    print()


def main():
    options = parse()
    if options.calibrate:
        table = calibrate(options.calibrate, options.lists, options.cache_bytes, options.submit_wait)
        options.out.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        return
    device = Device.named(options.device)
    if options.kernels:
        options.out.write_text(json.dumps(with_kernels(device, options.kernels), indent=1) + "\n", encoding="utf-8")
        return
    reports = [report(device, Recorded(path), not options.no_measured) for path in options.lists]
    if options.json:
        print(json.dumps(reports, indent=1))
    else:
        for r in reports:
            print_report(r)


if __name__ == "__main__":
    main()
