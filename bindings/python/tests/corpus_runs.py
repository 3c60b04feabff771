# SPDX-License-Identifier: Apache-2.0
"""Runs of the program, for tests: where the model does not matter, a stand-in for it makes capitals, and does to the
process what texts say."""
import contextlib
import io
import json
import os
import subprocess
import sys

import pytest
from conftest import TEXT_MODEL
from dragoman.corpus import program

STAND_IN = """
import os, time
import dragoman.corpus.engine as engine
from dragoman.corpus.outcome import Outcome

class StandIn:
    totals = engine.Totals()
    def __init__(self, settings):
        pass
    def translate(self, texts, source_language, options, wanted):
        time.sleep(float(os.environ.get("SECONDS_OF_TEXT", 0.0002)) * len(texts))
        for text in texts:
            if "KILL" in text:
                os.kill(os.getpid(), 9)
            if "FAIL" in text:
                raise ValueError("no such text")
        return [Outcome(translation=text.upper()) for text in texts]

engine.LocalEngine = StandIn
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "stand_in").mkdir()
    (tmp_path / "stand_in" / "sitecustomize.py").write_text(STAND_IN)
    (tmp_path / "in").mkdir()
    return tmp_path


OPTIONS = ["--model", str(TEXT_MODEL), "--to", "xx", "--compute-type", "f32"]


def start(folder, *arguments, **environment):
    path = ":".join([str(folder / "stand_in"), *filter(None, sys.path)])
    return subprocess.Popen([sys.executable, "-m", "dragoman.corpus", *OPTIONS, *map(str, arguments)], cwd=folder,
                            env={**os.environ, "PYTHONPATH": path, **environment}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(folder, *arguments, code=0, stand_in=True):
    """In this process, but for its worker."""
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as output, \
            contextlib.redirect_stderr(output):
        patch.chdir(folder)
        if stand_in:
            patch.syspath_prepend(folder / "stand_in")
        assert program.main([*OPTIONS, *map(str, arguments)]) == code, output.getvalue()
    return output.getvalue()


def write_rows(path, texts):
    path.write_text("".join(json.dumps({"id": place, "text": text}) + "\n" for place, text in enumerate(texts)))


def read_rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def events_of(folder, log, kind):
    path = folder / log
    lines = path.read_text().splitlines() if path.exists() else []
    return [event for event in map(json.loads, lines) if event["event"] == kind]
