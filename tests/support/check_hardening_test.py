#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_hardening_test.py COMPILER: check_hardening.py is silent on a hardened program and names each measure that one lacks."""
import pathlib
import subprocess
import sys
import tempfile

CHECKER = pathlib.Path(__file__).with_name("check_hardening.py")
PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
    char buffer[64];
    memcpy(buffer, words[0], (size_t)count);
    strcpy(buffer + 8, words[count - 1]);
    return puts(buffer) + (int)sizeof(HERE) < 0;
}
"""
GOOD = ["-O2", "-fPIE", "-pie", "-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-Wl,-z,relro",
        "-Wl,-z,now", "-Wl,-z,noexecstack"]
# What is added to the good options, and what has to be said.
WORSE = {
    "position-independent": ["-fno-pie", "-no-pie"],
    "GNU_RELRO": ["-Wl,-z,norelro"],
    "BIND_NOW": ["-Wl,-z,lazy"],
    "stack without code": ["-Wl,-z,execstack"],
    "stack protectors": ["-fno-stack-protector"],
    "checked copies": ["-U_FORTIFY_SOURCE"],
    "relative to the file": ["-Wl,-rpath,/opt/lib"],
}


def check(*arguments):
    run = subprocess.run([sys.executable, CHECKER, *map(str, arguments)], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


def main():
    compiler, wrong = sys.argv[1], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "program.c").write_text(PROGRAM, encoding="utf-8")

        def built(*options):
            subprocess.run([compiler, *GOOD, '-DHERE=""', "-o", folder / "program", folder / "program.c", *options],
                           check=True)
            return folder / "program"

        code, said = check(built())
        if code != 0:
            wrong.append(f"a hardened program: expected silence, got {said}")
        for expected, options in WORSE.items():
            code, said = check(built(*options))
            if code != 1 or expected not in said:
                wrong.append(f"{' '.join(options)}: expected 1 and '{expected}', got {code} and {said}")
        program = built()
        program.write_bytes(program.read_bytes() + b"/home/somebody/source/file.cpp\0")
        code, said = check("--without-path", "/home/somebody", program)
        if code != 1 or "file.cpp" not in said:
            wrong.append(f"a path in the file: expected 1 and its name, got {code} and {said}")
    for line in wrong:
        print(line)
    print(f"{len(WORSE) + 2} programs, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
