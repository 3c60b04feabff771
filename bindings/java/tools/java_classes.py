# SPDX-License-Identifier: Apache-2.0
"""Enumerations, exceptions, options, facts and results as Java's classes."""
from __future__ import annotations

import os
import re
import sys

from java_docs import HEAD, Docs, javadoc, lower_camel

LONGS = {"uint32_t": "U32", "int32_t": "I32", "uint64_t": "U64", "size_t": "U64"}
KINDS = {"U32": "long", "I32": "int", "U64": "long", "F32": "double", "FLAG": "boolean", "TEXT": "String",
         "STRINGS": "List<String>", "COMMAS": "List<String>", "SEQUENCES": "List<List<String>>", "FLOATS": "float[]",
         "PROGRESS": "Progress", "DOWNLOAD": "Predicate<Download>"}
HANDLES = {"dragoman_memory": "TranslationMemory"}  # the others have their own names


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.removeprefix("dragoman_").split("_"))


def offsets_of(struct: dict) -> dict[str, int]:
    return dict(zip((field["name"] for field in struct["fields"]), struct["layout"]["lp64"]["offsets"], strict=True))


def enumeration(name: str, enum: dict, docs: Docs) -> str:
    names = [one["name"] for one in enum["enumerators"]]
    prefix = re.match(r".*_", os.path.commonprefix(names))[0]
    if name == "Status":
        prefix = "DRAGOMAN_"
    rows = ",\n".join(javadoc(docs.sentence(one["doc"]), 4) +
                      f"    {one['name'].removeprefix(prefix)}({one['value']})" for one in enum["enumerators"])
    return (HEAD + javadoc(docs.sentence(enum["doc"])) + f"public enum {name} implements Numbered {{\n{rows};\n\n"
            "    private final int number;\n\n"
            f"    {name}(int number) {{\n        this.number = number;\n    }}\n\n"
            "    @Override\n    public int number() {\n        return number;\n    }\n}\n")


def exceptions(statuses: dict, docs: Docs) -> dict[str, str]:
    found, cases = {}, ""
    for one in statuses["enumerators"][1:]:
        constant_name = one["name"].removeprefix("DRAGOMAN_")
        name = camel(constant_name.lower()) + "Exception"
        cases += f"            case {constant_name}:\n                return new {name}(message);\n"
        found[name] = (HEAD + javadoc(f"{docs.sentence(one['doc'])}") +
                       f"public final class {name} extends DragomanException {{\n"
                       "    private static final long serialVersionUID = 1;\n\n"
                       f"    {name}(String message) {{\n        super(Status.{constant_name}, message);\n    }}\n}}\n")
    found["DragomanException"] = (
        HEAD + javadoc("What the library reports: its message, and the status, for each of which there is a class.") +
        "public abstract class DragomanException extends RuntimeException {\n"
        "    private static final long serialVersionUID = 1;\n"
        "    /** What a caller can act on. */\n    private final Status status;\n\n"
        "    DragomanException(Status status, String message) {\n        super(message);\n"
        "        this.status = status;\n    }\n\n"
        "    static DragomanException of(Status status, String message) {\n        switch (status) {\n" + cases +
        "            default:\n                return new InternalException(status + \": \" + message);\n        }\n    }\n\n"
        "    /**\n     * What a caller can act on.\n     *\n     * @return the status\n     */\n"
        "    public final Status status() {\n        return status;\n    }\n}\n")
    return found


def option(struct: dict, field: dict) -> tuple[str, str] | None:
    """Kind and Java's type of an option; None for what a builder does not have."""
    kind, name = field["type"], field["name"]
    counts = {other.get("count") for other in struct["fields"]}
    if name == "struct_size" or re.fullmatch(r"reserved\d*|\w*user", name) or name in counts:
        return None
    if kind["kind"] == "callback":
        found = re.fullmatch(r"dragoman_(?:\w+_)?(progress|download)_fn", kind["base"])
        return (found[1].upper(), KINDS[found[1].upper()]) if found else None
    if kind["kind"] == "handle":
        return "HANDLE", HANDLES.get(kind["base"], camel(kind["base"]))
    if field.get("role") == "struct":
        return "STRUCT", camel(kind["base"])
    if field.get("role") == "array":
        found = {"dragoman_string": "STRINGS", "dragoman_tokens": "SEQUENCES", "float": "FLOATS"}[kind["base"]]
    elif "commas" in field:
        found = "COMMAS"
    elif field.get("role") == "text" or kind["kind"] == "char":
        found = "TEXT"
    elif "enum" in field:
        return "ENUM", camel(field["enum"])
    elif "flag" in field:
        found = "FLAG"
    elif kind["kind"] == "float":
        found = "F32"
    else:
        found = LONGS[kind["base"]]
    return found, KINDS[found]


