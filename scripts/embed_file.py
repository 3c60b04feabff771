#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C++ source that holds a file's bytes as a span<const unsigned char>, declared in a header."""
import argparse
import gzip
import pathlib


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--header", required=True, help="declares the symbol")
    parser.add_argument("--symbol", required=True, help="name with its namespaces")
    parser.add_argument("--gzip", action="store_true", help="hold it compressed, the same bytes every time")
    options = parser.parse_args()

    data = options.input.read_bytes()
    if options.gzip:
        data = gzip.compress(data, 9, mtime=0)
    lines = [",".join(map(str, data[i:i + 32])) for i in range(0, len(data), 32)]
    namespace, _, name = options.symbol.rpartition("::")
    options.output.write_text(
        "// SPDX-License-Identifier: Apache-2.0\n"
        f"// Written by the build from {options.input.name}.\n"
        f"#include \"{options.header}\"\n\n"
        f"namespace {namespace} {{\nnamespace {{\n\nconstexpr unsigned char bytes[] = {{\n"
        + ",\n".join(lines) +
        f"}};\n\n}}  // namespace\n\nconstinit const std::span<const unsigned char> {name}{{bytes}};\n\n"
        f"}}  // namespace {namespace}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
