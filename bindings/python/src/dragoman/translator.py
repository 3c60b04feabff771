# SPDX-License-Identifier: Apache-2.0
"""Translators: working memory for translating with one model."""
from __future__ import annotations

import ctypes
import itertools
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Sequence, overload

from . import _abi
from ._library import Handle, check, create, lib, struct
from ._text import Sequences, Strings
from .errors import InvalidArgumentError
from .model import Model
from .options import Call, ProgressCallback, TranslateOptions, defaults, fill
from .results import Score, Translation, scores, translations

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self, Unpack

    from .options import OptionArguments

__all__ = ["Translator", "Stats"]

Tokens = Sequence[str]


@dataclass(frozen=True)
class Stats:
    """Counters of a translator since it was made or `reset_stats` was called.

    Submissions, waits and dispatches are counted by device and so include other translators of the same model.
    """

    sentences: int
    source_tokens: int
    target_tokens: int
    batches: int
    decoder_steps: int
    dispatches_per_step: int
    """Of the last batch."""
    padding_tokens: int
    """Computed for nothing."""
    submissions: int
    host_waits: int
    dispatches: int
    memory_bytes: int
    """Device memory held now by the model and all its translators."""
    memory_peak_bytes: int


class Translator:
    """Translates with one model. Threads may share it, and wait for each other; several of one model run side by side.

    model: a `Model`, the path of one, or None for the default model.
    options: defaults of this translator, as `target_language="en"`.
    """

    def __init__(self, model: Model | str | os.PathLike[str] | None = None, **options: Unpack[OptionArguments]):
        self.options: TranslateOptions = TranslateOptions(**options)
        owned = None if isinstance(model, Model) else Model(model)
        try:
            self.model: Model = owned or model  # type: ignore[assignment]
            with self.model._handle as pointer:
                self._handle = Handle(create(lib.dragoman_translator_create, pointer),
                                      lib.dragoman_translator_destroy, "translator")
        except BaseException:
            if owned:
                owned.close()
            raise
        self._owned = owned

    @overload
    def translate(  # type: ignore[overload-overlap]  # a str is an iterable of str
            self, texts: str, *, prefixes: Tokens | None = None, options: TranslateOptions | None = None,
            progress: ProgressCallback | None = None, **changes: Unpack[OptionArguments]) -> Translation: ...

    @overload
    def translate(self, texts: Iterable[str], *, prefixes: Iterable[Tokens] | None = None,
                  options: TranslateOptions | None = None, progress: ProgressCallback | None = None,
                  **changes: Unpack[OptionArguments]) -> list[Translation]: ...

    def translate(self, texts: Any, *, prefixes: Any = None, options: TranslateOptions | None = None,
                  progress: ProgressCallback | None = None, **changes: Any) -> Any:
        """Translates a text of any length, or many, sentence by sentence. What is between sentences is copied.

        prefixes: target tokens each translation begins with, one sequence for each text.
        options: instead of the translator's own; keyword arguments change single ones.
        progress: called now and then with the numbers of sentences done and of all. An exception in it, and Ctrl-C, end
            the translation and come out of this call.

        Returns a `Translation` for a str, else a list of them in the order of the texts.
        Raises InvalidArgumentError (also for a lone surrogate, naming the text), UnsupportedError for a model without
        tokenizer, OutOfMemoryError, DeviceLostError.
        """
        if isinstance(texts, str):
            return self.translate([texts], prefixes=None if prefixes is None else [prefixes], options=options,
                                  progress=progress, **changes)[0]
        texts = list(texts)
        inputs = Strings(texts, "texts")
        call = self._call(options, changes, progress)
        return translations(self._run(lib.dragoman_translate_texts, inputs, prefixes, call), texts)

    def translate_tokens(self, sources: Iterable[Tokens], *, prefixes: Iterable[Tokens] | None = None,
                         options: TranslateOptions | None = None, progress: ProgressCallback | None = None,
                         **changes: Unpack[OptionArguments]) -> list[Translation]:
        """Translates sequences of source tokens as they stand, as the model was trained on them.

        A token outside the vocabulary counts as the unknown token. The rest is as in `translate`.
        """
        call = self._call(options, changes, progress)  # type: ignore[arg-type]
        inputs = Sequences(sources, "sources")
        return translations(self._run(lib.dragoman_translate_tokens, inputs, prefixes, call), None)

    def _call(self, options: TranslateOptions | None, changes: dict[str, Any],
              progress: ProgressCallback | None = None) -> Call:
        return Call((options or self.options).replace(**changes), progress)

    def _run(self, function: Callable[..., int], inputs: Strings | Sequences, prefixes: Iterable[Tokens] | None,
             call: Call) -> int | None:
        forced = _pairs(prefixes, "prefixes", inputs.count)
        result = ctypes.c_void_p()
        with self._handle as pointer:
            if not inputs.count:
                return None
            call.check(function(pointer, inputs.data, inputs.count, forced and forced.data,
                                ctypes.byref(call.struct), ctypes.byref(result)))
        return result.value

    def translate_iter(self, texts: Iterable[str], *, batch_size: int = 64,
                       options: TranslateOptions | None = None, progress: Callable[[int], object] | None = None,
                       **changes: Unpack[OptionArguments]) -> Iterator[Translation]:
        """Translates any iterable, `batch_size` texts at a time, in bounded memory; yields in their order.

        progress: called with the number of texts done after each batch.
        """
        if batch_size < 1:
            raise InvalidArgumentError(f"batch_size is {batch_size}: expected at least 1")
        chosen = (options or self.options).replace(**changes)

        def batches() -> Iterator[Translation]:
            rest, done = iter(texts), 0
            while batch := list(itertools.islice(rest, batch_size)):
                found = self.translate(batch, options=chosen)
                done += len(batch)
                if progress:
                    progress(done)
                yield from found

        return batches()

    def score_tokens(self, sources: Iterable[Tokens], targets: Iterable[Tokens], *,
                     max_input_length: int | None = None) -> list[Score]:
        """The log-probability of each target token, and of the end token, given its source.

        max_input_length: longer sources and targets are cut; 0: no limit; default 1024.
        """
        options = defaults(_abi.ScoreOptions)
        fill(options, {"max_input_length": max_input_length})
        given = Sequences(sources, "sources")
        wanted = _pairs(targets, "targets", given.count)
        assert wanted is not None
        with self._handle as pointer:
            return scores(create(lib.dragoman_score_tokens, pointer, given.data, wanted.data, given.count,
                                 ctypes.byref(options)))

    @property
    def stats(self) -> Stats:
        raw = struct(_abi.Stats)
        with self._handle as pointer:
            check(lib.dragoman_translator_stats(pointer, ctypes.byref(raw)))
        return Stats(**{name: getattr(raw, name) for name in Stats.__dataclass_fields__})

    def reset_stats(self) -> None:
        """Sets the counters to 0."""
        with self._handle as pointer:
            check(lib.dragoman_translator_reset_stats(pointer))

    def trim(self) -> None:
        """Gives back device memory that the next call can take again."""
        with self._handle as pointer:
            check(lib.dragoman_translator_trim(pointer))

    def close(self) -> None:
        """Gives the memory back, once the calls at work are done; translations live on. So does the model, unless this
        translator loaded it."""
        self._handle.close()
        if self._owned:
            self._owned.close()

    @property
    def closed(self) -> bool:
        return self._handle.closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def _pairs(sequences: Iterable[Tokens] | None, what: str, count: int) -> Sequences | None:
    if sequences is None:
        return None
    given = Sequences(sequences, what)
    if given.count != count:
        raise InvalidArgumentError(f"{what}: {given.count} for {count} inputs")
    return given
