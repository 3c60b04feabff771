#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""built_options.py ROOT LIBRARY TOOL: the built library has the defaults of capi/options.json, takes values at a bound
and refuses those beyond it by name; the built tool has the flags. The source is empty, so that nothing runs on the
device."""
import ctypes
import json
import math
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "capi" / "tools"))
from options_table import ENGINES, Table, unset_in_c  # noqa: E402

MODEL_COUNT = 2**32 - 1  # DRAGOMAN_MODEL_DEFAULT
LIMITS = {"count": (0, 2**32 - 1), "number": (-math.inf, math.inf)}
OTHER = {"ctranslate2": 2, "marian": 1, "huggingface": 1}  # a search that lacks what the engine alone has
OK, INVALID = 0, 1


class Tokens(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("count", ctypes.c_size_t)]


def struct(api, name):
    kinds = {"uint32_t": ctypes.c_uint32, "int32_t": ctypes.c_int32, "uint64_t": ctypes.c_uint64,
             "size_t": ctypes.c_size_t, "float": ctypes.c_float}
    fields = next(s for s in api["structs"] if s["name"] == name)["fields"]

    def kind(declared):
        if "array" in declared:
            return ctypes.c_char * declared["array"][0]
        return kinds.get(declared["c"], ctypes.c_void_p)
    return type(name, (ctypes.Structure,), {"_fields_": [(field["name"], kind(field["type"])) for field in fields]})


class Library:
    def __init__(self, root, path):
        api = json.loads((root / "capi" / "api.json").read_text(encoding="utf-8"))
        self.c = ctypes.CDLL(path)
        self.c.dragoman_last_error.restype = ctypes.c_char_p
        self.c.dragoman_result_destroy.argtypes = [ctypes.c_void_p]
        self.c.dragoman_translator_destroy.argtypes = [ctypes.c_void_p]
        self.c.dragoman_model_destroy.argtypes = [ctypes.c_void_p]
        self.options_type = struct(api, "dragoman_translate_options")
        self.model, self.translator = ctypes.c_void_p(), ctypes.c_void_p()
        model = str(root / "tests" / "data" / "aren-transliteration").encode()
        self.check(self.c.dragoman_model_load(model, None, ctypes.byref(self.model)))
        self.check(self.c.dragoman_translator_create(self.model, ctypes.byref(self.translator)))
        self.info = struct(api, "dragoman_model_info")()
        self.info.struct_size = ctypes.sizeof(self.info)
        self.check(self.c.dragoman_model_get_info(self.model, ctypes.byref(self.info)))

    def check(self, status):
        if status != OK:
            raise SystemExit(f"the library: {self.c.dragoman_last_error().decode()}")

    def close(self):
        self.c.dragoman_translator_destroy(self.translator)
        self.c.dragoman_model_destroy(self.model)

    def defaults(self):
        options = self.options_type()
        size = ctypes.c_size_t(ctypes.sizeof(options))
        self.check(self.c.dragoman_translate_options_init_sized(ctypes.byref(options), size))
        return options

    def translate(self, values):
        """Status and message with these options set."""
        options, source, result = self.defaults(), Tokens(), ctypes.c_void_p()
        for name, value in values.items():
            setattr(options, name, value)
        status = self.c.dragoman_translate_tokens(self.translator, ctypes.byref(source), ctypes.c_size_t(1), None,
                                                  ctypes.byref(options), ctypes.byref(result))
        message = "" if status == OK else self.c.dragoman_last_error().decode()
        self.c.dragoman_result_destroy(result)
        return status, message


def default(row, value):
    """The library's default in the table's words."""
    kind = row["type"]
    if kind in ("text", "tokens", "sequences", "handle"):
        return row["default"] if not value else value
    if kind == "enumeration":
        return row["values"][value]
    if unset_in_c(row) and (value == MODEL_COUNT or math.isnan(value)):
        return "model"
    return value


def limit(row, key, info):
    bound = row[key]
    return getattr(info, bound) if isinstance(bound, str) else bound


def beside(row, info):
    """Values at the bounds, and values just beyond them."""
    kind = row["type"]
    if kind == "flag":
        return [0, 1], [-1, 2]
    if kind == "enumeration":
        return [*range(len(row["values"]))], [-1, len(row["values"])]
    least, most = LIMITS[kind]
    step = 1 if kind == "count" else 0.01
    inside, outside = [*row.get("also", {}).values()], [] if kind == "count" else [math.inf, -math.inf]
    bounds = {key: limit(row, key, info) for key in ("min", "above", "below", "max") if key in row}
    for key, sign in (("min", -1), ("max", 1)):
        if key in bounds:
            inside.append(bounds[key])
            outside.append(bounds[key] + sign * step)
    for key, sign in (("above", -1), ("below", 1)):
        if key in bounds:
            inside.append(bounds[key] - sign * step)
            outside.append(bounds[key])
    if "max" not in bounds and "below" not in bounds:
        inside.append(most if kind == "count" else 1e6)
    if "min" not in bounds and "above" not in bounds:
        inside.append(-1e6)
    if row["type"] == "number" and row["default"] != "model":
        outside.append(math.nan)
    return inside, [value for value in outside if kind == "number" or least <= value <= most]


def ranges(library, row):
    name, place = row["name"], "the library"
    engine = {} if row["engine"] == "all" else {"search": ENGINES.index(row["engine"]) + 1}
    inside, outside = beside(row, library.info)
    for value in [] if "needs" in row else inside:
        status, message = library.translate({**engine, **row.get("with", {}), name: value})
        if status != OK:
            yield f"{place}: {name}: {value} is refused: {message}"
    for value in outside:
        status, message = library.translate({**engine, **row.get("with", {}), name: value})
        if status != INVALID or name not in message:
            yield f"{place}: {name}: expected {value} to be refused by name, got status {status}, \"{message}\""
    if engine:
        value = 1 if row["type"] == "enumeration" else 0.5
        status, message = library.translate({"search": OTHER[row["engine"]], name: value})
        if status != INVALID or name not in message:
            yield f"{place}: {name}: expected another search to refuse it, got status {status}, \"{message}\""


def library_faults(root, table, path):
    library = Library(root, path)
    try:
        given = library.defaults()
        for name, row in table.rows.items():
            got = default(row, getattr(given, name))
            if got != row["default"]:
                yield f"the library: {name}: default: expected {row['default']!r}, got {got!r}"
            if row["type"] not in ("text", "tokens", "sequences", "handle"):
                yield from ranges(library, row)
    finally:
        library.close()


def tool_faults(table, tool):
    text = {command: subprocess.run([tool, command, "--help-all"], capture_output=True, text=True, check=True).stdout
            for command in ("translate", "continue")}
    for row in table.rows.values():
        for flag in (row["flag"] or "").split(","):
            for command, said in text.items():
                found = re.search(rf"(^|[ ,]){re.escape(flag)}\b(?!-)", said, re.MULTILINE) is not None
                if flag and found != (command == "translate" or row["continuing"] == "allowed"):
                    yield f"dragoman {command} --help-all: {flag}: is {'there' if found else 'missing'}"


def main():
    root, library, tool = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    table = Table(root)
    faults = [*library_faults(root, table, library), *tool_faults(table, tool)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
