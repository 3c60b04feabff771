# SPDX-License-Identifier: Apache-2.0
"""Programs that end while the library works."""
import subprocess
import sys

import pytest
from conftest import TEXT_MODEL

START = f"""
import asyncio, sys, threading
import dragoman
translator = dragoman.Translator({str(TEXT_MODEL)!r}, target_language="xx", max_batch_size=4)
many = ["batin kétiß. " + "kén " * (place % 50) for place in range(500)]
"""


@pytest.mark.parametrize("script, code", [
    ("stream = translator.stream(many); next(stream); sys.exit(3)", 3),
    ("stream = translator.stream(many); next(stream); raise KeyError('mine')", 1),
    ("stream = translator.stream(many); translator = None", 0),
    ("""
async def main():
    task = asyncio.create_task(translator.translate_async(many))
    await asyncio.sleep(0.05)
    sys.exit(4)
asyncio.run(main())""", 4),
    ("threading.Thread(target=translator.translate, args=(['batiß.'],)).start()", 0),
])
def test_exit(script, code, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(filter(None, sys.path)))
    found = subprocess.run([sys.executable, "-X", "dev", "-c", START + script], capture_output=True, text=True,
                           timeout=120)
    assert found.returncode == code, found.stderr
    assert "Fatal" not in found.stderr and "ignored" not in found.stderr
