# SPDX-License-Identifier: Apache-2.0
"""Translations, their sentences and scores. They are read from the library when asked for."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence as AbstractSequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Callable, Literal

from . import _abi, _html
from ._library import Handle, lib, read, struct
from ._text import Places, character_spans, read_matrix, read_ranges, read_string, read_tokens
from .errors import UnsupportedError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Self

__all__ = ["Translation", "Hypothesis", "Sentence", "Score", "Term", "Match"]


SentenceFlagName = Literal["copied", "in_target_language", "in_other_language", "carried", "repeated", "numbers",
                           "mojibake", "from_memory", "unsure", "uncovered"]
_FLAGS: dict[int, SentenceFlagName] = {
    _abi.SentenceFlag.COPIED: "copied",
    _abi.SentenceFlag.IN_TARGET_LANGUAGE: "in_target_language",
    _abi.SentenceFlag.IN_OTHER_LANGUAGE: "in_other_language",
    _abi.SentenceFlag.CARRIED: "carried",
    _abi.SentenceFlag.REPEATED: "repeated",
    _abi.SentenceFlag.NUMBERS: "numbers",
    _abi.SentenceFlag.MOJIBAKE: "mojibake",
    _abi.SentenceFlag.FROM_MEMORY: "from_memory",
    _abi.SentenceFlag.UNSURE: "unsure",
    _abi.SentenceFlag.UNCOVERED: "uncovered",
}


@dataclass(frozen=True)
class Term:
    """A term of the glossary that a sentence has."""
    source_span: tuple[int, int]  #: in characters of the text that was given
    met: bool                     #: the translation has what it must become


@dataclass(frozen=True)
class Match:
    """A segment of a translation memory that is like a sentence, and what it became."""
    source: str
    target: str
    similarity: float  #: 1 - edits / number of words of the longer one


class Text(str):
    """A `str` that knows more. It is immutable, so that a copy is the same; what is pickled is the text alone."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)

    def __reduce_ex__(self, _: object) -> tuple[type[str], tuple[str]]:
        return self.__reduce__()


