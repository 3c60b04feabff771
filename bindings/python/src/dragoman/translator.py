# SPDX-License-Identifier: Apache-2.0
"""Translators: working memory for translating with one model."""
from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence, overload

from . import _abi
from ._closing import HandleOwner
from ._feeding import Submit as FedSubmit
from ._feeding import Text, stream_each, stream_each_async, translate_each, translate_each_async
from ._jobs import Event, Job
from ._library import Handle, check, create, lib, read, struct
from ._text import Sequences, Strings
from .errors import InvalidArgumentError
from .model import Model
from .options import Call, ProgressCallback, TranslateOptions, c_text, defaults, fill
from .results import Score, Translation, scores, translations
from .streams import AsyncStream, Stream, Submit, wait

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
    """Computed for nothing: 0, as batches need no padding."""
    submissions: int
    host_waits: int
    dispatches: int
    memory_bytes: int
    """Device memory held now by the model and all its translators."""
    memory_peak_bytes: int
    host_peak_bytes: int
    """Most the process ever had resident; 0 where the system does not say."""
    repeated_sentences: int
    """Searched again in float32, because their numbers overflowed in float16."""


class Translator(HandleOwner):
    """Translates with one model. Threads may share it: their sentences run together.

    model: a `Model`, the path of one, or None for the default model.
    route: instead of that, `Model`s on one device, over which it finds the shortest way from `source_language` to
        `target_language`. Each takes what the one before it made of a sentence. For texts without prefixes; `model` is then the
        last of the list.
    options: defaults of this translator, such as `target_language="en"`.
    """

    def __init__(self, model: Model | str | os.PathLike[str] | None = None, *, route: Iterable[Model] | None = None,
                 **options: Unpack[OptionArguments]):
        if route is not None:
            self._over(list(route), model, **options)
            return
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

    def _over(self, models: list[Model], model: object, source_language: str | None = None,
              target_language: str | None = None, **options: Any) -> None:
        if model is not None:
            raise InvalidArgumentError("route: expected no model beside it")
        self.options = TranslateOptions(**options)
        names = [c_text(name, value or "") for name, value in
                 (("source_language", source_language), ("target_language", target_language))]
        with contextlib.ExitStack() as stack:
            pointers = [stack.enter_context(each._handle) for each in models]
            given = (ctypes.c_void_p * len(pointers))(*pointers)
            self._handle = Handle(create(lib.dragoman_translator_create_route, given, len(pointers), *names),
                                  lib.dragoman_translator_destroy, "translator")
        self.model = models[-1]
        self._owned = None

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
        with call, self._handle as pointer:
            if not inputs.count:
                return None
            call.check(function(pointer, inputs.data, inputs.count, forced and forced.data,
                                ctypes.byref(call.struct), ctypes.byref(result)))
        return result.value

    @overload
    async def translate_async(  # type: ignore[overload-overlap]
            self, texts: str, *, prefixes: Tokens | None = None, options: TranslateOptions | None = None,
            progress: ProgressCallback | None = None, priority: int = 0,
            **changes: Unpack[OptionArguments]) -> Translation: ...

    @overload
    async def translate_async(
            self, texts: Iterable[str], *, prefixes: Iterable[Tokens] | None = None,
            options: TranslateOptions | None = None, progress: ProgressCallback | None = None, priority: int = 0,
            **changes: Unpack[OptionArguments]) -> list[Translation]: ...

    async def translate_async(self, texts: Any, *, prefixes: Any = None, options: TranslateOptions | None = None,
                              progress: ProgressCallback | None = None, priority: int = 0, **changes: Any) -> Any:
        """`translate` without blocking the event loop. Cancelling the task stops the translation.

        priority: higher ones are worked on first, equal ones share the device.
        progress: called on the event loop's thread.
        """
        if isinstance(texts, str):
            found = await self.translate_async([texts], prefixes=None if prefixes is None else [prefixes],
                                               options=options, progress=progress, priority=priority, **changes)
            return found[0]
        texts = list(texts)
        submit = self._submit(texts, None, prefixes, options, changes, sentences=bool(progress), priority=priority)
        return translations(await wait(submit, progress), texts)

    async def translate_tokens_async(
            self, sources: Iterable[Tokens], *, prefixes: Iterable[Tokens] | None = None,
            options: TranslateOptions | None = None, progress: ProgressCallback | None = None, priority: int = 0,
            **changes: Unpack[OptionArguments]) -> list[Translation]:
        """`translate_tokens` as `translate_async` does it."""
        submit = self._submit(None, sources, prefixes, options, changes,  # type: ignore[arg-type]
                              sentences=bool(progress), priority=priority)
        return translations(await wait(submit, progress), None)

    def _submit(self, texts: list[str] | None, sources: Iterable[Tokens] | None, prefixes: Iterable[Tokens] | None,
                options: TranslateOptions | None, changes: dict[str, Any], **events: Any) -> Submit:
        inputs = Strings(texts, "texts") if texts is not None else Sequences(sources or [], "sources")
        forced = _pairs(prefixes, "prefixes", inputs.count)
        call = self._call(options, changes)
        return lambda on_event: Job(self._handle, inputs, forced, call, texts, on_event, **events)

    def stream(self, texts: str | Iterable[str], *, partial: bool = False, prefixes: Iterable[Tokens] | None = None,
               options: TranslateOptions | None = None, priority: int = 0,
               **changes: Unpack[OptionArguments]) -> Stream:
        """Translates and gives each sentence when it is done: an iterator over `Event`s.

        partial: also the best translation so far of sentences at work, token by token.
        """
        given = [texts] if isinstance(texts, str) else list(texts)
        submit = self._submit(given, None, prefixes, options, changes,  # type: ignore[arg-type]
                              sentences=True, partial=partial, priority=priority)
        return Stream(submit, given)

    def stream_async(self, texts: str | Iterable[str], *, partial: bool = False,
                     prefixes: Iterable[Tokens] | None = None, options: TranslateOptions | None = None,
                     priority: int = 0, **changes: Unpack[OptionArguments]) -> AsyncStream:
        """`stream` for `async for`."""
        given = [texts] if isinstance(texts, str) else list(texts)
        submit = self._submit(given, None, prefixes, options, changes,  # type: ignore[arg-type]
                              sentences=True, partial=partial, priority=priority)
        return AsyncStream(submit, given)

    def translate_iter(self, texts: Iterable[Text], *, ahead: int = 256, priority: int = 0,
                       options: TranslateOptions | None = None, progress: Callable[[int], object] | None = None,
                       **changes: Unpack[OptionArguments]) -> Iterator[Translation]:
        """Translates any iterable, however long, in bounded memory; yields in its order, each as soon as it is done.

        texts: of `str`, or of (text, prefix) with the target tokens that the translation begins with.
        ahead: at most so many texts are read ahead of the translations that have come, and at most a few megabytes.
        progress: called with the number of texts done as they are.

        An exception of the iterable comes out of here; that and closing the iterator stop what is left.
        """
        return translate_each(self._fed(options, changes, ahead, priority), texts, ahead, progress)

    def translate_iter_async(self, texts: Iterable[Text] | AsyncIterable[Text], *, ahead: int = 256, priority: int = 0,
                             options: TranslateOptions | None = None,
                             progress: Callable[[int], object] | None = None,
                             **changes: Unpack[OptionArguments]) -> AsyncIterator[Translation]:
        """`translate_iter` over iterables of both kinds, without blocking the event loop. Texts are read
        concurrently: waiting for one does not hold up translations."""
        return translate_each_async(self._fed(options, changes, ahead, priority), texts, ahead, progress)

    def stream_iter(self, texts: Iterable[Text], *, partial: bool = False, ahead: int = 256, priority: int = 0,
                    options: TranslateOptions | None = None, **changes: Unpack[OptionArguments]) -> Iterator[Event]:
        """The events of `stream` for any iterable, which is read as `translate_iter` does it."""
        return stream_each(self._fed(options, changes, ahead, priority, sentences=True, partial=partial), texts, ahead)

    def stream_iter_async(self, texts: Iterable[Text] | AsyncIterable[Text], *, partial: bool = False, ahead: int = 256,
                          priority: int = 0, options: TranslateOptions | None = None,
                          **changes: Unpack[OptionArguments]) -> AsyncIterator[Event]:
        """`stream_iter` over iterables of both kinds, without blocking the event loop."""
        return stream_each_async(self._fed(options, changes, ahead, priority, sentences=True, partial=partial), texts,
                                 ahead)

    def _fed(self, options: TranslateOptions | None, changes: dict[str, Any], ahead: int, priority: int,
             **events: bool) -> FedSubmit:
        if ahead < 1:
            raise InvalidArgumentError(f"ahead is {ahead}: expected at least 1")
        inputs, call = Strings([], "texts"), self._call(options, changes)
        return lambda texts, on_event: Job(self._handle, inputs, None, call, texts, on_event, priority=priority,
                                           fed=True, **events)

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

    def score_texts(self, sources: Iterable[str], targets: Iterable[str], *, source_language: str | None = None,
                    target_language: str | None = None, max_input_length: int | None = None) -> list[Score]:
        """The same of texts, each side as one sequence, in the languages given (BCP 47 or the model's codes)."""
        options = defaults(_abi.ScoreOptions)
        fill(options, {"max_input_length": max_input_length, "source_language": source_language,
                       "target_language": target_language})
        texts = list(targets)
        given, wanted = Strings(sources, "sources"), Strings(texts, "targets")
        if wanted.count != given.count:
            raise InvalidArgumentError(f"targets: {wanted.count} for {given.count} inputs")
        with self._handle as pointer:
            return scores(create(lib.dragoman_score_texts, pointer, given.data, wanted.data, given.count,
                                 ctypes.byref(options)), texts)

    @property
    def stats(self) -> Stats:
        raw = read(self._handle, struct(_abi.Stats), lib.dragoman_translator_stats)
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
        super().close()
        if self._owned:
            self._owned.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await asyncio.to_thread(self.close)


def _pairs(sequences: Iterable[Tokens] | None, what: str, count: int) -> Sequences | None:
    if sequences is None:
        return None
    given = Sequences(sequences, what)
    if given.count != count:
        raise InvalidArgumentError(f"{what}: {given.count} for {count} inputs")
    return given
