# SPDX-License-Identifier: Apache-2.0
"""The built library's defaults and ranges, compared with capi/options.json: values at a bound are taken, values beyond
it are refused by name. The source is empty, so that nothing runs on the device."""
import ctypes
import json
import math

from options_table import ENGINES, of_model, rows, same

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
    if of_model(row) and (value == MODEL_COUNT or math.isnan(value)):
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
    inside, outside = [*row.get("also", [])], [] if kind == "count" else [math.inf, -math.inf]
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


def check(root, options, path):
    library = Library(root, path)
    try:
        given = library.defaults()
        for row in rows(options).values():
            if not hasattr(given, row["name"]):
                continue  # named where api.json is compared
            got = default(row, getattr(given, row["name"]))
            yield from same("the library", row["name"], "default", row["default"], got)
            if row["type"] not in ("text", "tokens", "sequences", "handle"):
                yield from ranges(library, row)
    finally:
        library.close()
