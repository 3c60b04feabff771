# SPDX-License-Identifier: Apache-2.0
"""The programs of README.md run."""
import re
import subprocess
import sys

import pytest
from conftest import ROOT, VALIDATION

README = (ROOT / "bindings" / "python" / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.S)


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_program(program, monkeypatch, tmp_path):
    monkeypatch.setenv("DRAGOMAN_VALIDATION", VALIDATION)
    monkeypatch.setenv("PYTHONPATH", ":".join(filter(None, sys.path)))
    found = subprocess.run([sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, timeout=600,
                           cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout and "Error" not in found.stderr


def test_types_of_programs_are_right(monkeypatch, tmp_path):
    pytest.importorskip("mypy")
    monkeypatch.setenv("MYPYPATH", str(ROOT / "bindings" / "python" / "src"))
    for place, program in enumerate(PROGRAMS):
        (tmp_path / f"program{place}.py").write_text(program, encoding="utf-8")
    found = subprocess.run([sys.executable, "-m", "mypy", "--strict", *sorted(tmp_path.glob("*.py"))],
                           capture_output=True, text=True, timeout=600, cwd=tmp_path)
    assert found.returncode == 0, found.stdout


def test_there_are_programs():
    assert len(PROGRAMS) == 10
