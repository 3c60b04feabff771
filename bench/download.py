#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""download.py GET_FILE [--tool DRAGOMAN] [--bytes N] [--runs N] [--folder FOLDER]

Brings a large file from a server on this machine (tests/download/server.py) by curl, by curl and then sha256sum, and by
get_file, which hashes while it comes: with SHA-256, and with git's SHA-1 besides. With --tool also by `dragoman
models download`, as it is and as a Zstandard file that does not compress, which is hashed as it comes and as it is
unpacked; by curl likewise. Prints medians of the rate of the bytes that come, with the slowest and the fastest run, and
the peak of memory. In turn, so that what else the machine does meets all of them.

    bench/download.py build/release/tests/get_file --tool build/release/bin/dragoman --bytes 4294967296 --runs 5

takes 20 GB of disk."""
import argparse
import hashlib
import os
import pathlib
import re
import shutil
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


def sha256(path):
    return hashlib.file_digest(path.open("rb"), "sha256").hexdigest()


def write_packed(path, size):
    """A Zstandard file of about so many bytes."""
    shell = f"head -c {size} /dev/urandom | zstd -q -1 -T1 -o '{path}'"
    subprocess.run(["bash", "-o", "pipefail", "-c", shell], check=True)


def git_sha1(path, size):
    sum_ = hashlib.sha1(b"blob %d\0" % size)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sum_.update(block)
    return sum_.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("get_file")
    parser.add_argument("--tool", help="the program dragoman")
    parser.add_argument("--bytes", type=int, default=4 << 30)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", help="for the files")
    arguments = parser.parse_args()
    os.environ |= {"no_proxy": "127.0.0.1"}
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = pathlib.Path(name)
        (folder / "served").mkdir()
        source, target = folder / "served" / "large", folder / "large"
        with source.open("wb") as file:
            file.truncate(arguments.bytes)
        if arguments.tool:
            write_packed(folder / "served" / "packed.zst", arguments.bytes)
            os.environ |= {"DRAGOMAN_MODELS_DIR": str(folder / "models"), "XDG_CACHE_HOME": str(folder / "cache")}
        server = subprocess.Popen([sys.executable, str(SERVER), str(folder / "served")], stdout=subprocess.PIPE, text=True)
        try:
            url = f"http://127.0.0.1:{re.match(r'port ([0-9]+)', server.stdout.readline())[1]}/file/large"
            table(arguments, url, target, source)
        finally:
            server.kill()


def ways_of(arguments, url, target, source):
    """Commands by what they are called; those with the packed file bring other bytes."""
    curl = ["curl", "--silent", "--fail", "--output", str(target), url]
    get_file = [arguments.get_file, url, str(target)]
    ways = {
        "curl": [curl],
        "curl, then sha256sum": [curl, ["sha256sum", str(target)]],
        "get_file, SHA-256": [get_file],
        "get_file, SHA-256 and git's SHA-1": [[*get_file, git_sha1(source, arguments.bytes)]],
    }
    if arguments.tool:
        packed, packed_url = source.with_name("packed.zst"), url.replace("large", "packed.zst")
        came, unpacked = str(target) + ".zst", str(target)
        download = [arguments.tool, "models", "download", "--no-progress", "--again"]
        ways |= {
            "dragoman models download, SHA-256": [[*download, f"url:{url}#sha256={sha256(source)}"]],
            "packed: curl": [["curl", "--silent", "--fail", "--output", came, packed_url]],
            "packed: curl, sha256sum, zstd, sha256sum": [
                ["curl", "--silent", "--fail", "--output", came, packed_url], ["sha256sum", came],
                ["zstd", "-q", "-d", "-f", came, "-o", unpacked], ["sha256sum", unpacked]],
            "packed: dragoman models download, SHA-256 of both": [
                [*download, f"url:{packed_url}#sha256={sha256(packed)}"]],
        }
    return ways


def table(arguments, url, target, source):
    ways = ways_of(arguments, url, target, source)
    rates, peaks = {way: [] for way in ways}, {way: 0 for way in ways}
    expected = sha256(source)
    for _ in range(arguments.runs):
        for way, commands in ways.items():
            seconds = 0
            for command in commands:
                took, peak, output = measured(command)
                seconds += took
                peaks[way] = max(peaks[way], peak)
                for found in re.findall(r"\b[0-9a-f]{64}\b", output):
                    if not way.startswith("packed") and found != expected:
                        sys.exit(f"{way}: expected SHA-256 {expected}, got {found}")
            rates[way].append(arguments.bytes / seconds / 1e6)
            for file in target.parent.glob("large*"):
                file.unlink()
            shutil.rmtree(target.parent / "models", ignore_errors=True)
    print(f"{arguments.bytes} bytes, {arguments.runs} runs\n")
    print("| way | MB/s | slowest to fastest | of curl's | peak MB |")
    print("|---|---:|---:|---:|---:|")
    for way, values in rates.items():
        median, base = statistics.median(values), "packed: curl" if way.startswith("packed") else "curl"
        share = median / statistics.median(rates[base])
        print(f"| {way} | {median:.0f} | {min(values):.0f} to {max(values):.0f} | {share:.2f} "
              f"| {peaks[way] / 1e6:.0f} |")


if __name__ == "__main__":
    main()
