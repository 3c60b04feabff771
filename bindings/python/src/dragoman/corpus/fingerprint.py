# SPDX-License-Identifier: Apache-2.0
"""What translations depend on, as a dict of short texts: equal ones give equal outputs on one kind of device."""
from __future__ import annotations

import functools
import hashlib
import json
import os
from typing import Any, Mapping

from ..model import describe


@functools.lru_cache(maxsize=256)
def _digest(path: str, size: int, changed: int) -> str:
    made = hashlib.sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            made.update(part)
    return made.hexdigest()[:32]


def of_file(path: str | os.PathLike[str]) -> str:
    """Of its content; read once in a process while it does not change."""
    found = os.stat(path)
    return _digest(os.fspath(path), found.st_size, found.st_mtime_ns)


@functools.lru_cache(maxsize=16)
def _place(model: str | None, _named: str | None) -> str:
    return describe(model).path


def of_model(model: str | None) -> str:
    """Of all files of a model, whose places do not matter. Needs no device."""
    path = _place(model, os.environ.get("DRAGOMAN_MODEL") if model is None else None)
    if not os.path.isdir(path):
        return of_file(path)
    names = sorted(os.path.relpath(os.path.join(folder, name), path)
                   for folder, _, files in os.walk(path) for name in files)
    listed = [f"{name}\t{of_file(os.path.join(path, name))}" for name in names]
    return hashlib.sha256("\n".join(listed).encode()).hexdigest()[:32]


def of_glossary(glossary: Any) -> str:
    """Of a file, or of a dict's terms in their order."""
    if isinstance(glossary, Mapping):
        return hashlib.sha256(json.dumps(list(glossary.items())).encode()).hexdigest()[:32]
    return of_file(glossary)


def together(parts: Mapping[str, Any]) -> str:
    """One text for all parts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]
