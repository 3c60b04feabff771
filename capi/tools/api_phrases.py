# SPDX-License-Identifier: Apache-2.0
"""What the fixed phrases of comments say, and the notes for what they do not. docs/api-json.md has both."""
from __future__ import annotations

import re

NAMES = r"((?:`\w+`(?:, | and | or |, and ))*`\w+`)"


class Notes:
    """api_notes.json: {"dragoman_f.parameter" or "dragoman_type" or "dragoman_type.field": {key: value}}."""

    def __init__(self, entries: dict[str, dict]):
        self.entries = {name: entry for name, entry in entries.items() if name != "about"}
        self.used: set[tuple[str, str]] = set()

    def get(self, name: str, key: str):
        value = self.entries.get(name, {}).get(key)
        if value is not None:
            self.used.add((name, key))
        return value

    def apply(self, name: str, record: dict) -> None:
        for key, value in self.entries.get(name, {}).items():
            if record.get(key) == value:
                continue  # says what is known: reported as unused
            record[key] = value
            self.used.add((name, key))

    def unused(self) -> list[str]:
        return [f"api_notes.json: {name}: {key} says nothing new, or names something that does not exist"
                for name, entry in self.entries.items() for key in entry if (name, key) not in self.used]


def written(kind: dict) -> bool:
    """Whether a pointer to const things is written through this one: const T** is, const T* const* is not."""
    return kind.get("pointers") == 2 and kind.get("const", False) and not kind.get("inner_const")


def named_null(doc: str) -> set[str]:
    """The names of which the text says what NULL means."""
    found = set(re.findall(r"\bNULL (\w+)", doc))
    for match in re.finditer(NAMES + r"[^`.]*?(?<!not )(?<!never )\bNULL\b", doc):
        found |= set(re.findall(r"`(\w+)`", match[1]))
    return found


def enumeration_of(name: str, phrase: str, enums: list[str]) -> str:
    """The enumeration whose numbers an int32_t holds."""
    said = re.search(r"(?:^|`%s` \(|\ba )(?:a )?(dragoman_\w+)(?!\w|\()" % re.escape(name), phrase)
    if said and said[1] in enums:
        return said[1]
    if f"dragoman_{name}" in enums:
        return f"dragoman_{name}"
    ending = [enum for enum in enums if enum.endswith(f"_{name}")]
    return ending[0] if len(ending) == 1 else ""