class Sentence(Text):
    """A sentence of a text, or a part of one that was too long, and its translation, which it is as a `str`.

    Spans are (begin, end) in characters, the end excluded, so that `text[begin:end]` is the sentence.
    """

    def __new__(cls, owner: Hypothesis, place: int, info: _abi.Sentence, source_span: tuple[int, int],
                target_span: tuple[int, int], uncovered_span: tuple[int, int]) -> Self:
        return super().__new__(cls, owner.plain_text[slice(*target_span)])

    def __init__(self, owner: Hypothesis, place: int, info: _abi.Sentence, source_span: tuple[int, int],
                 target_span: tuple[int, int], uncovered_span: tuple[int, int]):
        self._owner, self._place = owner, place
        self.source_span: tuple[int, int] = source_span
        self.target_span: tuple[int, int] = target_span
        self.source_token_span: tuple[int, int] = (info.source_token_begin, info.source_token_end)
        self.target_token_span: tuple[int, int] = (info.target_token_begin, info.target_token_end)
        self.score: float = info.score
        #: How good its translation probably is, 0 to 1; 0 unless `return_quality` was set.
        self.quality: float = info.quality
        #: Share of its words that the translation reaches, 0 to 1; 0 unless `return_coverage` was set.
        self.coverage: float = info.coverage
        #: How many words the longest run has that the translation does not reach, and where it is in the text that was given.
        self.uncovered_words: int = info.uncovered_words
        self.uncovered_span: tuple[int, int] = uncovered_span
        #: Its language (BCP 47) with `source_language="auto"`; else None.
        self.language: str | None = info.language.decode() or None
        #: How sure that is, 0 to 1.
        self.language_probability: float = info.language_probability
        #: What a reader should know of it.
        self.flags: frozenset[SentenceFlagName] = frozenset(
            name for bit, name in _FLAGS.items() if info.flags & bit)

    @property
    def source(self) -> str:
        """The sentence as it was given."""
        return self._owner.plain_source[slice(*self.source_span)]

    @property
    def text(self) -> str:
        """Its translation, as a plain `str`."""
        return str(self)

    @property
    def source_tokens(self) -> list[str]:
        return self._owner._source_tokens()[slice(*self.source_token_span)]

    @property
    def tokens(self) -> list[str]:
        return self._owner.tokens[slice(*self.target_token_span)]

    @property
    def source_ranges(self) -> list[tuple[int, int]]:
        """What each source token stands for, in characters of the text that was given."""
        return self._owner._source_ranges()[slice(*self.source_token_span)]

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """What each token stands for, in characters of the hypothesis's text."""
        return self._owner.ranges[slice(*self.target_token_span)]

    @property
    def attention(self) -> npt.NDArray[np.float32]:
        """float32, (target tokens, source tokens), read-only; (0, 0) unless `return_attention` was set."""
        owner = self._owner
        value = read(owner._handle, _abi.Matrix(), lib.dragoman_result_sentence_attention, *owner._at, self._place)
        return read_matrix(value, owner._handle)

    @property
    def alignment(self) -> WordAlignment:
        """Which words of the source its words stand for; without words unless `return_alignment` was set."""
        return WordAlignment(self)

    @property
    def word_quality(self) -> list[tuple[tuple[int, int], float]]:
        """The words of the translation, in characters of the hypothesis's text, and how probable it is that each is right,
        0 to 1; none unless `return_quality` was set."""
        owner = self._owner
        scores = read_matrix(read(owner._handle, _abi.Matrix(), lib.dragoman_result_word_quality, *owner._at,
                                  self._place), owner._handle)
        return list(zip(self.alignment.target_spans, scores[0].tolist())) if scores.size else []

    @property
    def terms(self) -> list[Term]:
        """Terms of the glossary that it has, in its order."""
        owner, found = self._owner, []
        with owner._handle as pointer:
            count = lib.dragoman_result_term_count(pointer, *owner._at, self._place)
        for index in range(count):
            found.append(read(owner._handle, struct(_abi.Term), lib.dragoman_result_term, *owner._at, self._place, index))
        return [Term(owner._source_places.span(term.source_begin, term.source_end), bool(term.met)) for term in found]

    @property
    def matches(self) -> list[Match]:
        """Segments of the memory that are like it, the most similar first."""
        owner, found = self._owner, []
        with owner._handle as pointer:
            count = lib.dragoman_result_match_count(pointer, owner._at[0], self._place)
        for index in range(count):
            match = read(owner._handle, struct(_abi.Match), lib.dragoman_result_match, owner._at[0], self._place, index)
            found.append(Match(read_string(match.source), read_string(match.target), match.similarity))
        return found

    def __repr__(self) -> str:
        return f"<Sentence {self.source!r} -> {self.text!r}>"

    def _repr_html_(self) -> str:
        return _html.page([self])


class WordAlignment:
    """Words of a sentence and of its translation, and how much they belong together."""

    def __init__(self, sentence: Sentence):
        self._sentence = sentence

    def _words(self, function: Callable[..., int], places: Places) -> list[tuple[int, int]]:
        owner = self._sentence._owner
        ranges = read_ranges(read(owner._handle, _abi.Ranges(), function, *owner._at, self._sentence._place))
        return [places.span(*span) for span in ranges]

    @property
    def source_spans(self) -> list[tuple[int, int]]:
        """(begin, end) of each source word, in characters of the text that was given."""
        return self._words(lib.dragoman_result_source_words, self._sentence._owner._source_places)

    @property
    def target_spans(self) -> list[tuple[int, int]]:
        """(begin, end) of each word of the translation, in characters of the hypothesis's text."""
        return self._words(lib.dragoman_result_target_words, self._sentence._owner._target_places)

    @property
    def source_words(self) -> list[str]:
        return [self._sentence._owner.plain_source[slice(*span)] for span in self.source_spans]

    @property
    def target_words(self) -> list[str]:
        return [self._sentence._owner.plain_text[slice(*span)] for span in self.target_spans]

    @property
    def weights(self) -> npt.NDArray[np.float32]:
        """float32, (target words, source words), read-only. The weights of a row add up to 1."""
        owner = self._sentence._owner
        value = read(owner._handle, _abi.Matrix(), lib.dragoman_result_sentence_alignment, *owner._at,
                     self._sentence._place)
        return read_matrix(value, owner._handle)

    def links(self, threshold: float = 0.4) -> list[tuple[int, int]]:
        """(source word, target word), counted from 0: for each target word the source word with the largest weight, and
        others with `threshold` or more."""
        found = []
        for target, row in enumerate(self.weights):
            if row.max(initial=0) > 0:
                best = int(row.argmax())
                found += [(source, target) for source in range(len(row)) if source == best or row[source] >= threshold]
        return found


