#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names every #include that points against the arrows, every source file without its SPDX line, and every line with the
host of a package registry: programs and pages take the mirror that the machine has."""
import pathlib
import re
import sys

FOLDERS = {
    "base": set(),
    "vulkan": {"base"},
    "ops": {"base", "vulkan"},
    "nn": {"base", "vulkan", "ops"},
    "model": {"base", "vulkan", "ops", "nn"},
    "decode": {"base", "vulkan", "ops", "nn"},
    "text": {"base"},
    "translate": {"base", "vulkan", "ops", "nn", "model", "decode", "text"},
    "bench": {"base", "vulkan", "ops", "nn", "model", "decode", "text", "translate"},
    "picture": set(),
}
OPEN = {"picture"}  # no part of the library: the CLI and samples may use it
PUBLIC = "dragoman/"  # the installed headers: all that samples, the CLI and bindings see
SOURCE_FOLDERS = ("lib", "shaders", "capi", "samples", "tests", "bench", "scripts", "bindings")
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".comp", ".glsl", ".py", ".sh", ".cmake", ".rs", ".java", ".js", ".ts"}
REGISTRY = re.compile(r"\b(debian|ubuntu|pypi|pythonhosted|npmjs|crates|golang|maven)\.(org|io|com|net)\b")
FOREIGN = {"node_modules", "build"}  # what package managers leave


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
    outside = [*sources(root, "samples", "bindings", "capi/cli", "capi/include")]
    for path in outside:
        for number, name in included(path):
            if name.split("/")[0] in {*FOLDERS, "shared"} - OPEN and not (path.parent / name).is_file():
                yield f"{path}:{number}: only the C API may be used here, not {name}"


def missing_licence(root):
    for path in sources(root, *SOURCE_FOLDERS):
        with path.open(encoding="utf-8") as file:
            head = file.readline() + file.readline()
        if "SPDX-License-Identifier: Apache-2.0" not in head:
            yield f"{path}: no SPDX line"


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


def main():
    root = pathlib.Path(sys.argv[1])
    if not any(sources(root, "lib")):
        sys.exit(f"{root}: no sources found")
    faults = [*wrong_arrows(root), *missing_licence(root), *registry_hosts(root)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
