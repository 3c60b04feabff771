# SPDX-License-Identifier: Apache-2.0
"""Typed methods over the C functions, a class for each handle: what api.json says of parameters is enough for most of
them. Where a function needs more (callbacks, prefixes, several handles) it is left to the code that is written by hand."""
from __future__ import annotations

import re

from java_classes import camel
from java_docs import HEAD, Docs, javadoc
from java_functions import PLAIN, java_name
from java_overloads import without

OWNERS = {"dragoman_memory": "TranslationMemory"}  # handles whose classes have other names
# Public classes of handles without anything by hand.
WHOLE = {"TranslationMemory": "Answers of models and segments of translation memories, for the option memory "
                              "(docs/translation_memory.md). Any number of threads may use it."}
PUBLIC = ("Device", "Glossary", "TranslationMemory", "Model", "Translator", "Library")
# Handles that are read at once: what a call gives instead, and from which expression.
READ = {"dragoman_report": ("String", "Reading.report({})"),
        "dragoman_language_list": ("List<Language>", "Reading.languages({})")}
NAMES = {"dragoman_model_load_files": "fromFiles"}  # where C's would say less
# The class of what functions with several results give.
SEVERAL = {"dragoman_model_describe_all": "ModelDescription"}
APART = {"dragoman_last_error", "dragoman_status_name", "dragoman_translation_key", "dragoman_keep_answers",
         "dragoman_job_wait"}
OUT = {"dragoman_string": ("String", "Offsets.STRING", "Reading::string"),
       "dragoman_tokens": ("List<String>", "Offsets.TOKENS", "Reading::tokens"),
       "dragoman_matrix": ("Matrix", "Offsets.MATRIX", "Reading::matrix"),
       "dragoman_ranges": ("List<Span>", "Offsets.RANGES", "raw -> Reading.spans(raw, places)"),
       "float": ("float", "8", "raw -> raw.getFloat(0)"), "size_t": ("long", "8", "raw -> raw.getLong(0)"),
       "uint32_t": ("int", "8", "raw -> raw.getInt(0)"),
       "int32_t": ("boolean", "8", "raw -> raw.getInt(0) != 0")}
# What javadoc says of parameters and results.
PARAMETERS = {
    "path": "a file, or the folder of a model", "outPath": "the file to write", "options": "how",
    "modelOptions": "how the model is loaded", "benchOptions": "how to measure", "index": "from 0",
    "side": "of a source or of a translation", "files": "the content of each, by its name in the model's folder",
    "texts": "the texts", "sources": "the tokens of each text", "sourceLanguage": "of the texts, such as \"de\"",
    "targetLanguage": "of the translations, such as \"en\"", "bytes": "what such a file has", "name": "of the feature",
    "token": "as the vocabulary spells it", "source": "the segment", "target": "its translation",
    "places": "places of the text"}
RETURNS = {"boolean": "whether that is so", "int": "the number", "long": "the number", "String": "the text",
           "List<Language>": "the languages", "Model": "the model", "Device": "the device", "Glossary": "the glossary",
           "TranslationMemory": "the memory", "ModelDescription": "facts and languages", "MemoryInfo": "how much",
           "ModelInfo": "the facts", "DeviceInfo": "the facts", "Stats": "the counters", "MemoryCounts": "the counts"}
WORDS = [(": `*known` is 1, or 0", ""), ("has a feature: 1 or 0; 0 also", "has a feature; false also"),
         ("dragoman_model_load_files()", "fromFiles()"), (" Static storage", "")]
UNSAID = re.compile(r"Any model, any thread\.|Statuses:[^.]*(\([^)]*\)[^.]*)*\.|Any thread[^.]*\.|`?\w+`? NULL: the defaults\.|\w+ ends the handle\.")


def owner(handle: str) -> str:
    return OWNERS.get(handle, camel(handle))


