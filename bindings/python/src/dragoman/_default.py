# SPDX-License-Identifier: Apache-2.0
"""Translators that programs of a line share: one for each model, made when it is first needed."""
from __future__ import annotations

import atexit
import os
import threading
from typing import TYPE_CHECKING, Any, Iterable, overload

from .options import TranslateOptions, changed
from .translator import Translator

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import OptionArguments, Progress
    from .results import Translation

__all__ = ["default_translator", "translate"]

_lock = threading.Lock()
_translators: dict[str | None, Translator] = {}


def default_translator(model: str | os.PathLike[str] | None = None) -> Translator:
    """The translator that `translate` uses, without options of its own. It is made when it is first asked for, any number
    of threads may use it, and it is closed when Python ends. One that was closed is made anew.

    model: the path of one, see `Model`; None: the default model.
    """
    name = None if model is None else os.fspath(model)
    with _lock:
        found = _translators.get(name)
        if found is None or found.closed:
            found = _translators[name] = Translator(name)
        return found


@overload
def translate(texts: str, *, to: str | None = None,  # type: ignore[misc]
              model: str | os.PathLike[str] | None = None,
              progress: Progress | None = None, **options: Unpack[OptionArguments]) -> Translation: ...


@overload
def translate(texts: Iterable[str], *, to: str | None = None,  # type: ignore[misc]
              model: str | os.PathLike[str] | None = None, progress: Progress | None = None,
              **options: Unpack[OptionArguments]) -> list[Translation]: ...


def translate(texts: str | Iterable[str], *, to: str | None = None, model: str | os.PathLike[str] | None = None,
              progress: Progress | None = None, **options: Any) -> Translation | list[Translation]:
    """Translates a text of any length, or many, with a translator that all such calls share.

        >>> dragoman.translate("Good morning.", to="de")
        <Translation 'Guten Morgen.'>

    to: the language, such as "de".
    model: the path of one, see `Model`; None: the default model.
    progress, options: as for `Translator.translate`.

    Returns a `Translation`, which is a `str`, for a str, else a list of them in the order of the texts.
    """
    changed(TranslateOptions(), options, translate)  # before a model is loaded
    if to is not None:
        options["to"] = to
    return default_translator(model).translate(texts, progress=progress, **options)


@atexit.register
def _close_all() -> None:
    for translator in list(_translators.values()):
        translator.close()


if hasattr(os, "register_at_fork"):
    _kept: list[Any] = []

    def _forked() -> None:
        """A device is of the process that opened it."""
        global _lock, _translators
        _kept.append(_translators)  # nor may this one close it
        _lock, _translators = threading.Lock(), {}

    os.register_at_fork(after_in_child=_forked)
