#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines of each binding, as a table: of its package by hand, of its part for the optional second library
libdragoman_models (a folder or file called "models"), of the scripts that make the rest with their data, of
tests and examples, and of what is made. Code lines are those that have more than white space, comments and
documentation; a bracket alone and an import are code. --check fails where a package has more code by
hand than its limit."""
from __future__ import annotations

import argparse
import ast
import collections
import io
import pathlib
import re
import sys
import tokenize

BINDINGS = pathlib.Path(__file__).resolve().parent.parent
LIMITED = ("rust", "go", "java", "csharp")
LIMIT = 1500
MODELS_LIMIT = 400
LANGUAGES = {".rs", ".go", ".c", ".h", ".cpp", ".java", ".cs", ".py", ".js", ".ts", ".json"}
BUILT = {"target", "node_modules", "build", "bin", "obj", "dist", "__pycache__", ".pytest_cache"}
DATA = {"package.json", "package-lock.json", "tsconfig.json"}  # not code
MADE = re.compile(r"\bmake_\w+\.py\b")                        # a made file says so at its beginning
TESTS = re.compile(r"(^|/)(tests?|examples|typescript)/|_test\.go$")
MODELS = re.compile(r"(^|/)[Mm]odels(/|\.\w+$)")
COLUMNS = ("package", "models", "scripts", "tests", "made")
# Strings are matched so that nothing inside them is taken for a comment.
PIECES = re.compile(r'"""(?:\\.|[^\\])*?"""|r(#+)".*?"\1|@"(?:[^"]|"")*"|`[^`]*`'
                    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
                    r"|(?P<comment>//[^\n]*|/\*.*?\*/)", re.DOTALL)


def of_python(text: str) -> int:
    """Lines without comments and without strings that are statements."""
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = lines[token.start[0] - 1][:token.start[1]]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines[node.lineno - 1:node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return sum(bool(line.strip()) for line in lines)


def code(path: pathlib.Path, text: str) -> int:
    if path.suffix == ".py":
        return of_python(text)
    kept = PIECES.sub(lambda match: re.sub(r"[^\n]", "", match[0]) if match["comment"] else match[0], text)
    return sum(bool(line.strip()) for line in kept.split("\n"))


def column(path: pathlib.Path, text: str) -> str:
    name = path.as_posix()
    if name.startswith("tools/"):
        return "scripts"
    if MADE.search("\n".join(text.split("\n")[:4])):
        return "made"
    if TESTS.search(name):
        return "tests"
    return "models" if MODELS.search(name) else "package"


def count(folder: pathlib.Path) -> dict[str, list[int]]:
    """Code lines and all lines of each column."""
    found = collections.defaultdict(lambda: [0, 0])
    for path in sorted(folder.rglob("*")):
        own = path.relative_to(folder)
        if path.suffix in LANGUAGES and path.is_file() and not BUILT & set(own.parts) and path.name not in DATA:
            text = path.read_text(encoding="utf-8")
            of = found[column(own, text)]
            of[0] += code(path, text)
            of[1] += text.count("\n")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--bindings", type=pathlib.Path, default=BINDINGS)
    given = parser.parse_args()
    print("| binding | package by hand | models by hand | scripts that make the rest | tests and examples | made |")
    print("|---|---:|---:|---:|---:|---:|")
    over = []
    for name in LIMITED:
        found = count(given.bindings / name)
        print(f"| {name} | " + " | ".join(f"{found[one][0]:,} ({found[one][1]:,})" for one in COLUMNS) + " |")
        for kind, limit in (("package", LIMIT), ("models", MODELS_LIMIT)):
            if found[kind][0] > limit:
                part = f"{name}, {kind}" if kind == "models" else name
                over.append(f"{part}: {found[kind][0]} code lines by hand, expected at most {limit}")
    if given.check and over:
        sys.exit("\n".join(over))


if __name__ == "__main__":
    main()
