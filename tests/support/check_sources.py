#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names every #include that points against the arrows, and every source file without its SPDX line."""
import pathlib
import re
import sys

FOLDERS = {
    "base": set(),
    "files": {"base"},
    "spec": {"base", "files"},
    "formats": {"base", "files", "spec"},
    "families": {"base", "files", "spec", "formats"},
    "vulkan": {"base", "files"},
    "ops": {"base", "vulkan"},
    "nn": {"base", "files", "spec", "vulkan", "ops"},
    "decode": {"base", "spec", "vulkan", "ops", "nn"},
    "text": {"base", "files", "spec"},
    "translate": {"base", "files", "spec", "families", "vulkan", "ops", "nn", "decode", "text"},
    "bench": {"base", "spec", "vulkan", "ops", "nn", "decode", "text", "translate"},
    "picture": set(),
}
OPEN = {"picture"}  # no part of the library: the CLI and samples may use it
PUBLIC = "dragoman/"  # the installed headers: all that samples, the CLI and bindings see
SOURCE_FOLDERS = ("lib", "shaders", "capi", "samples", "tests", "bench", "scripts", "bindings")
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".comp", ".glsl", ".py", ".sh", ".cmake", ".rs", ".java", ".js", ".ts"}
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


def main():
    root = pathlib.Path(sys.argv[1])
    if not any(sources(root, "lib")):
        sys.exit(f"{root}: no sources found")
    faults = [*wrong_arrows(root), *missing_licence(root)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
