# SPDX-License-Identifier: Apache-2.0
"""OpenDocument files and an EPUB with the structure that people's have, made with odfpy and EbookLib."""
from __future__ import annotations

from ebooklib import epub
from odf import dc, draw, office, presentation, style, table, text
from odf.opendocument import OpenDocumentPresentation, OpenDocumentSpreadsheet, OpenDocumentText

from texts import FOOTNOTE, ITEMS, PARAGRAPHS, ROWS, STEPS, TITLE, picture, runs


def add_style(document, name, family, *properties, **more):
    made = style.Style(name=name, family=family, **more)
    for each in properties:
        made.addElement(each)
    document.automaticstyles.addElement(made)
    return made


def add_styles(document):
    return {"bold": add_style(document, "B", "text", style.TextProperties(fontweight="bold")),
            "italic": add_style(document, "I", "text", style.TextProperties(fontstyle="italic"))}


def fill(paragraph, content, styles):
    for kind, piece in runs(content):
        if kind in styles:
            paragraph.addElement(text.Span(stylename=styles[kind], text=piece))
        elif kind == "link":
            paragraph.addElement(text.A(type="simple", href="https://example.org/", text=piece))
        elif kind == "note":
            note, body = text.Note(id="n1", noteclass="footnote"), text.NoteBody()
            body.addElement(text.P(text=FOOTNOTE))
            note.addElement(text.NoteCitation(text="1"))
            note.addElement(body)
            paragraph.addElement(note)
        else:
            paragraph.addText(piece)
    return paragraph


def cells(rows, styles, annotated=""):
    """A table; the first row is bold, the last cell goes over all columns."""
    made = table.Table(name="Prices")
    made.addElement(table.TableColumn(numbercolumnsrepeated=3))
    for y, row in enumerate(rows):
        line = table.TableRow()
        for x, value in enumerate(row):
            number = isinstance(value, (int, float))
            cell = table.TableCell(**({"valuetype": "float", "value": value} if number else {"valuetype": "string"}))
            cell.addElement(fill(text.P(), f"*{value}*" if y == 0 else str(value), styles))
            if annotated and (y, x) == (1, 0):
                cell.addElement(annotation(annotated))
            line.addElement(cell)
        made.addElement(line)
    line = table.TableRow()
    merged = table.TableCell(numbercolumnsspanned=3, valuetype="string")
    merged.addElement(text.P(text="All prices are in euros and include taxes."))
    line.addElement(merged)
    line.addElement(table.CoveredTableCell(numbercolumnsrepeated=2))
    made.addElement(line)
    return made


def annotation(content):
    note = office.Annotation()
    note.addElement(dc.Creator(text="Tom"))
    note.addElement(text.P(text=content))
    return note


def image(document, **place):
    frame = draw.Frame(width="4cm", height="2.7cm", **place)
    frame.addElement(draw.Image(href=document.addPictureFromString(picture().getvalue(), "image/png"), type="simple",
                                show="embed", actuate="onLoad"))
    return frame


def make_odt(path):
    document = OpenDocumentText()
    styles = add_styles(document)
    layout = style.PageLayout(name="layout")
    for part in (style.HeaderStyle(), style.FooterStyle()):
        part.addElement(style.HeaderFooterProperties(minheight="0.5cm"))
        layout.addElement(part)
    document.automaticstyles.addElement(layout)
    page = style.MasterPage(name="Standard", pagelayoutname=layout)
    header, footer, number = style.Header(), style.Footer(), text.P(text="Page ")
    header.addElement(text.P(text="Report of the water works"))
    number.addElement(text.PageNumber(selectpage="current", text="1"))
    footer.addElement(number)
    page.addElement(header)
    page.addElement(footer)
    document.masterstyles.addElement(page)
    body = document.text
    body.addElement(text.H(outlinelevel=1, text=TITLE))
    for content in PARAGRAPHS:
        body.addElement(fill(text.P(), content, styles))
    body.addElement(text.H(outlinelevel=2, text="What you need"))
    points = text.List()
    for content in [*ITEMS, *STEPS]:
        item = text.ListItem()
        item.addElement(fill(text.P(), content, styles))
        points.addElement(item)
    body.addElement(points)
    body.addElement(cells(ROWS, styles))
    last = text.P(text="Name:")
    last.addElement(text.Tab())
    last.addText("Anna Berger")
    last.addElement(text.LineBreak())
    last.addText("The meeting begins at nine o'clock.")
    last.addElement(annotation("Please check the time again."))
    body.addElement(last)
    framed = text.P()
    framed.addElement(image(document, anchortype="as-char"))
    body.addElement(framed)
    document.save(path)


