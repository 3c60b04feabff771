# SPDX-License-Identifier: Apache-2.0
"""A source distribution has what the build of the library reads."""
import re

import pytest
from conftest import ROOT

tomllib = pytest.importorskip("tomllib", reason="Python 3.11")


def test_every_folder_of_the_library_comes_along():
    project = ROOT / "bindings" / "python"
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]
    brought = settings["sdist"]["force-include"]
    for source, place in brought.items():
        assert (project / source).exists() and place == f"library/{source.removeprefix('../../')}", source
    top = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    optional = {"tools", "samples", "bench", "tests", "tests/fuzz"}
    folders = {name for name in re.findall(r"add_subdirectory\(([\w/]+)", top)} - optional
    assert folders and {name.split("/")[0] for name in folders} <= {
        source.removeprefix("../../").split("/")[0] for source in brought}
