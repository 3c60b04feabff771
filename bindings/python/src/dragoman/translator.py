# SPDX-License-Identifier: Apache-2.0
"""Translators: working memory for translating with one model."""
from __future__ import annotations

import contextlib
import ctypes
import os
from dataclasses import dataclass
from typing import (TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence, TypeVar, cast,
                    overload)

from . import _abi, tables
from ._closing import HandleOwner
from ._feeding import Submit as FedSubmit
from ._feeding import Results, Text, stream_each, stream_each_async, translate_each, translate_each_async
from ._jobs import Event, Job
from ._library import Handle, check, create, lib, read, struct, unless_raised
from ._progress import FedProgress, Progress
from ._text import Places, Sequences, Strings, as_texts, check_texts
from .errors import InvalidArgumentError
from .model import Model
from .options import Call, Opened, TranslateOptions, c_text, changed, defaults, fill
from .results import Score, Translation, scores, translations
from .streams import AsyncStream, Stream, Submit, wait

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self, Unpack

    from .options import OptionArguments

__all__ = ["Translator", "Stats"]

Tokens = Sequence[str]
Column = TypeVar("Column")
Frame = TypeVar("Frame")


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
        self._opened = Opened()
        self.options: TranslateOptions = changed(TranslateOptions(), options, type(self))
        if route is not None:
            self._over(list(route), model)
            return
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

    def _over(self, models: list[Model], model: object) -> None:
        if model is not None:
            raise InvalidArgumentError("route: expected no model beside it")
        for place, each in enumerate(models):
            if not isinstance(each, Model):
                raise TypeError(f"route[{place}]: expected a Model, not {type(each).__name__}")
        names = [c_text(name, getattr(self.options, name) or "") for name in ("source_language", "target_language")]
        self.options = self.options.replace(source_language=None, target_language=None)  # the route's
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
            progress: Progress | None = None, **changes: Unpack[OptionArguments]) -> Translation: ...

    @overload
    def translate(self, texts: Iterable[str], *, prefixes: Iterable[Tokens] | None = None,
                  options: TranslateOptions | None = None, progress: Progress | None = None,
                  **changes: Unpack[OptionArguments]) -> list[Translation]: ...

    def translate(self, texts: str | Iterable[str], *, prefixes: Any = None, options: TranslateOptions | None = None,
                  progress: Progress | None = None, **changes: Any) -> Translation | list[Translation]:
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
        texts = as_texts(texts, "texts")
        inputs = Strings(texts, "texts")
        call = self._call(self.translate, options, changes, progress)
        return translations(self._run(lib.dragoman_translate_texts, inputs, prefixes, call), texts)

    def translate_tokens(self, sources: Iterable[Tokens], *, prefixes: Iterable[Tokens] | None = None,
                         options: TranslateOptions | None = None, progress: Progress | None = None,
                         **changes: Unpack[OptionArguments]) -> list[Translation]:
        """Translates sequences of source tokens as they stand, as the model was trained on them.

        A token outside the vocabulary counts as the unknown token. The rest is as in `translate`.
        """
        call = self._call(self.translate_tokens, options, changes, progress)
        inputs = Sequences(sources, "sources")
        return translations(self._run(lib.dragoman_translate_tokens, inputs, prefixes, call), None)

    def _call(self, function: Callable[..., Any], options: TranslateOptions | None, changes: Mapping[str, Any],
              progress: Progress | None = None) -> Call:
        if options is not None and not isinstance(options, TranslateOptions):
            raise TypeError(f"options: expected TranslateOptions, not {type(options).__name__}")
        return Call(changed(options or self.options, changes, function), progress, self._opened)

    def _run(self, function: Callable[..., int], inputs: Strings | Sequences, prefixes: Iterable[Tokens] | None,
             call: Call) -> int | None:
        forced = _pairs(prefixes, "prefixes", inputs.count)
        result = ctypes.c_void_p()
        with call, self._handle as pointer:
            if not inputs.count:
                return None
            with unless_raised(result, lib.dragoman_result_destroy):
                call.check(function(pointer, inputs.data, inputs.count, forced and forced.data,
                                    ctypes.byref(call.struct), ctypes.byref(result)))
        return result.value

    @overload
    async def translate_async(  # type: ignore[overload-overlap]
            self, texts: str, *, prefixes: Tokens | None = None, options: TranslateOptions | None = None,
            progress: Progress | None = None, priority: int = 0,
            **changes: Unpack[OptionArguments]) -> Translation: ...

    @overload
    async def translate_async(
            self, texts: Iterable[str], *, prefixes: Iterable[Tokens] | None = None,
            options: TranslateOptions | None = None, progress: Progress | None = None, priority: int = 0,
            **changes: Unpack[OptionArguments]) -> list[Translation]: ...

    async def translate_async(self, texts: str | Iterable[str], *, prefixes: Any = None,
                              options: TranslateOptions | None = None, progress: Progress | None = None,
                              priority: int = 0, **changes: Any) -> Translation | list[Translation]:
        """`translate` without blocking the event loop. Cancelling the task stops the translation.

        priority: higher ones are worked on first, equal ones share the device.
        progress: called on the event loop's thread.
        """
        if isinstance(texts, str):
            found = await self.translate_async([texts], prefixes=None if prefixes is None else [prefixes],
                                               options=options, progress=progress, priority=priority, **changes)
            return found[0]
        texts = as_texts(texts, "texts")
        submit = self._submit(self.translate_async, texts, None, prefixes, options, changes,
                              sentences=progress is not None, counted=True, priority=priority)
        return translations(await wait(submit, progress), texts)

    async def translate_tokens_async(
            self, sources: Iterable[Tokens], *, prefixes: Iterable[Tokens] | None = None,
            options: TranslateOptions | None = None, progress: Progress | None = None, priority: int = 0,
            **changes: Unpack[OptionArguments]) -> list[Translation]:
        """`translate_tokens` as `translate_async` does it."""
        submit = self._submit(self.translate_tokens_async, None, sources, prefixes, options, changes,
                              sentences=progress is not None, counted=True, priority=priority)
        return translations(await wait(submit, progress), None)

    def _submit(self, function: Callable[..., Any], texts: list[str] | None, sources: Iterable[Tokens] | None,
                prefixes: Iterable[Tokens] | None, options: TranslateOptions | None, changes: Mapping[str, Any],
                **events: Any) -> Submit:
        inputs = Strings(texts, "texts") if texts is not None else Sequences(sources or [], "sources")
        forced = _pairs(prefixes, "prefixes", inputs.count)
        call = self._call(function, options, changes)
        places = None if texts is None else list(map(Places, texts))
        return lambda on_event: Job(self._handle, inputs, forced, call, places, on_event, **events)

    def stream(self, texts: str | Iterable[str], *, partial: bool = False, prefixes: Iterable[Tokens] | None = None,
               options: TranslateOptions | None = None, priority: int = 0,
               **changes: Unpack[OptionArguments]) -> Stream:
        """Translates and gives each sentence when it is done: an iterator over `Event`s.

        partial: also the best translation so far of sentences at work, token by token.
        """
        given = as_texts(texts, "texts")
        submit = self._submit(self.stream, given, None, prefixes, options, changes, sentences=True, partial=partial,
                              priority=priority)
        return Stream(submit, given)

    def stream_async(self, texts: str | Iterable[str], *, partial: bool = False,
                     prefixes: Iterable[Tokens] | None = None, options: TranslateOptions | None = None,
                     priority: int = 0, **changes: Unpack[OptionArguments]) -> AsyncStream:
        """`stream` for `async for`."""
        given = as_texts(texts, "texts")
        submit = self._submit(self.stream_async, given, None, prefixes, options, changes, sentences=True, partial=partial,
                              priority=priority)
        return AsyncStream(submit, given)

    def translate_iter(self, texts: Iterable[Text], *, ahead: int = 256, priority: int = 0,
                       options: TranslateOptions | None = None, progress: FedProgress | None = None,
                       **changes: Unpack[OptionArguments]) -> Results[Translation]:
        """Translates any iterable, however long, in bounded memory; yields in its order. What is done is yielded when the next
        text has been read: where that waits, translations wait for it; those of `translate_iter_async` do not.

        texts: of `str`, or of (text, prefix) with the target tokens that the translation begins with.
        ahead: at most so many texts are read ahead of the translations that have come, and at most a few megabytes.
        progress: called with the number of texts done as they are; or `tqdm`. The iterator has the length of `texts`, if
            that has one, so that `tqdm(translator.translate_iter(texts))` knows it, too.

        An exception of the iterable, and one because of a text, comes out of here once the translations of all texts before
        have. Closing the iterator (it works with `with`) stops what is left.
        """
        given = _each_text(texts)
        return translate_each(self._fed(self.translate_iter, options, changes, ahead, priority), given, ahead, progress)

    def translate_iter_async(self, texts: Iterable[Text] | AsyncIterable[Text], *, ahead: int = 256, priority: int = 0,
                             options: TranslateOptions | None = None,
                             progress: FedProgress | None = None,
                             **changes: Unpack[OptionArguments]) -> AsyncIterator[Translation]:
        """`translate_iter` over iterables of both kinds, without blocking the event loop. Texts are read
        concurrently: waiting for one does not hold up translations. An iterable that is neither asynchronous nor a list
        or tuple is gone through on other threads, one text after the other."""
        given = _each_text(texts)
        return translate_each_async(self._fed(self.translate_iter_async, options, changes, ahead, priority), given, ahead,
                                    progress)

    def stream_iter(self, texts: Iterable[Text], *, partial: bool = False, ahead: int = 256, priority: int = 0,
                    options: TranslateOptions | None = None, **changes: Unpack[OptionArguments]) -> Results[Event]:
        """The events of `stream` for any iterable, which is read as `translate_iter` does it."""
        fed = self._fed(self.stream_iter, options, changes, ahead, priority, sentences=True, partial=partial)
        return stream_each(fed, _each_text(texts), ahead)

    def stream_iter_async(self, texts: Iterable[Text] | AsyncIterable[Text], *, partial: bool = False, ahead: int = 256,
                          priority: int = 0, options: TranslateOptions | None = None,
                          **changes: Unpack[OptionArguments]) -> AsyncIterator[Event]:
        """`stream_iter` over iterables of both kinds, without blocking the event loop."""
        fed = self._fed(self.stream_iter_async, options, changes, ahead, priority, sentences=True, partial=partial)
        return stream_each_async(fed, _each_text(texts), ahead)

    def _fed(self, function: Callable[..., Any], options: TranslateOptions | None, changes: Mapping[str, Any], ahead: int,
             priority: int, **events: bool) -> FedSubmit:
        if ahead < 1:
            raise InvalidArgumentError(f"ahead is {ahead}: expected at least 1")
        inputs, call = Strings([], "texts"), self._call(function, options, changes)
        return lambda texts, on_event: Job(self._handle, inputs, None, call, texts, on_event, priority=priority,
                                           fed=True, **events)

    def translate_series(self, series: Column, *, options: TranslateOptions | None = None,
                         progress: Progress | None = None, **changes: Unpack[OptionArguments]) -> Column:
        """Translates a column of pandas or Polars, or a list, and gives one of its kind, with the same index and name. Its
        cells are plain strings; missing ones (None, NaN, NA) stay as they are. Each different text is translated once.

        Raises TypeError for a cell that is neither, with its index. The rest is as in `translate`.
        """
        run = self._column_call(self.translate_series, options, changes, progress)
        return cast(Column, tables.translate_series(series, run))

    def translate_dataframe(self, frame: Frame, columns: str | Iterable[str] | Mapping[str, str], *,
                            options: TranslateOptions | None = None, progress: Progress | None = None,
                            **changes: Unpack[OptionArguments]) -> Frame:
        """A copy of a data frame of pandas or Polars with columns translated as `translate_series` does it.

        columns: names of columns that are replaced, or a dict of columns and those that their translations are put into:
            `{"text": "text_de"}`.
        """
        run = self._column_call(self.translate_dataframe, options, changes, progress)
        return cast(Frame, tables.translate_dataframe(frame, columns, run))

    def map(self, columns: str | Iterable[str] | Mapping[str, str], *, options: TranslateOptions | None = None,
            **changes: Unpack[OptionArguments]) -> tables.ColumnMap:
        """A function for `map` of Hugging Face's datasets:

            dataset.map(translator.map({"text": "text_de"}, to="de"), batched=True)

        columns: as of `translate_dataframe`. Missing cells stay as they are.
        """
        path = self.model.info.path
        chosen = changed(options or self.options, changes, self.map)
        return tables.ColumnMap(self, columns, chosen, path if os.path.exists(path) else None)

    def _column_call(self, function: Callable[..., Any], options: TranslateOptions | None, changes: Mapping[str, Any],
                     progress: Progress | None) -> tables.Translate:
        chosen = changed(options or self.options, changes, function)
        if chosen.discard_tokens is None:
            chosen = chosen.replace(discard_tokens=True)
        return lambda texts: self.translate(texts, options=chosen, progress=progress)

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

    @overload
    def score_texts(self, sources: str, targets: str, *, source_language: str | None = None,  # type: ignore[overload-overlap]
                    target_language: str | None = None, max_input_length: int | None = None) -> Score: ...

    @overload
    def score_texts(self, sources: Iterable[str], targets: Iterable[str], *, source_language: str | None = None,
                    target_language: str | None = None, max_input_length: int | None = None) -> list[Score]: ...

    def score_texts(self, sources: Any, targets: Any, *, source_language: str | None = None,
                    target_language: str | None = None, max_input_length: int | None = None) -> Any:
        """The same of texts, each side as one sequence, in the languages given (BCP 47 or the model's codes), else in the
        translator's. Of two strs one `Score`."""
        if isinstance(sources, str) and isinstance(targets, str):
            return self.score_texts([sources], [targets], source_language=source_language,
                                    target_language=target_language, max_input_length=max_input_length)[0]
        options = defaults(_abi.ScoreOptions)
        fill(options, {"max_input_length": max_input_length,
                       "source_language": source_language or self.options.source_language,
                       "target_language": target_language or self.options.target_language})
        texts = as_texts(targets, "targets")
        given, wanted = Strings(as_texts(sources, "sources"), "sources"), Strings(texts, "targets")
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
        self._opened.close()
        if self._owned:
            self._owned.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        import asyncio
        await asyncio.to_thread(self.close)


def _each_text(texts: Any) -> Any:
    """What is gone through: a str is one text."""
    if isinstance(texts, str):
        return [texts]
    check_texts(texts, "texts")
    return texts


def _pairs(sequences: Iterable[Tokens] | None, what: str, count: int) -> Sequences | None:
    if sequences is None:
        return None
    given = Sequences(sequences, what)
    if given.count != count:
        raise InvalidArgumentError(f"{what}: {given.count} for {count} inputs")
    return given
