#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""count_headers.py REPOSITORY [FOLDER] [--most N] [--list]: how many of our headers each source file of FOLDER
(lib/pipeline) reads, what g++ -MM counts, and which headers most files read. Exit code 1 where the median is above N."""
import argparse
import collections
import functools
import pathlib
import re
import statistics
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)


class Headers:
    def __init__(self, root):
        self.root = root
        self.places = [root / place for place in ("lib", "shaders", "capi/include", "capi")]

    def find(self, name, beside):
        return next((path for path in (beside / name, *(place / name for place in self.places)) if path.is_file()), None)

    @functools.cache
    def direct(self, path):
        found = (self.find(name, path.parent) for name in INCLUDE.findall(path.read_text(encoding="utf-8")))
        return tuple(header.resolve() for header in found if header)

    def of(self, path):
        seen, left = set(), [path.resolve()]
        while left:
            for header in self.direct(left.pop()):
                if header not in seen:
                    seen.add(header)
                    left.append(header)
        return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("folder", nargs="?", default="lib/pipeline")
    parser.add_argument("--most", type=float, help="the median may not be above")
    parser.add_argument("--list", action="store_true", help="each file, and what brings a header in")
    args = parser.parse_args()
    headers = Headers(args.root)
    counts, readers, brought = {}, collections.Counter(), collections.Counter()
    for source in sorted((args.root / args.folder).rglob("*.cpp")):
        read = headers.of(source)
        counts[source] = len(read)
        readers.update(read)
    for header in readers:
        brought[header] = len(headers.of(header)) + 1
    if args.list:
        for source, count in sorted(counts.items(), key=lambda item: -item[1]):
            print(f"{count:4} {source.relative_to(args.root)}")
        print("\nfiles that read it, headers that it is with those that it brings")
        for header, count in readers.most_common(60):
            print(f"{count:4} {brought[header]:4} {header.relative_to(args.root)}")
    median = statistics.median(counts.values())
    print(f"{args.folder}: {len(counts)} files, {median:g} of our headers in the median, "
          f"{min(counts.values())} to {max(counts.values())}")
    return args.most is not None and median > args.most


if __name__ == "__main__":
    sys.exit(main())
