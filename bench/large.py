#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Large models in float, q8 and q4: conversion, loading and translation, as two Markdown tables.

    make_large_model.py nllb-600m /tmp/large/nllb-600m
    large.py /tmp/large/nllb-600m [...] [--types q8 q4] [--beams 1 4] [--max-length 20]

Models are folders that make_large_model.py wrote; what is converted from them lands beside them. Memory beside the
device is what no file backs, of the whole process with driver and compiler, less what the library holds on the device;
on a CPU device both are one. Converting counts mapped files, too. The machine's load is part of every time.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build/release"
MIB = 2**20


def run(command):
    """Output, seconds and the most memory resident."""
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} failed with {process.returncode}")
    return output, time.monotonic() - start, usage.ru_maxrss * 1024


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def converted(options, folder, kind):
    path = folder.with_name(f"{folder.name}-{kind}.gguf")
    if path.exists():
        return path, None, None
    return path, *run([options.build / "bin/dragoman", "convert", folder, path, "--type", kind])[1:]


def load(options, path):
    r = json.loads(run([options.build / "bench/bench_load", path])[0])
    beside = r["process_bytes"] - (r["device_bytes"] if r["device_is_cpu"] else 0)
    return r | {"beside": beside}


def translate(options, path, sentences, beam):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as some:
        some.writelines(sentences.read_text().splitlines(keepends=True)[:options.sentences])
        some.flush()
        return measured(options, path, some.name, beam)


def measured(options, path, sentences, beam):
    command = [options.build / "bench/bench_translate", "--model", path, "--tokens", sentences, "--beam", beam,
               "--max-length", options.max_length, "--repeat", options.repeat, "--profile", "--json", "-"]
    r = json.loads(run(command)[0])
    steps = [p for p in r["passes"] if p["name"].startswith("decoder/")]
    output = sum(p["seconds"] for p in steps if p["name"] == "decoder/output")
    decoder = sum(p["seconds"] for p in steps)
    return r | {"output_share": output / decoder, "step_seconds": decoder / r["steps"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--types", nargs="+", default=["q8", "q4"])
    parser.add_argument("--beams", nargs="+", type=int, default=[1, 4])
    parser.add_argument("--max-length", type=int, default=20)
    parser.add_argument("--sentences", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path, default=BUILD)
    options = parser.parse_args()

    mib = lambda value: "" if value is None else f"{value / MIB:.0f}"
    files = []
    row("model", "stored as", "file MiB", "convert s", "resident while converting MiB", "load s", "device MiB",
        "host beside it MiB", "resident in all MiB")
    row(*["---"] * 2, *["---:"] * 7)
    for folder in options.folders:
        as_published = (folder, None, None)
        for kind, (path, seconds, resident) in [("as published", as_published)] + [
                (kind, converted(options, folder, kind)) for kind in options.types]:
            r = load(options, path)
            if path != folder:
                files.append((folder, kind, path, r))
            row(folder.name, kind, mib(r["file_bytes"]), "" if seconds is None else f"{seconds:.0f}", mib(resident),
                f"{r['load_seconds']:.1f}", mib(r["device_bytes"]), mib(r["beside"]), mib(r["resident_bytes"]))
    print()
    row("model", "stored as", "beam", "sentences", "target tokens/s", "s a step", "device at most MiB",
        "over the file", "output layer's share of a step")
    row(*["---"] * 2, *["---:"] * 7)
    for folder, kind, path, loaded in files:
        for beam in options.beams:
            r = translate(options, path, folder / "sentences.txt", beam)
            row(folder.name, kind, beam, r["sentences"], f"{r['target_tokens_per_second']:.2f}",
                f"{r['step_seconds']:.2f}", mib(r["memory_peak_bytes"]),
                f"{r['memory_peak_bytes'] / loaded['file_bytes']:.2f}", f"{100 * r['output_share']:.0f} %")


if __name__ == "__main__":
    main()
