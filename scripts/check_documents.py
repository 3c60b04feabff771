#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes documents with other people's libraries (python-docx, python-pptx, openpyxl, odfpy from PyPI), translates them
with the command line tool and opens the results again: check_documents.py path/to/dragoman [arguments of translate]."""
from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
import zipfile

import docx
import openpyxl
import pptx
from odf import teletype
from odf.opendocument import OpenDocumentText, load
from odf.style import Style, TextProperties
from odf.text import H, P, Span

SENTENCE = ("I have a ", "big", " dog.")


def make_docx(path):
    document = docx.Document()
    document.add_heading("Where is the station?", 1)
    paragraph = document.add_paragraph(SENTENCE[0])
    paragraph.add_run(SENTENCE[1]).bold = True
    paragraph.add_run(SENTENCE[2])
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "The house is old.", "12"
    document.sections[0].header.paragraphs[0].text = "We are at home."
    document.save(path)


def read_docx(path):
    document = docx.Document(path)
    texts = [p.text for p in document.paragraphs] + [c.text for t in document.tables for r in t.rows for c in r.cells]
    bold = [r.text for p in document.paragraphs for r in p.runs if r.bold]
    return texts + [document.sections[0].header.paragraphs[0].text], bold


def make_pptx(path):
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Where is the station?"
    paragraph = slide.placeholders[1].text_frame.paragraphs[0]
    for i, text in enumerate(SENTENCE):
        run = paragraph.add_run()
        run.text = text
        if i == 1:
            run.font.bold = True
    show.save(path)


def read_pptx(path):
    frames = [s.text_frame for slide in pptx.Presentation(path).slides for s in slide.shapes if s.has_text_frame]
    bold = [r.text for f in frames for p in f.paragraphs for r in p.runs if r.font.bold]
    return [f.text for f in frames], bold


def make_xlsx(path):
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"], book.active["A3"] = "The house is old.", 12, "=A2+1"
    book.save(path)


def read_xlsx(path):
    sheet = openpyxl.load_workbook(path).active
    return [str(sheet[f"A{i}"].value) for i in (1, 2, 3)], []


def make_odt(path):
    document = OpenDocumentText()
    style = Style(name="Bold", family="text")
    style.addElement(TextProperties(fontweight="bold"))
    document.automaticstyles.addElement(style)
    document.text.addElement(H(outlinelevel=1, text="Where is the station?"))
    paragraph = P(text=SENTENCE[0])
    paragraph.addElement(Span(stylename=style, text=SENTENCE[1]))
    paragraph.addText(SENTENCE[2])
    document.text.addElement(paragraph)
    document.save(path)


def read_odt(path):
    document = load(path)
    texts = [teletype.extractText(e) for kind in (H, P) for e in document.getElementsByType(kind)]
    return texts, [teletype.extractText(e) for e in document.getElementsByType(Span)]


def main() -> int:
    tool, arguments = sys.argv[1], sys.argv[2:] or ["--to", "de"]
    folder = pathlib.Path(tempfile.mkdtemp())
    wrong = 0
    for kind in ("docx", "pptx", "xlsx", "odt"):
        source, target = folder / f"source.{kind}", folder / f"target.{kind}"
        globals()[f"make_{kind}"](str(source))
        subprocess.run([tool, "translate", source, "-o", target, *arguments], check=True)
        before, after = globals()[f"read_{kind}"](str(source)), globals()[f"read_{kind}"](str(target))
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(target) as new:
            same_names = old.namelist() == new.namelist() and new.testzip() is None
            changed = [name for name in old.namelist() if old.read(name) != new.read(name)]
        good = same_names and len(before[0]) == len(after[0]) and len(before[1]) == len(after[1]) and all(after[1])
        wrong += not good
        print(f"{kind}: {'good' if good else 'WRONG'}; changed: {', '.join(changed)}")
        for text, translation in zip(before[0] + before[1], after[0] + after[1]):
            print(f"    {text!r} -> {translation!r}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
