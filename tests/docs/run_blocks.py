#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles or runs the code blocks of a page of the documentation, each in a folder of its own.

c, cpp    a whole program if it has a main (or is only compiled), else the body of one; compiled with warnings as errors, run, exit code 0
sh        run by bash -eu with the tool's folder in PATH
cmake     a CMakeLists.txt; configured with the installed package, built
python, js, mjs    run where the binding is there
json      parsed
Words behind the language: `compile` (not run), `fails` (must exit with an error), `elsewhere=NAME` (NAME, a test, runs it).
Other blocks and those without a language are output, not code. A comment `<!-- with: ... -->` above a block is put
before it, unseen by the reader. Names a page may use are made in make_sandbox().
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"(?:<!-- with:\s*(?P<before>.*?)\s*-->\s*\n)?^```(?P<info>[^\n`]*)\n(?P<code>.*?)^```\s*$", re.S | re.M)
TEXTS = {"lines.txt": "Where is the station?\nI have a dog.\n", "letter.txt": "Dear Anna,\nI am at home.\n\nYours, Tom\n",
         "pairs.tsv": "Where is the station?\tWo ist der Bahnhof?\n",
         "tokens.txt": ">>de<< ▁Hello\n",
         "film.en.srt": "1\n00:00:01,000 --> 00:00:03,000\nWhere is my dog?\n"}
C_HEAD = """#include <dragoman/dragoman.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""
CPP_HEAD = """#include <dragoman/dragoman.hpp>
#include <iostream>
#include <string>
#include <vector>
"""


def blocks(page):
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        words = match["info"].split()
        line = text.count("\n", 0, match.start("info")) + 1
        yield line, words[0] if words else "", words[1:], match["before"] or "", match["code"]


def make_sandbox(a):
    box = pathlib.Path(tempfile.mkdtemp(prefix="dragoman_docs_"))
    for name, text in TEXTS.items():
        (box / name).write_text(text, encoding="utf-8")
    (box / "MODEL").symlink_to(a.model)
    for folder in ("samples", "tests", "models", "scripts", "bench"):
        (box / folder).symlink_to(a.source / folder)
    return box


def wrap(language, words, before, code):
    if "compile" in words or re.search(r"^int main\(", code, re.M):
        return before + "\n" + code
    head, main = (C_HEAD, "int main(void)") if language == "c" else (CPP_HEAD, "int main()")
    includes = "".join(line + "\n" for line in code.splitlines() if line.startswith("#include"))
    body = "".join(line + "\n" for line in code.splitlines() if not line.startswith("#include"))
    outside, _, inside = before.rpartition("---")
    return f"{head}{includes}{outside}\n{main} {{\n{inside}\n{body}\nreturn 0;\n}}\n"


class Failed(Exception):
    pass


def call(command, box, environment, fails=False, timeout=3600):
    done = subprocess.run(command, cwd=box, env=environment, capture_output=True, text=True, timeout=timeout)
    if (done.returncode != 0) != fails:
        raise Failed(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def run_block(a, language, words, before, code, environment):
    box = make_sandbox(a)
    try:
        fails = "fails" in words
        if language in ("c", "cpp"):
            source = box / f"block.{language}"
            source.write_text(wrap(language, words, before, code), encoding="utf-8")
            compiler = [a.cc, "-std=c99"] if language == "c" else [a.cxx, "-std=c++20"]
            flags = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable",
                     "-Wno-unused-function", f"-I{a.source}/capi/include", *a.flags]
            if "compile" in words:
                call([*compiler, *flags, "-c", source, "-o", box / "block.o"], box, environment)
            else:
                documents = ["-ldragoman_documents"] if "dragoman/documents.h" in code else []
                call([*compiler, *flags, source, "-o", box / "block", f"-L{a.library.parent}", *documents, "-ldragoman",
                      "-lpthread", f"-Wl,-rpath,{a.library.parent}"], box, environment)
                call([box / "block"], box, environment, fails)
        elif language == "sh":
            call(["bash", "-euo", "pipefail", "-c", f"{before}\n{code}"], box, environment, fails)
        elif language == "cmake":
            project = box / "project"
            project.mkdir()
            (project / "CMakeLists.txt").write_text(code, encoding="utf-8")
            shutil.copy(a.source / "samples/hello/hello.c", project / "app.c")
            call(["cmake", "--install", a.build, "--prefix", box / "prefix"], box, environment)
            call(["cmake", "-S", project, "-B", box / "built", f"-DCMAKE_PREFIX_PATH={box}/prefix",
                  f"-DCMAKE_C_FLAGS={' '.join(a.flags)}", f"-DCMAKE_CXX_FLAGS={' '.join(a.flags)}"], box, environment)
            call(["cmake", "--build", box / "built"], box, environment)
        elif language in ("python", "js", "mjs"):
            suffix = "py" if language == "python" else "mjs"
            (box / f"block.{suffix}").write_text(before + "\n" + code, encoding="utf-8")
            call([sys.executable if suffix == "py" else "node", box / f"block.{suffix}"], box, environment, fails)
        elif language == "json":
            json.loads(code)
        else:
            return False
        return True
    finally:
        shutil.rmtree(box, ignore_errors=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--source", type=pathlib.Path, required=True, help="the repository")
    p.add_argument("--build", type=pathlib.Path, required=True, help="its build folder")
    p.add_argument("--library", type=pathlib.Path, required=True, help="the shared library")
    p.add_argument("--model", type=pathlib.Path, required=True, help="what MODEL is in a block")
    p.add_argument("--cc", default="cc")
    p.add_argument("--cxx", default="c++")
    p.add_argument("--flags", default="", help="for the compilers, separated by spaces")
    p.add_argument("--skip", nargs="*", default=[], help="languages that cannot be run here")
    p.add_argument("pages", nargs="+", type=pathlib.Path)
    a = p.parse_args()
    a.flags = a.flags.split()
    environment = dict(os.environ, PATH=f"{a.build}/bin:{a.build}/samples:{os.environ['PATH']}")
    passed = failed = left_out = 0
    for page in a.pages:
        for line, language, words, before, code in blocks(page):
            place = f"{page.name}:{line}"
            if language in a.skip or any(w.startswith("elsewhere=") for w in words):
                left_out += 1
                print(f"{place}: {language} {' '.join(words)}: not run here")
                continue
            try:
                ran = run_block(a, language, words, before, code, environment)
                passed += ran
            except (Failed, subprocess.TimeoutExpired, ValueError) as error:
                failed += 1
                print(f"{place}: {error}\n--- {before}\n{code}")
    print(f"{passed} blocks passed, {failed} failed, {left_out} not run here")
    return 1 if failed or not passed + left_out else 0


if __name__ == "__main__":
    sys.exit(main())
