# SPDX-License-Identifier: Apache-2.0
"""What safe bindings need to know and C cannot say: from types, names and fixed phrases of the comments, and from
capi/api_notes.json where these do not tell. docs/api-json.md has the rules."""
from __future__ import annotations

import re

from api_phrases import Notes, enumeration_of, named_null, written
from c_items import HeaderError

BYTES = ("char", "void", "uint8_t")


class Roles:
    def __init__(self, api: dict, notes: Notes):
        self.api, self.notes = api, notes
        self.enums = [enum["name"] for enum in api["enumerations"]]
        self.structs = {struct["name"]: struct for struct in api["structs"]}
        self.functions = {function["name"]: function for function in api["functions"]}
        self.ends = {notes.get(handle["name"], "destroy") or handle["name"] + "_destroy": handle["name"]
                     for handle in api["handles"]}
        self.faults: list[str] = []

    def fault(self, name: str, message: str) -> None:
        self.faults.append(f"{name}: {message}")

    def all(self) -> None:
        for callback in self.api["callbacks"]:
            self._callback(callback)
        for struct in self.api["structs"]:
            self._struct(struct)
        previous = None
        for function in self.api["functions"]:
            self._function(function, previous)
            previous = function
        for handle in self.api["handles"]:
            self._handle(handle)
        for function in self.api["functions"]:
            self._callbacks_live(function)
        self.faults += self.notes.unused()
        if self.faults:
            raise HeaderError("\n".join(self.faults))

    # ---- Values: parameters and fields alike

    def _count_of(self, name: str, place: int, items: list[dict], common: bool) -> str:
        """The item that says how many there are: NAME_count, the one after it, or the function's `count`."""
        numbers = {item["name"]: item for item in items
                   if item["type"].get("base") in ("size_t", "uint32_t", "uint64_t") and "array" not in item["type"]}
        singular, outwards = name.removesuffix("s"), written(items[place]["type"])
        for candidate in (f"{name}_count", f"{singular}_count", f"{name}_size", f"{singular}_size", f"{name}_bytes"):
            if candidate in numbers:
                return candidate
        if place + 1 < len(items) and re.fullmatch(r"count|size|capacity", items[place + 1]["name"]):
            following = items[place + 1]["name"]
            if following in numbers and bool(numbers[following]["type"].get("pointers")) == outwards:
                return following
        fits = "count" in numbers and bool(numbers["count"]["type"].get("pointers")) == outwards
        return "count" if common and fits else ""

    def _user_of(self, name: str, place: int, items: list[dict]) -> str | None:
        """The callback that gets a `void* user` or `..._user`; "" in a callback, which gets it."""
        if name != "user" and not name.endswith("_user"):
            return None
        names = [item["name"] for item in items if item["type"]["kind"] == "callback"]
        if name.removesuffix("_user") in names:
            return name.removesuffix("_user")
        before = [item["name"] for item in items[:place] if item["type"]["kind"] == "callback"]
        return before[-1] if before else names[0] if names else ""

    def _value(self, owner: str, place: int, items: list[dict], phrase: str, common_count: bool) -> None:
        item = items[place]
        kind, name = item["type"], item["name"]
        pointers, base = kind.get("pointers", 0), kind.get("base", "")
        if kind["kind"] == "callback":
            item["role"] = "callback"
        elif pointers:
            role, count = self._pointer(place, items, common_count)
            if role:
                item["role"] = role
            if count is not None:
                item["of" if role == "user" else "count"] = count
        elif base == "int32_t" and "array" not in kind:
            enum = self.notes.get(f"{owner}.{name}", "enum") or enumeration_of(name, phrase, self.enums)
            if enum:
                item["enum"] = enum
            elif re.search(r"`%s` (?:1:|\(?0 or 1)|`%s` gets 1 or 0" % (name, name), phrase):
                item["flag"] = True
        bits = re.search(r"(DRAGOMAN_[A-Z_]+_)\.\.\.", phrase)
        if base == "uint32_t" and bits:
            item["bits"] = bits[1]

    def _pointer(self, place: int, items: list[dict], common: bool) -> tuple[str, str | None]:
        item = items[place]
        kind, name = item["type"], item["name"]
        pointers, base, constant = kind["pointers"], kind["base"], kind.get("const", False)
        if kind["kind"] == "handle" and pointers == 1 and not self._count_of(name, place, items, False):
            return "handle", None
        if kind["kind"] == "handle" and pointers == 2 and not constant:
            return "handle", None
        if base == "void" and pointers == 1:
            user = self._user_of(name, place, items)
            if user is not None:
                return "user", user
        options = base.endswith("_options") or self.structs.get(base, {}).get("sized")
        count = "" if options else self._count_of(name, place, items, common and constant and base not in BYTES
                                                  or common and pointers == 2 and constant)
        if count:
            return "array", count
        if base == "char" and constant and (pointers == 1 or written(kind)):
            return "text", None
        if kind["kind"] == "struct" and pointers == 1:
            return "struct", None
        if not constant and pointers == 1 and base != "void":
            return "value", None
        return "", None

    def _finish(self, owner: str, item: dict, what: str) -> None:
        name = f"{owner}.{item['name']}"
        self.notes.apply(name, item)
        if item["type"].get("base") == "int32_t" and not item["type"].keys() & {"pointers", "array"} and \
                not item.keys() & {"enum", "flag", "number"}:
            self.fault(name, 'int32_t: neither "a dragoman_..." nor "1: ..." nor "0 or 1" in its comment, nor "enum", '
                             '"flag" or "number" in capi/api_notes.json')
        if item["type"].get("pointers") and "role" not in item:
            self.fault(name, f"{item['type']['c']}: nothing says what this {what} is: add its role to "
                             "capi/api_notes.json (docs/api-json.md has the list)")

    # ---- Callbacks, structs

    def _callback(self, callback: dict) -> None:
        nulls = named_null(callback["doc"])
        for place, item in enumerate(callback["parameters"]):
            self._value(callback["name"], place, callback["parameters"], callback["doc"], True)
            if item["type"].get("pointers"):
                item["direction"] = "in" if item["type"].get("const") or item["role"] in ("user", "handle") else "out"
                item["nullable"] = item.get("role") == "user" or item["name"] in nulls
            self._finish(callback["name"], item, "parameter")
        self.notes.apply(callback["name"], callback)
        if callback.get("thread") not in ("caller", "library", "any"):
            self.fault(callback["name"], 'on which thread it runs: add "thread": "caller", "library" or "any" to '
                                         "capi/api_notes.json")

    def _struct(self, struct: dict) -> None:
        fields, nulls = struct["fields"], named_null(struct["doc"])
        flags = re.search(r"Flags are 0( \(default\))? or 1", struct["doc"])
        for place, item in enumerate(fields):
            kind, doc, name = item["type"], item["doc"], f"{struct['name']}.{item['name']}"
            self._value(struct["name"], place, fields, doc, False)
            if kind.get("pointers") or kind["kind"] == "callback":
                said = re.search(r"(?<!not )(?<!never )\bNULL\b", doc)
                item["nullable"] = bool(said) or item["name"] in nulls or item.get("role") == "user"
            if kind.get("base") == "int32_t" and "enum" not in item and "array" not in kind:
                if flags or re.search(r"\b1(, |:)|0 or 1", doc):
                    item["flag"] = True
            default = self._default(item, bool(flags and flags[1]))
            if default is not None:
                item["default"] = default
            self._finish(struct["name"], item, "field")
        self.notes.apply(struct["name"], struct)

    def _default(self, item: dict, flags: bool):
        """As the comment has it: "default X", "X (default)"; "model" for "default the model's"."""
        doc = item["doc"]
        found = re.search(r"(\S+)(?: or \"\")? \(default\)|\bdefault (?:is )?((?:the model's)|\S+?)(?=[;,.:]?(?:\s|$))",
                          doc, re.I)
        if not found:
            return 0 if flags and item.get("flag") else None
        text = found[1] or found[2]
        if text == "the model's":
            return "model"
        if text == "NULL" or text == '""':
            return None if item["type"]["kind"] == "callback" else "NULL"
        if re.fullmatch(r"-?\d+", text):
            return int(text)
        if re.fullmatch(r"-?\d+\.\d+", text):
            return float(text)
        return text if re.fullmatch(r"DRAGOMAN_[A-Z0-9_]+", text) else None

    # ---- Functions

    def _like(self, function: dict, previous: dict | None) -> list[dict]:
        """Functions that the comment says this one resembles."""
        names = re.findall(r"\b(?:[Aa]s|[Ll]ike) (?:in )?(dragoman_\w+)\(\)", function["doc"])
        found = [self.functions[name] for name in names if name in self.functions and name != function["name"]]
        if re.match(r"The same\b", function["doc"]) and previous:
            found.append(previous)
        return found

    def _function(self, function: dict, previous: dict | None) -> None:
        name, parameters = function["name"], function["parameters"]
        text = function["doc"].partition("Statuses:")[0]
        like = self._like(function, previous)
        nulls = named_null(text)
        handles = [p for p in parameters if p["type"]["kind"] == "handle" and p["type"].get("pointers") == 1]
        pointers = [p["name"] for p in parameters if p["type"].get("pointers")]
        alone = len(pointers) == 1 and not function["returns"]["type"].get("pointers") and "NULL" in text
        if alone or re.search(r"\bfor NULL\b", text):
            nulls |= {p["name"] for p in (handles or parameters)[:1]}
        for place, item in enumerate(parameters):
            self._value(name, place, parameters, text, True)
            if item["type"].get("pointers") or item.get("role") == "callback":
                self._direction(function, item, handles)
                inherited = any(p["name"] == item["name"] and p.get("nullable") for f in like for p in f["parameters"])
                options = item["type"].get("base", "").endswith("_options") and item["type"].get("const", False)
                item["nullable"] = item.get("role") == "user" or item["name"] in nulls or inherited or \
                    options or name in self.ends
            self._finish(name, item, "parameter")
        returned = function["returns"]
        if returned["type"].get("pointers"):
            self._returned(returned, text, handles, pointers)
        if returned["type"]["c"] == "int32_t" and "1 or 0" in text:
            returned["flag"] = True
        self.notes.apply(f"{name}.return", returned)
        if returned["type"].get("pointers") and "lifetime" not in returned:
            self.fault(name, "how long what it returns lives: \"Static storage\" in its comment, or \"lifetime\" of "
                             f"{name}.return in capi/api_notes.json")
        if "NULL" in text.replace("Never NULL", "") and not returned.get("nullable") and \
                not any(p.get("nullable") for p in parameters):
            self.fault(name, "its comment speaks of NULL, but not as \"`parameter` NULL: ...\", \"for NULL\" or \"A "
                             "NULL parameter\"")
        self._statuses(function, like)
        function["threads"] = "exclusive" if name in self.ends else "any"
        self.notes.apply(name, function)

    def _direction(self, function: dict, item: dict, handles: list[dict]) -> None:
        kind, role = item["type"], item.get("role")
        name = function["name"]
        out = role in ("struct", "value") and not kind.get("const") or role == "handle" and kind.get("pointers") == 2
        out |= role == "array" and not kind.get("const") or written(kind)
        item["direction"] = "out" if out else "in"
        if role == "handle" and self.ends.get(name) == kind["base"]:
            item["ownership"] = "taken"
        elif out and role == "handle":
            item["ownership"] = "caller"
        elif out and self._points(kind):
            if handles:
                item["ownership"], item["borrowed_from"] = "borrowed", handles[0]["name"]
            elif not self._sized(kind) and not self.notes.get(f"{name}.{item['name']}", "ownership"):
                self.fault(f"{name}.{item['name']}", "who owns what it points to: add \"ownership\" to "
                                                     "capi/api_notes.json")

    def _sized(self, kind: dict) -> bool:
        return bool(self.structs.get(kind.get("base"), {}).get("sized"))

    def _points(self, kind: dict) -> bool:
        """Whether what it points to has pointers of the library's: a struct of text, not one of options."""
        if kind.get("pointers") == 2:
            return kind["kind"] != "handle"
        struct = self.structs.get(kind.get("base"))
        return bool(struct) and not struct["name"].endswith("_options") and any(
            f["type"].get("pointers") or f["type"]["kind"] == "struct" and self._points({**f["type"], "pointers": 1})
            for f in struct["fields"])

    def _returned(self, returned: dict, text: str, handles: list[dict], pointers: list[str]) -> None:
        names = "|".join(pointers) or "-"
        own = re.sub(rf"`({names})`[^`.]*?\bNULL\b|\bNULL ({names})\b|\bfor NULL\b|\b[Nn]ever NULL\b", "", text)
        returned["nullable"] = "NULL" in own
        if "Static storage" in text:
            returned["lifetime"] = "static"
        elif handles:
            returned["lifetime"], returned["borrowed_from"] = "borrowed", handles[0]["name"]
        if returned["type"]["base"] == "char":
            returned["role"] = "text"

    def _statuses(self, function: dict, like: list[dict]) -> None:
        if function["returns"]["type"].get("base") != "dragoman_status":
            return
        text = function["doc"].partition("Statuses:")[2]
        known = {e["name"] for e in next(e for e in self.api["enumerations"]
                                         if e["name"] == "dragoman_status")["enumerators"]}
        found = [name for name in re.findall(r"\bDRAGOMAN_[A-Z_]+\b", text) if name in known]
        named = re.findall(r"those of ((?:dragoman_\w+\(\)(?:, | and )?)+)", text)
        names = [name for part in named for name in re.findall(r"dragoman_\w+", part)]
        sources = [self.functions[name] for name in names if name in self.functions]
        for source in sources + ([] if text else like):
            if source["name"] != function["name"]:
                if "statuses" not in source:  # stands further on
                    self._statuses(source, self._like(source, None))
                found += source["statuses"]
        if not found and not function["inline"]:
            self.fault(function["name"], "its comment has no \"Statuses: ...\"")
        order = sorted(known, key=lambda n: self._status_value(n))
        function["statuses"] = [name for name in order if name in found]

    def _status_value(self, name: str) -> int:
        return next(e["value"] for enum in self.api["enumerations"] if enum["name"] == "dragoman_status"
                    for e in enum["enumerators"] if e["name"] == name)

    # ---- Handles

    def _handle(self, handle: dict) -> None:
        destroy = handle["name"] + "_destroy"
        if destroy in self.functions:
            handle["destroy"] = destroy
        self.notes.apply(handle["name"], handle)
        if "destroy" not in handle:
            self.fault(handle["name"], f"there is no {destroy}(); add what ends it, or \"\", to capi/api_notes.json")

    def _takes_callback(self, kind: dict) -> bool:
        fields = self.structs.get(kind.get("base"), {}).get("fields", [])
        return kind["kind"] == "callback" or any(self._takes_callback(f["type"]) for f in fields
                                                 if f["type"]["kind"] in ("callback", "struct"))

    def _callbacks_live(self, function: dict) -> None:
        """Until when a callback that is passed may run: the return, or the end of the handle that comes out."""
        taking = [p for p in function["parameters"] if self._takes_callback(p["type"]) and p.get("direction") == "in"]
        out = [p["type"]["base"] for p in function["parameters"] if p.get("ownership") == "caller"]
        for item in taking:
            if "callbacks_until" in item:
                continue
            handles = [handle for handle in self.api["handles"] if handle["name"] in out]
            if handles and "keeps_callbacks" not in handles[0]:
                self.fault(f"{function['name']}.{item['name']}", "until when its callback may run: add "
                           f"\"keeps_callbacks\" of {handles[0]['name']}, or \"callbacks_until\", to capi/api_notes.json")
            elif not handles and item["role"] == "callback":
                self.fault(f"{function['name']}.{item['name']}", "add \"callbacks_until\" to capi/api_notes.json")
            else:
                keeps = handles and handles[0]["keeps_callbacks"]
                item["callbacks_until"] = handles[0].get("destroy", "") if keeps else "return"
