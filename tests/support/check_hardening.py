#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_hardening.py [--without-path FOLDER] [--objects ARCHIVE] FILE...: names each measure of scripts/cmake/hardening.cmake
that a built program or library lacks, as readelf shows it, and every path of the build machine in it.

--objects: each object in a static library says that its jumps are protected; in what is linked that also hangs on the
objects of the C library."""
import argparse
import pathlib
import re
import subprocess
import sys


def readelf(path, *options):
    return subprocess.run(["readelf", "--wide", *options, str(path)], capture_output=True, text=True, check=True,
                          errors="replace", env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def segments(text):
    """(type, flags) of each program header."""
    return re.findall(r"^\s+([A-Z_]+)\s+0x\w+ 0x\w+ 0x\w+ 0x\w+ 0x\w+ ([RWE ]{3}) 0x", text, re.M)


def faults(path):
    header, dynamic = readelf(path, "--file-header", "--program-headers"), readelf(path, "--dynamic")
    parts = segments(header)
    if not parts:
        yield "expected program headers, found none"
        return
    if not re.search(r"Type:\s+DYN ", header):
        yield "expected a position-independent file (DYN), found " + re.search(r"Type:\s+(\w+)", header)[1]
    kinds = dict(parts)
    if "GNU_RELRO" not in kinds:
        yield "expected read-only relocations (GNU_RELRO), found none"
    if not re.search(r"\(BIND_NOW\)|Flags: .*\b(NOW|BIND_NOW)\b", dynamic):
        yield "expected addresses bound at the start (BIND_NOW), found lazy ones"
    if "E" in kinds.get("GNU_STACK", "RWE"):
        yield f"expected a stack without code, found {kinds.get('GNU_STACK', 'no GNU_STACK')}"
    for kind, flags in parts:
        if kind == "LOAD" and "W" in flags and "E" in flags:
            yield "expected no part that is written and run, found one"
    if "(TEXTREL)" in dynamic:
        yield "expected no relocations in code, found TEXTREL"
    for kind, where in re.findall(r"\((RPATH|RUNPATH)\)\s+Library \w+: \[(.*)\]", dynamic):
        if any(part and not part.startswith("$ORIGIN") for part in where.split(":")):
            yield f"expected {kind} relative to the file, found {where}"
    names = set(re.findall(r"\bUND (\w+)", readelf(path, "--dyn-syms")))
    if "__stack_chk_fail" not in names:
        yield "expected stack protectors (__stack_chk_fail), found none"
    if not any(re.fullmatch(r"__\w+_chk", name) and name != "__stack_chk_fail" for name in names):
        yield "expected checked copies (such as __memcpy_chk), found none"


def unprotected_objects(archive):
    """Objects whose properties do not have both kinds of protected jumps. x86-64 alone."""
    if "X86-64" not in readelf(archive, "--file-header"):
        return
    for name, notes in re.findall(r"^File: (.*?)\n(.*?)(?=^File: |\Z)", readelf(archive, "--notes"), re.M | re.S):
        if not re.search(r"x86 feature: .*IBT.*SHSTK", notes):
            yield f"{name}: expected IBT and SHSTK, found neither or one"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--objects", type=pathlib.Path)
    parser.add_argument("--without-path", action="append", default=[])
    options = parser.parse_args()
    found = [f"{path}: {fault}" for path in options.files for fault in faults(path)]
    for path in options.files:
        content = path.read_bytes()
        for folder in options.without_path:
            if folder.encode() in content:
                at = content.index(folder.encode())
                found.append(f"{path}: expected no path of this machine, found {content[at:at + 120].split(bytes(1))[0]!r}")
    if options.objects:
        found += [f"{options.objects}: {fault}" for fault in unprotected_objects(options.objects)]
    for fault in found:
        print(fault)
    print(f"{len(options.files)} files, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
