#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""picked_table_test.py ROOT [BENCH_PICKED]: bench/picked_table.py finds what differs, spills or is refused in reports,
and nothing in those that the table was written from; reads what BENCH_PICKED prints for the device at hand."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
KERNEL = {"kernel": "matmul_split", "types": "f16/f16/f32", "constants": [7, 128], "where": ["base f16 1x1"],
          "subgroup_size": 32, "figures": {"regs": 40, "spill": 0, "scratch": 0, "waves": 12}}
REPORT = {"device": "A GPU", "driver": "driver 1", "problems": [], "pipelines": [
    KERNEL, KERNEL | {"kernel": "embed", "types": "f32/f32/f32", "constants": [], "figures": {},
                      "where": ["base f16 32x4", "base f16 4x4"]}]}


def changed(change):
    report = copy.deepcopy(REPORT)
    change(report, report["pipelines"][0])
    return report


def set_figure(name, value):
    return lambda report, kernel: kernel["figures"].update({name: value})


CASES = [  # what is wrong with the report, the exit code, what is printed
    (lambda report, kernel: None, 0, "0 findings"),
    (set_figure("regs", 64), 1, "matmul_split f16/f16/f32 7,128: regs 40 -> 64"),
    (set_figure("waves", 8), 1, "waves 12 -> 8"),
    (set_figure("spill", 3), 1, "spills: matmul_split f16/f16/f32 7,128 (spill 3, scratch 0)"),
    (set_figure("scratch", 32), 1, "spills: matmul_split f16/f16/f32 7,128 (spill 0, scratch 32)"),
    (lambda report, kernel: kernel.update(constants=[7, 256]), 1, "is newly picked: matmul_split f16/f16/f32 7,256"),
    (lambda report, kernel: kernel.update(constants=[7, 256]), 1, "no longer picked: matmul_split f16/f16/f32 7,128"),
    (lambda report, kernel: kernel.update(subgroup_size=16), 1, "width 32 -> 16"),
    (lambda report, kernel: kernel["where"].append("base f16 1x4"), 1, "base f16 1x1 -> base f16 1x1 1x4"),
    (lambda report, kernel: report["problems"].append("no float16"), 1, "refused: no float16"),
    (lambda report, kernel: (report.update(driver="driver 2"), kernel["figures"].update(regs=64)), 0, "not compared"),
    (lambda report, kernel: (report.update(driver="driver 2"), kernel["figures"].update(spill=1)), 1, "spills: "),
]


def table(folder, *arguments):
    result = subprocess.run([sys.executable, ROOT / "bench/picked_table.py", "--reports", folder, "--table",
                             folder / "pipelines.tsv", *arguments], stdout=subprocess.PIPE, text=True)
    return result.returncode, result.stdout


def check(condition, text):
    if not condition:
        sys.exit(text)


def check_reports(folder):
    report = folder / "gpu.json"
    report.write_text(json.dumps(REPORT))
    table(folder, "--write")
    page = (folder / "pipelines.md").read_text()
    check("| gpu (A GPU) | driver 1 | 2 | 0 | 0 | 32 | 12 to 12 waves |" in page, page)
    rows = (folder / "pipelines.tsv").read_text()
    check("embed f32/f32/f32 -\t32\t\t\t\t\t\t\t\tbase f16 4x4 32x4\n" in rows, rows)
    for change, code, text in CASES:
        report.write_text(json.dumps(changed(change)))
        found = table(folder)
        check(found[0] == code and text in found[1], f"expected {code}, {text!r}, got {found[0]}:\n{found[1]}")


def check_program(folder, program):
    for name in ("first", "second"):
        output = subprocess.run([program, "--json", "--models", "shipped", "--weights", "f32"], stdout=subprocess.PIPE)
        (folder / f"{name}.json").write_bytes(output.stdout)
    (folder / "gpu.json").unlink()
    table(folder, "--write", "--devices", "first")
    code, text = table(folder, "--devices", "first")
    check(code == 0 and "0 findings" in text, text)
    picked = json.loads((folder / "first.json").read_text())["pipelines"]
    check(picked == json.loads((folder / "second.json").read_text())["pipelines"], "two runs differ")
    names = {entry["kernel"] for entry in picked}
    check({"beam_step_huggingface", "embed"} <= names, f"picked: {sorted(names)}")
    check(all(entry["where"] for entry in picked), "a kernel that nothing uses")


with tempfile.TemporaryDirectory() as name:
    check_reports(pathlib.Path(name))
    if len(sys.argv) > 2:
        check_program(pathlib.Path(name), sys.argv[2])
