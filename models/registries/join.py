#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the data files of registries as one JSON object, names of files to contents."""
import argparse
import json
import pathlib


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()

    joined = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in options.files}
    ids = [data["id"] for data in joined.values()]
    for path, data in zip(options.files, joined.values()):
        if ids.count(data["id"]) > 1:
            parser.error(f"{path}: {data['id']} is the id of another file too")
    options.output.write_text(json.dumps(joined, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
