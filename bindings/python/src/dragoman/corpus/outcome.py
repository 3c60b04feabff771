# SPDX-License-Identifier: Apache-2.0
"""What becomes of one text."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ..results import Translation

#: Columns that a stage can make, and the names that they have where none is given.
KINDS = ("translation", "score", "quality", "coverage", "source_language", "alignment")
#: Those that are no texts.
NUMBERS = ("score", "quality", "coverage")


@dataclass(frozen=True)
class Outcome:
    """A text's translation and what was asked for beside it, or the reason why there is none."""

    translation: str | None = None
    score: float | None = None
    quality: float | None = None
    coverage: float | None = None
    source_language: str | None = None
    alignment: str | None = None
    error: str | None = None


def _language(found: Translation) -> str | None:
    """That of most of its characters."""
    counted: Counter[str] = Counter()
    for sentence in found.sentences:
        if sentence.language:
            counted[sentence.language] += sentence.source_span[1] - sentence.source_span[0]
    return counted.most_common(1)[0][0] if counted else None


def _coverage(found: Translation) -> float | None:
    """The sentences' mean, weighted by words, as the library does it for quality."""
    parts = [(max(len(sentence.source.split()), 1), sentence.coverage) for sentence in found.sentences]
    words = sum(count for count, _ in parts)
    return sum(count * share for count, share in parts) / words if words else None


def outcome(found: Translation, wanted: frozenset[str], source_language: str | None) -> Outcome:
    """Reads what is wanted of a translation; the result can be pickled and holds nothing of the library."""
    values: dict[str, Any] = {"translation": found.text}
    if "score" in wanted:
        values["score"] = found.score
    if "quality" in wanted and found.source.strip():  # what is blank has none
        values["quality"] = found.quality
    if "coverage" in wanted:
        values["coverage"] = _coverage(found)
    if "alignment" in wanted:
        values["alignment"] = found.pharaoh
    if "source_language" in wanted:
        values["source_language"] = _language(found) if source_language == "auto" else source_language
    return Outcome(**values)
