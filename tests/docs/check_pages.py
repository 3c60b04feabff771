#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_pages.py REPOSITORY TOOL: every link of the documentation leads somewhere, and every function, constant, option
and environment variable it names exists; every enumerator of the headers is explained."""
import pathlib
import re
import subprocess
import sys

root, tool = pathlib.Path(sys.argv[1]), sys.argv[2]
pages = [root / "README.md", *sorted(p for folder in ("docs", "bindings", "samples", "models", "bench", "capi")
                                     for p in (root / folder).glob("**/*.md") if "node_modules" not in p.parts
                                     and "results" not in p.parts)]
headers = "".join(p.read_text(encoding="utf-8") for p in (root / "capi/include/dragoman").glob("*.h*"))
sources = "".join(p.read_text(encoding="utf-8", errors="replace")
                  for folder in ("lib", "capi", "samples", "scripts", "tests", "bindings", "bench", "models/recipe")
                  for p in (root / folder).rglob("*")
                  if p.suffix in (".cpp", ".h", ".c", ".py", ".sh", ".txt", ".cmake", ".mjs", ".js", ".ts", ".rs",
                                  ".go", ".java", ".cs", ".map"))
build = sources + (root / "CMakeLists.txt").read_text(encoding="utf-8")
commands = ["translate", "devices", "info", "bench", "convert", "embed", "detect", "doctor"]
help_text = "".join(subprocess.run([tool, *c, "--help-all"], capture_output=True, text=True).stdout
                    for c in ([], *([c] for c in commands)))


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def wrong(page):
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, part = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            yield f"link to {target}: there is no {name}"
        elif part and file.suffix == ".md":
            titles = {anchor(t) for t in re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)}
            if part not in titles:
                yield f"link to {target}: {name or page.name} has no such heading"
    for name in sorted(set(re.findall(r"\bdragoman_[a-z0-9_]+\b(?!\.)", text))):
        if not re.search(rf"\b{name}", headers) and not re.search(rf"\b{name}\b", build):
            yield f"{name} is not in the headers"
    for name in sorted(set(re.findall(r"\bDRAGOMAN_[A-Z0-9_]+\b", text))):
        if not re.search(rf"\b{name}\b", headers) and not re.search(rf"\b{name}\b", build):
            yield f"{name} is neither in the headers nor read anywhere"
    if page.parent == root / "docs" and page.name in ("options.md", "devices.md"):
        for flag in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))):
            if flag not in help_text and flag not in build:
                yield f"{flag} is not in --help"


count = 0
for name in re.findall(r"(?<!\*/)\n    (DRAGOMAN_\w+) = \d+,?\n", headers):
    count += 1
    print(f"{name}: its header does not say what it means")
for page in pages:
    for complaint in wrong(page):
        count += 1
        print(f"{page.relative_to(root)}: {complaint}")
print(f"{len(pages)} pages, {count} complaints")
sys.exit(1 if count else 0)
