#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names every #include that points against the arrows between folders and between the rooms of a folder, every file name
that two rooms of a folder share, every header of networks that a search's description leads to, every call of the
system outside the folders for that, every word of GNU's compilers without a branch for others, every use of ICU's C++ interface or of ICU without its target, every
source file without its SPDX line, every comment that begins as a note without a sentence ("Of the list.", "Likewise."), and
every line with the host of a package registry: programs and pages take the mirror that the machine has."""
import pathlib
import re
import sys

import system_names

FOLDERS = {
    "base": set(),
    "files": {"base"},
    "store": {"base", "files", "spec"},
    "download": {"base", "files"},
    "registry": {"base", "files", "spec", "formats", "store", "download"},
    "spec": {"base", "files"},
    "formats": {"base", "files", "spec"},
    "families": {"base", "files", "spec", "formats"},
    "vulkan": {"base", "files"},
    "ops": {"base", "vulkan"},
    "check": {"base", "vulkan", "ops", "decode"},
    "nn": {"base", "files", "spec", "vulkan", "ops"},
    "decode": {"base", "spec", "vulkan", "ops", "nn"},
    "text": {"base", "files", "spec"},
    "tm": {"base", "files", "spec", "text"},
    "markup": {"base", "spec", "text"},
    "documents": {"base", "files", "text", "markup"},
    "engine": {"base", "spec", "vulkan", "ops", "check", "nn", "decode"},
    "pipeline": {"base", "files", "store", "spec", "families", "vulkan", "ops", "nn", "decode", "engine", "text", "tm", "markup"},
    "convert": {"base", "spec", "families", "text", "pipeline"},
    "bench": {"base", "spec", "vulkan", "ops", "nn", "decode", "engine", "text", "pipeline"},
    "picture": set(),
}
# A folder's rooms, and which of their neighbours they may include. Files beside the rooms may include all of them.
ROOMS = {
    "families": {
        "common": set(),
        "huggingface": {"common"},
        "ctranslate2": {"common", "huggingface"},
        "gguf": {"common"},
        "marian": set(),
        "pytorch": set(),
    },
    "pipeline": {
        "model": set(),
        "value": {"model"},
        "protect": {"model", "value"},
        "stages": {"model", "value", "protect"},
        "run": {"model", "value", "protect", "stages"},
    },
}
# The same of the service, whose includes begin with "serve/". "": headers beside the rooms.
SERVICE = {
    "http": {""},
    "work": {""},
    "watch": {""},
    "guard": {"", "http"},
    "page": set(),
    "api": {"", "http", "work", "guard", "watch", "page"},
}
SERVICE_BASE = {"problem.h", "json.h", "ascii.h"}  # beside the rooms, for all of them
SERVICE_TOP = {"serve.h", "service.h", "folders.h", "measures.h", "environment.h", "keys_command.h"}  # for no room
OPEN = {"picture"}  # no part of the library: the CLI and samples may use it
OS = "base/os/"  # the CLI may use it, samples have support/os
PUBLIC = "dragoman/"  # the installed headers: all that samples, the CLI and bindings see
SOURCE_FOLDERS = ("lib", "shaders", "capi", "tools", "samples", "tests", "bench", "scripts", "bindings")
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".comp", ".glsl", ".py", ".sh", ".cmake", ".rs", ".go", ".cs", ".java", ".kt", ".kts",
            ".js", ".ts"}
REGISTRY = re.compile(r"\b(debian|ubuntu|pypi|pythonhosted|npmjs|crates|golang|maven)\.(org|io|com|net)\b")

# System calls stand in one folder for each system.
SYSTEM_FOLDERS = ("lib/base/os", "samples/support/os", "bench/os")
SYSTEM_FREE = ("lib", "shaders", "capi", "tools", "samples", "bench", "bindings")
SYSTEM_MACRO_FILES = {"capi/include/dragoman/basics.h"}  # says how symbols are exported

# Other extensions of GNU are warnings already, -Wpedantic's.
GNU = re.compile(r"\b(__attribute__|__builtin_\w+|__u?int128(?:_t)?|__extension__|__typeof__|__PRETTY_FUNCTION__|__asm__)"
                 r"|^\s*#\s*pragma\s+(GCC)\b")
COMPILER = re.compile(r"__GNUC__|__clang__|_MSC_VER")

ICU_HEADERS = {f"unicode/{name}.h" for name in (  # those of the C interface
    "ubrk", "uchar", "unorm2", "uregex", "ures", "uscript", "uset", "ustring", "utext", "utf8", "utf16", "utypes")}
ICU_MACRO = re.compile(r"\bU_SHOW_CPLUSPLUS_\w+")
ICU_MACRO_FILE = "scripts/cmake/dependencies.cmake"  # on the target ICU::uc, so that all who link it have the same

C_SUFFIXES = {".h", ".hpp", ".c", ".cpp"}
COMMENTED = C_SUFFIXES | {".comp", ".glsl"}
# The first words of a comment on lines of its own. "Of two rows, the first ..." may be a sentence: it has a comma.
HEADLESS = re.compile(r"\s*//+ (Likewise\b|Of [^,.:;]*[.:;])")
FOREIGN = {"node_modules", "build", "target"}  # what package managers leave


def included(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1)


def sources(root, *folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if FOREIGN & set(path.relative_to(root).parts):
                continue
            if path.is_file() and (path.suffix in SUFFIXES or path.name == "CMakeLists.txt"):
                yield path


def wrong_arrows(root):
    for path in sources(root, "lib"):
        own = path.relative_to(root / "lib").parts[0]
        if own not in FOLDERS:
            yield f"{path}: lib/{own} is not a folder the arrows know"
            continue
        for number, name in included(path):
            folder = name.split("/")[0]
            if folder in FOLDERS and folder != own and folder not in FOLDERS[own]:
                yield f"{path}:{number}: {own} must not include {name}"
            if own != "vulkan" and (name.startswith("vulkan/vulkan") or name in ("volk.h", "vk_mem_alloc.h")):
                yield f"{path}:{number}: Vulkan's own types stay in lib/vulkan"
            if name.startswith(PUBLIC):
                yield f"{path}:{number}: lib must not see the C API"
    outside = [*sources(root, "samples", "bindings", "tools", "capi/include")]
    tools = root / "tools"
    for path in outside:
        for number, name in included(path):
            if name.startswith(OS) and path.is_relative_to(tools):
                continue
            if name.split("/")[0] in {*FOLDERS, "shared"} - OPEN and not (path.parent / name).is_file():
                yield f"{path}:{number}: only the C API may be used here, not {name}"


def wrong_rooms(root):
    for folder, rooms in ROOMS.items():
        names = {}
        for path in sources(root, f"lib/{folder}"):
            parts = path.relative_to(root / "lib" / folder).parts
            if path.suffix not in C_SUFFIXES:
                continue
            first = names.setdefault(path.name, path)
            if first != path:
                yield f"{path}: expected a name that no other room has, {first} has it"
            own = parts[0] if len(parts) > 1 else None
            if own is None:
                continue
            if own not in rooms:
                yield f"{path}: lib/{folder}/{own} is not a room the arrows know"
                continue
            for number, name in included(path):
                where = name.split("/")
                if where[0] != folder:
                    continue
                room = where[1] if len(where) > 2 else None
                if room != own and room not in rooms[own]:
                    yield f"{path}:{number}: {folder}/{own} must not include {name}"


def wrong_rooms_of_service(root):
    base = root / "tools" / "serve"
    for path in sources(root, "tools/serve"):
        parts = path.relative_to(base).parts
        if len(parts) == 1 or path.suffix not in C_SUFFIXES:
            continue
        own = parts[0]
        if own not in SERVICE:
            yield f"{path}: tools/serve/{own} is not a room the arrows know"
            continue
        for number, name in included(path):
            where = name.split("/")
            if where[0] != "serve":
                continue
            room = where[1] if len(where) > 2 else ""
            wrong = room != own and room not in SERVICE[own]
            if room == "":
                wrong = name[6:] in SERVICE_TOP or (own in {"http", "work", "watch"} and name[6:] not in SERVICE_BASE)
            if wrong:
                yield f"{path}:{number}: serve/{own} must not include {name}"


def token_line(root):
    """What the pipeline hands to a search says nothing of networks, operations or Vulkan."""
    lib, door = root / "lib", "decode/search.h"
    seen, waiting = {door}, [door]
    while waiting:
        path = lib / waiting.pop()
        for number, name in included(path) if path.is_file() else ():
            if name.split("/")[0] in {"nn", "ops", "vulkan"}:
                yield f"{path}:{number}: {name}: a search is described without networks, operations or Vulkan"
            elif name not in seen:
                seen.add(name)
                waiting.append(name)


def code_lines(path):
    """Numbered lines without comments."""
    def without(match):
        return match[0] if match[0][0] in "\"'" else "\n" * match[0].count("\n")

    tokens = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/'
    text = re.sub(tokens, without, path.read_text(encoding="utf-8"), flags=re.DOTALL)
    yield from enumerate(text.splitlines(), 1)


def system_names_in(line):
    code = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
    yield from (f"{match[1]}()" for match in system_names.call.finditer(code))
    yield from (f"::{match[1]}" for match in system_names.global_call.finditer(code))
    yield from (match[1] for match in system_names.macro.finditer(code))
    yield from (f"/{match[1]}/" for match in system_names.path.finditer(line))


def system_calls(root):
    place = ", ".join(f"{folder}/<system>" for folder in SYSTEM_FOLDERS)
    for path in sources(root, *SYSTEM_FREE):
        name = path.relative_to(root).as_posix()
        own = any(name.startswith(folder) and name.count("/") > folder.count("/") + 1 for folder in SYSTEM_FOLDERS)
        if path.suffix not in C_SUFFIXES or own:
            continue
        for number, header in included(path):
            if system_names.header.fullmatch(header) and not (path.parent / header).is_file():
                yield f"{path}:{number}: <{header}> is of the system: only {place} may include it"
        if name in SYSTEM_MACRO_FILES:
            continue
        for number, line in code_lines(path):
            for found in system_names_in(line):
                yield f"{path}:{number}: {found} is of the system: only {place} may use it"


def gnu_alone(root):
    for path in sources(root, *SYSTEM_FREE):
        if path.suffix not in C_SUFFIXES or "posix" in path.parts:
            continue
        asked = []  # of each #if around the line: does it ask for the compiler
        for number, line in code_lines(path):
            directive = re.match(r"\s*#\s*(if|elif|else|endif)", line)
            if directive and directive[1] == "if":
                asked.append(False)
            if directive and directive[1] == "endif" and asked:
                asked.pop()
            elif directive and asked:
                asked[-1] |= bool(COMPILER.search(line))
            if (found := GNU.search(line)) and not any(asked):
                yield f"{path}:{number}: {found[1] or found[2]} is GNU's: expected a branch for other compilers"


def sees_icu(path, root):
    """Whether the file is compiled with ICU's target, which hides the C++ interface: lib/text links it and passes it on."""
    top, folder, *_ = path.relative_to(root).parts
    return top in ("lib", "tests") and (folder == "text" or "text" in FOLDERS.get(folder, ()))


