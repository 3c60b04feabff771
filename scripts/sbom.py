#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what a build has in it, as CycloneDX 1.5 in JSON: one of the library, of the tool or of the Python wheel.

    sbom.py BUILD [--of library|tool|wheel] [--static PREFIX/sources] [-o FILE] [--validate]

Libraries: those that Ninja links the built files with, and those that headers came from which a compiler read for them
(`ninja -t deps`). Versions: of the Debian packages that these files belong to; --static names the folder of sources that a
portable build was made of (scripts/cross/sources.sh), whose archives have theirs. vcpkg.json has to name each that is
linked, under its own name. The same build gives the same bytes. --validate: against CycloneDX's schema, by
cyclonedx-python-lib[json-validation] of PyPI; exit code 3 where that is not installed.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Debian's source package: name in vcpkg.json ("": not a dependency there), licence.
KNOWN = {
    "boost1.74": ("", "BSL-1.0"), "boost1.83": ("", "BSL-1.0"), "cld2": ("cld2", "Apache-2.0"), "cli11": ("cli11", "BSD-3-Clause"),
    "curl": ("", "curl"), "expat": ("expat", "MIT"), "fmtlib": ("fmt", "MIT"), "icu": ("icu", "Unicode-3.0"),
    "libarchive": ("", "BSD-2-Clause"), "libstb": ("stb", "MIT"), "libzip": ("libzip", "BSD-3-Clause"),
    "libzstd": ("zstd", "BSD-3-Clause"), "md4c": ("md4c", "MIT"), "nlohmann-json3": ("nlohmann-json", "MIT"),
    "openssl": ("", "Apache-2.0"), "protobuf": ("", "BSD-3-Clause"), "sentencepiece": ("sentencepiece", "Apache-2.0"), "sqlite3": ("sqlite3", "blessing"),
    "vulkan-loader": ("vulkan-headers", "Apache-2.0"),  # whose package has the headers in Debian
    "vulkan-headers": ("vulkan-headers", "Apache-2.0"), "vulkan-memory-allocator": ("vulkan-memory-allocator", "MIT"),
    "volk": ("volk", "MIT"), "vulkan-volk": ("volk", "MIT"), "yaml-cpp": ("yaml-cpp", "MIT"), "zlib": ("zlib", "Zlib"),
}
TOOLCHAIN = {"glibc", "linux", "gcc-12", "gcc-13", "gcc-14", "gcc-15", "llvm-toolchain-16", "libxcrypt"}  # of the system, not ours
OF = {"library": ["capi/libdragoman.so", "capi/libdragoman_documents.so", "capi/libdragoman_models.so"],
      "tool": ["bin/dragoman"]}
OF["wheel"] = OF["library"]


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, **more).stdout


def version_of_project():
    return re.search(r"^project\(dragoman VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]


def linked_files(build, outputs):
    """Libraries on the command lines that link them."""
    found = set()
    for output in outputs:
        line = run("ninja", "-C", build, "-t", "commands", "-s", output)
        for word in line.split():
            if re.search(r"\.(a|so)([.0-9]*)$", word) and not word.startswith("-"):
                path = pathlib.Path(os.path.normpath(build / word))
                if build not in path.parents:
                    found.add(path)
    return found


def read_headers(build, outputs):
    """Headers outside the project that went into the objects of these files."""
    wanted, objects = list(outputs), set()
    while wanted:
        name = wanted.pop()
        for line in run("ninja", "-C", build, "-t", "query", name).splitlines()[1:]:
            if line.startswith("  outputs:"):
                break
            entry = line.strip().lstrip("| ")
            if entry.endswith(".o"):
                objects.add(entry)
            elif re.search(r"\.(a|so)[.0-9]*$", entry) and not entry.startswith("/"):
                wanted.append(entry)
    headers, of_ours = set(), False
    for line in run("ninja", "-C", build, "-t", "deps").splitlines():
        if line and not line.startswith(" "):
            of_ours = line.split(":")[0] in objects
        elif of_ours and line.strip():  # relative to the build, or not
            headers.add(pathlib.Path(os.path.normpath(build / line.strip())))
    return {path for path in headers if not {ROOT, build} & set(path.parents) or ROOT / "vulkan-sdk" in path.parents}


def packages_of(paths):
    """{source package: version} by dpkg; paths that no package has."""
    real = {os.path.realpath(path) for path in paths}
    names, known = set(), set()
    listed = sorted(real | {str(path) for path in paths})
    for start in range(0, len(listed), 500):
        said = subprocess.run(["dpkg-query", "-S", *listed[start:start + 500]], capture_output=True, text=True, check=False).stdout
        for line in said.splitlines():
            package, _, path = line.partition(": ")
            names.add(package.split(",")[0])
            known.add(os.path.realpath(path))
    found = {}
    for line in run("dpkg-query", "-W", "-f", "${source:Package}\t${source:Version}\n", *sorted(names)).splitlines() if names else []:
        source, version = line.split("\t")
        found[source] = version
    return found, sorted(real - known)


def of_sdk(paths):
    """Headers of ./vulkan-sdk or another SDK, by what they say themselves."""
    found, left = {}, []
    for path in paths:
        root = next((parent for parent in pathlib.Path(path).parents if (parent / "vulkan/vulkan_core.h").exists()), None)
        if not root:
            left.append(path)
            continue
        core = (root / "vulkan/vulkan_core.h").read_text(encoding="utf-8")
        found["vulkan-headers"] = "1.4." + re.search(r"#define VK_HEADER_VERSION (\d+)", core)[1]
        for name, file, pattern in (("volk", "volk.h", r"VOLK_HEADER_VERSION (\d+)"),
                                    ("vulkan-memory-allocator", "vk_mem_alloc.h", r"<b>Version ([0-9.]+)")):
            if pathlib.Path(path).name == file:
                said = re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"))
                found[name] = said[1] if said else "unknown"
    return found, left


def of_archives(folder):
    """Of a portable build: NAME_VERSION.orig.tar.xz."""
    return {path.name.split("_")[0]: re.sub(r"\.orig\.tar\..*", "", path.name.split("_", 1)[1])
            for path in sorted(pathlib.Path(folder).glob("*.orig.tar.*")) if not path.name.endswith(".asc")}


def suite():
    text = pathlib.Path("/etc/os-release").read_text(encoding="utf-8")
    return dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.M)).get("VERSION_CODENAME", "")


