#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes lib/markup/entity_table.cpp: the named character references of HTML, from Python's html.entities.

    scripts/make_entities.py > lib/markup/entity_table.cpp"""
import html.entities

HEAD = """// SPDX-License-Identifier: Apache-2.0
// Written by scripts/make_entities.py: names of HTML's character references, sorted by bytes, and what they stand for.
#include "markup/entities.h"

namespace dragoman::markup {
namespace {

constexpr Entity kEntities[] = {
"""
TAIL = """};

}  // namespace

std::span<const Entity> entities() { return kEntities; }

}  // namespace dragoman::markup
"""


def main():
    rows = []
    for name, text in sorted(html.entities.html5.items(), key=lambda item: item[0].encode()):
        escaped = "".join(f"\\{byte:03o}" for byte in text.encode())
        rows.append(f'{{"{name}", "{escaped}"}},')
    lines, line = [], "   "
    for row in rows:
        if len(line) + 1 + len(row) > 119:
            lines.append(line)
            line = "   "
        line += " " + row
    print(HEAD + "\n".join([*lines, line]) + "\n" + TAIL, end="")


if __name__ == "__main__":
    main()
