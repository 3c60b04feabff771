#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""record_terminal.py [TOOL] [OUTPUT]: runs the commands of README's picture in a new folder and draws what a terminal
shows: each command behind a prompt, its output below. TOOL is build/release/bin/dragoman and OUTPUT is
docs/terminal.svg unless they are named."""
import html
import os
import pathlib
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = (
    'dragoman translate --to de "Where is the station?"',
    'dragoman translate --to en "Guten Morgen! Wie haben Sie geschlafen?"',
    """echo '<p>Where is the <b>station</b>?</p>' | dragoman translate --html --to de""",
    "cat dog.md",
    "dragoman translate dog.md --output hund.md --to de && cat hund.md",
    'dragoman translate --to de --beam 4 --n-best 2 --scores "Where is my car?"',
    'dragoman detect "Wo ist der Bahnhof?"',
)
FILES = {"dog.md": "# The dog\n\nI have a **small dog**. He likes to sleep in the garden.\n"}
SIZE, ADVANCE, LINE, MARGIN, BAR = 14, 8.43, 20, 18, 34  # pixels; a letter of a monospaced font is 0.602 of its size
COLOURS = {"page": "#15181e", "bar": "#22262e", "edge": "#6b7280", "text": "#e6e8eb", "prompt": "#8bd49c", "command": "#ffffff"}


def shown(tool, folder, command):
    environment = dict(os.environ, PATH=f"{tool.resolve().parent}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=environment, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.expandtabs(8).splitlines()


def columns(text):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def span(kind, text):
    return f'<tspan class="{kind}">{html.escape(text, quote=False)}</tspan>'


def drawing(lines):
    """Lines are pairs: whether it is a command, and its text."""
    width = round(2 * MARGIN + ADVANCE * max(columns(text) + (2 if is_command else 0) for is_command, text in lines))
    height = BAR + 2 * MARGIN + LINE * len(lines) - (LINE - SIZE)
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           f'role="img" aria-label="A terminal in which dragoman translates texts, a page and a document">')
    yield (f"<style>text {{ font: {SIZE}px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: {COLOURS['text']}; "
           f"white-space: pre }} .prompt {{ fill: {COLOURS['prompt']} }} .command {{ fill: {COLOURS['command']}; "
           "font-weight: bold }</style>")
    yield (f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{COLOURS["page"]}" '
           f'stroke="{COLOURS["edge"]}"/>')
    yield (f'<path d="M1 {BAR} V9 A8 8 0 0 1 9 1 H{width - 9} A8 8 0 0 1 {width - 1} 9 V{BAR} Z" '
           f'fill="{COLOURS["bar"]}"/>')
    for place, colour in enumerate(("#ff6159", "#ffbd2e", "#28c941")):
        yield f'<circle cx="{20 + 20 * place}" cy="{BAR / 2:g}" r="6" fill="{colour}"/>'
    for number, (is_command, text) in enumerate(lines):
        if not text:
            continue
        y = BAR + MARGIN + LINE * number + SIZE - 3
        inside = span("prompt", "$ ") + span("command", text) if is_command else html.escape(text, quote=False)
        yield f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{inside}</text>'
    yield "</svg>"


def main():
    tool = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/dragoman")
    output = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/terminal.svg")
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
        for command in COMMANDS:
            lines.append((True, command))
            lines += [(False, line) for line in shown(tool, folder, command)]
    output.write_text("\n".join(drawing(lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
