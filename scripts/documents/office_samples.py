# SPDX-License-Identifier: Apache-2.0
"""Office documents with the structure that people's have, made with python-docx, python-pptx and openpyxl."""
from __future__ import annotations

import docx
import openpyxl
import pptx
from docx.enum.text import WD_BREAK
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Cm, Pt, RGBColor
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.table import Table
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from pptx.util import Pt as Points

from texts import FOOTNOTE, ITEMS, PARAGRAPHS, ROWS, STEPS, TITLE, picture, runs

NOTES_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
NOTES = """<w:footnotes {0}><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>
<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>
<w:footnote w:id="1"><w:p><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r>
<w:r><w:t xml:space="preserve"> {1}</w:t></w:r></w:p></w:footnote></w:footnotes>"""
MARK = '<w:r {}><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="1"/></w:r>'
LINK = ('<w:hyperlink {} w:history="1" r:id="{}"><w:r><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr>'
        "<w:t>{}</w:t></w:r></w:hyperlink>")
FIELD = ('<w:r {0}><w:fldChar w:fldCharType="begin"/></w:r>', '<w:r {0}><w:instrText> PAGE </w:instrText></w:r>',
         '<w:r {0}><w:fldChar w:fldCharType="separate"/></w:r>', "<w:r {0}><w:t>1</w:t></w:r>",
         '<w:r {0}><w:fldChar w:fldCharType="end"/></w:r>')
DELETED = ('<w:del {} w:id="90" w:author="A" w:date="2026-01-01T00:00:00Z"><w:r><w:delText xml:space="preserve">'
           "Old words. </w:delText></w:r></w:del>")
W = nsdecls("w")


