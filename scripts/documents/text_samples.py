# SPDX-License-Identifier: Apache-2.0
"""Files of strings, subtitles and Markdown: what is written, and what other people's libraries find in them: the places
of all texts, and how many of them are there."""
from __future__ import annotations

import json
import shutil
import subprocess

import polib
import pysubs2
from markdown_it import MarkdownIt
from translate.storage import aresource, properties, tmx, xliff

from texts import ITEMS, PARAGRAPHS, STEPS, TITLE

PLAIN = [text.replace("*", "").replace("_", "").replace("^", "").replace("[", "").replace("]", "")
         for text in (TITLE, *PARAGRAPHS, *ITEMS, *STEPS)]
TIME = "00:00:{:02},000 --> 00:00:{:02},000"


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_po(path):
    messages = "".join(f"\n#: page.c:{i}\nmsgid {json.dumps(text)}\nmsgstr \"\"\n" for i, text in enumerate(PLAIN))
    write(path, 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: de\\n"\n'
          '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n' + messages +
          '\n#, c-format\nmsgid "%d new pipe\\n"\nmsgid_plural "%d new pipes\\n"\nmsgstr[0] ""\nmsgstr[1] ""\n')


def open_po(path):
    found = polib.pofile(path)
    if shutil.which("msgfmt") and "target" in path:
        subprocess.run(["msgfmt", "--check-format", "--use-fuzzy", "-o", "/dev/null", path], check=True)
    return [entry.msgid for entry in found], sum(bool(entry.msgstr or entry.msgstr_plural.get(0)) for entry in found)


def make_xliff(path):
    units = "".join(f'<trans-unit id="{i}"><source>{text} <g id="1">Thank</g> you.<x id="2"/></source></trans-unit>\n'
                    for i, text in enumerate(PLAIN))
    write(path, '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" '
          'xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" target-language="de" '
          'datatype="plaintext"><body>\n'
          f"{units}</body></file></xliff>\n")


def open_xliff(path):
    units = xliff.xlifffile.parsefile(path).units
    marks = [len(list(unit.xmlelement.iter("{*}g", "{*}x"))) for unit in units if unit.target]
    assert all(count == 4 for count in marks), marks  # those of the source, and the same in the target
    return [unit.source for unit in units], len(marks)


def make_tmx(path):
    units = "".join(f'<tu><tuv xml:lang="en"><seg>{text}</seg></tuv></tu>\n' for text in PLAIN)
    write(path, '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4"><header creationtool="x" '
          'creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" srclang="en" '
          'datatype="PlainText"/><body>\n'
          f"{units}</body></tmx>\n")


def open_tmx(path):
    units = tmx.tmxfile.parsefile(path).units
    return [unit.source for unit in units], sum(bool(unit.target) for unit in units)


def make_android(path):
    strings = "".join(f'    <string name="s{i}">{text} <b>It\\\'s</b> %1$s</string>\n' for i, text in enumerate(PLAIN))
    write(path, f'<?xml version="1.0" encoding="utf-8"?>\n<resources>\n{strings}    <string name="url" '
          'translatable="false">kept</string>\n    <plurals name="dogs"><item quantity="one">%d dog</item><item '
          'quantity="other">%d dogs</item></plurals>\n</resources>\n')


def open_android(path):
    units = aresource.AndroidResourceFile.parsefile(path).units
    return [unit.getid() for unit in units], sum("%1$s" in str(unit.target) for unit in units)


def make_strings(path):
    write(path, "".join(f'/* {i} */\n"key {i}" = {json.dumps(text + " %@")};\n' for i, text in enumerate(PLAIN)))


def open_strings(path):
    with open(path, "rb") as file:
        units = properties.stringsutf8file(file).units
    return [unit.getid() for unit in units], sum("%@" in unit.source for unit in units)


def make_json(path):
    write(path, json.dumps({f"key{i}": {"text": text + " {name}"} for i, text in enumerate(PLAIN)}, indent=2))


def open_json(path):
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    return list(found), sum("{name}" in value["text"] for value in found.values())


def make_srt(path):
    write(path, "".join(f"{i + 1}\n{TIME.format(2 * i, 2 * i + 1)}\n<i>{text[:40]}</i>\nand <b>more</b>.\n\n"
                        for i, text in enumerate(PLAIN)))


def make_vtt(path):
    cues = [f"{TIME.format(2 * i, 2 * i + 1).replace(',', '.')} line:0\n<v Tom>{text[:60]}\n\n"
            for i, text in enumerate(PLAIN)]
    write(path, "WEBVTT\n\nNOTE x\n\n" + "".join(cues))


def make_ass(path):
    stage = "0:00:{:02}.00,0:00:{:02}.00"
    dialogues = [f"Dialogue: 0,{stage.format(2 * i, 2 * i + 1)},Default,,0,0,0,,{{\\i1}}{text[:40]}{{\\i0}}\\Nand more.\n"
                 for i, text in enumerate(PLAIN)]
    write(path, "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n"
          "Style: Default,Arial,20\n\n[Events]\n"
          "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n" + "".join(dialogues))


def open_subtitles(path):
    found = pysubs2.load(path)
    return [(line.start, line.end) for line in found], sum(bool(line.plaintext.strip()) for line in found)


def make_markdown(path):
    marked = [text.replace("_", "~").replace("*", "**").replace("~", "*").replace("^", "").replace("]", "](http://x)")
              for text in PARAGRAPHS]
    items = "".join(f"* {text.replace('*', '**')}\n" for text in ITEMS)
    write(path, f"# {TITLE}\n\n" + "\n\n".join(marked) + f"\n\n{items}\n| What | Price |\n|---|---|\n"
          "| A pipe | `12` |\n\n```sh\nmake all\n```\n\n> A wise word.\n")


def open_markdown(path):
    with open(path, encoding="utf-8") as file:
        tokens = MarkdownIt().enable("table").parse(file.read())
    inline = [child.type for token in tokens for child in token.children or []
              if child.type not in ("text", "softbreak")]
    return [token.type for token in tokens] + sorted(inline), len(tokens)


KINDS = {"po": (make_po, open_po), "xliff": (make_xliff, open_xliff), "tmx": (make_tmx, open_tmx),
         "android": (make_android, open_android), "strings": (make_strings, open_strings),
         "json": (make_json, open_json), "srt": (make_srt, open_subtitles), "vtt": (make_vtt, open_subtitles),
         "ass": (make_ass, open_subtitles),
         "markdown": (make_markdown, open_markdown)}
NEW = {"po", "xliff", "tmx"}  # before, nothing is translated
