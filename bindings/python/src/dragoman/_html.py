# SPDX-License-Identifier: Apache-2.0
"""Translations as notebooks show them: HTML without scripts, which a page that removes them shows alike."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from .results import Sentence

_COLOURS = ("#4269d0", "#3ca951", "#ff725c", "#a463f2", "#efb118", "#6cc5b0", "#9c6b4e", "#ff8ab7")
_CELL = "padding:2px 10px 6px 0;text-align:left;vertical-align:top;line-height:1.8"
_NUMBER = "text-align:right;white-space:nowrap;color:gray;"


def escaped(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")


def _word(text: str, colour: str | None, probability: float | None, title: str) -> str:
    style = f"border-bottom:2px solid {colour};" if colour else ""
    if probability is not None:
        style += f"background:rgba(255,140,0,{0.6 * (1 - probability):.2f});"
    said = [title] if title else []
    if probability is not None:
        said.append(f"right with probability {probability:.2f}")
    about = f' title="{html.escape("; ".join(said))}"' if said else ""
    return f'<span style="{style}"{about}>{escaped(text)}</span>' if style or about else escaped(text)


def _marked(text: str, span: tuple[int, int], words: Sequence[tuple[tuple[int, int], str]]) -> str:
    """The stretch of a text with its words as they were marked."""
    out, at = [], span[0]
    for (begin, end), word in words:
        out += [escaped(text[at:begin]), word]
        at = end
    return "".join(out) + escaped(text[at:span[1]])


def _groups(links: list[tuple[int, int]], sources: int, targets: int) -> tuple[list[int | None], list[int | None]]:
    """A number for the words of each side that belong together; None for those that stand alone."""
    parent = list(range(sources + targets))

    def root(place: int) -> int:
        while parent[place] != place:
            place = parent[place]
        return place

    for source, target in links:
        parent[root(sources + target)] = root(source)
    linked = {place for source, target in links for place in (source, sources + target)}
    numbers: dict[int, int] = {}
    found = [numbers.setdefault(root(place), len(numbers)) if place in linked else None for place in range(len(parent))]
    return found[:sources], found[sources:]


def _row(sentence: Sentence) -> str:
    alignment = sentence.alignment
    source_spans, target_spans = alignment.source_spans, alignment.target_spans
    sources, targets = alignment.source_words, alignment.target_words
    links = alignment.links()
    of_sources, of_targets = _groups(links, len(sources), len(targets))
    sure = dict(sentence.word_quality)

    def side(spans: list[tuple[int, int]], texts: list[str], groups: list[int | None], partners: list[list[str]],
             scores: dict[tuple[int, int], float]) -> list[tuple[tuple[int, int], str]]:
        return [(span, _word(text, None if group is None else _COLOURS[group % len(_COLOURS)], scores.get(span),
                             " ".join(others)))
                for span, text, group, others in zip(spans, texts, groups, partners)]

    of = [[targets[target] for one, target in links if one == place] for place in range(len(sources))]
    to = [[sources[source] for source, one in links if one == place] for place in range(len(targets))]
    owner = sentence._owner
    if not target_spans and sure:
        target_spans, targets = list(sure), [owner.plain_text[slice(*span)] for span in sure]
        of_targets, to = [None] * len(sure), [[] for _ in sure]
    cells = [_marked(owner.plain_source, sentence.source_span, side(source_spans, sources, of_sources, of, {})),
             _marked(owner.plain_text, sentence.target_span, side(target_spans, targets, of_targets, to, sure))]
    numbers = [f"{name} {value:.2f}" for name, value in
               (("quality", sentence.quality), ("coverage", sentence.coverage), ("score", sentence.score)) if value]
    cells = [f'<td style="{_CELL}">{cell}</td>' for cell in cells]
    said = "<br>".join([*numbers, *sorted(sentence.flags)])
    return f'<tr>{"".join(cells)}<td style="{_CELL};{_NUMBER}">{said}</td></tr>'


def _attention(sentence: Sentence) -> str:
    """A row for each token of the translation; the darker, the more attention it gave to the column's token."""
    weights = sentence.attention
    if not weights.size:
        return ""
    head = "".join(f'<th style="writing-mode:vertical-rl;vertical-align:bottom;padding:2px;font-weight:normal">{escaped(token)}</th>'
                   for token in sentence.source_tokens)
    rows = []
    for token, row in zip(sentence.tokens, weights.tolist()):
        cells = "".join(f'<td title="{weight:.3f}" style="width:1.2em;background:rgba(66,105,208,{min(weight, 1):.2f})">'
                        "</td>" for weight in row)
        rows.append(f'<tr><th style="text-align:right;padding:0 6px;font-weight:normal">{escaped(token)}</th>{cells}</tr>')
    return (f'<details><summary>attention: {escaped(sentence.text)}</summary>'
            f'<table style="border-collapse:collapse"><tr><td></td>{head}</tr>{"".join(rows)}</table></details>')


def page(sentences: Sequence[Sentence]) -> str:
    """A table of sentences and their translations, and the attention below it."""
    rows = "".join(_row(sentence) for sentence in sentences)
    return (f'<table style="border-collapse:collapse"><thead><tr><th style="{_CELL}">source</th><th style="{_CELL}">'
            f'translation</th><th></th></tr></thead><tbody>{rows}</tbody></table>'
            f'{"".join(_attention(sentence) for sentence in sentences)}')
