# SPDX-License-Identifier: Apache-2.0
"""The C functions in Java: an interface, and classes that implement it with JNA and with java.lang.foreign. Pointers and
sizes are long, because the package is for 64 bits alone."""
from __future__ import annotations

import sys

from java_docs import HEAD, Docs, javadoc

PLAIN = {"uint32_t": "int", "int32_t": "int", "unsigned": "int", "uint64_t": "long", "int64_t": "long",
         "size_t": "long", "float": "float", "double": "double"}
LAYOUTS = {"int": "JAVA_INT", "long": "JAVA_LONG", "float": "JAVA_FLOAT", "double": "JAVA_DOUBLE"}


def java_type(kind: dict, aliases: dict) -> str:
    if kind.get("pointers") or kind["kind"] == "callback" or "base" not in kind:
        return "long"
    if kind["kind"] == "alias":
        return java_type(aliases[kind["base"]], aliases)
    if kind["kind"] == "struct":
        return "struct"
    if kind["kind"] == "enum":
        return "int"
    if kind["base"] == "void":
        return "void"
    if kind["base"] not in PLAIN:
        sys.exit(f"{kind['c']}: expected a pointer or one of {', '.join(PLAIN)}")
    return PLAIN[kind["base"]]


def java_name(name: str) -> str:
    words = name.split("_")
    return words[0] + "".join(word.capitalize() for word in words[1:])


def signature(function: dict, aliases: dict) -> tuple[str, list[str], list[str]]:
    kinds = [java_type(each["type"], aliases) for each in function["parameters"]]
    names = [java_name(each["name"]) for each in function["parameters"]]
    if "struct" in kinds:
        sys.exit(f"{function['name']}: a struct by value among the parameters")
    return java_type(function["returns"]["type"], aliases), kinds, names


def declared(function: dict, aliases: dict, before: str = "", end: str = ";", indent: int = 4) -> str:
    """The method, over as many lines as it takes. What C returns as a dragoman_string is copied to an address."""
    returns, kinds, names = signature(function, aliases)
    if returns == "struct":
        returns, kinds, names = "void", [*kinds, "long"], [*names, "copy"]
    begin = f"{' ' * indent}{before}{returns} {function['name']}("
    lines, line = [], begin
    for place, (kind, name) in enumerate(zip(kinds, names)):
        piece = f"{kind} {name}" + (", " if place + 1 < len(kinds) else "")
        if len(line) + len(piece) > 116:
            lines.append(line.rstrip())
            line = " " * (indent + 8)
        line += piece
    return "\n".join([*lines, line + ")" + end]) + "\n"


def interface(name: str, functions: list[dict], aliases: dict) -> str:
    return (HEAD + f"/** C functions under their own names; pointers and sizes are long. */\ninterface {name} {{\n" +
            "".join(declared(each, aliases) for each in functions) + "}\n")


def jna(name: str, functions: list[dict], aliases: dict) -> str:
    body = ""
    for each in functions:
        if signature(each, aliases)[0] != "struct":
            body += "    @Override\n" + declared(each, aliases, "public native ")
            continue
        parameters = ", ".join(f"long {java_name(one['name'])}" for one in each["parameters"])
        arguments = ", ".join(java_name(one["name"]) for one in each["parameters"])
        body += f"    private native JnaString.ByValue {each['name']}({parameters});\n    @Override\n"
        body += declared(each, aliases, "public ", " {")
        body += f"        {each['name']}({arguments}).copyTo(copy);\n    }}\n"
    return HEAD + f"/** Bound by com.sun.jna.Native.register(). */\nclass Jna{name} implements {name} {{\n{body}}}\n"


def call(function: dict, place: int, library: str, aliases: dict) -> str:
    returns, kinds, names = signature(function, aliases)
    layouts = [LAYOUTS[kind] for kind in kinds]
    if returns == "struct":
        names = ["ForeignBackend.at(copy)", *names]
        descriptor = f"FunctionDescriptor.of(ForeignBackend.STRING, {', '.join(layouts)})"
        invoke = f"MemorySegment ignored = (MemorySegment) F{place}.H.invokeExact({', '.join(names)});"
    else:
        listed = ", ".join(layouts if returns == "void" else [LAYOUTS[returns], *layouts])
        descriptor = f"FunctionDescriptor.of{'Void' if returns == 'void' else ''}({listed})"
        back = "" if returns == "void" else f"return ({returns}) "
        invoke = f"{back}F{place}.H.invokeExact({', '.join(names)});"
    return (f"    private static final class F{place} {{\n"
            f"        static final MethodHandle H = ForeignBackend.bind(\n"
            f"                \"{library}\",\n                \"{function['name']}\",\n"
            f"                {descriptor});\n    }}\n\n"
            "    @Override\n" + declared(function, aliases, "public ", " {") +
            f"        try {{\n            {invoke}\n        }} catch (Throwable thrown) {{\n"
            "            throw new AssertionError(thrown);\n        }\n    }\n\n")


