# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while the library works: Python finds the signal when it enters a callback, before any `try` of that."""
import subprocess
import sys

import pytest
from conftest import ROOT, TEXT_MODEL

START = f"""
import asyncio, io, os, pathlib, signal, sys, threading, time
import dragoman
path = pathlib.Path({str(TEXT_MODEL)!r})
working, delay = threading.Event(), 0.3

def interrupt():
    working.wait()
    time.sleep(delay)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
translator = dragoman.Translator(path, target_language="xx", max_batch_size=4)
many = ["batin kétiß. " + f"kén{{place}} " * (place % 50) for place in range(30000)]
hook = sys.unraisablehook

def expect(kind, work):
    began = time.monotonic()
    working.set()
    try:
        work()
        print("it was not interrupted")
    except kind as error:
        print(type(error).__name__)
    assert sys.unraisablehook is hook
    assert time.monotonic() - began < 60
    print(translator.translate("batiß."))
"""

#: A file that is read while a signal arrives: the other thread holds the lock that the next read's callback waits for.
SPINNING = f"""
class Spun(io.BytesIO):
    def read(self, size=-1):
        global reads
        found = super().read(size)
        reads += size > 0
        return found
def spin():
    while reads < 2:
        pass
    until = time.monotonic() + 0.05
    while time.monotonic() < until:
        pass
    os.kill(os.getpid(), signal.SIGINT)
reads = 0
sys.setswitchinterval(1)
threading.Thread(target=spin, daemon=True).start()
working.set = lambda: None
files = {{file.name: Spun(file.read_bytes()) for file in pathlib.Path({str(ROOT / "models" / "en-de")!r}).iterdir()}}
"""


@pytest.mark.parametrize("script, name", [
    ("expect(KeyboardInterrupt, lambda: translator.translate(many))", "KeyboardInterrupt"),
    ("expect(KeyboardInterrupt, lambda: translator.translate(many, progress=lambda *_: None))", "KeyboardInterrupt"),
    ("expect(KeyboardInterrupt, lambda: list(translator.stream(many)))", "KeyboardInterrupt"),
    ("expect(KeyboardInterrupt, lambda: list(translator.translate_iter(many)))", "KeyboardInterrupt"),
    ("expect(KeyboardInterrupt, lambda: translator.model.embed(many * 10))", "KeyboardInterrupt"),
    ("""
def told(signum, frame):
    raise TimeoutError("mine")
signal.signal(signal.SIGINT, told)
expect(TimeoutError, lambda: translator.translate(many))""", "TimeoutError"),
    ("""
delay = 0.1  # it is there before the first callback, whose call the library would refuse
def nested(*_):
    translator.translate("batiß.")
expect(KeyboardInterrupt, lambda: translator.translate(many, progress=nested))""", "KeyboardInterrupt"),
    (SPINNING + "expect(KeyboardInterrupt, lambda: dragoman.Model.from_files(files))", "KeyboardInterrupt"),
])
def test_an_interrupt_ends_the_call_and_comes_out(script, name, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(filter(None, sys.path)))
    found = subprocess.run([sys.executable, "-X", "dev", "-c", START + script], capture_output=True, text=True,
                           timeout=600)
    assert found.returncode == 0, found.stderr
    assert found.stdout == f"{name}\nvöpiй.\n"
    assert "ignored" not in found.stderr


def test_what_python_cannot_raise_elsewhere_is_told_as_before(translator, monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: told.append(found.exc_value))
    hook = sys.unraisablehook

    class Falling:
        def __del__(self):
            raise KeyError("mine")

    def fall(*_):
        Falling()

    translator.translate("batiß.", progress=fall)
    assert told and all(isinstance(error, KeyError) for error in told)
    assert sys.unraisablehook is hook
