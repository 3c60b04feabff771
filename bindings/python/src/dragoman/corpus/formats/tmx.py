# SPDX-License-Identifier: Apache-2.0
"""Translation memories (TMX): a row for each unit with a segment in the source language. What is written is a memory of
these segments and their translations."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, Sequence
from xml.parsers import expat

from .batch import ROWS, BadPart, Batch, RowBatch, Shape
from .compression import Input, Output

_CODES = {"bpt", "ept", "it", "ph", "ut", "sub"}  # elements with code, which is no text


def _same(tag: str | None, wanted: str) -> bool:
    given = (tag or "").lower().replace("_", "-")
    return given == wanted.lower() or given.startswith(wanted.lower() + "-")


class _Units:
    """The units that an expat parser meets: the tag and text of the segment in the source language."""

    def __init__(self, language: str | None):
        self.found: list[dict[str, str | None]] = []
        self._language = language if language != "auto" else None
        self._unit: str | None = None  # its own source language
        self._tag: str | None = None
        self._variants: list[tuple[str | None, str]] = []
        self._text: list[str] | None = None  # of the segment that is open
        self._code = 0
        self._root: str | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._entity

    def _entity(self, name: str, *_: object) -> None:
        raise BadPart(f"it declares the entity {name}, which no translation memory needs")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._root is None:
            self._root = name
            if name != "tmx":
                raise BadPart(f"expected a translation memory with the element tmx, not {name}")
        if self._text is not None:
            self._code += name in _CODES
        elif name == "header" and self._language is None:
            named = attributes.get("srclang", "*all*")
            self._language = None if named == "*all*" else named
        elif name == "tu":
            self._unit, self._variants = attributes.get("srclang"), []
        elif name == "tuv":
            self._tag = attributes.get("xml:lang") or attributes.get("lang")
        elif name == "seg":
            self._text, self._code = [], 0

    def _characters(self, text: str) -> None:
        if self._text is not None and not self._code:
            self._text.append(text)

    def _end(self, name: str) -> None:
        if name == "seg" and self._text is not None:
            self._variants.append((self._tag, "".join(self._text)))
            self._text = None
        elif self._text is not None:
            self._code -= name in _CODES
        elif name == "tu":
            wanted = self._unit or self._language
            for tag, text in self._variants:
                if wanted is None or _same(tag, wanted):
                    self.found.append({"text": text, "language": tag})
                    return


class TmxReader:
    """Units in the order of the file, in bounded memory. Entities are not declared in it."""

    def __init__(self, path: str, shape: Shape):
        self._input, self._path = Input(path), path
        self._column, self._units = shape.text_column, _Units(shape.source_language)
        self.names: Sequence[str] | None = [shape.text_column, "language"]
        self.share, self.close = self._input.share, self._input.close

    def batches(self) -> Iterator[Batch]:
        units = self._units
        try:
            for line in self._input.lines():
                units.parser.Parse(line, False)
                if len(units.found) >= ROWS:
                    yield self._batch()
            units.parser.Parse(b"", True)
        except (expat.ExpatError, BadPart) as error:
            raise BadPart(f"{self._path}: line {units.parser.CurrentLineNumber}: {error}") from error
        if units.found:
            yield self._batch()

    def _batch(self) -> RowBatch:
        found, self._units.found = self._units.found, []
        return RowBatch([{self._column: unit["text"], "language": unit["language"]} for unit in found])


class TmxWriter:
    """Units of a text and its translation; none where there is no translation."""

    def __init__(self, path: str, shape: Shape):
        from xml.sax.saxutils import escape, quoteattr  # with urllib, a quarter of what a worker would import
        self._escape, self._quoted = escape, quoteattr
        self._output = Output(path, shape.compression)
        self._text, self._column = shape.text_column, next(iter(shape.kinds), "translation")
        self._from, self._to = shape.source_language, shape.target_language or "und"
        named = self._from if self._from not in (None, "auto") else "*all*"
        self._put('<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n<header creationtool="dragoman" '
                  'creationtoolversion="1" segtype="block" o-tmf="none" adminlang="en" datatype="plaintext" '
                  f'srclang={self._quoted(str(named))}/>\n<body>\n')

    def _put(self, text: str) -> None:
        self._output.stream.write(text.encode("utf-8", "replace"))

    def _variant(self, language: str, text: str) -> str:
        plain = "".join(mark for mark in text if mark >= " " or mark in "\t\n\r")
        return f"<tuv xml:lang={self._quoted(language)}><seg>{self._escape(plain)}</seg></tuv>"

    def write(self, batch: Batch, made: Mapping[str, list[Any]], kept: Sequence[int]) -> None:
        rows = batch.rows()
        for place in kept:
            translation = made[self._column][place]
            if translation is not None:
                source = rows[place].get("language") or (self._from if self._from != "auto" else None) or "und"
                self._put(f"<tu>{self._variant(str(source), str(rows[place].get(self._text, '')))}"
                          f"{self._variant(self._to, str(translation))}</tu>\n")

    def close(self) -> None:
        self._put("</body>\n</tmx>\n")
        self._output.close()