def component(name, version, debian):
    if name not in KNOWN:
        raise SystemExit(f"sbom.py: {name} {version} is linked, and is not among those that it knows: add its licence")
    vcpkg, licence = KNOWN[name]
    made = {"type": "library", "bom-ref": name, "name": name, "version": version, "licenses": [{"license": {"id": licence}}]}
    if debian:
        made["purl"] = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch=source&distro={debian}"
    if vcpkg:
        made["properties"] = [{"name": "dragoman:vcpkg", "value": vcpkg}]
    return made


def missing_of_vcpkg(components):
    data = json.loads((ROOT / "vcpkg.json").read_text(encoding="utf-8"))
    entries = list(data["dependencies"]) + [each for feature in data["features"].values() for each in feature["dependencies"]]
    names = {each if isinstance(each, str) else each["name"] for each in entries}
    return sorted(KNOWN[each["name"]][0] for each in components if KNOWN[each["name"]][0] not in names | {""})


def validate(text):
    try:
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
        fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    except Exception as problem:  # not there, or without what it needs for JSON
        if "cyclonedx" not in type(problem).__module__ and not isinstance(problem, ImportError):
            raise
        print(f"sbom.py: expected cyclonedx-python-lib[json-validation]: {problem}", file=sys.stderr)
        return 3
    if fault:
        print(f"sbom.py: {fault}", file=sys.stderr)
        return 1
    return 0


def make(build, kind, archives):
    outputs = [name for name in OF[kind] if (build / name).exists()]
    if not outputs:
        raise SystemExit(f"sbom.py: {build}: expected one of {', '.join(OF[kind])}, there is none")
    outputs = [os.path.relpath(os.path.realpath(build / name), build) for name in outputs]
    headers = read_headers(build, outputs)
    found, left = packages_of(linked_files(build, outputs) | headers)
    sdk, left = of_sdk(left)
    components = [component(name, version, suite()) for name, version in found.items() if name not in TOOLCHAIN and name not in sdk]
    components += [component(name, version, "") for name, version in sdk.items()]
    if archives:
        components = [component(name, version, suite()) for name, version in of_archives(archives).items()]
        components += [component(name, version, "") for name, version in sdk.items()]
    elif left:
        raise SystemExit(f"sbom.py: no package has {left[:5]}")
    components.sort(key=lambda each: each["name"])
    if lacking := missing_of_vcpkg(components):
        raise SystemExit(f"sbom.py: vcpkg.json: expected {', '.join(lacking)}, which this build links")
    name = {"library": "libdragoman", "tool": "dragoman", "wheel": "dragoman-python"}[kind]
    version = version_of_project()
    purl = f"pkg:pypi/dragoman@{version}" if kind == "wheel" else f"pkg:generic/{name}@{version}"
    own = {"type": "application" if kind == "tool" else "library", "bom-ref": name, "name": name, "version": version,
           "purl": purl, "licenses": [{"license": {"id": "Apache-2.0"}}]}
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": own},
           "components": components,
           "dependencies": [{"ref": name, "dependsOn": [each["bom-ref"] for each in components]}]}
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        import datetime
        bom["metadata"]["timestamp"] = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).isoformat()
    bom["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True))}"
    return json.dumps(bom, indent=1, sort_keys=True) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--of", choices=OF, default="library")
    parser.add_argument("--static", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--validate", action="store_true")
    options = parser.parse_args()
    text = make(options.build.resolve(), options.of, options.static)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return validate(text) if options.validate else 0


if __name__ == "__main__":
    sys.exit(main())
