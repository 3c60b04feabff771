#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replays requests of programs that cannot be installed here against a running service: replayed.py URL [NAME]...

Prints a line of JSON for each program, and ends with 1 where a request did not get what that program needs."""
import json
import sys

import replayed_libretranslate
import replayed_others
from checks import Checks


def replay(url, names=()):
    """The calls and failures of each program, or of those named."""
    results = []
    for name, requests in {**replayed_libretranslate.ALL, **replayed_others.ALL}.items():
        if not names or name in names:
            checks = Checks(name, "replayed")
            requests(checks, url.rstrip("/"))
            results.append(checks)
    return results


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    results = replay(sys.argv[1], sys.argv[2:])
    for each in results:
        print(json.dumps({"client": each.client, "version": each.version, "calls": each.calls,
                          "passed": each.calls - len(each.failed), "failed": each.failed}, ensure_ascii=False))
    sys.exit(1 if not results or any(each.failed for each in results) else 0)


if __name__ == "__main__":
    main()
