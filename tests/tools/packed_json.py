# SPDX-License-Identifier: Apache-2.0
"""JSON in lines of up to 120 columns, where libraries write a line for every token of a vocabulary."""
import json
import pathlib

WIDTH = 120


def lines(parts, indent):
    """The parts of a list or an object; small ones share lines."""
    found = []
    for part in parts:
        if found and "\n" not in found[-1] + part and indent + len(found[-1]) + len(part) + 3 <= WIDTH:
            found[-1] += ", " + part
        else:
            found.append(part)
    return found


def dump(value, indent=0):
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or indent + len(text) <= WIDTH:
        return text
    if isinstance(value, list):
        opening, closing, parts = "[", "]", [dump(part, indent + 1) for part in value]
    else:
        opening, closing = "{", "}"
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {dump(part, indent + 1)}" for key, part in value.items()]
    inner = "\n" + " " * (indent + 1)
    return opening + inner + ("," + inner).join(lines(parts, indent + 1)) + "\n" + " " * indent + closing


def pack(path: pathlib.Path) -> None:
    """Writes a file anew with the same content."""
    path.write_text(dump(json.loads(path.read_text(encoding="utf-8"))) + "\n", encoding="utf-8")


def pack_tokenizer(folder: pathlib.Path) -> None:
    """The files of a tokenizer that transformers has saved."""
    for name in ("tokenizer.json", "tokenizer_config.json"):
        if (folder / name).exists():
            pack(folder / name)