def add_runs(paragraph, text):
    """`text` with *bold*, _italic_, [link] and ^ for a footnote."""
    for kind, piece in runs(text):
        if kind == "link":
            link = paragraph.part.relate_to("https://example.org/", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
            paragraph._p.append(parse_xml(LINK.format(nsdecls("w", "r"), link, piece)))
        elif kind == "note":
            paragraph._p.append(parse_xml(MARK.format(W)))
        else:
            run = paragraph.add_run(piece)
            run.bold, run.italic = kind == "bold" or None, kind == "italic" or None
    return paragraph


def make_docx(path):
    document = docx.Document()
    document.add_heading(TITLE, 0)
    document.add_heading("How the network works", 1)
    for text in PARAGRAPHS:
        add_runs(document.add_paragraph(), text)
    document.add_heading("What you need", 2)
    for text in ITEMS:
        add_runs(document.add_paragraph(style="List Bullet"), text)
    for text in STEPS:
        add_runs(document.add_paragraph(style="List Number"), text)
    table = document.add_table(len(ROWS), 3, style="Table Grid")
    for y, row in enumerate(ROWS):
        for x, text in enumerate(row):
            table.cell(y, x).text = str(text)
            table.cell(y, x).paragraphs[0].runs[0].bold = y == 0 or None
    last = table.add_row().cells
    last[0].merge(last[2]).text = "All prices are in euros and include taxes."
    document.add_picture(picture(), Cm(4))
    caption = document.add_paragraph(style="Caption")
    caption.add_run("The old bridge in the evening").font.color.rgb = RGBColor(0x80, 0, 0)
    tabs = document.add_paragraph("Name:\tAnna Berger")
    tabs.add_run().add_break(WD_BREAK.LINE)
    tabs.add_run("Address:\tMain Street 5").font.size = Pt(14)
    changed = document.add_paragraph("The meeting begins at nine o'clock. ")
    changed._p.append(parse_xml(DELETED.format(W)))
    document.add_comment(changed.runs, "Please check the time again.", author="Tom", initials="T")
    document.add_page_break()
    document.add_heading("Where to ask", 1)
    add_runs(document.add_paragraph(), PARAGRAPHS[0])
    section = document.sections[0]
    section.header.paragraphs[0].text = "Report of the water works"
    footer = section.footer.paragraphs[0]
    footer.add_run("Page ")
    for part in FIELD:
        footer._p.append(parse_xml(part.format(W)))
    notes = Part(PackURI("/word/footnotes.xml"),
                 "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
                 NOTES.format(W, FOOTNOTE).encode(), document.part.package)
    document.part.relate_to(notes, NOTES_TYPE)
    document.save(path)


def fill_frame(frame, text):
    for kind, piece in runs(text):
        run = frame.add_run()
        run.text = piece
        if kind in ("bold", "italic"):
            setattr(run.font, kind, True)
        elif kind == "link":
            run.hyperlink.address = "https://example.org/"


def make_pptx(path):
    show = pptx.Presentation()
    first = show.slides.add_slide(show.slide_layouts[0])
    first.shapes.title.text, first.placeholders[1].text = TITLE, "A short report for our neighbours"
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "What you need"
    frame = slide.placeholders[1].text_frame
    for i, text in enumerate([*ITEMS, *STEPS[:2]]):
        paragraph = frame.paragraphs[0] if i == 0 else frame.add_paragraph()
        paragraph.level = int(i >= len(ITEMS))
        fill_frame(paragraph, text)
    slide.notes_slide.notes_text_frame.text = "Tell them that the new pipes are much safer.\nThen ask for questions."
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Prices this year"
    table = slide.shapes.add_table(len(ROWS), 3, Inches(0.5), Inches(1.6), Inches(5), Inches(2)).table
    for y, row in enumerate(ROWS):
        for x, text in enumerate(row):
            table.cell(y, x).text = str(text)
    slide.shapes.add_picture(picture(), Inches(6), Inches(1.6), Inches(2))
    box = slide.shapes.add_textbox(Inches(6), Inches(4), Inches(3.5), Inches(1)).text_frame
    box.word_wrap = True
    fill_frame(box.paragraphs[0], PARAGRAPHS[1])
    box.paragraphs[0].font.size = Points(12)
    data = CategoryChartData()
    data.categories = ["Spring", "Summer", "Autumn"]
    data.add_series("Water used by households", (3, 5, 4))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(0.5), Inches(4), Inches(5), Inches(3), data)
    chart.chart.has_title = True
    chart.chart.chart_title.text_frame.text = "How much water we use"
    show.save(path)


def make_xlsx(path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Prices"
    sheet["A1"] = TITLE
    sheet["A1"].font = Font(bold=True, size=16)
    sheet.merge_cells("A1:C1")
    for y, row in enumerate(ROWS, 3):
        for x, text in enumerate(row):
            sheet.cell(y, x + 1, text).fill = PatternFill("solid", fgColor="DDEEFF" if y == 3 else "FFFFFF")
    sheet["A8"], sheet["C8"] = "The sum of all prices", "=SUM(C4:C6)"
    sheet["A9"] = CellRichText("The water is ", TextBlock(InlineFont(b=True), "very"), " clean.")
    sheet["A10"], sheet["B10"] = '=IF(C8>10,"This is expensive","This is cheap")', True
    sheet["A11"] = "Read the whole report"
    sheet["A11"].hyperlink = "https://example.org/"
    sheet["A4"].comment = Comment("Please check this price again.", "Tom")
    sheet.column_dimensions["A"].width = 40
    sheet.column_dimensions["B"].width = 20
    sheet.oddHeader.center.text = "Water works"
    chart = BarChart()
    chart.title = "What the things cost"
    chart.add_data(Reference(sheet, min_col=3, min_row=3, max_row=6), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=4, max_row=6))
    sheet.add_chart(chart, "A14")
    people = book.create_sheet("People")
    for row in (["First name", "Where she works", "Years"], ["Anna", "She works in the garden.", 3],
                ["Maria", "She works at the station.", 12]):
        people.append(row)
    people.add_table(Table(displayName="People", ref="A1:C3"))
    book.save(path)