class Method:
    """One function as a method; `possible` says whether it can be one."""

    def __init__(self, function: dict, handles: set[str], infos: set[str], progress: set[str]):
        self.function, self.handles, self.infos, self.progress = function, handles, infos, progress
        self.parameters: list[tuple[str, str]] = []  # types and names in Java
        self.before: list[str] = []                  # what is made of them for C
        self.arguments: list[str] = []
        self.receiver = self.watch = self.out = self.generic = ""
        self.results: list[str] = []                 # of several: how each is read
        self.given = {parameter["type"].get("base") for parameter in function["parameters"]}
        self.possible = not function["inline"] and self.read()
        if function["name"] == "dragoman_model_has_token":  # as the methods by hand
            self.parameters.reverse()

    def add(self, java: str, name: str, made: str) -> bool:
        self.parameters.append((java, name))
        if made:
            self.before.append(f"long {name}At = {made};")
        self.arguments.append(f"{name}At" if made else name)
        return True

    def read(self) -> bool:
        counts: dict[str, list[str]] = {}
        for parameter in self.function["parameters"]:
            if parameter.get("role") == "array" and not parameter.get("nullable"):
                counts.setdefault(parameter["count"], []).append(java_name(parameter["name"]))
        return all(self.parameter(place, one, counts) for place, one in enumerate(self.function["parameters"]))

    def parameter(self, place: int, one: dict, counts: dict) -> bool:
        kind, role, name = one["type"], one.get("role"), java_name(one["name"])
        base = kind.get("base", "")
        if one.get("direction") == "out":
            return self.result(one)
        if role == "handle":
            self.receiver = owner(base)
            self.arguments.append("at")
            return place == 0
        if one["name"] in counts:
            first, *others = counts[one["name"]]
            self.before += [f'Library.same("{other}", {other}.size(), {first}.size());' for other in others]
            self.arguments.append(f"{first}.size()")
            return True
        if role == "text" and kind["pointers"] == 1:
            if name.lower().endswith("path"):
                return self.add("Path", name, f'block.text("{name}", {name})')
            return self.add("String", name, f'block.text("{name}", {name})')
        if role == "array" and not one.get("nullable") and base in ("dragoman_string", "dragoman_tokens"):
            made = "strings" if base == "dragoman_string" else "sequences"
            java = "List<String>" if base == "dragoman_string" else "List<List<String>>"
            return self.add(java, name, f'block.{made}("{name}", {name})')
        if role == "array" and one["name"] == "prefixes":
            count = next(name for key, (name, *_) in counts.items() if key == one["count"])
            if "dragoman_translate_options" not in self.given:
                return self.add("List<List<String>>", name, f"block.prefixes({name}, {count}.size())")
            self.before.append(f"long {name}At = block.prefixes(options.{name}(), {count}.size());")
            self.arguments.append(f"{name}At")
            return True
        if role == "array" and base in self.handles:
            return self.add(f"List<{owner(base)}>", name, f"block.handles({name})")
        if role == "array" and base == "dragoman_file":
            self.watch = "null"
            return self.add("Map<String, Content>", name, f"watch.files(block, {name})")
        if role == "struct" and base == "dragoman_string":
            return self.add("String", name, f'block.strings("{name}", List.of({name}))')
        if role == "struct" and base.endswith("_options"):
            if base == "dragoman_job_options":  # the job writes them, with itself as what gets the events
                return self.add("Job", "job", "job.write(block).address")
            if base in self.progress and "dragoman_job_options" not in self.given:
                self.watch = f"{name}.progress()"
                return self.add(camel(base), name, f"{name}.write(block, watch).address")
            return self.add(camel(base), name, f"{name}.write(block, null).address")
        if role is None and "pointers" not in kind and base in PLAIN:
            return self.plain(one, name, base)
        return False

    def plain(self, one: dict, name: str, base: str) -> bool:
        if "enum" in one:
            self.parameters.append((camel(one["enum"]), name))
            self.arguments.append(f"{name}.number()")
        elif one.get("flag"):
            self.parameters.append(("boolean", name))
            self.arguments.append(f"{name} ? 1 : 0")
        else:
            self.add(PLAIN[base], name, "")
        return True

    def result(self, one: dict) -> bool:
        base = one["type"].get("base", "")
        if self.function["name"] in SEVERAL:
            return self.among(base)
        self.arguments.append("out")
        self.out = base
        if base == "dragoman_ranges":
            self.parameters.append(("Places", "places"))
        if base in OUT or base in self.handles or base in self.infos:
            return True
        if one["type"]["kind"] == "struct":
            self.generic = f"Offsets.{base.removeprefix('dragoman_').upper()}"
            self.parameters.append(("Function<ByteBuffer, T>", "read"))
        return bool(self.generic)

    def among(self, base: str) -> bool:
        """One of several results, which lie one after the other: a struct that knows its size first, then lists."""
        struct, *lists = [one["type"]["base"] for one in self.function["parameters"] if one.get("direction") == "out"]
        at = f"{camel(struct)}.SIZE + {8 * (len(self.results) - 1)}"
        if not self.results:
            self.before += [f"Area out = block.area({camel(struct)}.SIZE + {8 * len(lists)});",
                            f"out.bytes.putInt(0, {camel(struct)}.SIZE);"]
        self.arguments.append(f"out.address + {at}" if self.results else "out.address")
        self.results.append(READ[base][1].format(f"out.bytes.getLong({at})") if self.results else
                            f"new {camel(struct)}(out.bytes)")
        return True

    def name(self) -> str:
        if self.function["name"] in NAMES:
            return NAMES[self.function["name"]]
        words = self.function["name"].removeprefix("dragoman_")
        own = "memory" if self.receiver == "TranslationMemory" else re.sub(r"(?<!^)([A-Z])", r"_\1", self.receiver).lower()
        for prefix in (f"{own}_get_", f"{own}_", *(f"{one}_" for one in ("device", "model", "glossary", "memory"))):
            if words.startswith(prefix) and (self.receiver or prefix != f"{own}_"):
                words = words.removeprefix(prefix)
                break
        return java_name(words) + ("Handle" if self.raw() else "")

    def raw(self) -> bool:
        """Whether it gives the address of a handle, for code by hand."""
        return self.out in self.handles and self.out not in READ and (
            owner(self.out) not in PUBLIC or self.out == "dragoman_translator")

    def place(self) -> str:
        """The class that has it."""
        found = re.match(r"dragoman_(device|model|glossary|memory)_", self.function["name"])
        return self.receiver or (owner("dragoman_" + found[1]) if found else "Library")

    def returned(self) -> tuple[str, str]:
        """Java's type, and the expression."""
        call = f"Library.C.{self.function['name']}({', '.join(self.arguments)})"
        watch = "watch, " if self.watch else "null, "
        if self.results:
            made = SEVERAL[self.function["name"]]
            self.before.append(f"Library.check({watch}{call});")
            return made, f"new {made}({', '.join(self.results)})"
        if self.out in OUT or self.out in self.infos or self.generic:
            java, size, read = OUT.get(self.out, ("T", self.generic, "read") if self.generic else (
                camel(self.out), f"{camel(self.out)}.SIZE", f"{camel(self.out)}::new"))
            return java, f"Library.read({watch}{size}, out -> {call}, {read})"
        if self.out:
            made = f"Library.made({watch}out -> {call})"
            if self.out in READ:
                return READ[self.out][0], READ[self.out][1].format(made)
            return ("long", made) if self.raw() else (owner(self.out), f"new {owner(self.out)}({made})")
        kind = self.function["returns"]["type"]
        if kind["base"] == "dragoman_status":
            return "void", f"Library.check({watch}{call})"
        if kind["kind"] == "char":
            return "String", f"Reading.cText({call})"
        if "flag" in self.function["returns"]:
            return "boolean", f"{call} != 0"
        return ("long" if kind.get("pointers") else PLAIN[kind["base"]]), call

    def text(self, docs: Docs, public: bool) -> str:
        java, value = self.returned()
        doc = self.function["doc"]
        for words, own in WORDS:
            doc = doc.replace(words, own)
        doc = re.sub(r"dragoman_(device|model|glossary|memory)_(get_)?(?=\w+\(\))", "dragoman_", doc)
        doc = docs.sentence(UNSAID.sub("", doc) or self.name())
        tags = [f"@param {name} {PARAMETERS.get(name, 'the value')}" for _, name in self.parameters]
        tags += [] if java == "void" else [f"@return {RETURNS.get(java, 'the result')}"]
        modifiers = ("public " if public and not self.raw() else "") + ("" if self.receiver else "static ")
        modifiers += "<T> " if self.generic else ""
        listed = ", ".join(f"{kind} {name}" for kind, name in self.parameters)
        out = javadoc(doc, 4, tuple(tags)) if public and not self.raw() else ""
        out += f"    {modifiers}{java} {self.name()}({listed}) {{\n"
        back = "" if java == "void" else "return "
        if self.receiver and java == "void":
            body = f"with(at -> {{ {value}; return null; }});"
        else:
            body = f"{back}with(at -> {value});" if self.receiver else f"{back}{value};"
        if self.before:
            watch = f"; Watch watch = new Watch({self.watch})" if self.watch else ""
            out += f"        try (Block block = new Block(){watch}) {{\n"
            out += "".join(f"            {line}\n" for line in [*self.before, body]) + "        }\n"
        else:
            out += f"        {body}\n"
        out += "    }\n"
        if public and not self.raw():
            out += without(self.name(), java, [f"{kind} {name}" for kind, name in self.parameters], not self.receiver,
                           self.receiver or {"Library": "Dragoman"}.get(self.place(), self.place()), doc, tags)
        return out


