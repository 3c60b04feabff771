#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pytorch_sample_test.py REPOSITORY TOOL: docs/pytorch.md shows samples/pytorch/train.py as it is, and the model that it
saved writes Greek letters as it was taught. Where there is torch, the script is also run, and the tool gives what
PyTorch gives."""
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

root, tool = pathlib.Path(sys.argv[1]), sys.argv[2]
script = root / "samples/pytorch/train.py"
code, page = script.read_text(encoding="utf-8"), (root / "docs/pytorch.md").read_text(encoding="utf-8")
EXPECTED = {"θαλασσα": "thalassa", "ουρανος": "ouranos", "ψαρι": "psari", "ευχαριστω": "efcharisto",
            "αγγελος": "angelos", "μπαμπας": "babas"}


def translate(model, words):
    command = [tool, "translate", "--model", str(model), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


blocks = re.findall(r"^```python\n(.*?)^```$", page, re.S | re.M)
assert len(blocks) == 3, f"{len(blocks)} blocks of Python"
for block in blocks:
    assert block in code, f"train.py does not have\n{block}"
found = dict(zip(EXPECTED, translate(root / "samples/pytorch/model", EXPECTED)))
assert found == EXPECTED, found
if not importlib.util.find_spec("torch"):
    print("no torch: not trained here")
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    run = subprocess.run([sys.executable, script, folder], check=True, capture_output=True, text=True)
    told = [line.split() for line in run.stdout.splitlines() if not line.startswith("step ")]
    assert [word for word, _ in told] == list(EXPECTED), told
    ours = translate(folder, [word for word, _ in told])
    assert ours == [text for _, text in told], (ours, told)
    print(f"trained; {sum(text == EXPECTED[word] for word, text in told)} of {len(told)} words are right")
