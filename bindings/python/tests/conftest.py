# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"
TEXT_MODEL = DATA / "huggingface" / "shared"
TOKEN_MODEL = DATA / "aren-transliteration"

# The C API's tests run under the validation layer. Here only programs whose messages are looked at do, those of README.md.
VALIDATION = os.environ.pop("DRAGOMAN_VALIDATION", "0")

sys.path.insert(0, str(ROOT / "tests" / "tools"))
try:
    import dragoman
except ImportError:  # not installed: the sources, with the library of a build folder
    built = ROOT / "build" / "release" / "capi" / "libdragoman.so"
    if built.exists():
        os.environ.setdefault("DRAGOMAN_LIBRARY", str(built))
    sys.path.insert(0, str(ROOT / "bindings" / "python" / "src"))
    import dragoman


@pytest.fixture(scope="session")
def model():
    with dragoman.Model(TEXT_MODEL, compute_type="f32") as model:
        yield model


@pytest.fixture
def translator(model):
    with model.translator(target_language="xx") as translator:
        yield translator


@pytest.fixture(scope="session")
def token_model():
    with dragoman.Model(TOKEN_MODEL, compute_type="f32") as model:
        yield model
