# SPDX-License-Identifier: Apache-2.0
"""What this library can do as it was built and where it runs."""
from __future__ import annotations

import itertools

from ._library import lib

__all__ = ["features", "has_feature"]


def has_feature(name: str) -> bool:
    """Whether there is "format.ctranslate2", "compute.float16", "search.marian", "jobs.partial" and so on; also False
    for a name that the library does not know."""
    return bool(lib.dragoman_has_feature(name.encode("utf-8", "replace")))


def features() -> list[str]:
    """The names of all features."""
    names = map(lib.dragoman_feature_name, itertools.count())
    return [name.decode() for name in itertools.takewhile(bool, names) if has_feature(name.decode())]
