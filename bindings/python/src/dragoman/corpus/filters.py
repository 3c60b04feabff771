# SPDX-License-Identifier: Apache-2.0
"""Which rows are translated and kept."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Literal, Sequence

from ..languages import detect_languages
from .outcome import Outcome

FilterActionName = Literal["drop", "mark"]


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What a row's texts have to be. A row with a text that is not is dropped, or stays and says why in a column.

    Texts that fail before translation (language, length) are not translated.
    """

    languages: Sequence[str] = ()
    """Tags that a text's language, as it is detected, may have; none: any. Texts without letters pass."""
    min_language_probability: float = 0.5
    """How sure a language outside `languages` must be for its text to fail."""
    min_characters: int = 0
    max_characters: int = 0
    """0: any."""
    min_quality: float = 0.0
    """Of translations (docs/quality.md)."""
    min_coverage: float = 0.0
    """Of translations (docs/coverage.md)."""
    action: FilterActionName = "drop"
    column: str = "filtered"
    """Of the reason, with action "mark"; None in rows that pass."""

    def __post_init__(self) -> None:
        if self.action not in ("drop", "mark"):
            raise ValueError(f"filters: action is {self.action!r}; expected 'drop' or 'mark'")
        if isinstance(self.languages, str):
            raise TypeError("filters: languages is a str; expected several tags")

    def kinds(self) -> set[str]:
        """What must be known of translations."""
        return {kind for kind, least in (("quality", self.min_quality), ("coverage", self.min_coverage)) if least > 0}

    def before(self, texts: Sequence[str]) -> list[str | None]:
        """For each text why it fails before it is translated."""
        found = [self._length(text) for text in texts]
        if self.languages:
            asked = [place for place, reason in enumerate(found) if reason is None]
            for place, reason in zip(asked, self._languages([texts[place] for place in asked])):
                found[place] = reason
        return found

    def _length(self, text: str) -> str | None:
        if len(text) < self.min_characters:
            return f"{len(text)} characters, fewer than {self.min_characters}"
        if self.max_characters and len(text) > self.max_characters:
            return f"{len(text)} characters, more than {self.max_characters}"
        return None

    def _languages(self, texts: Sequence[str]) -> Iterable[str | None]:
        for guesses in detect_languages(texts, self.languages[:8]):
            best = guesses[0] if guesses else None
            wrong = best is not None and best.probability >= self.min_language_probability and \
                not any(best.tag == tag or best.tag.startswith(tag + "-") for tag in self.languages)
            yield f"language {best.tag}, not {' or '.join(self.languages)}" if wrong and best is not None else None

    def after(self, outcome: Outcome) -> str | None:
        """Why a translation fails. One that could not be made does not: it has an error."""
        for name, value, least in (("quality", outcome.quality, self.min_quality),
                                   ("coverage", outcome.coverage, self.min_coverage)):
            if least > 0 and value is not None and value < least:
                return f"{name} {value:.4f}, less than {least}"
        return None
