# SPDX-License-Identifier: Apache-2.0
"""The library's log lines in Python's logging."""
from __future__ import annotations

import atexit
import logging
from typing import Any

from . import _abi
from ._library import check, lib
from .errors import InvalidArgumentError

__all__ = ["log_to"]

_LEVELS = {_abi.LogLevel.ERROR: logging.ERROR, _abi.LogLevel.WARNING: logging.WARNING,
           _abi.LogLevel.INFO: logging.INFO, _abi.LogLevel.DEBUG: logging.DEBUG}
_current: Any = None  # the library calls it from any thread


def log_to(logger: logging.Logger | None, level: str = "info") -> None:
    """Sends log lines up to `level` ("error", "warning", "info", "debug") to a logger, for the whole process.

    None restores the default: errors and warnings to stderr.
    """
    global _current
    if level.upper() not in _abi.LogLevel.__members__:
        raise InvalidArgumentError(f"level is {level!r}: expected 'error', 'warning', 'info' or 'debug'")

    def forward(kind: int, line: bytes | None, _user: int | None) -> None:
        logger.log(_LEVELS.get(kind, logging.INFO), "%s", (line or b"").decode("utf-8", "replace"))  # type: ignore

    callback = _abi.LogFn() if logger is None else _abi.LogFn(forward)
    check(lib.dragoman_set_log(callback, None, _abi.LogLevel[level.upper()]))
    _current = callback


@atexit.register
def _restore() -> None:
    if _current:
        log_to(None)
