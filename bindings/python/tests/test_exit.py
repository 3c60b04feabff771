# SPDX-License-Identifier: Apache-2.0
"""Programs that end while the library works."""
import subprocess
import sys

import pytest
from conftest import TEXT_MODEL

START = f"""
import asyncio, io, pathlib, sys, threading, time
import dragoman
path = pathlib.Path({str(TEXT_MODEL)!r})
started = threading.Event()
translator = dragoman.Translator(path, target_language="xx", max_batch_size=4)
many = ["batin kétiß. " + "kén " * (place % 50) for place in range(500)]
"""


@pytest.mark.parametrize("script, code", [
    ("stream = translator.stream(many); next(stream); sys.exit(3)", 3),
    ("stream = translator.stream(many); next(stream); raise KeyError('mine')", 1),
    ("stream = translator.stream(many); translator = None", 0),
    ("""
from dragoman import _jobs
submit = _jobs.lib.dragoman_submit_texts
def interrupted(*arguments):  # Ctrl-C while the library takes the texts: Python raises when the call has come back
    submit(*arguments)
    raise KeyboardInterrupt
_jobs.lib.dragoman_submit_texts = interrupted
try:
    list(translator.stream(many * 10))
except KeyboardInterrupt:
    sys.exit(5)""", 5),
    ("""
async def main():
    task = asyncio.create_task(translator.translate_async(many))
    await asyncio.sleep(0.05)
    sys.exit(4)
asyncio.run(main())""", 4),
    ("threading.Thread(target=translator.translate, args=(['batiß.'],)).start()", 0),
    ("""
def work():
    translator.translate(many, progress=lambda *_: started.set())
threading.Thread(target=work, daemon=True).start()
started.wait()
sys.exit(3)""", 3),
    ("""
def work():
    while True:
        translator.translate(many[:2], progress=lambda *_: started.set())
threading.Thread(target=work, daemon=True).start()
started.wait()
sys.exit(3)""", 3),
    ("""
import atexit
from dragoman import _jobs
def work():
    try:
        translator.translate(many, progress=lambda *_: started.set())
    except dragoman.CancelledError:
        pass
thread = threading.Thread(target=work, daemon=True)
atexit.unregister(_jobs._stop_all)
atexit.register(thread.join)  # an older handler, which runs later
atexit.register(_jobs._stop_all)
thread.start()
started.wait()
sys.exit(3)""", 3),
    ("""
class Slow(io.BytesIO):
    def read(self, size=-1):
        if size:
            started.set()
            time.sleep(0.3)
        return super().read(size)
files = {file.name: Slow(file.read_bytes()) for file in path.iterdir()}
threading.Thread(target=dragoman.describe_files, args=(files,), daemon=True).start()
started.wait()
sys.exit(3)""", 3),
    ("""
import gc
class Holder:
    pass
for _ in range(5):  # only the collector finds them, in the middle of their work
    holder = Holder()
    holder.me, holder.stream = holder, translator.stream(many)
    next(holder.stream)
    del holder
    gc.collect()
assert translator.translate('batiß.') == 'vöpiй.'""", 0),
    ("""
import atexit
from dragoman import _jobs
atexit.unregister(_jobs._stop_all)  # as if the program's handler were older, and so ran later
atexit.register(lambda: print(translator.translate('batiß.')))
atexit.register(_jobs._stop_all)""", 0),
])
def test_exit(script, code, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(filter(None, sys.path)))
    found = subprocess.run([sys.executable, "-X", "dev", "-c", START + script], capture_output=True, text=True,
                           timeout=600)
    assert found.returncode == code, found.stderr
    assert "Fatal" not in found.stderr and "ignored" not in found.stderr


SPAWN = """
import multiprocessing
import sys

def work(text):
    import dragoman
    with dragoman.Translator(sys.argv[1], target_language="xx") as translator:
        return str(translator.translate(text))

if __name__ == "__main__":
    import dragoman
    translator = dragoman.Translator(sys.argv[1], target_language="xx", max_batch_size=4)
    many = ["batin kétiß. " + "kén " * (place % 50) for place in range(500)]
    stream = translator.stream(many)  # in flight while others begin
    next(stream)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(work, ["batiß."] * 4))
    sys.exit(5)
"""


def test_spawned_processes_beside_a_job_in_flight(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(filter(None, sys.path)))
    script = tmp_path / "spawn.py"
    script.write_text(SPAWN, encoding="utf-8")
    found = subprocess.run([sys.executable, "-X", "dev", str(script), str(TEXT_MODEL)], capture_output=True, text=True,
                           timeout=600)
    assert found.returncode == 5, found.stderr
    assert found.stdout == "['vöpiй.', 'vöpiй.', 'vöpiй.', 'vöpiй.']\n"
