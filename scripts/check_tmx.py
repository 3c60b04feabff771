#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_tmx.py path/to/dragoman [arguments of translate]: translate-toolkit (PyPI), in a process of its own, reads the
TMX that the tool writes, and the tool translates with one that translate-toolkit wrote."""
from __future__ import annotations

import ast
import pathlib
import subprocess
import sys
import tempfile

TOOLKIT = """
import sys
from translate.storage import tmx
if sys.argv[1] == "read":
    with open(sys.argv[2], "rb") as file:
        for unit in tmx.tmxfile.parsefile(file).units:
            print(repr((unit.source, unit.target)))
else:
    made = tmx.tmxfile()
    made.addtranslation("Where is the <old> station & the house?", "en", "Wo ist das \\u201ealte\\u201c Haus?", "de")
    made.savefile(sys.argv[2])
"""


def toolkit(what, path):
    done = subprocess.run([sys.executable, "-c", TOOLKIT, what, path], check=True, capture_output=True, text=True)
    return [ast.literal_eval(line) for line in done.stdout.splitlines()]


def main() -> int:
    tool, arguments = sys.argv[1], sys.argv[2:] or ["--from", "en", "--to", "de"]

    def translate(*more):
        return subprocess.run([tool, "translate", *arguments, *more], check=True, capture_output=True, text=True).stdout

    texts = ["I have a big dog.", "Tom & Anna are at home.", 'She said: "Good morning!"']
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = pathlib.Path(folder) / "ours.tmx", pathlib.Path(folder) / "theirs.tmx"
        translations = translate("--write-tmx", ours, *texts).splitlines()
        read = toolkit("read", ours)
        toolkit("write", theirs)
        found = translate("--tmx", theirs, "Where is the <old> station & the house?").strip()
    print(f"read: {read}\nfound: {found!r}")
    return 0 if read == list(zip(texts, translations)) and found == "Wo ist das \u201ealte\u201c Haus?" else 1


if __name__ == "__main__":
    sys.exit(main())