def put(field: str, kind: str, place: int, offset: int, count: int) -> str:
    """The statements that write an option to its struct; none for what belongs to the call."""
    given = f"values[{place}]"
    if kind in ("PROGRESS", "DOWNLOAD"):
        return ("        if (watch != null) {\n"
                f"            raw.putLong({offset}, Library.C.callback(CallbackKind.{kind}));\n"
                f"            raw.putLong({count}, watch.number);\n        }}\n")
    lists = {"STRINGS": "List<String>", "SEQUENCES": "List<List<String>>"}
    written = {"U32": f'raw.putInt({offset}, (int) ranged("{field}", (Long) {given}, 0xFFFFFFFFL))',
               "I32": f"raw.putInt({offset}, (Integer) {given})",
               "U64": f'raw.putLong({offset}, ranged("{field}", (Long) {given}, Long.MAX_VALUE))',
               "F32": f"raw.putFloat({offset}, ((Double) {given}).floatValue())",
               "FLAG": f"raw.putInt({offset}, (Boolean) {given} ? 1 : 0)",
               "ENUM": f"raw.putInt({offset}, ((Numbered) {given}).number())",
               "TEXT": f'raw.putLong({offset}, block.text("{field}", (String) {given}))',
               "COMMAS": f'raw.putLong({offset}, block.text("{field}", String.join(",", (List<String>) {given})))',
               "HANDLE": f"raw.putLong({offset}, block.hold((Owner) {given}))",
               "STRUCT": f"raw.putLong({offset}, ((Options) {given}).write(block, null).address)",
               "STRINGS": f'raw.putLong({offset}, block.strings("{field}", (List<String>) {given}))',
               "SEQUENCES": f'raw.putLong({offset}, block.sequences("{field}", (List<List<String>>) {given}))',
               "FLOATS": f"raw.putLong({offset}, block.floats((float[]) {given}))"}.get(kind)
    if not written:
        return ""
    size = f"((float[]) {given}).length" if kind == "FLOATS" else f"((List<?>) {given}).size()"
    counted = f"            raw.putLong({count}, {size});\n" if kind == "FLOATS" or kind in lists else ""
    return f"        if ({given} != null) {{\n            {written};\n{counted}        }}\n"


def local(place: int, field: str, kind: str, java: str) -> str:
    """How code of this package asks for what belongs to the call."""
    if kind not in ("LOCAL", "PROGRESS", "DOWNLOAD"):
        return ""
    default = {"boolean": "false", "long": "256L"}.get(java, "null")
    boxed = {"boolean": "Boolean", "long": "Long"}.get(java, java)
    cast = '    @SuppressWarnings("unchecked")\n' if "<" in java else ""
    return (f"\n{cast}    {java} {field}() {{\n"
            f"        return values[{place}] == null ? {default} : ({boxed}) values[{place}];\n    }}\n")


def listed_options(name: str, struct: dict, beside: list) -> list[tuple]:
    """Name, kind, Java's type, comment, and where it and its count or user data are in the struct."""
    places, listed = offsets_of(struct), []
    for field in struct["fields"]:
        found = option(struct, field)
        if found and not (name == "JobOptions" and field["name"] in ("events", "fed")):
            beside_it = "progress_user" if "progress_user" in places else "user"
            count = field.get("count") or (beside_it if found[0] in ("PROGRESS", "DOWNLOAD") else "")
            listed.append((lower_camel(field["name"]), *found, field["doc"], places[field["name"]], places.get(count, -1)))
    return listed + [(field, kind, java, doc, -1, -1) for field, kind, java, doc in beside]