def imports_of(body: str) -> str:
    return "".join(f"import java.{each};\n" for each in (
        "nio.ByteBuffer", "nio.file.Path", "util.Iterator", "util.List", "util.Map", "util.concurrent.Flow",
        "util.function.Function", "util.stream.Stream") if re.search(rf"\b{each.split('.')[-1]}\b", body))


def calls(api: dict, docs: Docs, infos: set[str], progress: set[str], more: dict[str, str]) -> dict[str, str]:
    """`more`: methods for some of the classes."""
    ends = {one["name"]: one["destroy"] for one in api["handles"]}
    found: dict[str, list[str]] = {}
    for function in api["functions"]:
        if function["name"] in ends.values() or function["name"] in APART or (
                function["name"].endswith("_init_sized")):
            continue
        method = Method(function, set(ends), infos, progress)
        if method.possible:
            found.setdefault(method.place(), []).append(method.text(docs, method.place() in PUBLIC))
    made = {}
    for handle in [*ends, "library"]:
        name = owner(handle)
        if name not in found:
            continue
        body = "\n".join(found[name]) + more.get(f"{name}Calls", "")
        imports = imports_of(body)
        begin = (f"abstract class {name}Calls {{\n    {name}Calls() {{}}\n" if handle == "library" else
                 f"class {name}Calls extends Owner {{\n    {name}Calls(long address) {{\n"
                 f"        super(\"{' '.join(handle.split('_')[1:])}\", address, Library.C::{ends[handle]});\n    }}\n")
        made[f"{name}Calls"] = (HEAD + (imports + "\n" if imports else "") +
                                "/** Functions of C whose declarations say all that is to be known. */\n" + begin + "\n" + body + "}\n")
        if name in WHOLE:
            made[name] = (HEAD + javadoc(WHOLE[name], 0) + f"public final class {name} extends {name}Calls {{\n"
                          f"    {name}(long address) {{\n        super(address);\n    }}\n}}\n")
    for name, body in more.items():  # of what has no handle
        if name not in made:
            imports = imports_of(body)
            made[name] = (HEAD + (imports + "\n" if imports else "") + f"/** What {name.removesuffix('Calls')} has with less to say. */\n"
                          f"abstract class {name} {{\n    {name}() {{}}\n{body}}}\n")
    return made
