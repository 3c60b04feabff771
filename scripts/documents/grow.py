# SPDX-License-Identifier: Apache-2.0
"""grow.py FOLDER OUT TIMES: the source.* that check_documents.py left in FOLDER, with their texts many times over, for
bench_documents."""
from __future__ import annotations

import pathlib
import re
import sys
import zipfile

# The repeated element of the part with the text; the rest of each file stays.
BODIES = {"docx": ("word/document.xml", r"(<w:body>)(.*)(<w:sectPr)"),
          "odt": ("content.xml", r"(<office:text>)(.*)(</office:text>)"),
          "pptx": ("ppt/slides/slide2.xml", r"(.*<a:lstStyle/>)(.*)(</p:txBody>)"),
          "xlsx": ("xl/worksheets/sheet1.xml", r"(<sheetData>)(.*)(</sheetData>)"),
          "ods": ("content.xml", r"(<table:table-column[^>]*>)(.*)(</table:table>)"),
          "odp": ("content.xml", r"(<draw:text-box>)(.*?)(</draw:text-box>)"),
          "epub": ("EPUB/one.xhtml", r"(<body[^>]*>)(.*)(</body>)"),
          "po": ("", r"(page.c:0\n)(.*)(\n#, c-format)"), "xliff": ("", r"(<body>)(.*)(</body>)"),
          "tmx": ("", r"(<body>)(.*)(</body>)"), "android": ("", r"(<resources>)(.*)(</resources>)"),
          "strings": ("", r"()(.*)()$"), "markdown": ("", r"()(.*)()$"), "srt": ("", r"()(.*)()$"),
          "vtt": ("", r"(NOTE x\n\n)(.*)()$"), "ass": ("", r"(Effect, Text\n)(.*)()$"), "json": ("", r"(\{)(.*)(\}\s*)$")}


def grown(text, pattern, times, comma):
    match = re.search(pattern, text, re.S)
    return text[:match.start(2)] + comma.join([match[2]] * times) + text[match.end(2):]


def main() -> None:
    folder, out, times = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    for kind, (member, pattern) in BODIES.items():
        source = folder / f"source.{kind}"
        target = out / {"android": "strings.xml", "markdown": "large.md"}.get(kind, f"large.{kind}")
        if not member:
            text = source.read_text(encoding="utf-8")
            target.write_text(grown(text, pattern, times, ",\n" if kind == "json" else ""), encoding="utf-8")
            continue
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
            for each in old.infolist():
                data = old.read(each)
                if each.filename == member:
                    data = grown(data.decode(), pattern, times, "").encode()
                new.writestr(each, data, compress_type=each.compress_type)


if __name__ == "__main__":
    main()
