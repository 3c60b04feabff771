#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which kernels every GPU of vendor_compilers.sh gets and what its compiler makes of them: runs bench_picked on each,
compares with results/pipelines.tsv or writes it, with results/pipelines.md to read.

    bench/vendor_compilers.sh table                                  # compare; exit code 1: see below
    bench/vendor_compilers.sh table --devices intel-dg2 apple-m1     # some of them
    bench/vendor_compilers.sh table --write                          # the table anew, after a wanted change

Exits with 1 where a picked kernel spills registers or needs scratch memory, where a device refuses one, and where
anything differs from the table. Figures are those of one version of a driver: with another one than the table's they
are not compared, only what is picked, spills and is refused.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent
TABLE = BENCH / "results" / "pipelines.tsv"
# The names are those of bench/pipeline_figures.h; figures that a driver does not report are left empty.
FIGURES = ("regs", "spill", "scratch", "lds", "waves", "threads", "instr")
COLUMNS = ("device", "kernel", "width", *FIGURES, "picked for")


class Device:
    """What one GPU gets: {kernel: row of COLUMNS[2:]}, and why what was refused."""

    def __init__(self, name, driver, rows, problems):
        self.name, self.driver, self.rows, self.problems = name, driver, rows, problems

    @classmethod
    def measured(cls, report):
        rows = {}
        for entry in report.get("pipelines", []):
            kernel = f"{entry['kernel']} {entry['types']} {','.join(map(str, entry['constants'])) or '-'}"
            figures = entry.get("figures", {})
            rows[kernel] = {"width": str(entry["subgroup_size"]), "picked for": uses(entry["where"])}
            rows[kernel] |= {c: f"{figures[c]:.0f}" if c in figures else "" for c in FIGURES}
        return cls(report["device"], report["driver"], rows, report["problems"])

    def spilling(self):
        return [kernel for kernel, row in self.rows.items() if {row["spill"], row["scratch"]} - {"", "0"}]


def uses(where):
    """["base f16 1x1", "base f16 32x4"] as "base f16 1x1 32x4"."""
    models = {}
    for use in where:
        model, load = use.rsplit(" ", 1)
        models.setdefault(model, []).append(load)
    order = lambda load: [int(part) for part in load.split("x")]
    return ", ".join(f"{model} {' '.join(sorted(loads, key=order))}" for model, loads in sorted(models.items()))


def measure(device, arguments):
    """A Device, or why there is none."""
    command = [str(BENCH / "vendor_compilers.sh"), "picked", device, "--json", *arguments]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return Device.measured(json.loads(result.stdout))
    except ValueError:
        return (result.stderr.strip() or "no output").splitlines()[-1]


def read_table(path):
    devices = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        fields = line.split("\t")
        if line.startswith("# device\t"):
            devices[fields[1]] = Device(fields[2], fields[3], {}, [])
        elif line.startswith("# refused\t"):
            devices[fields[1]].problems.append(fields[2])
        elif line and not line.startswith(("#", "device\t")):
            devices[fields[0]].rows[fields[1]] = dict(zip(COLUMNS[2:], fields[2:]))
    return devices


