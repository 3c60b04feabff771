#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""download.py GET_FILE [--bytes N] [--runs N] [--folder FOLDER]

Brings a large file from a server on this machine (tests/download/server.py) by curl, by curl and then sha256sum, and by
get_file, which hashes while it comes: with SHA-256, and with git's SHA-1 besides. Prints medians of the rate, with the
slowest and the fastest run, and the peak of memory. In turn, so that what else the machine does meets all of them."""
import argparse
import hashlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

SERVER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "download" / "server.py"


def measured(command):
    """Seconds and peak bytes of a program."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss * 1024, output


def git_sha1(path, size):
    sum_ = hashlib.sha1(b"blob %d\0" % size)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sum_.update(block)
    return sum_.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("get_file")
    parser.add_argument("--bytes", type=int, default=4 << 30)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", help="for both files; twice the bytes")
    arguments = parser.parse_args()
    os.environ |= {"no_proxy": "127.0.0.1"}
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = pathlib.Path(name)
        (folder / "served").mkdir()
        source, target = folder / "served" / "large", folder / "large"
        with source.open("wb") as file:
            file.truncate(arguments.bytes)
        server = subprocess.Popen([sys.executable, str(SERVER), str(folder / "served")], stdout=subprocess.PIPE, text=True)
        try:
            url = f"http://127.0.0.1:{re.match(r'port ([0-9]+)', server.stdout.readline())[1]}/file/large"
            table(arguments, url, target, git_sha1(source, arguments.bytes))
        finally:
            server.kill()


def table(arguments, url, target, blob):
    curl = ["curl", "--silent", "--fail", "--output", str(target), url]
    ways = {
        "curl": [curl],
        "curl, then sha256sum": [curl, ["sha256sum", str(target)]],
        "get_file, SHA-256": [[arguments.get_file, url, str(target)]],
        "get_file, SHA-256 and git's SHA-1": [[arguments.get_file, url, str(target), blob]],
    }
    rates, peaks, sums = {way: [] for way in ways}, {way: 0 for way in ways}, set()
    for _ in range(arguments.runs):
        for way, commands in ways.items():
            seconds = 0
            for command in commands:
                took, peak, output = measured(command)
                seconds += took
                peaks[way] = max(peaks[way], peak)
                sums.update(re.findall(r"\b[0-9a-f]{64}\b", output))
            rates[way].append(arguments.bytes / seconds / 1e6)
            for file in (target, target.with_name("large.state")):
                file.unlink(missing_ok=True)
    if len(sums) != 1:
        sys.exit(f"expected one SHA-256, got {sums}")
    base = statistics.median(rates["curl"])
    print(f"{arguments.bytes} bytes, {arguments.runs} runs\n\n| way | MB/s | slowest to fastest | of curl's | peak MB |")
    print("|---|---:|---:|---:|---:|")
    for way, values in rates.items():
        median = statistics.median(values)
        print(f"| {way} | {median:.0f} | {min(values):.0f} to {max(values):.0f} | {median / base:.2f} | {peaks[way] / 1e6:.0f} |")


if __name__ == "__main__":
    main()
