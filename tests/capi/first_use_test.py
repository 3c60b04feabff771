#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""first_use_test.py DRAGOMAN MODEL: a first translation says on a terminal that it compiles kernels, and only there."""
import os
import pty
import subprocess
import sys
import tempfile
import time
import unittest

MODEL, TOOL = sys.argv.pop(), sys.argv.pop()
NOTE = b"compiling kernels for this device"


def translate(cache, *options):
    """What comes on standard output, what on the terminal that is standard error, and in how many seconds."""
    terminal, side = pty.openpty()
    environment = {**os.environ, "DRAGOMAN_CACHE_DIR": cache, "MESA_SHADER_CACHE_DIR": cache}
    begin = time.monotonic()
    tool = subprocess.Popen([TOOL, "translate", "--model", MODEL, "--tokens", *options, "آ ت ز م و ن"],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=side, env=environment)
    os.close(side)
    said = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux: the other side is closed
            break
        if not part:
            break
        said += part
    out = tool.stdout.read()
    tool.stdout.close()
    os.close(terminal)
    if tool.wait() != 0:
        raise RuntimeError(said)
    return out, said, time.monotonic() - begin


class FirstUse(unittest.TestCase):
    def test_first_and_second(self):
        with tempfile.TemporaryDirectory() as cache:
            first, said, seconds = translate(cache)
            if seconds < 1.2:  # a driver that compiles all of it within the second
                self.skipTest(f"the first translation took {seconds:.1f} seconds")
            self.assertEqual(said.count(NOTE), 1, said)
            second, said, _ = translate(cache)
            self.assertNotIn(NOTE, said)
            self.assertEqual(first, second)

    def test_json(self):
        with tempfile.TemporaryDirectory() as cache:
            out, said, _ = translate(cache, "--json")
            self.assertNotIn(NOTE, said)
            self.assertTrue(out.startswith(b"{"), out)


if __name__ == "__main__":
    unittest.main()
