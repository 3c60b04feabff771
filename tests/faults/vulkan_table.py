#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vulkan_table.py BUILD [--stride N] [--keep N] [FAMILY...]: runs vulkan_faults for each family, one process each, and
writes the section "Vulkan calls" of results.md: how many faults were injected, and how many ended in a status that names
the call, in the right answer, or in a device that is lost and says so. Anything else is an error. With --stride only every
N-th fault is tried; --keep: see vulkan_faults.cpp. What vulkan_counts.tsv has of others stays as it is."""
import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / "results.md"
COUNTS = HERE / "vulkan_counts.tsv"
TITLE = "## Vulkan calls"
FAMILIES = re.findall(r'\{\.name = "([^"]+)"', (HERE / "vulkan_families.h").read_text(encoding="utf-8"))
INTRODUCTION = """
Each Vulkan function that returns a `VkResult` fails once, at each of its calls between opening a device and closing it,
with each error that Vulkan's registry lists for it (`vulkan_calls.inc`): open, load two models, translate (greedy and
beam search), score, embed, trim, translate with the other model, unload, close. Where a row says *kept*, the device and
the other model stay from fault to fault, and the calls from loading to unloading fail. *Told*: a status that names the call,
and the same question was answered right when it was asked again. *Survived*: the right answers all the same. *Lost*: a
status, and that the device is lost from then on. After each one, every object that Vulkan made was destroyed. Any other
outcome fails the run.
"""


def run(program, family, stride, keep):
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.tsv"
        result = subprocess.run([program, "--stride", str(stride), "--keep", str(keep), "--table", table, family], capture_output=True,
                                text=True)
        sys.stdout.write(result.stdout + result.stderr)
        sys.stdout.flush()
        if result.returncode:
            raise SystemExit(f"{family}: {program} ended with {result.returncode}")
        return [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]


def write(rows):
    """rows: [family, function, faults, told, survived, lost, share, date]"""
    with open(COUNTS, "w", encoding="utf-8") as counts:
        counts.writelines("\t".join(map(str, row)) + "\n" for row in rows)
    families, calls = {}, {}
    for family, call, *numbers, share, date in rows:
        numbers = [int(number) for number in numbers]
        old = families.get(family, ([0] * 4, share, date))[0]
        families[family] = [o + n for o, n in zip(old, numbers)], share, date
        calls[call] = [o + n for o, n in zip(calls.get(call, [0] * 4), numbers)]
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Faults\n"
    before, _, rest = text.partition(TITLE)
    _, more, after = rest.partition("\n## ")
    lines = [TITLE, INTRODUCTION]
    lines += ["| models | faults | told | survived | lost | of all faults | on |", "|---|---|---|---|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(f"{n:,}" for n in numbers) + f" | {share} | {date} |"
              for name, (numbers, share, date) in families.items()]
    lines += ["", "| function | faults | told | survived | lost |", "|---|---|---|---|---|"]
    lines += [f"| `{name}` | " + " | ".join(f"{n:,}" for n in numbers) + " |" for name, numbers in sorted(calls.items())]
    RESULTS.write_text(before.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n" + (more + after), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--keep", type=int, default=0)
    parser.add_argument("families", nargs="*")
    arguments = parser.parse_intermixed_args()
    if unknown := set(arguments.families) - set(FAMILIES):
        raise SystemExit(f"{', '.join(unknown)}: not one of {', '.join(FAMILIES)}")
    program = next(path for path in pathlib.Path(arguments.build).resolve().rglob("vulkan_faults*")
                   if path.is_file() and os.access(path, os.X_OK))
    rows = [line.split("\t") for line in COUNTS.read_text(encoding="utf-8").splitlines()] if COUNTS.exists() else []
    today = datetime.date.today().isoformat()
    share = "all" if arguments.stride == 1 else f"1 in {arguments.stride}"
    for family in arguments.families or FAMILIES:
        new = run(program, family, arguments.stride, arguments.keep)
        rows = [row for row in rows if row[0] not in {row[0] for row in new}]
        rows += [row + ["all" if row[0] == "first" else share, today] for row in new]
        write(rows)


if __name__ == "__main__":
    main()