def icu_in_cpp(root):
    for path in sources(root, *SYSTEM_FREE, "tests"):
        for number, name in included(path):
            if not name.startswith("unicode/"):
                continue
            if name not in ICU_HEADERS:
                yield f"{path}:{number}: <{name}>: expected one of ICU's C headers: {', '.join(sorted(ICU_HEADERS))}"
            if not sees_icu(path, root):
                yield f"{path}:{number}: <{name}>: only lib/text, and what uses it, is compiled for ICU"
    for path in [root / "CMakeLists.txt", *sources(root, *SOURCE_FOLDERS)]:
        name = path.relative_to(root).as_posix()
        if not path.is_file() or name == ICU_MACRO_FILE or path.suffix == ".py":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := ICU_MACRO.search(line):
                yield f"{path}:{number}: {match[0]} is set in one place, {ICU_MACRO_FILE}"


def missing_licence(root):
    for path in sources(root, *SOURCE_FOLDERS):
        with path.open(encoding="utf-8") as file:
            head = file.readline() + file.readline()
        if "SPDX-License-Identifier: Apache-2.0" not in head:
            yield f"{path}: no SPDX line"


def headless_comments(root):
    for path in sources(root, "lib", "shaders", "capi", "tools", "samples", "tests", "bench"):
        if path.suffix not in COMMENTED:
            continue
        before = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if (match := HEADLESS.match(line)) and not before.lstrip().startswith("//"):
                yield f"{path}:{number}: \"{match[1]}\": expected a sentence that says what stands below"
            before = "" if "SPDX" in line else line


