#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""long_lines.py [--dragoman PROGRAM] [--model MODEL] [--to CODE] [--sizes KB ...] [--kinds NAME ...] [--html] [--json]
              [--interrupt] [--timeout S]

Translates single lines of growing sizes, and prints a table: processor seconds for each size (of all threads, with the start
of the program and the model's own), and how many bytes of memory the largest takes more than the smallest, for each byte that
it is longer. --json: with the tokens of both sides. --interrupt: the longest time, of the processor and of the clock, that
the program takes to end after SIGINT, which comes at nine places of the largest line's time."""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

# A line of a kind is its unit, repeated, or what a function of the size makes.
KINDS = {
    "unknown letter (U+6C34)": "水",
    "unknown sign (U+1D11E)": "\U0001d11e",
    "emoji": "\U0001f600",
    "emoji with joiners": "\U0001f469\u200d",
    "unknown letters, blanks": "水 ",
    "one letter": "a",
    "one digit": "5",
    "digits, blanks": "5 ",
    "list of numbers": lambda size: ", ".join(str(i) for i in range(size // 7)),
    "words": "the old house stands near the river and ",
    "words without blanks": "theoldhouse",
    "capitals": "THE OLD HOUSE ",
    "control characters": "\x01",
    "combining marks": "\u0301",
    "letters with marks": "e\u0301",
    "brackets": "(",
    "closing brackets": ")",
    "quotation marks": '"',
    "braces": "{",
    "backticks": "` `` ",
    "percent signs": "%(",
    "tabs": "\t",
    "letters between tabs": "a\tb\tc\t",
    "numbers between tabs": lambda size: "\t".join(str(i % 1000) for i in range(size * 10 // 39)),
    "words between tabs": "house\tthe old dog\tred\t",
    "cells between bars": "| house | the old dog ",
    "sentences": "The old house stands near the river. The dog is red. ",
    "blanks": lambda size: "a" + " " * size + "b",
    "initials": "a.",
    "full stops": ".",
    "addresses": "http://a.b/",
    "entities": "&amp;",
    "powers": "x²",
    "Hangul": "한",
    "Thai": "บ",
}


def line(kind, size):
    unit = KINDS[kind]
    return unit(size) if callable(unit) else unit * (size // len(unit.encode()))


def processor_seconds(process):
    """What a program that runs has used."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupt(command, after):
    """Seconds of the processor and of the clock from SIGINT, after so many of the processor, to the end of the program; None:
    it had ended before."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while processor_seconds(process) < after:
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            process.wait()
            return None
        time.sleep(0.005)
    used, begin = processor_seconds(process), time.monotonic()
    process.send_signal(signal.SIGINT)
    usage = os.wait4(process.pid, 0)[2]
    return usage.ru_utime + usage.ru_stime - used, time.monotonic() - begin


def run(command, limit):
    """Processor seconds and peak bytes; None: it took too long."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - begin > limit:
            process.kill()
            os.wait4(process.pid, 0)
            return None
        time.sleep(0.01)
    if status != 0:
        sys.exit(f"{command[0]}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", default="build/release/bin/dragoman")
    parser.add_argument("--model")
    parser.add_argument("--to", default="de")
    parser.add_argument("--sizes", type=int, nargs="+", default=[250, 500, 1000, 2000], metavar="KB")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS), metavar="NAME")
    parser.add_argument("--html", action="store_true", help="as a paragraph of HTML")
    parser.add_argument("--json", action="store_true", help="with the tokens of both sides")
    parser.add_argument("--interrupt", action="store_true", help="how long the program takes to end after SIGINT")
    parser.add_argument("--timeout", type=float, default=120, metavar="S")
    args = parser.parse_args()
    command = [args.dragoman, "translate", "--to", args.to, "--beam", "1"]
    command += ["--model", args.model] if args.model else []
    command += ["--html"] if args.html else []
    command += ["--json"] if args.json else []
    columns = [f"{size} KB" for size in args.sizes] + ["bytes per byte"]
    columns += ["to the end, processor", "clock"] if args.interrupt else []
    print("| line of | " + " | ".join(columns) + " |")
    print("|---|" + "--:|" * len(columns))
    with tempfile.TemporaryDirectory() as folder:
        for kind in args.kinds:
            found = []
            for size in args.sizes:
                path = os.path.join(folder, "line")
                with open(path, "w", encoding="utf-8", newline="") as file:
                    text = line(kind, size * 1000)
                    file.write(f"<p>{text}</p>\n" if args.html else text + "\n")
                found.append(run(command + ["-i", path], args.timeout))
                if not found[-1]:
                    break
            cells = [f"{one[0]:.1f} s" if one else f"over {args.timeout:.0f} s" for one in found]
            cells += [""] * (len(args.sizes) - len(cells))
            known = [(size * 1000, one[1]) for size, one in zip(args.sizes, found) if one]
            (small, low), (large, high) = known[0] if known else (0, 0), known[-1] if known else (0, 0)
            cells.append(f"{(high - low) / (large - small):.0f}" if large > small else "")
            if args.interrupt and found[-1]:
                ends = [interrupt(command + ["-i", path], found[-1][0] * step / 10) for step in range(1, 10)]
                ends = [end for end in ends if end] or [(0, 0)]
                cells += [f"{max(end[part] for end in ends):.1f} s" for part in (0, 1)]
            print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
