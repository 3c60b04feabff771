# SPDX-License-Identifier: Apache-2.0
"""What ctypes is told is what the header says, and what a C compiler makes of it."""
import ctypes
import json
import math
import shutil
import subprocess
import sys

import dragoman._abi as abi
import pytest
from conftest import ROOT
from dragoman._library import lib

PYTHON = ROOT / "bindings" / "python"
INCLUDE = ROOT / "capi" / "include"


def test_it_is_made_from_the_header():
    for script in (ROOT / "capi" / "tools" / "make_api.py", PYTHON / "tools" / "make_abi.py"):
        done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr


def test_defaults_are_what_the_header_says():
    """The library fills options in as their comments say, which is what api.json has."""
    api = json.loads((ROOT / "capi" / "api.json").read_text(encoding="utf-8"))
    numbers = {one["name"]: one["value"] for kind in api["enumerations"] for one in kind["enumerators"]}
    numbers |= {one["name"]: one["value"] for one in api["constants"]}
    checked = 0
    for struct in api["structs"]:
        if "init_sized" not in struct:
            continue
        value = getattr(abi, "".join(map(str.capitalize, struct["name"].split("_")[1:])))()
        assert getattr(lib, struct["init_sized"])(ctypes.byref(value), ctypes.sizeof(value)) == 0
        for field in struct["fields"]:
            found, name = getattr(value, field["name"]), f"{struct['name']}.{field['name']}"
            expected = field.get("default")
            if expected is None:
                continue
            checked += 1
            if expected == "model":
                assert math.isnan(found) if isinstance(found, float) else found == abi.MODEL_DEFAULT, name
            elif expected == "NULL":
                assert not found, name
            else:
                if isinstance(expected, str):
                    expected = sum(numbers[part] for part in expected.split(" | "))
                assert found == pytest.approx(expected), name
    assert checked > 40


def structs():
    return {name: kind for name, kind in vars(abi).items()
            if isinstance(kind, type) and issubclass(kind, ctypes.Structure)}


def c_name(name):
    return "dragoman" + "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


def test_sizes_and_functions_are_those_of_the_checked_in_list():
    functions, sizes = set(), {}
    for line in (ROOT / "tests" / "capi" / "abi.txt").read_text().splitlines():
        kind, name, *size = line.split()
        if kind == "function":
            functions.add(name)
        elif size:
            sizes[name] = int(size[0])
    assert set(abi.FUNCTIONS) == functions
    for name, kind in structs().items():
        assert ctypes.sizeof(kind) == sizes[c_name(name)], name


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_every_offset_is_the_compilers(tmp_path):
    lines = []
    for name, kind in structs().items():
        for field, *_ in kind._fields_:
            lines.append(f'    printf("{name}.{field} %zu\\n", offsetof({c_name(name)}, {field}));')
    source = tmp_path / "offsets.c"
    source.write_text("#include <dragoman/dragoman.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) +
                      "\n    return 0;\n}\n")
    subprocess.run(["cc", "-I", INCLUDE, source, "-o", tmp_path / "offsets"], check=True)
    printed = subprocess.run([tmp_path / "offsets"], capture_output=True, text=True, check=True).stdout
    found = dict(line.split() for line in printed.splitlines())
    assert len(found) == len(lines) > 50
    for name, kind in structs().items():
        for field, *_ in kind._fields_:
            assert getattr(kind, field).offset == int(found[f"{name}.{field}"]), f"{name}.{field}"


def test_every_function_is_in_the_library():
    for name in abi.FUNCTIONS:
        assert getattr(lib, name)


def test_options_have_all_the_fields():
    """An option of the header that the package does not know is one that Python cannot set."""
    from dataclasses import fields

    from dragoman.options import OptionArguments, TranslateOptions
    apart = {"struct_size", "reserved", "reserved2", "progress", "progress_user", "suppress_sequence_count",
             "end_token_count"}
    header = {field for field, *_ in abi.TranslateOptions._fields_} - apart
    assert {field.name for field in fields(TranslateOptions)} == header
    assert set(OptionArguments.__annotations__) == header | {"to"}  # short for target_language
    assert {name.lower() for name in abi.Status.__members__} == {
        lib.dragoman_status_name(status).decode() for status in abi.Status}
