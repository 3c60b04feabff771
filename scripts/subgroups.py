#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the kernels that GPUs get on CPU devices with subgroups of several sizes, and compares which tests pass with
tests/subgroups.tsv: exits with 1 where one that passed does not. Takes hours; scripts/test.sh builds what it runs.

    scripts/subgroups.py                                 # 4 (SwiftShader), 8 and 16 (lavapipe)
    scripts/wide_lavapipe.sh DIR setup                   # once
    scripts/subgroups.py --wide DIR                      # and 32 and 64
    scripts/subgroups.py --wide DIR --vendor 0x1002 --sizes 64 --only 'ops.matmul*'     # AMD's tiles
    scripts/subgroups.py --wide DIR --write              # the table anew, after a wanted change

Sizes for which this machine has no device are left out, and said."""
import argparse
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "subgroups.tsv"
SIZES = 4, 8, 16, 32, 64
SWIFTSHADER = ("/usr/lib/chromium", "/usr/lib/swiftshader", "/usr/share/vulkan/icd.d")
# Whole networks and searches that the tests have with the kernels of GPUs, and every kernel alone.
TESTS = ("ops.*", "nn.architectures", "nn.decoder_alone", "nn.recurrent_network", "nn.transformer", "decode.search",
         "decode.stream", "decode.buffer_limit")
CHECK = "devices --check"
SUMMARY = re.compile(r"test cases: +(\d+) \| +(\d+) passed \| +(\d+) failed")


def parse():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    p.add_argument("--wide", type=pathlib.Path, help="folder of wide_lavapipe.sh; also for 8 and 16")
    p.add_argument("--sizes", type=int, nargs="+", choices=SIZES, default=SIZES)
    p.add_argument("--only", default="*", metavar="PATTERN", help="tests with such names")
    p.add_argument("--seconds", type=int, default=1200, help="for each test (default: %(default)s)")
    p.add_argument("--vendor", help="id that a device of --wide names; the table has none")
    p.add_argument("--write", action="store_true", help=f"write {TABLE.relative_to(ROOT)}")
    options = p.parse_args()
    if options.write and options.vendor:
        p.error("--write: the table is of devices that name their own vendor")
    return options


def driver(size, options):
    """(command before the program, environment) of a device with such subgroups, or None."""
    if options.wide and size > 4:
        vendor = {"LVP_VENDOR_ID": options.vendor} if options.vendor else {}
        return [str(ROOT / "scripts" / "wide_lavapipe.sh"), str(options.wide), "run", str(size)], vendor
    if size in (8, 16):
        return [], {"LP_NATIVE_VECTOR_WIDTH": str(32 * size), "MESA_SHADER_CACHE_DISABLE": "true"}
    if size == 4:
        for folder in SWIFTSHADER:
            icd = pathlib.Path(folder) / "vk_swiftshader_icd.json"
            if icd.exists():
                return [], {"VK_DRIVER_FILES": str(icd), "VK_ICD_FILENAMES": str(icd)}
    return None


def commands(options):
    """{test: command}"""
    found = {CHECK: [str(options.build / "bin" / "dragoman"), "devices", "--check"]}
    for source in sorted((ROOT / "tests").glob("*/*_test.cpp")):
        folder, name = source.parent.name, source.stem.removesuffix("_test")
        if any(fnmatch.fnmatch(f"{folder}.{name}", t) for t in TESTS):
            found[f"{folder}.{name}"] = [str(options.build / "tests" / f"test_{folder}"),
                                         f"--source-file=*/{folder}/{source.name}"]
    return {t: c for t, c in found.items() if fnmatch.fnmatch(t, options.only) and pathlib.Path(c[0]).exists()}


def size_of(device, build):
    """Subgroups as a device names them."""
    prefix, environment = device
    program = [str(build / "bin" / "dragoman"), "devices"]
    out = subprocess.run(prefix + program, env=os.environ | environment, stdout=subprocess.PIPE, text=True).stdout
    found = re.search(r"subgroups of (\d+)", out)
    return int(found[1]) if found else None


def run(command, device, seconds):
    """(what the table says, the end of the output)"""
    prefix, environment = device
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"DRAGOMAN_GPU_KERNELS": "1", "DRAGOMAN_CACHE_DIR": cache} | environment
        try:
            done = subprocess.run(prefix + command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=seconds, cwd=ROOT)
        except subprocess.TimeoutExpired:
            return "too long", ""
    cases = SUMMARY.search(done.stdout)
    if done.returncode == 0:
        return "passed", ""
    tail = "\n".join(done.stdout.splitlines()[-30:])
    return (f"{cases[3]} of {cases[1]} failed" if cases else f"exit code {done.returncode}"), tail


def read_table():
    if not TABLE.exists():
        return {}
    lines = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {(row[0], int(size)): cell for row in lines[1:] for size, cell in zip(lines[0][1:], row[1:]) if cell}


def write_table(results):
    tests = dict.fromkeys(test for test, _ in results)
    sizes = sorted({size for _, size in results})
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             "# By scripts/subgroups.py: tests with the kernels of GPUs, by size of subgroups.",
             "\t".join(["test", *map(str, sizes)])]
    lines += ["\t".join([test, *(results.get((test, size), "") for size in sizes)]) for test in tests]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    options = parse()
    known, results, worse = read_table(), {}, []
    for size in options.sizes:
        device = driver(size, options)
        if device is None or size_of(device, options.build) != size:
            print(f"{size}: no device with such subgroups here, left out")
            continue
        for test, command in commands(options).items():
            began = time.time()
            results[test, size], tail = run(command, device, options.seconds)
            print(f"{size}\t{test}\t{results[test, size]}\t{time.time() - began:.0f} s", flush=True)
            if results[test, size] != "passed":
                print(tail)
                if known.get((test, size)) == "passed" and not options.vendor:
                    worse.append(f"{test} at {size}")
            if options.write:
                write_table(known | results)
    if worse:
        print(f"passed before: {', '.join(worse)}")
    if not results:
        sys.exit("nothing ran")
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
