#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_packages_test.py SOURCE: check_packages.py names what is wrong, in a copy where something is."""
import pathlib
import shutil
import sys
import tempfile

import check_packages

NAMES = ["usr/bin/dragoman", "usr/include/dragoman/dragoman.h", "usr/lib/cpu-linux-gnu/cmake/dragoman/dragomanConfig.cmake",
         "usr/lib/cpu-linux-gnu/libdragoman.so", "usr/lib/cpu-linux-gnu/libdragoman.so.1",
         "usr/lib/cpu-linux-gnu/libdragoman.so.1.0.0", "usr/lib/cpu-linux-gnu/libdragoman_documents.so",
         "usr/lib/cpu-linux-gnu/libdragoman_documents.so.1", "usr/lib/cpu-linux-gnu/libdragoman_models.so",
         "usr/lib/cpu-linux-gnu/libdragoman_models.so.1", "usr/lib/cpu-linux-gnu/pkgconfig/dragoman-models.pc",
         "usr/lib/cpu-linux-gnu/pkgconfig/dragoman.pc",
         "usr/lib/cpu-linux-gnu/pkgconfig/dragoman-documents.pc", "usr/share/doc/dragoman/LICENSE",
         "usr/share/bash-completion/completions/dragoman", "usr/share/fish/vendor_completions.d/dragoman.fish",
         "usr/share/zsh/site-functions/_dragoman", "usr/share/man/man1/dragoman.1",
         "usr/share/dragoman/models/en-de/config.json"]
FAULTS = [  # file, what it says, what it says instead, a part of the complaint
    ("CMakeLists.txt", "VERSION 1.0.0", "VERSION 1.0.1", "expected version 1.0.1, got 1.0.0"),
    ("CMakeLists.txt", "VERSION 1.0.0", "VERSION 2.0.0", "expected a package libdragoman2"),
    ("bindings/node/package.json", '"version": "1.0.0"', '"version": "1.1.0"', "expected version 1.0.0, got 1.1.0"),
    ("scripts/packaging/debian/dragoman.install", "usr/bin/dragoman", "usr/bin/translate", "usr/bin/dragoman is in no package"),
    ("scripts/packaging/debian/dragoman.install", "usr/bin", "usr/lib/*/libdragoman.so\nusr/bin", "dragoman and libdragoman-dev"),
    ("scripts/packaging/debian/dragoman.manpages", "man/man1", "man/man8", "nothing is installed as usr/share/man/man8/*.1"),
    ("scripts/packaging/debian/libdragoman-dev.install", "usr/include", "usr/sbin\nusr/include", "nothing is installed as usr/sbin"),
    ("scripts/packaging/Containerfile", "libdragoman1_", "libdragoman2_", "got libdragoman2"),
    ("scripts/packaging/conan/conanfile.py", '"shaders/*"', '"shader/*"', "there is no shader/*"),
]


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        for part in ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "bindings/node/package.json"):
            (copy / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / part, copy / part)
        shutil.copytree(source / "scripts", copy / "scripts")
        for name in ("capi", "lib", "models", "samples", "shaders", "tools"):
            (copy / name).symlink_to(source / name)
        found = list(check_packages.faults(copy, NAMES))
        assert not found, found
        for path, old, new, complaint in FAULTS:
            text = (copy / path).read_text(encoding="utf-8")
            assert old in text, (path, old)
            (copy / path).write_text(text.replace(old, new, 1), encoding="utf-8")
            found = list(check_packages.faults(copy, NAMES))
            assert any(complaint in line for line in found), (path, new, found)
            (copy / path).write_text(text, encoding="utf-8")
    print(f"{len(FAULTS)} faults named")


main()
