#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_packages.py SOURCE [BUILD]: names every place where the files of packages (scripts/packaging, bindings/node, vcpkg.json) say
something else than CMakeLists.txt, and with a build folder every installed file that is in no Debian package or in two."""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def project_version(root):
    return re.search(r"^project\(dragoman VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(), re.M).group(1)


def stated_versions(root):
    """(file, version) of all that write it down."""
    debian = root / "scripts/packaging/debian"
    changelog = debian / "changelog"
    found = re.search(r"dragoman \(([0-9.]+)[^)]*\)", changelog.read_text(encoding="utf-8"))
    yield changelog, found.group(1) if found else "none"
    for path in (root / "bindings/node/package.json", root / "vcpkg.json"):
        if path.exists():
            stated = json.loads(path.read_text(encoding="utf-8"))
            yield path, next((stated[key] for key in ("version", "version-semver", "version-string") if key in stated), "none")


def debian_packages(root):
    return set(re.findall(r"^Package: (\S+)", (root / "scripts/packaging/debian/control").read_text(encoding="utf-8"), re.M))


def wrong_names(root, version):
    debian, packages = root / "scripts/packaging/debian", debian_packages(root)
    major = version.split(".")[0]
    for library in ("libdragoman", "libdragoman-documents"):
        if library + major not in packages:
            yield f"{debian}/control: expected a package {library}{major}, found {', '.join(sorted(packages))}"
    for path in (*debian.glob("*.install"), *debian.glob("*.symbols")):
        if path.stem not in packages:
            yield f"{path}: expected one of {', '.join(sorted(packages))}"
    container = root / "scripts/packaging/Containerfile"
    for name in re.findall(r"(\S+)_\*\.deb", container.read_text(encoding="utf-8")):
        if name not in packages:
            yield f"{container}: expected one of {', '.join(sorted(packages))}, got {name}"


def missing_sources(root):
    text = (root / "scripts/packaging/conan/conanfile.py").read_text(encoding="utf-8")
    for pattern in re.findall(r'"([^"]+)"', re.search(r"^SOURCES = \((.*?)\)", text, re.M | re.S).group(1)):
        if not list(root.glob(pattern)):
            yield f"scripts/packaging/conan/conanfile.py: there is no {pattern}"


def patterns(root):
    """(pattern, package) of what debhelper installs."""
    debian = root / "scripts/packaging/debian"
    for path in (*debian.glob("*.install"), *debian.glob("*.manpages"), debian / "not-installed"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if words := line.split():  # a second word is the folder in the package
                yield words[0].removeprefix("debian/tmp/"), path.stem


def matches(name, pattern):
    return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(name, pattern + "/*")


def wrong_lists(root, names):
    """`names`: installed files, as Debian has them, without static libraries."""
    wanted = list(patterns(root))
    for name in names:
        takers = sorted({package for pattern, package in wanted if matches(name, pattern)})
        if len(takers) != 1:
            yield f"scripts/packaging/debian: {name} is in {' and '.join(takers) or 'no package'}"
    for pattern, package in wanted:
        if not any(matches(name, pattern) for name in names):
            yield f"scripts/packaging/debian/{package}: nothing is installed as {pattern}"


def installed(build):
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        files = [path.relative_to(prefix).as_posix() for path in pathlib.Path(prefix).rglob("*") if not path.is_dir()]
    libraries = re.compile(r"^(lib(?:64)?)/(?:[^/]*-linux-[^/]*/)?")
    return [f"usr/{libraries.sub('lib/cpu-linux-gnu/', name)}" for name in files if not name.endswith(".a")]


def faults(root, names=None):
    version = project_version(root)
    for path, stated in stated_versions(root):
        if stated != version:
            yield f"{path}: expected version {version}, got {stated}"
    yield from wrong_names(root, version)
    yield from missing_sources(root)
    if names is not None:
        yield from wrong_lists(root, names)


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(faults(root, installed(sys.argv[2]) if len(sys.argv) > 2 else None))
    print("\n".join(found) or "packages agree with CMakeLists.txt")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
