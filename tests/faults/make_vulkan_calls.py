#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_vulkan_calls.py VK_XML: writes vulkan_calls.inc, the Vulkan functions that the library and its allocator call
and that return a VkResult, each with the errors that Vulkan's registry lets it return. VK_XML comes with the headers of
Vulkan (Debian: libvulkan-dev, /usr/share/vulkan/registry/vk.xml)."""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Not errors, but answers that ask for more than going on.
ANSWERS = {"VK_INCOMPLETE", "VK_TIMEOUT", "VK_NOT_READY"}
# What the allocator could do besides, and the library does not ask for.
UNUSED = re.compile("Image|Win32|Fence")
# Any function may return these; no driver has a reason to.
ANYWHERE = {"VK_ERROR_UNKNOWN", "VK_ERROR_VALIDATION_FAILED", "VK_ERROR_VALIDATION_FAILED_EXT"}


def called():
    folders = [ROOT / "lib/vulkan", ROOT / "vulkan-sdk/include"]
    files = [*folders[0].glob("*.h"), *folders[0].glob("*.cpp"), *folders[1].rglob("vk_mem_alloc.h")]
    if not any(file.name == "vk_mem_alloc.h" for file in files):
        raise SystemExit(f"{folders[1]}: vk_mem_alloc.h is not there")
    return {word for file in files for word in re.findall(r"\bvk[A-Z]\w+", file.read_text(encoding="utf-8"))}


def main():
    registry = ElementTree.parse(sys.argv[1]).getroot()
    commands, aliases = {}, {}
    for command in registry.iterfind("commands/command"):
        if command.get("alias"):
            aliases[command.get("name")] = command.get("alias")
        elif command.get("api", "vulkan") != "vulkansc":
            commands[command.findtext("proto/name")] = command
    returns, destroys = [], []
    for name in sorted(called()):
        command = commands.get(aliases.get(name, name))
        if command is None or UNUSED.search(name):
            continue
        if re.match(r"vk(Destroy|FreeMemory)", name):
            destroys.append(name)
        if command.findtext("proto/type") != "VkResult":
            continue
        codes = [code for code in command.get("errorcodes", "").split(",") if code and code not in ANYWHERE]
        codes += [code for code in command.get("successcodes", "").split(",") if code in ANSWERS]
        returns.append((name, codes))
    lines = ["// SPDX-License-Identifier: Apache-2.0", "// Written by make_vulkan_calls.py from Vulkan's registry."]
    for name, codes in returns:
        line = f"CALL({name}"
        for code in codes:
            if len(line) + len(code) + 3 > 118:
                lines.append(line + ",")
                line = "     " + code
            else:
                line += ", " + code
        lines.append(line + ")")
    lines += [f"DESTROY({name})" for name in destroys]
    (HERE / "vulkan_calls.inc").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
