# SPDX-License-Identifier: Apache-2.0
"""Files below folders, also through symbolic links, which may lead back to where they came from."""
from __future__ import annotations

import fnmatch
import glob
import os
from typing import Iterator, Sequence

_ANY_FOLDERS = "**"


def _below(folder: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """Those that are not hidden. A link that leads back is not followed, and one that leads nowhere is a file."""
    own = os.path.realpath(folder)
    if own in above:
        return
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if not entry.name.startswith(".")]
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            yield from _below(path, (*above, own))
        else:
            yield path


def _matches(names: Sequence[str], steps: Sequence[str]) -> bool:
    """Whether a path is one of a pattern's, both step by step."""
    if not steps:
        return not names
    if steps[0] == _ANY_FOLDERS:
        return any(_matches(names[begin:], steps[1:]) for begin in range(len(names) + 1))
    return bool(names) and fnmatch.fnmatch(names[0], steps[0]) and _matches(names[1:], steps[1:])


def _of_pattern(pattern: str) -> Iterator[str]:
    """glob follows links in circles where it has no number of steps."""
    steps = pattern.split(os.sep)
    if _ANY_FOLDERS not in steps:
        yield from (path for path in glob.glob(pattern) if not os.path.isdir(path))
        return
    place = steps.index(_ANY_FOLDERS)
    top = os.path.join(os.sep.join(steps[:place]), "") if place else ""
    for folder in glob.glob(top) if glob.has_magic(top) else [top]:
        for path in _below(folder or os.curdir):
            name = os.path.relpath(path, folder or os.curdir)
            if _matches(name.split(os.sep), steps[place:]):
                yield os.path.join(folder, name)


def find_files(pattern: str) -> list[tuple[str, str]]:
    """The files that a file's name, a folder or a pattern stands for, and their names below what was given. Raises
    OSError for a folder that cannot be read."""
    if os.path.isdir(pattern):
        return [(path, os.path.relpath(path, pattern)) for path in _below(pattern)]
    if os.path.isfile(pattern):
        return [(pattern, os.path.basename(pattern))]
    fixed = os.path.dirname(pattern)
    while glob.has_magic(fixed):
        fixed = os.path.dirname(fixed)
    return [(path, os.path.relpath(path, fixed or ".")) for path in _of_pattern(pattern)]
