#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_options.py ROOT [LIBRARY TOOL]: names every place where an option of capi/options.json is missing or has
another type, default or range; also in the built library and tool, where they are given."""
import pathlib
import sys

import options_library
import options_places
import options_table
import options_tool


def main():
    root = pathlib.Path(sys.argv[1])
    options = options_table.read(root)
    faults = [*options_table.table(options)]
    for check in options_places.PLACES:
        faults += check(root, options)
    if len(sys.argv) > 2:
        faults += options_library.check(root, options, sys.argv[2])
        faults += options_tool.check(options, sys.argv[3])
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
