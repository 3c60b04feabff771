#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes documents with other people's libraries, translates them with the command line tool, opens the results again
and compares what is in them besides words. Where LibreOffice and poppler are installed, both are also rendered.

    check_documents.py build/release/bin/dragoman --out FOLDER [--kinds docx odt ...] [-- arguments of translate]

Needs python-docx, python-pptx, openpyxl, odfpy, EbookLib, lxml, Pillow, polib, translate-toolkit, pysubs2 and
markdown-it-py from PyPI."""
from __future__ import annotations

import argparse
import collections
import pathlib
import subprocess
import sys
import time
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "documents"))
import docx  # noqa: E402
import office_samples  # noqa: E402
import open_samples  # noqa: E402
import openpyxl  # noqa: E402
import pptx  # noqa: E402
import text_samples  # noqa: E402
from ebooklib import epub  # noqa: E402
from odf.opendocument import load  # noqa: E402
from rendering import can_render, pages  # noqa: E402
from structure import structure  # noqa: E402

KINDS = {"docx": (office_samples.make_docx, docx.Document), "pptx": (office_samples.make_pptx, pptx.Presentation),
         "xlsx": (office_samples.make_xlsx, openpyxl.load_workbook), "odt": (open_samples.make_odt, load),
         "ods": (open_samples.make_ods, load), "odp": (open_samples.make_odp, load),
         "epub": (open_samples.make_epub, epub.read_epub)}


def verdict(faults):
    return "WRONG: " + "; ".join(faults) if faults else "good"


def check_text(kind, out, translate):
    """A file that is no package; returns its faults."""
    make, read = text_samples.KINDS[kind]
    source, target = out / f"source.{kind}", out / f"target.{kind}"
    make(str(source))
    translate(source, target, "--format", kind)
    (places, count), (new_places, new_count) = read(str(source)), read(str(target))
    wanted = len(places) if kind in text_samples.NEW else count
    faults = [] if places == new_places else [f"{len(places)} places before, others after"]
    if new_count != wanted:
        faults.append(f"{wanted} texts expected, {new_count} found")
    print(f"{kind}: {verdict(faults)}; {len(places)} places, {new_count} texts", flush=True)
    return faults


def said(counts):
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()) if count)


def packed_alike(source, target):
    """The faults of the package, and the members that are other ones now."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target) as new:
        faults = [] if old.namelist() == new.namelist() else ["other members"]
        if bad := new.testzip():
            faults.append(f"{bad} is broken")
        return faults, [name for name in old.namelist() if old.read(name) != new.read(name)]


def compare(kind, source, target):
    faults, changed = packed_alike(source, target)
    KINDS[kind][1](str(target))  # opens
    (every, named, words), (new_every, new_named, new_words) = structure(source, kind), structure(target, kind)
    faults += [f"{part}: {name} {every[part, name]} times before, {new_every[part, name]} after"
               for part, name in sorted(set(every) | set(new_every)) if every[part, name] != new_every[part, name]]
    faults += [f"{name}: {words[name]} words before, {new_words[name]} after"
               for name in words if bool(words[name]) != bool(new_words[name])]
    return faults, changed, named, words, new_words


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--kinds", nargs="+", choices=[*KINDS, *text_samples.KINDS],
                        default=[*KINDS, *text_samples.KINDS])
    parser.add_argument("arguments", nargs="*", default=["--to", "de"], help="of translate; default: --to de")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    wrong = 0

    def translate(*arguments):
        subprocess.run([given.tool, "translate", arguments[0], "-o", *arguments[1:], *given.arguments], check=True)

    for kind in given.kinds:
        if kind in text_samples.KINDS:
            wrong += bool(check_text(kind, given.out, translate))
            continue
        source, target = given.out / f"source.{kind}", given.out / f"target.{kind}"
        KINDS[kind][0](str(source))
        begin = time.monotonic()
        translate(source, target)
        seconds = time.monotonic() - begin
        faults, changed, named, words, new_words = compare(kind, source, target)
        counts = collections.Counter()
        if can_render() and kind != "epub":
            counts = [pages(each, given.out / "rendered") for each in (source, target)]
            if counts[0] != counts[1]:
                print(f"{kind}: {counts[0]} pages before, {counts[1]} after")
        wrong += bool(faults)
        print(f"{kind}: {verdict(faults)}; {said(named)}; words {said(words)} -> {said(new_words)}; pages "
              f"{list(counts) or '-'}; {seconds:.0f} s; changed: {', '.join(changed)}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