def _text(handle: Handle, at: tuple[int, int]) -> str:
    return read_string(read(handle, _abi.String(), lib.dragoman_result_text, *at))


class Hypothesis(Text):
    """One translation of an input. It is a `str`, its text: it compares, adds up, sorts and is written as JSON as that. Of a
    model without tokenizer it is the tokens, with spaces between."""

    _has_text: bool

    def __new__(cls, handle: Handle, at: tuple[int, int], source: str | None) -> Self:
        try:
            made, has_text = super().__new__(cls, _text(handle, at)), True
        except UnsupportedError:
            tokens = read_tokens(read(handle, _abi.Tokens(), lib.dragoman_result_tokens, *at))
            made, has_text = super().__new__(cls, " ".join(tokens)), False
        made._has_text = has_text
        return made

    def __init__(self, handle: Handle, at: tuple[int, int], source: str | None):
        self._handle, self._at = handle, at
        self._source = source or ""

    @property
    def text(self) -> str:
        """As a plain `str`. Raises UnsupportedError for a model without tokenizer."""
        return str(self) if self._has_text else _text(self._handle, self._at)

    @cached_property
    def plain_source(self) -> str:
        """What all spans of sources are places in: the text that was given; with `markup` its texts without tags."""
        return read_string(read(self._handle, _abi.String(), lib.dragoman_result_plain_source, self._at[0])) or self._source

    @cached_property
    def plain_text(self) -> str:
        """What all spans of translations are places in: `text`; with `markup` the translations without tags."""
        return read_string(read(self._handle, _abi.String(), lib.dragoman_result_plain_text, *self._at)) or self.text

    @cached_property
    def _source_places(self) -> Places:
        return Places(self.plain_source)

    @cached_property
    def _target_places(self) -> Places:
        return Places(self.plain_text)

    @cached_property
    def tokens(self) -> list[str]:
        """Of all sentences, as the model's vocabulary spells them."""
        return read_tokens(read(self._handle, _abi.Tokens(), lib.dragoman_result_tokens, *self._at))

    @cached_property
    def ranges(self) -> list[tuple[int, int]]:
        """(begin, end) in characters of `text` that each token stands for, in order; empty ranges for those that stand
        for nothing there. None for a model without tokenizer and with `discard_tokens`."""
        ranges = read_ranges(read(self._handle, _abi.Ranges(), lib.dragoman_result_ranges, *self._at))
        return character_spans(self.plain_text, ranges) if ranges else []

    def _source_ranges(self) -> list[tuple[int, int]]:
        ranges = read_ranges(read(self._handle, _abi.Ranges(), lib.dragoman_result_source_ranges, self._at[0]))
        return character_spans(self.plain_source, ranges)

    def _source_tokens(self) -> list[str]:
        return read_tokens(read(self._handle, _abi.Tokens(), lib.dragoman_result_source_tokens, self._at[0]))

    @property
    def score(self) -> float:
        """Sum of natural log-probabilities, normalised as the penalties say; of several sentences their mean, weighted
        by target tokens. 0 unless `return_scores` was set."""
        return float(read(self._handle, ctypes.c_float(), lib.dragoman_result_score, *self._at).value)

    @property
    def quality(self) -> float:
        """How good the translation probably is, 0 to 1; of several sentences their mean, weighted by words. 0 unless
        `return_quality` was set."""
        return float(read(self._handle, ctypes.c_float(), lib.dragoman_result_quality, *self._at).value)

    @property
    def attention(self) -> npt.NDArray[np.float32]:
        """Cross attention: float32, (target tokens, source tokens), read-only; (0, 0) unless `return_attention` was
        set.

        Raises UnsupportedError for a text of several sentences; each of those has its own.
        """
        return read_matrix(read(self._handle, _abi.Matrix(), lib.dragoman_result_attention, *self._at), self._handle)

    @property
    def pharaoh(self) -> str:
        """The alignment of the text in Pharaoh's format, "0-0 1-2": source word and target word, counted over all
        sentences; empty unless `return_alignment` was set."""
        return read_string(read(self._handle, _abi.String(), lib.dragoman_result_pharaoh, *self._at))

    @cached_property
    def sentences(self) -> list[Sentence]:
        """In the order of the text; none for tokens and blank texts."""
        with self._handle as pointer:
            count = lib.dragoman_result_sentence_count(pointer, self._at[0])
        infos = []
        for place in range(count):
            infos.append(read(self._handle, struct(_abi.Sentence), lib.dragoman_result_sentence, *self._at, place))
        sources = character_spans(self.plain_source, [(info.source_begin, info.source_end) for info in infos])
        targets = character_spans(self.plain_text, [(info.target_begin, info.target_end) for info in infos]) if infos else []
        uncovered = character_spans(self.plain_source, [(info.uncovered_begin, info.uncovered_end) for info in infos])
        return [Sentence(self, place, *item) for place, item in enumerate(zip(infos, sources, targets, uncovered))]

    def __repr__(self) -> str:
        return f"<Hypothesis {str(self) if self._source else ' '.join(self.tokens)!r}>"

    def _repr_html_(self) -> str:
        """For notebooks: what belongs together, how sure words are, and the attention, as far as options asked for it."""
        return _html.page(self.sentences) if self.sentences else f"<p>{_html.escaped(str(self))}</p>"


