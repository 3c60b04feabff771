# SPDX-License-Identifier: Apache-2.0
"""The translators of this process: one for each model and device, which all stages that want it share. It is made when
it is first needed, and anew in a process that was forked."""
from __future__ import annotations

import os
import pathlib
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Protocol, Sequence, cast

from ..errors import DeviceLostError, FileError
from ..memory import TranslationMemory
from ..model import Model
from ..translator import Translator
from .outcome import Outcome, outcome


@dataclass(frozen=True)
class Settings:
    """What a translator is made of. Everything in it can be pickled and hashed."""

    model: str | None
    device: int | str | tuple[int | str, ...] | None
    compute_type: str | None
    memory: tuple[str, ...]
    """Files of TMX, and at most one of SQLite."""
    remember: bool
    """Keep answers in memory, so that what is repeated is searched once."""


@dataclass(frozen=True)
class Totals:
    """Of an engine since it was made."""

    sentences: int = 0
    source_tokens: int = 0
    target_tokens: int = 0


class Engine(Protocol):
    """Translates texts in one language. Errors are those of the library."""

    def translate(self, texts: Sequence[str], source_language: str | None, options: Mapping[str, Any],
                  wanted: frozenset[str]) -> list[Outcome]: ...

    @property
    def totals(self) -> Totals: ...


def is_tmx(path: str) -> bool:
    return path.lower().endswith(".tmx")


def _memory(settings: Settings) -> TranslationMemory | None:
    if not settings.memory and not settings.remember:
        return None
    answers = [path for path in settings.memory if not is_tmx(path)]
    if len(answers) > 1:
        raise ValueError(f"memory: {answers[0]} and {answers[1]} both keep answers; expected one such file, and any "
                         "number of .tmx")
    memory = TranslationMemory(answers[0] if answers else None, cache_bytes=None if settings.remember else 0)
    for path in settings.memory:
        if is_tmx(path):
            if not os.path.isfile(path):
                raise FileError(f"memory: there is no file {path}")
            memory.load_tmx(path)
    return memory


class LocalEngine:
    """A translator in this process. A device that is lost is opened once more."""

    def __init__(self, settings: Settings):
        self._settings = settings
        self._lock = threading.Lock()
        self._past = Totals()
        self._memory = _memory(settings)
        self._translator = self._made()

    def _made(self) -> Translator:
        wanted = self._settings
        device: Any = list(wanted.device) if isinstance(wanted.device, tuple) else wanted.device
        model = Model(wanted.model, device=device, compute_type=cast(Any, wanted.compute_type))
        return Translator(model)

    def translate(self, texts: Sequence[str], source_language: str | None, options: Mapping[str, Any],
                  wanted: frozenset[str]) -> list[Outcome]:
        translator = self._translator
        given: dict[str, Any] = dict(options)
        given.update(source_language=source_language, memory=self._memory, discard_tokens=True,
                     return_scores="score" in wanted, return_quality="quality" in wanted,
                     return_coverage="coverage" in wanted, return_alignment="alignment" in wanted)
        try:
            found = translator.translate(list(texts), **given)
        except DeviceLostError:
            found = self._replaced(translator).translate(list(texts), **given)
        return [outcome(each, wanted, source_language) for each in found]

    def _replaced(self, lost: Translator) -> Translator:
        with self._lock:
            if self._translator is lost:
                self._past = self.totals
                self._translator = self._made()
            return self._translator

    @property
    def totals(self) -> Totals:
        now, past = self._translator.stats, self._past
        return Totals(past.sentences + now.sentences, past.source_tokens + now.source_tokens,
                      past.target_tokens + now.target_tokens)


_lock = threading.Lock()
_engines: dict[Settings, Engine] = {}
_forked = False


def engine(settings: Settings) -> Engine:
    """That of this process. Where a parent process had opened a device before it forked, a process of its own does the
    work: drivers do not survive a fork."""
    with _lock:
        if settings not in _engines:
            make: Callable[[Settings], Engine] = LocalEngine
            if _forked and _driver_loaded():
                from .proxy import ProxyEngine
                make = ProxyEngine
            _engines[settings] = make(settings)
        return _engines[settings]


def _driver_loaded() -> bool:
    """Whether this process has a Vulkan loader or driver, which before it made an engine is its parent's."""
    try:
        maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return sys.platform != "win32"  # it may have
    names = {line.rsplit("/", 1)[-1].lower() for line in maps.splitlines() if "/" in line}
    return any("vulkan" in name or name.startswith("libvk_") for name in names)


if hasattr(os, "register_at_fork"):
    _kept: list[Any] = []

    def _after_fork() -> None:
        global _lock, _engines, _forked
        _kept.append(_engines)  # nor may this process close them
        _lock, _engines, _forked = threading.Lock(), {}, True

    os.register_at_fork(after_in_child=_after_fork)
