#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stream_memory.py [--dragoman PROGRAM] [--lines N] [--different N] [--model MODEL] [--to CODE]

Host memory of translating many lines in a stream: peak of the process with all lines, beside that with one line, and
how many lines had been written when the first translation came back. Lines repeat after --different of them, so that
the time is that of the stream and not of the model."""
import argparse
import json
import subprocess
import threading
import time


def peak_bytes(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def run(command, lines, different):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    written = 0
    peak = 0

    def write():
        nonlocal written
        for i in range(lines):
            process.stdin.write(b"I have %d dogs and %d cats.\n" % (i % different, i % 7))
            written += 1
        process.stdin.close()

    begin = time.monotonic()
    writer = threading.Thread(target=write)
    writer.start()
    first_after, read = None, 0
    for _ in process.stdout:
        if first_after is None:
            first_after = written
        read += 1
        if read % 1000 == 0 or read == lines:
            peak = max(peak, peak_bytes(process))
    writer.join()
    if process.wait() != 0 or read != lines:
        raise SystemExit(f"{command[0]}: exit status {process.returncode}, expected {lines} lines, read {read}")
    return {"lines": lines, "seconds": round(time.monotonic() - begin, 1), "peak_bytes": peak,
            "lines_written_at_first_result": first_after}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("--dragoman", default="build/release/bin/dragoman")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--different", type=int, default=500)
    parser.add_argument("--model")
    parser.add_argument("--to", default="de")
    args = parser.parse_args()
    command = [args.dragoman, "translate", "--to", args.to, "--beam", "1"]
    if args.model:
        command += ["--model", args.model]
    few, many = run(command, args.different, args.different), run(command, args.lines, args.different)
    many["peak_bytes_beside_few_lines"] = many["peak_bytes"] - few["peak_bytes"]
    print(json.dumps({"few": few, "many": many}, indent=1))


if __name__ == "__main__":
    main()