def options(name: str, struct: dict, beside: list, docs: Docs) -> str:
    layout = struct["layout"]["lp64"]
    if layout != struct["layout"]["llp64"]:
        sys.exit(f"{struct['name']}: expected one layout on all systems of 64 bits")
    puts = locals_ = setters = ""
    listed = listed_options(name, struct, beside)
    for place, (field, kind, java, doc, offset, count) in enumerate(listed):
        puts += put(field, kind, place, offset, count)
        locals_ += local(place, field, kind, java)
        kept = {"LOCAL": "value", "STRINGS": "List.copyOf(value)", "SEQUENCES": "List.copyOf(value)",
                "COMMAS": "List.copyOf(value)", "FLOATS": "value.clone()"}.get(kind, "value")
        tags = (f"@param value the value{'' if kind in ('FLAG', 'LOCAL') or java[0].islower() else '; null is an error'}",
                "@return this")
        check = "" if java[0].islower() else "Objects.requireNonNull(value, " + f'"{field}"' + ");\n            "
        setters += ("\n" + javadoc(docs.sentence(doc), 8, tags) +
                    f"        public Builder {field}({java} value) {{\n            {check}values[{place}] = {kept};\n"
                    "            return this;\n        }\n")
    init = struct.get("init_sized")
    prepare = f"Library.C.{init}(address, SIZE)" if init else "0"
    if init and struct["header"].endswith("/models.h"):
        prepare = f"Models.check(null, Library.C.models().{init}(address, SIZE))"
    imports = "import java.nio.ByteBuffer;\n" + ("import java.util.List;\n" if "List<" in setters else "") + (
        "import java.util.Objects;\n" if "Objects." in setters else "") + (
        "import java.util.function.Predicate;\n" if "Predicate<" in setters else "")
    cast = '    @SuppressWarnings("unchecked")\n' if "(List<String>)" in puts or "(List<List" in puts else ""
    about = docs.sentence(struct["doc"].split(" Flags are")[0].split("\n")[0])
    return (HEAD + imports + "\n" +
            javadoc(about + " What is not set has the library's default.") +
            f"public final class {name} extends Options {{\n    static final int SIZE = {layout['size']};\n"
            f"    static final {name} DEFAULTS = builder().build();\n\n"
            f"    private {name}(Object[] values) {{\n        super(values);\n    }}\n\n"
            "    @Override\n    int size() {\n        return SIZE;\n    }\n\n"
            f"    @Override\n    int prepare(long address) {{\n        return {prepare};\n    }}\n\n"
            f"    @Override\n{cast}    void put(Block block, ByteBuffer raw, Watch watch) {{\n{puts}    }}\n\n"
            f"    /** These, with the values of others where they say nothing. */\n    {name} over({name} under) {{\n"
            f"        return new {name}(merged(values, under.values));\n    }}\n{locals_}\n"
            + javadoc("Begins without any option set.", 4, ("@return a builder",)) +
            "    public static Builder builder() {\n"
            f"        return new Builder(new Object[{len(listed)}]);\n    }}\n\n"
            + javadoc("Begins with these options.", 4, ("@return a builder",)) +
            "    public Builder toBuilder() {\n        return new Builder(values.clone());\n    }\n\n"
            "    /** Sets options one by one. Not for several threads at a time. */\n"
            "    public static final class Builder {\n        private final Object[] values;\n\n"
            "        private Builder(Object[] values) {\n            this.values = values;\n        }\n" + setters + "\n"
            + javadoc("The options set so far, which never change.", 8, ("@return the options",)) +
            f"        public {name} build() {{\n            return new {name}(values.clone());\n        }}\n    }}\n}}\n")


def fact(struct: dict, field: dict) -> tuple[str, str] | None:
    """Java's type of a fact, and the expression that reads it."""
    kind, name, at = field["type"], field["name"], offsets_of(struct)[field["name"]]
    if name == "struct_size" or re.fullmatch(r"reserved\d*", name):
        return None
    if name == "api_version":
        return "String", f"Reading.version(raw.getInt({at}))"
    if "array" in kind:
        return ("UUID", f"Reading.uuid(raw, {at})") if name == "uuid" else ("String", f"Reading.chars(raw, {at})")
    if "enum" in field:
        java = camel(field["enum"])
        return java, f"Numbered.of({java}.values(), raw.getInt({at}))"
    if "flag" in field:
        return "boolean", f"raw.getInt({at}) != 0"
    if "commas" in field:
        return "List<String>", f"Models.listed(raw.getLong({at}))"
    if kind["base"] == "char":
        return "String", f"Reading.cText(raw.getLong({at}))"
    if kind["base"] == "double":
        return "double", f"raw.getDouble({at})"
    if kind["base"] == "uint32_t":
        return "long", f"Integer.toUnsignedLong(raw.getInt({at}))"
    return "long", f"raw.getLong({at})"


