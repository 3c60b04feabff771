#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_architecture.py [--check]: draws docs/architecture.svg, the folders and which of them includes which, or only tells
whether it is the one that CMakeLists.txt of the folders make. The places of the boxes are below; the arrows of `lib` and
`capi` come from CMake's dragoman_folder(), less those that several others lead along. A folder without a box, an arrow
without a straight way, and one that would cross a box are errors."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/architecture.svg"

MARGIN, WIDTH, GAP, HEIGHT = 24, 156, 20, 48
TOPS = [16, 92, 168, 244, 320, 416, 488, 560, 632, 704, 776, 852, 928]
RIGHT = 6 * (WIDTH + GAP) - GAP + MARGIN

# Folder: its row, its columns (first, and the one behind the last), its colour, what it is for.
# o: programs, p: pipeline and above, m: models' files, e: engine, b: base.
BOXES = {
    "bindings": (0, 0, 1, "o", "Python, Rust ..."),
    "native_messaging": (0, 1, 2, "o", "add-ons of browsers"),
    "serve": (0, 2, 3, "o", "the service"),
    "cli": (0, 3, 4, "o", "the command"),
    "picture": (0, 4, 5, "o", "pictures with text"),
    "samples": (0, 5, 6, "o", "to learn from"),
    "headers": (1, 0, 6, "p", "the public headers: all that the programs above see of the libraries below"),
    "capi/models": (2, 0, 1, "p", "C API of models"),
    "capi": (2, 1, 5, "p", "libdragoman: handles, statuses, checked arguments"),
    "capi/documents": (2, 5, 6, "p", "C API of documents"),
    "convert": (3, 1, 3, "p", "writes models"),
    "bench": (3, 3, 5, "p", "measures translations"),
    "pipeline": (4, 1, 5, "p", "text to text: documents, sentences, stages, jobs"),
    "registry": (5, 0, 1, "m", "publishers' lists"),
    "store": (5, 1, 2, "m", "models by name"),
    "families": (5, 2, 3, "m", "settings to a spec"),
    "markup": (5, 3, 3.5, "p", "HTML ..."),
    "tm": (5, 3.5, 4, "p", "TMX ..."),
    "engine": (5, 4, 5, "e", "device, scheduler"),
    "documents": (5, 5, 6, "p", "Office, EPUB ..."),
    "formats": (6, 2, 3, "m", "bytes to tensors"),
    "text": (6, 3, 4, "p", "sentences, tokens"),
    "check": (6, 4, 5, "e", "are kernels right"),
    "download": (7, 0, 1, "m", "files, checked"),
    "decode": (7, 4, 5, "e", "searches"),
    "spec": (8, 2, 4, "m", "what a model is, without a device"),
    "nn": (8, 4, 5, "e", "encoder, decoder"),
    "ops": (9, 4, 5, "e", "one operation each"),
    "vulkan": (10, 4, 5, "e", "memory, commands"),
    "files": (11, 0, 6, "b", "folder, file, archive, memory or callback as one set"),
    "base": (12, 0, 6, "b", "errors, log, UTF-8, element types; base/os: all system calls"),
}
TITLES = {"headers": "capi/include", "ops": "ops, shaders", "cli": "tools/cli", "serve": "tools/serve",
          "native_messaging": "native_messaging", "picture": "lib/picture"}
# Which programs see which others; everything else of theirs goes through the headers.
PROGRAMS = {"bindings": set(), "native_messaging": {"serve"}, "serve": set(), "cli": {"serve", "picture"},
            "samples": {"picture"}}
# What dragoman_folder() does not say: the libraries beside libdragoman stand on its headers and their own folder.
BESIDE = {"capi/models": {"registry", "capi"}, "capi/documents": {"documents", "capi"}}
PARTS = {"os", "shaders"}  # of base and of ops, in one box with them
# Arrows with corners: one leaves its box downwards, one comes to its box from above.
CORNERS = {("registry", "formats"): "down", ("store", "spec"): "down", ("documents", "markup"): "above"}

STYLE = """\
  text { font: 13px sans-serif; fill: #1f2328; }
  .name { font-weight: bold; }
  .note { font-style: italic; }
  .back { fill: #ffffff; }
  rect { stroke: #57606a; }
  .o { fill: #f6f8fa; stroke-dasharray: 5 3; }
  .p { fill: #ddf4ff; }
  .m { fill: #fff8c5; }
  .e { fill: #dafbe1; }
  .b { fill: #eaeef2; }
  .arrow { stroke: #57606a; stroke-width: 1.5; fill: none; }
  .head { fill: #57606a; }
  .line { stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 7 4; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .back { fill: #0d1117; }
    rect { stroke: #8b949e; }
    .o { fill: #161b22; }
    .p { fill: #0c2d6b; }
    .m { fill: #4b2900; }
    .e { fill: #033a16; }
    .b { fill: #30363d; }
    .arrow { stroke: #8b949e; }
    .head { fill: #8b949e; }
    .line { stroke: #ff7b72; }
  }
"""


def stated():
    """What each folder uses, as its CMakeLists.txt says."""
    uses = {}
    for path in [*(ROOT / "lib").rglob("CMakeLists.txt"), ROOT / "capi/CMakeLists.txt"]:
        for name, words in re.findall(r"^dragoman_folder\((\w+)([^)]*)\)", path.read_text(encoding="utf-8"), re.M):
            used = re.search(r"\bUSES((?: [a-z_]+)+)", " ".join(words.split()))
            uses[name] = set(used.group(1).split()) - PARTS if used else set()
    return {name: used for name, used in uses.items() if name not in PARTS}