class Translation(Hypothesis):
    """The translation of one input: its best hypothesis, and the list of all of them."""

    @property
    def _place(self) -> int:
        return self._at[0]

    @property
    def source(self) -> str:
        """The text that was given; "" for tokens."""
        return self._source

    @cached_property
    def source_tokens(self) -> list[str]:
        """The source tokens, of all sentences, before any cut."""
        return self._source_tokens()

    @cached_property
    def source_ranges(self) -> list[tuple[int, int]]:
        """(begin, end) in characters of `source` that each source token stands for, as `ranges`; none for an input of
        tokens."""
        return self._source_ranges()

    @cached_property
    def hypotheses(self) -> list[Hypothesis]:
        """Best first; at least one."""
        with self._handle as pointer:
            count = lib.dragoman_result_hypothesis_count(pointer, self._place)
        return [Hypothesis(self._handle, (self._place, rank), self._source) for rank in range(count)]

    def __repr__(self) -> str:
        return super().__repr__().replace("Hypothesis", "Translation", 1)


def translations(result: Handle | int | None, sources: AbstractSequence[str] | None) -> list[Translation]:
    """One for each input of a result, which they own; none for None."""
    if result is None:
        return []
    handle = result if isinstance(result, Handle) else Handle(result, lib.dragoman_result_destroy, "result")
    with handle as pointer:
        count = lib.dragoman_result_count(pointer)
    return [Translation(handle, (place, 0), sources[place] if sources is not None else None) for place in range(count)]


class Score:
    """How probable a given translation is."""

    def __init__(self, handle: Handle, place: int, text: str):
        self._handle, self._place, self._text = handle, place, text

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens that were scored, end token last."""
        return read_tokens(read(self._handle, _abi.Tokens(), lib.dragoman_scores_tokens, self._place))

    @property
    def log_probs(self) -> npt.NDArray[np.float32]:
        """The natural log-probability of each of those tokens: float32, (tokens,), read-only."""
        value = read(self._handle, _abi.Matrix(), lib.dragoman_scores_log_probs, self._place)
        return read_matrix(value, self._handle).reshape(-1)

    @cached_property
    def ranges(self) -> list[tuple[int, int]]:
        """(begin, end) in characters of a target text that each token stands for; the end's is empty. None for targets
        of tokens."""
        ranges = read_ranges(read(self._handle, _abi.Ranges(), lib.dragoman_scores_ranges, self._place))
        return character_spans(self._text, ranges) if ranges else []

    @property
    def total(self) -> float:
        """Their sum."""
        return float(self.log_probs.sum(dtype="float64"))

    def __repr__(self) -> str:
        return f"<Score {self.total:.4f} of {' '.join(self.tokens)!r}>"


def scores(pointer: int, targets: AbstractSequence[str] | None = None) -> list[Score]:
    """One for each pair; `targets` if these are texts."""
    handle = Handle(pointer, lib.dragoman_scores_destroy, "scores")
    return [Score(handle, place, targets[place] if targets is not None else "")
            for place in range(lib.dragoman_scores_count(pointer))]
