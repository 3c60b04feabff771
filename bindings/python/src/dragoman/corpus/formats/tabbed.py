# SPDX-License-Identifier: Apache-2.0
"""Lines of TSV, in which quotation marks are text: a tab ends a field and a line break a row, wherever they are."""
from __future__ import annotations

import re
from typing import Iterable, Iterator, Sequence

_BREAKS = re.compile(r"\r\n|[\t\r\n]")


class TabbedRows:
    """Fields of lines, as csv.reader gives them."""

    def __init__(self, lines: Iterable[str]):
        self._lines = iter(lines)
        self.line_num = 0
        """Of the row that was given last."""
        self._first = 0  # how many fields the first row has

    def __iter__(self) -> Iterator[list[str]]:
        return self

    def __next__(self) -> list[str]:
        """A blank line has no fields, but where a row has one it is that."""
        line = next(self._lines).removesuffix("\n").removesuffix("\r")
        self.line_num += 1
        if not line and self._first != 1:
            return []
        fields = line.split("\t")
        self._first = self._first or len(fields)
        return fields


def tabbed_line(fields: Sequence[str]) -> str:
    """A row. Tabs and line breaks inside its fields become blanks."""
    return "\t".join(_BREAKS.sub(" ", field) for field in fields) + "\n"