def equality(name: str, fields: list[tuple[str, str]]) -> str:
    """Of values: whether all fields are equal."""
    arrays = {own: java.endswith("[]") for java, own in fields}
    listed = "java.util.Arrays.asList(" + ", ".join(
        f"java.util.Arrays.hashCode({own})" if array else own for own, array in arrays.items()) + ")"
    same = [f"java.util.Arrays.equals({own}, that.{own})" if array else f"java.util.Objects.equals({own}, that.{own})"
            for own, array in arrays.items()]
    tests = "\n                && ".join(same)
    return ("\n    @Override\n    public boolean equals(Object other) {\n"
            f"        if (!(other instanceof {name})) {{\n            return false;\n        }}\n"
            f"        {name} that = ({name}) other;\n        return {tests};\n    }}\n\n"
            f"    @Override\n    public int hashCode() {{\n        return {listed}.hashCode();\n    }}\n")


def info(name: str, struct: dict, docs: Docs, text: str = "") -> str:
    members = reads = accessors = ""
    held: list[tuple[str, str]] = []
    for field in struct["fields"]:
        if field["name"] == "file_count":
            held.append(("List<PublishedFile>", "files"))
            members += "    private final List<PublishedFile> files;\n"
            reads += f"        files = each.apply(raw.getLong({offsets_of(struct)['file_count']}));\n"
            about = "Its files, as far as they are known; show() and download() know them all."
            accessors += ("\n" + javadoc(about, 4, ("@return the value",)) +
                          "    public List<PublishedFile> files() {\n        return files;\n    }\n")
            continue
        found = fact(struct, field)
        if not found:
            continue
        java, read = found
        own = lower_camel(field["name"])
        members += f"    private final {java} {own};\n"
        held.append((java, own))
        reads += f"        {own} = {read};\n"
        accessors += ("\n" + javadoc(docs.sentence(field["doc"]), 4, ("@return the value",)) +
                      f"    public {java} {own}() {{\n        return {own};\n    }}\n")
    imports = "import java.nio.ByteBuffer;\n" + ("import java.util.List;\n" if "List<" in members else "") + (
        "import java.util.UUID;\n" if "UUID" in members else "") + (
        "import java.util.function.LongFunction;\n" if "each.apply(" in reads else "")
    given = ", LongFunction<List<PublishedFile>> each" if "each.apply(" in reads else ""
    accessors += equality(name, held)
    if text:
        accessors += f"\n    @Override\n    public String toString() {{\n        return {text};\n    }}\n"
    return (HEAD + imports + "\n" + javadoc(docs.sentence(struct["doc"].split(" Flags are")[0].split("\n")[0])) +
            f"public final class {name} {{\n    static final int SIZE = {struct['layout']['lp64']['size']};\n{members}\n"
            f"    {name}(ByteBuffer raw{given}) {{\n{reads}    }}\n{accessors}}}\n")


def read_field(struct: dict, java: str, own: str) -> str:
    """The expression that reads a field of a result from C's struct; two neighbouring ones for a span."""
    places = offsets_of(struct)
    name = re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), own)
    at = f"Offsets.{struct['name'].removeprefix('dragoman_').upper()}_"
    if java == "Span":
        begin = name.removesuffix("_span") + "_begin"
        text = begin.split("_")[0]
        return f"{'Reading' if 'token' in begin else text}.span(raw, {at}{begin.upper()})"
    if name not in places:
        sys.exit(f"{struct['name']}: expected {name}, or how to read {own} in values.json")
    field, at = next(one for one in struct["fields"] if one["name"] == name), at + name.upper()
    if java.startswith("Set<"):
        return f"Numbered.ofBits({java[4:-1]}.class, raw.getInt({at}))"
    if "enum" in field:
        return f"Numbered.of({java}.values(), raw.getInt({at}))"
    if "flag" in field:
        return f"raw.getInt({at}) != 0"
    kind = field["type"]["base"]
    return {"char": f"Reading.cText(raw.getLong({at}))", "float": f"raw.getFloat({at})", "size_t": f"raw.getLong({at})",
            "uint32_t": f"Integer.toUnsignedLong(raw.getInt({at}))",
            "dragoman_string": f"Reading.string(raw, {at})", "dragoman_tokens": f"Reading.tokens(raw, {at})"}[kind]