def registry_hosts(root):
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    for folder in SOURCE_FOLDERS:
        pages += (root / folder).rglob("*.md")
    packages = [path for path in (root / "bindings").rglob("*") if path.suffix in (".json", ".toml", ".in")]
    for path in [*pages, *packages, *sources(root, *SOURCE_FOLDERS)]:
        if FOREIGN & set(path.relative_to(root).parts):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := REGISTRY.search(line):
                yield f"{path}:{number}: the host of a registry, {match.group()}"


def tests_without_namespace(root):
    """Tests of a folder are compiled together, so that what they define needs a namespace of the file's name."""
    for path in sources(root, "tests"):
        if not path.name.endswith("_test.cpp"):
            continue
        text = path.read_text(encoding="utf-8")
        if "TEST_CASE" in text and not re.search(rf"^namespace ([a-z:]+::)?{path.stem} {{$", text, re.MULTILINE):
            yield f"{path}:2: expected the namespace {path.stem}"


def main():
    root = pathlib.Path(sys.argv[1])
    if not any(sources(root, "lib")):
        sys.exit(f"{root}: no sources found")
    faults = [*wrong_arrows(root), *wrong_rooms(root), *wrong_rooms_of_service(root), *token_line(root),
              *system_calls(root), *gnu_alone(root), *icu_in_cpp(root), *missing_licence(root), *headless_comments(root),
              *registry_hosts(root), *tests_without_namespace(root)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
