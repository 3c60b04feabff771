# SPDX-License-Identifier: Apache-2.0
"""An engine in a process of its own, for processes that were forked from one with an open device."""
from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from typing import Any, BinaryIO, Mapping, Sequence

from .engine import LocalEngine, Settings, Totals
from .outcome import Outcome

_START = "from dragoman.corpus.proxy import serve; serve()"


class ProxyEngine:
    """The same as a LocalEngine, one call at a time."""

    def __init__(self, settings: Settings):
        self._lock = threading.Lock()
        self.totals = Totals()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen([sys.executable, "-c", _START], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         env=environment)
        atexit.register(self.close)
        self._ask(settings)

    def translate(self, texts: Sequence[str], source_language: str | None, options: Mapping[str, Any],
                  wanted: frozenset[str]) -> list[Outcome]:
        found: list[Outcome] = self._ask((list(texts), source_language, dict(options), wanted))
        return found

    def _ask(self, question: Any) -> Any:
        with self._lock:
            assert self._process.stdin is not None and self._process.stdout is not None
            try:
                pickle.dump(question, self._process.stdin)
                self._process.stdin.flush()
                answer, error, self.totals = pickle.load(self._process.stdout)
            except (EOFError, BrokenPipeError) as lost:
                raise RuntimeError(f"the process that translates ended with {self._process.wait()}") from lost
        if error is not None:
            raise error
        return answer

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        self._process.wait()


def _answer(work: Any, question: Any) -> tuple[Any, BaseException | None]:
    try:
        return work(question), None
    except Exception as error:  # noqa: BLE001, raised in the other process
        return None, error


def serve() -> None:
    """Answers questions from standard input until it ends."""
    questions = sys.stdin.buffer
    answers: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what drivers print
    made: list[LocalEngine] = []

    def send(answer: Any, error: BaseException | None) -> None:
        pickle.dump((answer, error, made[0].totals if made else Totals()), answers)
        answers.flush()

    send(*_answer(lambda settings: made.append(LocalEngine(settings)), pickle.load(questions)))
    while made:
        try:
            question = pickle.load(questions)
        except EOFError:
            return
        send(*_answer(lambda asked: made[0].translate(*asked), question))
