#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes everything of capi/options.json that says which options of translating there are: the C header's struct and
enumerations, the options of Python and TypeScript, and tables of docs/, which are checked in, and then what other
scripts make of the header: api.json and the tables of the bindings. --check compares instead, and names what is stale.
--cpp FOLDER is the build's call: it writes the C++, which is not checked in.

A new option is a row of capi/options.json, its name at the end of "c_fields" there, a run of this script, and the code
that does what the option says. That code finds it in pipeline::TranslateOptions or TextOptions, read, checked and with
its default; in the tool its flag is set.

Keys of a row. "section": where docs/options.md has it. "rule": whose it is: decoding, text or device. "type": count,
number, flag, enumeration, text, tokens, sequences, handle ("handle": whose; "held": what of it the pipeline gets).
"engine": the only search that has it; absent: all. "default": "model" is as the model says, or else its engine
("engines"); a default that is no value is put in words by "unset". "min", "max", "above", "below": bounds ("max" may
name a field of dragoman_model_info); "also": values allowed beyond them, by their words for the tool; "with": what its bounds need set ("sampling": 2:
it is refused without sampling). "needs": what a model must have. "gguf": the key by which a model sets it, which then is
a member of spec::SearchDefaults. "field", "member": its name there, and in TranslateOptions or TextOptions, where that
is another one; "!" is its contrary. "cpp": a type that does not follow from "type".
"flag": the tool's. "group": of its help, where that is not Texts or Decoding; "tool": the member of TranslateCommand,
for what C's struct cannot hold. "continuing": a decoder alone refuses it, or the tool's `continue` leaves it out (ignored).
"text": "same" if it never changes a translated text. "comment": in a few words, for sources and bindings; "see": more
of it for C; "help": the flag's, where the comment does not do; "doc": for docs/options.md."""
from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys

import options_cpp
import options_text
from options_table import Table

MAKERS = ("capi/tools/make_api.py", "bindings/python/tools/make_abi.py", "bindings/node/tools/make_tables.py",
          "bindings/rust/tools/make_sys.py", "bindings/go/tools/make_go.py")


def write(path: pathlib.Path, text: str) -> None:
    """Leaves a file alone that is as it should be, so that nothing is compiled again for it."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def checked_in(root: pathlib.Path, table: Table, check: bool) -> list[str]:
    """Writes the files, or names those that are stale."""
    stale = []
    for name, made in options_text.regions(table).items():
        old = (root / name).read_text(encoding="utf-8")
        new = options_text.filled(name, old, made)
        if check and old != new:
            stale.append(f"{name}: differs from capi/options.json; run capi/tools/make_options.py")
        elif not check:
            write(root / name, new)
    return stale


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--cpp", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="with --cpp: only say which files it writes, for CMake")
    arguments = parser.parse_args()
    try:
        table = Table(arguments.root)
        if arguments.cpp:
            made = options_cpp.pieces(table)
            if arguments.list:
                return print(";".join((arguments.cpp / name).as_posix() for name in made))
            for name, text in made.items():
                write(arguments.cpp / name, text)
            return
        stale = checked_in(arguments.root, table, arguments.check)
    except ValueError as error:
        sys.exit(str(error))
    if stale:
        sys.exit("\n".join(stale))
    for maker in () if arguments.check else MAKERS:
        subprocess.run([sys.executable, arguments.root / maker], check=True)


if __name__ == "__main__":
    main()
