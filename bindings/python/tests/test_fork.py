# SPDX-License-Identifier: Apache-2.0
"""Processes that are made of one that has used the library."""
import multiprocessing
import os
import subprocess
import sys

import pytest
from conftest import TEXT_MODEL, dragoman

SECONDS = 300  # only what hangs takes so long; a child may have to compile kernels

START = f"""
import gc, os, signal, sys, threading, time
import dragoman
path = {str(TEXT_MODEL)!r}
translator = dragoman.Translator(path, target_language="xx")
expected = translator.translate("batiß.")

def child(body, seconds={SECONDS}):
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        signal.alarm(seconds)
        body()
        sys.exit(0)  # as a program ends: with its atexit handlers and the end of Python
    status = os.waitpid(pid, 0)[1]
    assert status == 0, (os.WIFSIGNALED(status) and os.WTERMSIG(status), os.WEXITSTATUS(status))
"""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


@needs_fork
@pytest.mark.parametrize("script", [
    "child(lambda: None)",
    """
def body():
    global translator
    translator = None
    gc.collect()
child(body)""",
    "child(translator.close)",
    """
def body():
    try:
        translator.translate("batiß.")
    except dragoman.InvalidArgumentError as error:
        assert "forked" in str(error) and "spawn" in str(error), error
        return
    raise AssertionError("not refused")
child(body)""",
    """
def body():
    own = dragoman.Translator(path, target_language="xx")
    assert own.translate("batiß.") == expected
child(body)""",
    """
stream = translator.stream(["batiß."] * 200)
next(stream)
child(stream.close)
child(lambda: None)""",
    """
dragoman.log_to(__import__("logging").getLogger("mine"), "debug")
child(lambda: dragoman.log_to(None))""",
    """
stop, going, done = threading.Event(), threading.Event(), [0, 0]
os.register_at_fork(after_in_parent=going.clear)  # what threads do beside a child that is made shows nothing
def work(place):
    while going.wait() and not stop.is_set():
        assert translator.translate("batiß.") == expected
        done[place] += 1
def beside(body):
    before = list(done)
    going.set()
    while any(now <= then for now, then in zip(done, before)):
        time.sleep(0.001)
    child(body, 60)
threads = [threading.Thread(target=work, args=(place,)) for place in range(2)]
for thread in threads: thread.start()
for _ in range(20):
    beside(translator.close)
    beside(gc.collect)
stop.set()
going.set()
for thread in threads: thread.join()""",
])
def test_fork(script, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    script = START + script + "\nassert translator is None or translator.translate('batiß.') == expected\n"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=2 * SECONDS)
    assert found.returncode == 0, found.stderr
    assert "Fatal" not in found.stderr and "ignored" not in found.stderr


def _refused(translator, pipe):
    try:
        pipe.send(translator.translate("batiß."))
    except dragoman.Error as error:
        pipe.send(str(error))


def _own(path, pipe):
    with dragoman.Translator(path, target_language="xx") as translator:
        pipe.send(translator.translate("batiß."))


def _answer(method, target, argument):
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    process = context.Process(target=target, args=(argument, theirs))
    process.start()
    found = ours.recv() if ours.poll(SECONDS) else "hangs"
    process.join(SECONDS)
    ended = process.exitcode
    process.kill()
    assert ended == 0
    return found


@needs_fork
def test_multiprocessing_refuses(translator):
    expected = translator.translate("batiß.")
    assert "forked" in _answer("fork", _refused, translator)
    assert translator.translate("batiß.") == expected


@pytest.mark.parametrize("method", [method for method in ("fork", "spawn", "forkserver")
                                    if method in multiprocessing.get_all_start_methods()])
def test_multiprocessing_loads(method, translator):
    assert _answer(method, _own, str(TEXT_MODEL)) == translator.translate("batiß.")