def reduced(uses):
    """The arrows: what is used, less what is reached through something else that is used."""
    reached = {}

    def below(name):
        if name not in reached:
            reached[name] = set().union(*({one} | below(one) for one in uses.get(name, ())))
        return reached[name]

    return [(name, one) for name in uses for one in sorted(uses[name])
            if not any(one in below(other) for other in uses[name] - {one})]


def arrows():
    uses = stated()
    missing = sorted(set(uses) - set(BOXES))
    if missing:
        raise SystemExit(f"make_architecture.py: {', '.join(missing)} in lib has no box in BOXES")
    uses.update({name: {*used, "headers"} for name, used in PROGRAMS.items()})
    uses.update(BESIDE)
    uses["headers"] = {"capi", "capi/models", "capi/documents"}
    # The headers lead to each library: which of them the programs and the other libraries link is not drawn twice.
    beside = [(name, one) for name, used in BESIDE.items() for one in used]
    own = {name: used for name, used in uses.items() if name not in {"headers", *PROGRAMS, *BESIDE}}
    return [*((name, one) for name, used in PROGRAMS.items() for one in sorted(used | {"headers"})),
            *(("headers", one) for one in sorted(uses["headers"])), *sorted(beside), *reduced(own)]


def box(name):
    row, first, end, _, _ = BOXES[name]
    left = MARGIN + first * (WIDTH + GAP)
    right = MARGIN + end * (WIDTH + GAP) - GAP
    if first != int(first):
        left -= GAP / 2 - 4
    if end != int(end):
        right += GAP / 2 - 4
    return left, TOPS[row], right, TOPS[row] + HEIGHT


def way(begin, end):
    """The corners of an arrow's line."""
    a, b = box(begin), box(end)
    corner = CORNERS.get((begin, end))
    if corner == "down":
        x, y = a[2] - 24, (b[1] + b[3]) / 2
        return [(x, a[3]), (x, y), (b[0], y)]
    if corner == "above":
        y, x = b[1] - 20, (b[0] + b[2]) / 2 + 16
        return [((a[0] + a[2]) / 2 - 40, a[1]), ((a[0] + a[2]) / 2 - 40, y), (x, y), (x, b[1])]
    if a[1] == b[1]:
        y = (a[1] + a[3]) / 2
        return [(a[2], y), (b[0], y)] if a[2] < b[0] else [(a[0], y), (b[2], y)]
    if BOXES[begin][0] == BOXES[end][0] or max(a[0], b[0]) >= min(a[2], b[2]) or a[1] > b[1]:
        raise SystemExit(f"make_architecture.py: {begin} does not stand above {end}, nor beside it")
    x = (max(a[0], b[0]) + min(a[2], b[2])) / 2
    return [(x, a[3]), (x, b[1])]


def crossed(points, ends):
    for (x, y), (to_x, to_y) in zip(points, points[1:]):
        for name in BOXES:
            left, top, right, bottom = box(name)
            if name not in ends and min(x, to_x) < right and max(x, to_x) > left and min(y, to_y) < bottom \
                    and max(y, to_y) > top:
                yield name


def drawn(points):
    """An arrow: its line, which ends before the head, and the head."""
    (x, y), (to_x, to_y) = points[-2:]
    across, down = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    line = [*points[:-1], (to_x - 7 * across, to_y - 7 * down)]
    base_x, base_y = to_x - 8 * across, to_y - 8 * down
    head = [(to_x, to_y), (base_x - 5 * down, base_y - 5 * across), (base_x + 5 * down, base_y + 5 * across)]
    return (f'<polyline class="arrow" points="{" ".join(f"{x:g},{y:g}" for x, y in line)}"/>'
            f'<polygon class="head" points="{" ".join(f"{x:g},{y:g}" for x, y in head)}"/>')


def picture():
    bottom = TOPS[-1] + HEIGHT + 16
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {RIGHT + MARGIN} {bottom}" width="{RIGHT + MARGIN}" '
             f'height="{bottom}" role="img" aria-labelledby="title">',
             "<!-- SPDX-License-Identifier: Apache-2.0. Made by docs/make_architecture.py. -->",
             '<title id="title">The folders of Dragoman; an arrow leads from a folder to one that it includes</title>',
             f"<style>\n{STYLE}</style>",
             f'<rect class="back" x="0" y="0" width="{RIGHT + MARGIN}" height="{bottom}" style="stroke: none"/>']
    for begin, end in arrows():
        points = way(begin, end)
        for name in crossed(points, {begin, end}):
            raise SystemExit(f"make_architecture.py: the arrow from {begin} to {end} crosses {name}")
        lines.append(drawn(points))
    left, top, right, _ = box("engine")
    lines.append(f'<line class="line" x1="{left - 16}" y1="{top - 10}" x2="{right + 8}" y2="{top - 10}"/>')
    lines.append(f'<text class="note" x="{left + 2}" y="{top - 28}">token line</text>')
    for name, (_, _, _, colour, note) in BOXES.items():
        left, top, right, _ = box(name)
        inset = 12 if right - left > 100 else 7
        lines.append(f'<rect class="{colour}" x="{left:g}" y="{top}" width="{right - left:g}" height="{HEIGHT}" rx="6"/>')
        lines.append(f'<text class="name" x="{left + inset:g}" y="{top + 20}">{TITLES.get(name, name)}</text>'
                     f'<text x="{left + inset:g}" y="{top + 38}">{note}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main():
    made = picture()
    if sys.argv[1:] == ["--check"]:
        if PICTURE.read_text(encoding="utf-8") != made:
            raise SystemExit("docs/architecture.svg is not what docs/make_architecture.py makes; run it")
    elif sys.argv[1:]:
        raise SystemExit(f"make_architecture.py: expected --check or nothing, got {' '.join(sys.argv[1:])}")
    else:
        PICTURE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
