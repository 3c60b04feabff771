#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Translates for hours and looks whether memory, handles and times stay as they are.

    soak.py [--sentences 1000000] [--way binding|service] [--state DIR] [--seed 1] [--tool FILE] [--library FILE]
            [--picture FILE.svg] [--json FILE] [--judge]

Random lengths, options, languages, cancels, loads and unloads, through the Python package (and so the C API), or through
`dragoman serve`. Each hundredth of the way is a row in DIR/WAY.jsonl: sentences, resident and allocated memory (of the
binding, with nothing loaded), bytes held on the device, open files, threads, and the 99th percentile of a fixed sentence's
time in between. The same command goes on where it was ended. It fails where, after the first fifth, memory grows by more than 1 MB in 100,000 sentences, a file or a
thread more is open at the end than at the start, or that percentile of the last tenth is above 1.2 times the first
tenth's. --judge only judges the rows that are there.
"""
import argparse
import json
import os
import pathlib
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from soak import binding, judge, picture, service  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
WAYS = {"binding": binding.Work, "service": service.Work}
PERIODS = 100


def small_model(folder):
    """The transliteration model, with a tokenizer of one token per letter."""
    folder.mkdir(exist_ok=True)
    for name in ("aren-transliteration", "letters"):
        for path in (ROOT / "tests/data" / name).iterdir():
            if path.suffix != ".md":
                shutil.copyfile(path, folder / path.name)
    return folder


def read_rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def go_on(options, path, rows):
    done = rows[-1]["sentences"] if rows else 0
    segment = rows[-1]["segment"] + 1 if rows else 0
    if done >= options.sentences:
        return rows
    period = max(1, options.sentences // PERIODS)
    with WAYS[options.way](options) as work, path.open("a", encoding="utf-8") as out:
        work.warm()
        begun = time.monotonic()
        while done < options.sentences:
            times, before = [], done
            while done < min(before + period, options.sentences):
                count, probes = work.step()
                done += count
                times += probes
            times.sort()
            row = {"way": options.way, "segment": segment, "sentences": done, "seconds": round(time.monotonic() - begun, 1),
                   "p50_ms": round(1000 * times[len(times) // 2], 3), "probes": len(times),
                   "p99_ms": round(1000 * times[min(len(times) - 1, len(times) * 99 // 100)], 3),
                   "load": os.getloadavg()[0], **work.look()}
            out.write(json.dumps(row) + "\n")
            out.flush()
            rows.append(row)
            print(f"{done} sentences, {row['seconds']} s, {row['resident'] / 1e6:.1f} MB resident, {row['held']} held, "
                  f"{row['files']} files, {row['threads']} threads, p99 {row['p99_ms']} ms", flush=True)
        print(json.dumps(work.counts))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--way", choices=WAYS, default="binding")
    parser.add_argument("--state", type=pathlib.Path, default=ROOT / "build/soak")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build/release/bin/dragoman")
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build/release/capi/libdragoman.so")
    parser.add_argument("--picture", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--judge", action="store_true")
    options = parser.parse_args()
    options.root = ROOT
    options.state.mkdir(parents=True, exist_ok=True)
    options.model = small_model(options.state / "letters-ar-en")  # the service asks the name for the languages
    path = options.state / f"{options.way}.jsonl"
    rows = read_rows(path)
    if not options.judge:
        rows = go_on(options, path, rows)
    if options.picture:
        options.picture.write_text(picture.draw(rows), encoding="utf-8")
    found = judge.judge(rows)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
    for fault in found["faults"]:
        print("soak.py: " + fault, file=sys.stderr)
    return 1 if found["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
