# SPDX-License-Identifier: Apache-2.0
"""The texts of a batch, and the columns made of their translations."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Iterator, Mapping, Optional, Sequence, Tuple

from .._text import is_missing
from ..languages import detect_languages
from .filters import Filters
from .outcome import Outcome
from .paths import ColumnPath, leaves

#: A text and its language: texts that are equal in both have one outcome.
Place = Tuple[Optional[str], str]


def _fault(value: object) -> str | None:
    """Why a cell is no text."""
    if not isinstance(value, str):
        return f"invalid_argument: expected a text, not {type(value).__name__}"
    try:
        value.encode()
    except UnicodeEncodeError as error:
        return f"invalid_argument: a lone surrogate at character {error.start}"
    return None


@dataclass(frozen=True)
class RowFound:
    """What became of a row."""

    texts: list[list[Outcome | None] | None]
    """For each path its texts in their order, None for those that are missing; None for a cell of another shape."""
    error: str | None = None
    filtered: str | None = None


class Cells:
    """Texts by row and column."""

    def __init__(self, batch: Mapping[str, Sequence[Any]], columns: Sequence[ColumnPath], source_language: str | None,
                 source_language_column: str | None):
        self.batch: dict[str, list[Any]] = {name: list(values) for name, values in batch.items()}
        lengths = {name: len(values) for name, values in self.batch.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns have different lengths: {lengths}")
        self.rows = next(iter(lengths.values()), 0)
        self.errors: dict[int, str] = {}
        self.filtered: dict[int, str] = {}
        self._skipped: set[int] = set()  # not translated
        self.languages: list[str | None] = [source_language] * self.rows
        if source_language_column is not None:
            self.languages = self._languages(source_language_column, source_language)
        self.columns = columns
        #: For each column and row what its path leads to: a place, or None where a text is missing or faulty. None for
        #: cells of another shape than the path.
        self.texts: list[list[list[Place | None] | None]] = []
        for column in columns if self.rows else ():
            steps = column.resolved(self.batch)
            self.texts.append([self._row(row, column.spelled, cell, steps[1:])
                               for row, cell in enumerate(self.batch[steps[0]])])

    def _languages(self, column: str, default: str | None) -> list[str | None]:
        if column not in self.batch:
            if not self.rows:
                return []
            raise KeyError(f"there is no column {column!r} of source languages; the rows have "
                           f"{', '.join(map(repr, self.batch))}")
        return [default if is_missing(value) or value == "" else str(value) for value in self.batch[column]]

    def _error(self, row: int, column: str, message: str) -> None:
        whole = message if len(self.columns) == 1 else f"{column}: {message}"
        if whole not in (before := self.errors.get(row, "")):
            self.errors[row] = f"{before}; {whole}" if before else whole

    def _row(self, row: int, column: str, cell: Any, steps: tuple[str, ...]) -> list[Place | None] | None:
        found: list[Place | None] = []
        try:
            for value in leaves(cell, steps):
                fault = None if is_missing(value) else _fault(value)
                if fault:
                    self._error(row, column, fault)
                found.append(None if fault or is_missing(value) else (self.languages[row], str(value)))
        except TypeError as error:
            self._error(row, column, f"invalid_argument: {error}")
            return None
        return found

    def _all(self) -> Iterator[tuple[int, int, Place]]:
        for column, rows in enumerate(self.texts):
            for row, places in enumerate(rows):
                for place in places or ():
                    if place is not None:
                        yield column, row, place

    def different(self) -> dict[str | None, list[str]]:
        """The texts to translate by their language, each once, in the order of rows."""
        found: dict[str | None, dict[str, None]] = {}
        for _, row, (language, text) in self._all():
            if row not in self.filtered:
                found.setdefault(language, {})[text] = None
        return {language: list(texts) for language, texts in found.items()}

    def filter_before(self, filters: Filters) -> None:
        """Notes the rows with a text that need not be translated."""
        given = [(row, text) for _, row, (_, text) in self._all()]
        for (row, _), reason in zip(given, filters.before([text for _, text in given])):
            if reason:
                self.filtered.setdefault(row, reason)
        self._skipped = set(self.filtered)

    def filter_after(self, filters: Filters, outcomes: Mapping[Place, Outcome]) -> None:
        """Notes the rows with a translation that fails."""
        for _, row, place in self._all():
            reason = filters.after(outcomes[place]) if place in outcomes else None
            if reason:
                self.filtered.setdefault(row, reason)

    def note_errors(self, outcomes: Mapping[Place, Outcome]) -> None:
        """Gives rows the errors of their texts."""
        for column, row, place in self._all():
            error = outcomes[place].error if place in outcomes else None
            if error:
                self._error(row, self.columns[column].spelled, error)

    def found(self, outcomes: Mapping[Place, Outcome], guess: bool) -> list[RowFound]:
        """What became of each row. `guess`: languages of texts whose own is not known, which do not change
        translations."""
        told = {**outcomes, **self._guessed(outcomes)} if guess else outcomes
        rows = []
        for row in range(self.rows):
            texts: list[list[Outcome | None] | None] = []
            for column in self.texts:
                places = column[row]
                texts.append(None if places is None else [
                    None if place is None or row in self._skipped else told.get(place) for place in places])
            rows.append(RowFound(texts, self.errors.get(row), self.filtered.get(row)))
        return rows

    def _guessed(self, outcomes: Mapping[Place, Outcome]) -> dict[Place, Outcome]:
        asked = [place for place, outcome in outcomes.items() if place[0] is None and not outcome.error]
        guesses = detect_languages([text for _, text in asked])
        return {place: replace(outcomes[place], source_language=found[0].tag if found else None)
                for place, found in zip(asked, guesses)}
