# SPDX-License-Identifier: Apache-2.0
"""How runs and processes end before they are done."""
from __future__ import annotations

import signal


class Stopped(Exception):
    """A signal asks for the end."""

    def __init__(self, number: int):
        super().__init__(signal.Signals(number).name)
        self.number = number


class Fatal(Exception):
    """What no other part would be without. `kind` is of the worker's event."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


def ended_how(code: int) -> str:
    """How a process ended, in words."""
    if code < 0:
        try:
            return f"signal {-code}, {signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
