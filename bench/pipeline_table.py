#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What AMD's shader compiler makes of every kernel, without the hardware: runs bench_pipelines on RADV's null devices
and writes a table, or compares with that of another commit.

    bench/pipeline_table.py --icd /usr/share/vulkan/icd.d/radeon_icd.json --write          # the old commit
    bench/pipeline_table.py --icd ...                                        # the new one: exit code 1 if worse

RADV_FORCE_FAMILY makes the null device; Mesa 26 has no such variable, but the library libamdgpu_noop_drm_shim.so
(package mesa-drm-shim), which --shim names.

Worse is: a spill, scratch memory, lower occupancy, or more registers, shared memory, instructions or cycles (the
compiler's inverse throughput) than --slack allows. Kernels and tiles that the table lacks count: --write adds them.
The figures are those of one Mesa version, which the table names: with another one, differences are only listed.
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys

FAMILIES = ("polaris10", "vega10", "navi21", "navi31", "gfx1201")
COLUMNS = {"vgpr": ("VGPRs",), "sgpr": ("SGPRs",), "spill": ("Spilled VGPRs", "Spilled SGPRs"),
           "scratch": ("Scratch size",), "lds": ("LDS size",), "waves": ("Subgroups per SIMD",),
           "instr": ("Instructions",), "bytes": ("Code size",), "latency": ("Latency",),
           "throughput": ("Inverse Throughput",)}
TABLE = pathlib.Path(__file__).resolve().parent.parent / "build" / "pipelines-radv.tsv"


def compile_all(args, family):
    """(driver, {kernel: figures}, refused) of one family."""
    environment = {"NODEVICE_SELECT": "1", "RADV_FORCE_FAMILY": family, "VK_ICD_FILENAMES": args.icd,
                   "VK_DRIVER_FILES": args.icd, "MESA_SHADER_CACHE_DISABLE": "true"}
    if args.shim:
        environment |= {"AMDGPU_GPU_ID": family, "LD_PRELOAD": args.shim}
    command = [*shlex.split(args.prefix), "env", *(f"{k}={v}" for k, v in environment.items()), args.program, "--json",
               *(["--kernel", args.kernel] if args.kernel else [])]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not result.stdout.startswith("{"):
        sys.exit(f"{family}: {shlex.join(command)}\n{result.stderr.strip()}")
    report = json.loads(result.stdout)
    rows, refused = {}, []
    for entry in report["pipelines"]:
        name = f"{entry['kernel']} {entry['variant']} {','.join(map(str, entry['constants'])) or '-'}"
        if "refused" in entry:
            refused.append(entry["refused"])
            continue
        statistics = entry.get("statistics", {})
        rows[name] = {c: int(sum(statistics.get(n, 0) for n in names)) for c, names in COLUMNS.items()}
    for problem in report.get("problems", []):
        print(f"{family}: {problem}", file=sys.stderr)
    return report["driver"], rows, sorted(set(refused))


def read_table(path):
    drivers, rows = {}, {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# driver "):
            family, driver = line[len("# driver "):].split(" ", 1)
            drivers[family] = driver
        elif line and not line.startswith(("#", "family\t")):
            family, name, *figures = line.split("\t")
            rows[family, name] = dict(zip(COLUMNS, map(int, figures)))
    return drivers, rows


def write_table(path, measured):
    lines = ["# What bench/pipeline_table.py --write found. Kernel: name, types, constants (fields of its tile)."]
    lines += [f"# driver {family} {driver}" for family, (driver, _, _) in measured.items()]
    lines.append("\t".join(["family", "kernel", *COLUMNS]))
    for family, (_, rows, _) in measured.items():
        lines += ["\t".join([family, name, *(str(rows[name][c]) for c in COLUMNS)]) for name in sorted(rows)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def worse(old, new, slack):
    """What is worse in `new`, in words."""
    found = [f"{c} {new[c]}" for c in ("spill", "scratch") if new[c] > 0]
    if old is None:
        return found
    if new["waves"] < old["waves"]:
        found.append(f"waves {old['waves']} -> {new['waves']}")
    for c in ("vgpr", "lds", "instr", "throughput"):
        if c in old and new[c] > old[c] * (1 + slack):
            found.append(f"{c} {old[c]} -> {new[c]}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bench/bench_pipelines")
    parser.add_argument("--icd", default="/usr/share/vulkan/icd.d/radeon_icd.json", help="RADV's manifest")
    parser.add_argument("--shim", default="", help="libamdgpu_noop_drm_shim.so, for newer drivers")
    parser.add_argument("--prefix", default="", help="words before the command, for example of a chroot")
    parser.add_argument("--families", nargs="+", default=FAMILIES)
    parser.add_argument("--kernel", help="only this kernel")
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("--slack", type=float, default=0.05)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if args.kernel and args.write:
        parser.error("--write wants every kernel, not one")
    if not args.prefix:
        args.program = os.path.abspath(args.program)
    measured = {family: compile_all(args, family) for family in args.families}
    for family, (driver, rows, refused) in measured.items():
        spills = sum(row["spill"] > 0 for row in rows.values())
        print(f"{family}: {driver}: {len(rows)} pipelines, {spills} spill; kinds refused: {len(refused)}")
        for reason in refused:
            print(f"    {reason}")
    if args.write:
        write_table(args.table, measured)
        return 0
    if not args.table.exists():
        sys.exit(f"{args.table} is not there: write it with --write and the program of another commit")
    drivers, table = read_table(args.table)
    regressions = 0
    for family, (driver, rows, _) in measured.items():
        comparable = drivers.get(family) == driver
        if not comparable:
            print(f"{family}: the table is of {drivers.get(family)}; differences do not count")
        unknown = sum((family, name) not in table for name in rows)
        gone = sum(of == family and name not in rows and args.kernel in (None, name.split()[0]) for of, name in table)
        if unknown or gone:
            print(f"{family}: {unknown} pipelines are not in the table, {gone} of the table are not here")
        for name, row in rows.items():
            found = worse(table.get((family, name)), row, args.slack)
            if found:
                print(f"{family}: {name}: {', '.join(found)}")
                regressions += comparable or row["spill"] > 0 or row["scratch"] > 0
    print(f"{regressions} worse")
    return 1 if regressions else 0


if __name__ == "__main__":
    sys.exit(main())