def reading(given: dict, held: list[tuple[str, str]], structs: dict[str, dict]) -> str:
    """The constructor of a result that reads it: from C's struct, from a handle whose methods have its fields' names,
    or as values.json says. What is read there under other names is for what follows."""
    struct, handle = structs.get(given.get("struct", "")), given.get("handle", "")
    parameters = ", ".join(([] if not struct else ["ByteBuffer raw"]) + given["given"])
    names = {one.split()[-1] for one in given["given"]}
    own_reads, lines = given.get("read", {}), []
    for java, own in held:
        if own in own_reads:
            continue
        found = own if own in names else handle.format(own) if handle else read_field(struct, java, own)
        if java.startswith("Supplier<"):
            found = f"Reading.perhaps(() -> {found})"
        lines.append(f"this.{own} = {found};")
    fields = {own for _, own in held}
    lines += [f"{'this.' if own in fields else 'var '}{own} = {found};" for own, found in own_reads.items()]
    return f"    {given['name']}({parameters}) {{\n" + "".join(f"        {line}\n" for line in lines) + "    }\n"


def value(given: dict, structs: dict[str, dict]) -> str:
    """A class of results from values.json: its fields, a constructor, and a method for each."""
    name, visible = given["name"], [(*row[:3], row[3] if len(row) > 3 else "") for row in given["fields"]]
    fields = [(*row, "") for row in given.get("hidden", [])] + visible
    held = [(f"Supplier<{java}>" if more else java, own) for java, own, _, more in fields]
    members = "".join(f"    private final {java} {own};\n" for java, own in held)
    parameters = ", ".join(f"{java} {own}" for java, own in held)
    sets = "".join(f"        this.{own} = {own};\n" for _, own in held)
    begin = f"    {name}({parameters}) {{\n{sets}    }}\n"
    if "given" in given:
        begin = reading(given, held, structs)
    if "public" in given:
        tags = tuple(f"@param {own} {doc[0].lower() + doc[1:]}" for _, own, doc, _ in fields)
        begin = javadoc(given["public"], 4, tags) + begin.replace("    ", "    public ", 1)
    body = ""
    for java, own, doc, more in visible:
        tags = ("@return the value", *((f"@throws UnsupportedException {more}",) if more else ()))
        get = f"{own}.get()" if more else own
        body += f"\n{javadoc(doc, 4, tags)}    public {java} {own}() {{\n        return {get};\n    }}\n"
    for returns, method, doc, expression in given.get("methods", []):
        named = [f"@param {one} the value" for one in re.findall(r"\w+(?=[,)])", method)]
        body += (f"\n{javadoc(doc, 4, (*named, '@return the value'))}    public {returns} {method} {{\n"
                 f"        return {expression};\n    }}\n")
    if not any(java.startswith("Supplier<") for java, _ in held):
        body += equality(name, held)
    if "text" in given:
        body += f"\n    @Override\n    public String toString() {{\n        return {given['text']};\n    }}\n"
    imports = "".join(f"import java.{each};\n"
                      for each in ("nio.ByteBuffer", "util.List", "util.Set", "util.function.Supplier")
                      if re.search(rf"\b{each.split('.')[-1]}\b", members + begin + body))
    return (HEAD + (imports + "\n" if imports else "") + javadoc(given["doc"]) +
            f"public final class {name} {{\n{members}\n{begin}{body}}}\n")


def offsets(structs: list[dict]) -> str:
    """Where the fields of structs are that no class above reads or writes, and how many bytes they have."""
    rows = ""
    for struct in structs:
        if struct["name"].endswith("_options") or struct["name"] == "dragoman_vulkan_device":
            continue
        layout, name = struct["layout"]["lp64"], struct["name"].removeprefix("dragoman_").upper()
        rows += f"    static final int {name} = {layout['size']};\n"
        if not re.search(r"_info$|_counts$|stats$", struct["name"]):
            rows += "".join(f"    static final int {name}_{field.upper()} = {at};\n"
                            for field, at in offsets_of(struct).items() if field != "struct_size")
    job = next(struct for struct in structs if struct["name"] == "dragoman_job_options")
    rows += "".join(f"    static final int JOB_OPTIONS_{field.upper()} = {offsets_of(job)[field]};\n"
                    for field in ("on_event", "user", "events", "fed"))
    return (HEAD + "/** Sizes of structs and offsets of their fields, in bytes. */\n"
            f"final class Offsets {{\n{rows}\n    private Offsets() {{}}\n}}\n")


def constant(constants: list[dict]) -> str:
    rows = "".join(f"    static final long {one['name'].removeprefix('DRAGOMAN_')} = {one['value']}L;\n"
                   for one in constants if isinstance(one["value"], int))
    return HEAD + f"/** Constants of the C API. */\nfinal class Constants {{\n{rows}\n    private Constants() {{}}\n}}\n"