def make_ods(path):
    document = OpenDocumentSpreadsheet()
    styles = add_styles(document)
    sheet = cells(ROWS, styles, "Please check this price again.")
    line = table.TableRow()
    label, total = table.TableCell(valuetype="string"), table.TableCell(
        formula="of:=SUM([.C2:.C4])", valuetype="float", value=165.5)
    label.addElement(fill(text.P(), "The *sum* of all prices", styles))
    total.addElement(text.P(text="165.5"))
    line.addElement(label)
    line.addElement(table.TableCell())
    line.addElement(total)
    sheet.addElement(line)
    document.spreadsheet.addElement(sheet)
    document.save(path)


def make_odp(path):
    document = OpenDocumentPresentation()
    styles = add_styles(document)
    layout = style.PageLayout(name="layout")
    layout.addElement(style.PageLayoutProperties(pagewidth="28cm", pageheight="21cm", printorientation="landscape"))
    document.automaticstyles.addElement(layout)
    master = style.MasterPage(name="Default", pagelayoutname=layout)
    document.masterstyles.addElement(master)
    for heading, contents in ((TITLE, PARAGRAPHS[1:]), ("What you need", ITEMS + STEPS)):
        page = draw.Page(masterpagename=master)
        for y, texts in ((1, [heading]), (5, contents)):
            frame = draw.Frame(width="24cm", height="4cm" if y == 1 else "12cm", x="2cm", y=f"{y}cm")
            box = draw.TextBox()
            for content in texts:
                box.addElement(fill(text.P(), content, styles))
            frame.addElement(box)
            page.addElement(frame)
        page.addElement(image(document, x="20cm", y="16cm"))
        notes, box = presentation.Notes(), draw.TextBox()
        frame = draw.Frame(width="15cm", height="8cm", x="2cm", y="15cm")
        box.addElement(text.P(text="Tell them that the new pipes are much safer."))
        frame.addElement(box)
        notes.addElement(frame)
        page.addElement(notes)
        document.presentation.addElement(page)
    document.save(path)


def markup(content):
    tags = {"bold": "<b>{}</b>", "italic": "<i>{}</i>", "link": '<a href="two.xhtml">{}</a>',
            "note": '<a href="#n1" epub:type="noteref">1</a>', "": "{}"}
    return "".join(tags[kind].format(piece) for kind, piece in runs(content))


def make_epub(path):
    book = epub.EpubBook()
    book.set_identifier("water")
    book.set_title(TITLE)
    book.set_language("en")
    book.add_author("Anna Berger")
    sheet = epub.EpubItem("style", "style.css", "text/css", b"h1 { color: #003060 }")
    book.add_item(sheet)
    book.add_item(epub.EpubItem("bridge", "bridge.png", "image/png", picture().getvalue()))
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS)
    contents = {"one": ("How the network works", "".join(f"<p>{markup(p)}</p>" for p in PARAGRAPHS)
                        + f'<aside epub:type="footnote" id="n1"><p>{FOOTNOTE}</p></aside>'),
                "two": ("What you need", "<ul>" + "".join(f"<li>{markup(i)}</li>" for i in ITEMS) + "</ul><ol>"
                        + "".join(f"<li>{markup(s)}</li>" for s in STEPS).replace("two.xhtml", "one.xhtml")
                        + f'</ol><table>{rows}</table><p><img src="bridge.png" alt="The old bridge"/></p>')}
    chapters = []
    for name, (heading, content) in contents.items():
        chapter = epub.EpubHtml(title=heading, file_name=f"{name}.xhtml", lang="en")
        chapter.content = f"<html><head/><body><h1>{heading}</h1>{content}</body></html>"
        chapter.add_item(sheet)
        book.add_item(chapter)
        chapters.append(chapter)
    book.toc, book.spine = chapters, ["nav", *chapters]
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    epub.write_epub(path, book)
