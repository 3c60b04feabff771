# SPDX-License-Identifier: Apache-2.0
"""What a document is made of besides its words, to be compared before and after a translation."""
from __future__ import annotations

import collections
import zipfile

from lxml import etree

# Elements whose number says how words are divided, not what is there.
DIVISIONS = {"r", "t", "rPr", "span", "s", "proofErr", "lastRenderedPageBreak", "endParaRPr", "solidFill", "srgbClr",
             "b", "i", "u", "color", "sz", "szCs", "bCs", "iCs", "lang", "rStyle", "rFont", "family", "scheme", "latin",
             "text-run", "language", "vertAlign", "hlinkClick"}
NAMES = {"docx": {"hyperlink": "links", "tbl": "tables", "tc": "cells", "footnoteReference": "notes",
                  "drawing": "pictures", "commentReference": "comments",
                  "fldChar": "fields", "numPr": "numbered", "del": "deletions"},
         "pptx": {"hlinkClick": "links", "tbl": "tables", "tc": "cells", "pic": "pictures", "graphicFrame": "frames",
                  "sp": "shapes", "notes": "notes"},
         "xlsx": {"f": "formulas", "mergeCell": "merged", "c": "cells", "comment": "comments", "hyperlink": "links",
                  "table": "tables", "chart": "charts"},
         "epub": {"a": "links", "table": "tables", "td": "cells", "img": "pictures", "li": "items", "aside": "notes"}}
OPEN = {"a": "links", "table": "tables", "table-cell": "cells", "note": "notes", "image": "pictures",
        "annotation": "comments", "list-item": "items", "page-number": "fields", "notes": "speaker notes"}


def local(element):
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def parts(path):
    with zipfile.ZipFile(path) as package:
        for name in package.namelist():
            if name.endswith((".xml", ".rels", ".xhtml", ".opf", ".ncx")):
                yield name, etree.fromstring(package.read(name))


def emphasised(root):
    """Words of runs and spans that are bold, and that are italic."""
    found = {"bold": 0, "italic": 0}
    for element in root.iter():
        name, text = local(element), "".join(element.itertext())
        if name == "r":
            properties = [child for child in element if local(child) == "rPr"]
            for each in properties:
                inside = {local(child) for child in each}
                found["bold"] += len(text.split()) * ("b" in inside or each.get("b") == "1")
                found["italic"] += len(text.split()) * ("i" in inside or each.get("i") == "1")
        elif name == "span":
            style = next((value for key, value in element.items() if key.endswith("style-name")), "")
            found["bold"] += len(text.split()) * (style == "B")
            found["italic"] += len(text.split()) * (style == "I")
        elif name in ("b", "i") and element.tag.startswith("{http://www.w3.org/1999/xhtml}"):
            found["bold" if name == "b" else "italic"] += len(text.split())
    return found


def structure(path, kind):
    """Numbers of all elements, those that a reader would name, and the words that stand out."""
    every, named, words = collections.Counter(), collections.Counter(), collections.Counter()
    names = NAMES.get(kind, OPEN)
    for part, root in parts(path):
        for element in root.iter():
            name = local(element)
            if name not in DIVISIONS:
                every[part, name] += 1
            if name in names:
                named[names[name]] += 1
        words.update(emphasised(root))
    return every, named, words
