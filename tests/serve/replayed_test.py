#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Requests of many programs, replayed: replayed_test.py TOOL PROJECT"""
import pathlib
import sys

tool, project = sys.argv[1:3]
sys.path.insert(1, str(pathlib.Path(project) / "scripts" / "clients"))
import replayed  # noqa: E402
from service import Service  # noqa: E402

with Service(tool, project) as service:
    results = replayed.replay(service.url)
failed = 0
for each in results:
    for failure in each.failed:
        failed += 1
        print(f"{each.client}: {failure['call']}\n  expected {failure['expected']}\n  got      {failure['answer']}")
calls = sum(each.calls for each in results)
print(f"{len(results)} programs, {calls} requests, {failed} failed")
sys.exit(1 if failed or calls < 50 else 0)