def foreign(name: str, library: str, functions: list[dict], aliases: dict) -> str:
    """`library` is where they are; "": C's own."""
    layouts = sorted({LAYOUTS[kind] for each in functions
                      for kind in [*signature(each, aliases)[:1], *signature(each, aliases)[1]] if kind in LAYOUTS})
    imports = "".join(f"import static java.lang.foreign.ValueLayout.{each};\n" for each in layouts)
    imports += "\nimport java.lang.foreign.FunctionDescriptor;\n"
    if any(signature(each, aliases)[0] == "struct" for each in functions):
        imports += "import java.lang.foreign.MemorySegment;\n"
    imports += "import java.lang.invoke.MethodHandle;\n\n"
    body = "".join(call(each, place, library, aliases) for place, each in enumerate(functions))
    return (HEAD + imports + "/** A class for each function, so that its handle is made when it is first called. */\n"
            f"class Foreign{name} implements {name} {{\n{body.rstrip()}\n}}\n")


def libraries(kind: str, listed: list[tuple[str, str]]) -> str:
    """How a backend gives the functions of the other libraries, which it opens when they are first asked for."""
    fields = methods = ""
    for name, library in listed:
        own = library.removeprefix("dragoman_") or "system"
        opens = {"Jna": f'JnaBackend.bind(Jna{name}.class, "{library}")',
                 "Foreign": f'ForeignBackend.library("{library}")'}
        fields += f"    private final {name} {own} = new {kind}{name}();\n"
        methods += (f"\n    @Override\n    public {name} {own}() {{\n" +
                    (f"        {opens[kind]};\n" if library else "") + f"        return {own};\n    }}\n")
    return (HEAD + "/** The libraries beside the first one. */\n"
            f"abstract class {kind}Libraries extends {kind}Functions implements Backend {{\n{fields}{methods}}}\n")


def plain(name: str, returns: str, *parameters: str) -> dict:
    """A function of C's own library, as api.json would have it."""
    return {"name": name, "returns": {"type": {"kind": "plain", "base": returns}},
            "parameters": [{"name": f"a{place}", "type": {"kind": "plain", "base": each}}
                           for place, each in enumerate(parameters)]}


SYSTEM = [plain("calloc", "size_t", "size_t", "size_t"), plain("free", "void", "size_t"),
          plain("strlen", "size_t", "size_t")]


def callbacks(listed: list[dict], aliases: dict) -> tuple[str, str, str]:
    """The kinds of callbacks, and their types for JNA and for java.lang.foreign in the order of the kinds."""
    names = [each["name"].removeprefix("dragoman_").removesuffix("_fn") for each in listed]
    listed = [{**each, "name": "call", "returns": {"type": each["returns"]}} for each in listed]
    kinds = (HEAD + "/** What C calls back; the methods of Callbacks have these names. */\nenum CallbackKind {\n    " +
             ",\n    ".join(name.upper() for name in names) + "\n}\n")
    types = "".join(f"    private interface {name.capitalize()} extends Callback {{\n" +
                    declared(each, aliases, indent=8) + "    }\n\n" for name, each in zip(names, listed))
    methods = ",\n        ".join(f"({name.capitalize()}) Callbacks::{name}" for name in names)
    jna = (HEAD + "import com.sun.jna.Callback;\n\n/** Callbacks in the order of their kinds. */\n"
           f"final class JnaCallbacks {{\n{types}    static final Callback[] ALL = {{\n        {methods}\n    }};\n\n"
           "    private JnaCallbacks() {}\n}\n")
    rows = []
    for each in listed:
        returns, given, _ = signature(each, aliases)
        layouts = [LAYOUTS[kind] for kind in given]
        rows.append(f"FunctionDescriptor.ofVoid({', '.join(layouts)})" if returns == "void" else
                    f"FunctionDescriptor.of({', '.join([LAYOUTS[returns], *layouts])})")
    foreign = (HEAD + "import static java.lang.foreign.ValueLayout.JAVA_INT;\n"
               "import static java.lang.foreign.ValueLayout.JAVA_LONG;\n\n"
               "import java.lang.foreign.FunctionDescriptor;\n\n"
               "/** Types of callbacks in the order of their kinds. */\n"
               "final class ForeignCallbacks {\n    static final FunctionDescriptor[] ALL = {\n        " +
               ",\n        ".join(rows) + "\n    };\n\n    private ForeignCallbacks() {}\n}\n")
    return kinds, jna, foreign


def jna_string(struct: dict, docs: Docs) -> str:
    """The one struct that C returns, as JNA wants it: in a public class."""
    fields = [java_name(each["name"]) for each in struct["fields"]]
    listed = ", ".join(f'"{name}"' for name in fields)
    members = "".join(f"{javadoc(docs.sentence(each['doc']), 8)}        public long {java_name(each['name'])};\n\n"
                      for each in struct["fields"])
    copies = "".join(f".putLong({place * 8}, {name})" for place, name in enumerate(fields))
    return (HEAD + "import com.sun.jna.Structure;\n\n"
            "/** A dragoman_string that C returns. JNA sees public classes alone. */\n"
            "public class JnaString {\n    private JnaString() {}\n\n    /** By value. */\n"
            f"    @Structure.FieldOrder({{{listed}}})\n"
            "    public static final class ByValue extends Structure implements Structure.ByValue {\n"
            f"{members}        /** For JNA. */\n        public ByValue() {{}}\n\n"
            "        void copyTo(long address) {\n"
            f"            Library.C.view(address, Offsets.STRING){copies};\n        }}\n    }}\n}}\n")
