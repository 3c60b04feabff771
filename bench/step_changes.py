#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What steps of many rows and an encoder of many tokens spend on a device, and what changes to the kernels would make of
that: predictions of the model of a step (step_model.py) for lists that are made from shapes (made_list.py).

    bench/step_changes.py                           # base shape, float16, all devices with figures
    bench/step_changes.py --device rtx-4090

A change is what it does to the list: to workgroups, operations, bytes and dispatches. It is taken as done without
loss: registers, occupancy and synchronisation are not in the model."""
import argparse
import math

from made_list import COOPMAT, Made, Shape, encoder, largest_busy, step
from step_model import Device, predict

BASE = Shape((6, 6), 512, (2048, 2048), 8, 32000)
DEVICES = "h100", "rtx-4090", "rx-7900-xtx", "arc-b580", "adreno-740"
LENGTH, POSITION = 25, 12
# name: what is run
LOADS = {"step, 1,024 rows, greedy": lambda shape, kind: step(shape, kind, "f16", 1024, 1, POSITION, LENGTH),
         "step, 1,024 rows, beam 4": lambda shape, kind: step(shape, kind, "f16", 256, 4, POSITION, LENGTH),
         "step, 4,096 rows, beam 4": lambda shape, kind: step(shape, kind, "f16", 1024, 4, POSITION, LENGTH),
         "encoder, 16,000 tokens": lambda shape, kind: encoder(shape, kind, "f16", 640, LENGTH)}
SPLITS = 2, 4, 8


def seconds(device, dispatches):
    return sum(sum(parts.values()) for parts in predict(device, Made(dispatches))[0].values())


def product(d):
    return d["kernel"].startswith("matmul_") and not d["pass"].endswith("/output")


def changed(d, **factors):
    return {**d, "factors": d.get("factors", {}) | factors}


def split_inputs(device, dispatches):
    """Each product's inputs shared out over more workgroups, and another dispatch that adds their sums, where it pays."""
    found = []
    for d in dispatches:
        best = [d]
        for parts in SPLITS if product(d) else ():
            rows_by_n = d["sums"] / d["count"]
            sums = {**d, "kernel": "layer_norm(float16)", "groups": math.ceil(rows_by_n / 1024) * d["count"],
                    "flops": 0.0, "bytes": d["sums"] * (4 * parts + 2)}
            split = {**d, "groups": d["groups"] * parts, "bytes": d["bytes"] + d["sums"] * 4 * parts}
            if seconds(device, [split, sums]) < seconds(device, best):
                best = [split, sums]
        found += best
    return found


def one_pass_records(_, dispatches):
    """The output layer keeps no logits: its records are all that the search reads."""
    return [{**d, "bytes": d["bytes"] - d["logits"]} if d.get("logits") else d for d in dispatches]


def grouped_heads(_, dispatches):
    """A workgroup of a step's attention does four heads."""
    return [{**d, "groups": math.ceil(d["groups"] / 4)} if d["kernel"].startswith("step_") else d for d in dispatches]


def merged_prefixes(_, dispatches):
    """Rows of a beam read their common keys and values once: at best a quarter of the bytes, and of the workgroups as
    cross-attention has them."""
    return [{**d, "groups": math.ceil(d["groups"] / d["beam"]), "bytes": d["bytes"] / d["beam"]}
            if d["kernel"].startswith("step_self") and d["beam"] > 1 else d for d in dispatches]


def norms_in_products(_, dispatches):
    """The norm is in the product before it, which holds whole rows."""
    return [d for d in dispatches if not d["kernel"].startswith("layer_norm")]


def in_flight(_, dispatches):
    """Twice the inputs of a workgroup in flight: what it waits for halves."""
    return [changed(d, serial=0.5) if product(d) else d for d in dispatches]


def twice_the_rate(_, dispatches):
    """Products on cooperative matrices do twice as many operations a second: on an H100 426 TFLOP/s in place of 213."""
    return [changed(d, flops=0.5) if d["kernel"].startswith("matmul_coopmat") else d for d in dispatches]


def matrices(_, dispatches):
    """Cooperative matrices where the list has none, with the tiles of other vendors."""
    tiles = [(r * sr, c * sc, sr * sc * s) for r, c, sr, sc, s in COOPMAT["amd"]]
    found = []
    for d in dispatches:
        if d["kernel"].startswith("matmul_tiled"):
            rows, columns = largest_busy(tiles, d["rows"], d["n"])
            d = {**d, "kernel": d["kernel"].replace("matmul_tiled", "matmul_coopmat"),
                 "groups": d["count"] * math.ceil(d["rows"] / rows) * math.ceil(d["n"] / columns)}
        found.append(d)
    return found


CHANGES = {"cooperative matrices": matrices, "K over more workgroups": split_inputs,
           "more inputs in flight": in_flight, "products at twice the rate": twice_the_rate,
           "output without logits": one_pass_records, "four heads a workgroup": grouped_heads,
           "merged prefixes (at best)": merged_prefixes, "norms inside products": norms_in_products}


def possible(name, device, dispatches):
    """Phones have no cooperative matrices; others already use them."""
    if CHANGES[name] is matrices:
        return device.table["figures"]["matrix_flops_per_second"] > 2 * device.table["figures"]["vector_flops_per_second"]
    return True


def report(name):
    device = Device.named(name)
    print(f"### {device.name}\n")
    loads = {load: make(BASE, device.table["kernels"]) for load, make in LOADS.items()}
    print("| | " + " | ".join(loads) + " |\n|---|" + "---:|" * len(loads))
    before = {load: seconds(device, dispatches) for load, dispatches in loads.items()}
    print("| **now**, us | " + " | ".join(f"{1e6 * s:,.0f}" for s in before.values()) + " |")
    shares = {load: predict(device, Made(dispatches))[0] for load, dispatches in loads.items()}
    print("| leads | " + " | ".join(leading(passes) for passes in shares.values()) + " |")
    everything = dict(loads)
    for change, make in CHANGES.items():
        cells = []
        for load, dispatches in loads.items():
            if not possible(change, device, dispatches):
                cells.append("")
                continue
            after = seconds(device, make(device, dispatches))
            together = make(device, everything[load])
            if seconds(device, together) < seconds(device, everything[load]):
                everything[load] = together
            cells.append("" if abs(after / before[load] - 1) < 5e-3 else f"{after / before[load] - 1:+.0%}")
        print(f"| {change} | " + " | ".join(cells) + " |")
    print("| **all that pay**, us | " + " | ".join(
        f"{1e6 * seconds(device, d):,.0f} ({seconds(device, d) / before[load]:.2f})" for load, d in everything.items())
        + " |\n")


def leading(passes):
    total = sum(sum(parts.values()) for parts in passes.values())
    order = sorted(passes.items(), key=lambda item: -sum(item[1].values()))[:3]
    return ", ".join(f"{name.split('/')[1]} {sum(parts.values()) / total:.0%}" for name, parts in order)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--device", nargs="+", default=DEVICES, help="tables of devices/ (default: all of them)")
    for name in parser.parse_args().device:
        report(name)


if __name__ == "__main__":
    main()