def write_table(path, devices):
    lines = ["# Kernels that are picked, by device, with figures of their compilers: bench/picked_table.py --write",
             "# kernel: name, types, constants by constant_id; picked for: model, weights, sentences x beam"]
    for name, device in devices.items():
        lines.append(f"# device\t{name}\t{device.name}\t{device.driver}")
        lines += [f"# refused\t{name}\t{problem}" for problem in device.problems]
    lines.append("\t".join(COLUMNS))
    for name, device in devices.items():
        for kernel, row in sorted(device.rows.items()):
            lines.append("\t".join([name, kernel, *(row[c] for c in COLUMNS[2:])]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def occupancy(device):
    """Of the matrix products and attention, which take the time: the least and the most."""
    found = []
    for column in ("waves", "threads"):
        values = [int(row[column]) for kernel, row in device.rows.items()
                  if row[column] and kernel.startswith(("matmul_", "encoder_attention", "step_"))]
        if values:
            found.append(f"{min(values)} to {max(values)} {column}")
    return ", ".join(found)


def markdown(devices):
    yield "# What every vendor's compiler makes of the kernels that are picked\n"
    yield ("Written by `bench/vendor_compilers.sh table --write`; every kernel is in [pipelines.tsv](pipelines.tsv).\n"
           "The drivers are Mesa's on stand-ins for their kernel modules: code is generated as for the GPU, nothing\n"
           "runs. *Spill* counts kernels with registers in memory or scratch memory. *Occupancy*: of products and\n"
           "attention, as the driver counts it (waves of a SIMD, warps of a multiprocessor, threads of a core);\n"
           "empty: it does not say. Arm's rows are of the shipped model with float16 weights, compiled one by one\n"
           "([how](2026-11-23-vendors.md#arm)).\n")
    yield "| device | driver | kernels | spill | refused | widths | occupancy |\n|---|---|---:|---:|---:|---|---|"
    for name, device in devices.items():
        widths = sorted({int(row["width"]) for row in device.rows.values()})
        yield (f"| {name} ({device.name.strip()}) | {device.driver} | {len(device.rows)} | {len(device.spilling())} | "
               f"{len(device.problems)} | {', '.join(map(str, widths))} | {occupancy(device)} |")
    for name, device in devices.items():
        yield from (f"\nRefused by {name}: {problem}" for problem in device.problems)


def differences(old, new):
    """What of `new` differs from the table's, in words."""
    yield from (f"is no longer picked: {kernel}" for kernel in sorted(old.rows.keys() - new.rows.keys()))
    yield from (f"is newly picked: {kernel}" for kernel in sorted(new.rows.keys() - old.rows.keys()))
    for kernel in sorted(new.rows.keys() & old.rows.keys()):
        before, after = old.rows[kernel], new.rows[kernel]
        columns = COLUMNS[2:] if old.driver == new.driver else ("picked for",)
        changed = [f"{c} {before[c] or '-'} -> {after[c] or '-'}" for c in columns if before[c] != after[c]]
        if changed:
            yield f"{kernel}: {', '.join(changed)}"


def judge(name, old, new):
    """How many findings there are against a device; prints each."""
    found = [f"refused: {problem}" for problem in new.problems]
    found += [f"spills: {kernel} (spill {new.rows[kernel]['spill']}, scratch {new.rows[kernel]['scratch']})"
              for kernel in new.spilling()]
    if old is None:
        found.append("is not in the table")
    else:
        found += differences(old, new)
        if old.driver != new.driver:
            print(f"{name}: the table is of {old.driver}, this is {new.driver}: figures are not compared")
    for finding in found:
        print(f"{name}: {finding}")
    print(f"{name}: {new.name.strip()}: {len(new.rows)} kernels are picked, {len(new.spilling())} spill, "
          f"{len(new.problems)} problems", flush=True)
    return len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", nargs="+", help="default: all that vendor_compilers.sh names")
    parser.add_argument("--models", default="base,shipped,student", help="as of bench_picked")
    parser.add_argument("--weights", default="f16,f32,q8,q4", help="as of bench_picked")
    parser.add_argument("--loads", help="as of bench_picked; default: all")
    parser.add_argument("--reports", type=pathlib.Path, help="DEVICE.json by bench_picked, in place of runs")
    parser.add_argument("--jobs", type=int, default=4, help="devices at a time")
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("--write", action="store_true", help="devices that are not measured keep their rows")
    args = parser.parse_args()

    table = read_table(args.table)
    names = args.devices
    if not names and args.reports:
        names = sorted(path.stem for path in args.reports.glob("*.json"))
    if not names:
        names = subprocess.check_output([str(BENCH / "vendor_compilers.sh"), "names"], text=True).split()

    def get(name):
        if args.reports:
            return Device.measured(json.loads((args.reports / f"{name}.json").read_text(encoding="utf-8")))
        loads = ["--loads", args.loads] if args.loads else []
        return measure(name, ["--models", args.models, "--weights", args.weights, *loads])

    findings = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, device in zip(names, pool.map(get, names)):
            if isinstance(device, str):
                print(f"{name}: {device}")
                findings += 1
                continue
            findings += judge(name, table.get(name), device)
            table[name] = device
    if args.write:
        write_table(args.table, table)
        args.table.with_suffix(".md").write_text("\n".join(markdown(table)) + "\n", encoding="utf-8")
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
