# SPDX-License-Identifier: Apache-2.0
"""Which files there are to do, what each becomes, and which shard does it."""
from __future__ import annotations

import glob
import heapq
import os
from dataclasses import dataclass
from typing import Mapping, Sequence

from . import formats
from .folders import find_files
from .formats.compression import suffix_of

#: How many bytes of plain rows a byte of a file stands for, roughly: files of both kinds may be mixed.
_DENSITY = {"": 1.0, ".gz": 4.0, ".zst": 4.0}
_PARQUET_DENSITY = 3.0


class UsageError(Exception):
    """What the program was asked is not possible."""


@dataclass(frozen=True)
class Part:
    """A file of the input and the one that it becomes."""

    name: str
    """Below the folder of outputs."""
    source: str
    target: str
    format: str
    size: float
    """Of its rows, estimated from the file's."""

    def beside(self, end: str) -> str:
        """A file of its own in the target's folder, the same whatever format the part becomes."""
        return os.path.join(os.path.dirname(self.target), f".{os.path.basename(self.source)}.{end}")


def _size(path: str, kind: str) -> float:
    density = _PARQUET_DENSITY if kind == "parquet" else _DENSITY[suffix_of(path)]
    try:
        return os.stat(path).st_size * density
    except OSError:  # said when it is its turn
        return 0.0


def _found(pattern: str, output: str) -> list[tuple[str, str]]:
    """Files and their names. Outputs are no inputs, unless they are asked for."""
    def is_inside(path: str) -> bool:
        return os.path.join(os.path.realpath(path), "").startswith(os.path.join(os.path.realpath(output), ""))

    try:
        found = sorted(find_files(pattern))
    except OSError as error:
        raise UsageError(f"{error.filename}: the folder cannot be read: {error.strerror}") from error
    if is_inside(pattern):
        return found
    folders = {folder for folder in {os.path.dirname(path) for path, _ in found} if is_inside(folder)}
    return [one for one in found if os.path.dirname(one[0]) not in folders]


def _is_same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def find_parts(patterns: Sequence[str], output: str, input_format: str | None, output_format: str | None) -> list[Part]:
    """All parts by name, the same on every machine that sees the same files."""
    parts: dict[str, Part] = {}
    for pattern in patterns:
        found = _found(pattern, output)
        whole = os.path.isfile(pattern) or glob.has_magic(pattern) and not os.path.isdir(pattern)
        for path, name in found:
            kind = input_format or formats.format_of(path)
            if kind is None:
                if whole:
                    raise UsageError(f"{path}: its name tells no format; --input-format does, one of "
                                     f"{', '.join(formats.FORMATS)}")
                continue  # folders hold other files, too
            made = formats.output_name(name, kind, output_format or kind)
            part = Part(made, path, os.path.join(output, made), kind, _size(path, kind))
            if made in parts and os.path.abspath(parts[made].source) != os.path.abspath(path):
                raise UsageError(f"{parts[made].source} and {path} would both become {part.target}")
            if _is_same(part.target, path):
                raise UsageError(f"{path} would be replaced by its own translation: --output needs another folder")
            parts[made] = part
        if not found:
            raise UsageError(f"{pattern}: there is no such file")
    if not parts:
        raise UsageError(f"{', '.join(patterns)}: there are no files of a format that is known by its name "
                         f"({', '.join(end for ends in formats.FORMATS.values() for end in ends)})")
    return [parts[name] for name in sorted(parts)]


def deal(parts: Sequence[Part], shards: int) -> list[list[Part]]:
    """The parts of each shard: the largest part goes to the shard with the least, until all are given. Every shard comes
    to the same without asking the others. The large ones are done first."""
    loads = [(0.0, place) for place in range(shards)]
    dealt: list[list[Part]] = [[] for _ in range(shards)]
    for part in sorted(parts, key=lambda part: (-part.size, part.name)):
        load, place = heapq.heappop(loads)
        dealt[place].append(part)
        heapq.heappush(loads, (load + max(part.size, 1.0), place))
    return dealt


def _number(environment: Mapping[str, str], name: str) -> int:
    try:
        return int(environment[name])
    except ValueError:
        raise UsageError(f"{name} is {environment[name]!r}; expected a number") from None


def find_shard(given: str | None, environment: Mapping[str, str]) -> tuple[int, int, str]:
    """The shard, counted from 0, of how many, and who says so: `--shard 1/8` to `8/8`, else a Slurm array."""
    if given is not None:
        left, slash, right = given.partition("/")
        if not (slash and left.isdecimal() and right.isdecimal() and 1 <= int(left) <= int(right)):
            raise UsageError(f"--shard {given}: expected I/N with I from 1 to N, such as 3/8")
        return int(left) - 1, int(right), f"--shard {given}"
    if "SLURM_ARRAY_TASK_ID" not in environment:
        return 0, 1, ""
    task = _number(environment, "SLURM_ARRAY_TASK_ID")
    if "SLURM_ARRAY_TASK_COUNT" not in environment:
        raise UsageError(f"SLURM_ARRAY_TASK_ID is {task}, but there is no SLURM_ARRAY_TASK_COUNT: --shard I/N tells")
    count = _number(environment, "SLURM_ARRAY_TASK_COUNT")
    least = _number(environment, "SLURM_ARRAY_TASK_MIN") if "SLURM_ARRAY_TASK_MIN" in environment else 0
    step = _number(environment, "SLURM_ARRAY_TASK_STEP") if "SLURM_ARRAY_TASK_STEP" in environment else 1
    place, rest = divmod(task - least, max(step, 1))
    if rest or not 0 <= place < count:
        raise UsageError(f"SLURM_ARRAY_TASK_ID={task} is not one of {count} tasks from {least} in steps of {step}: an "
                         "array with gaps needs --shard I/N")
    return place, count, (f"SLURM_ARRAY_TASK_ID={task}, _MIN={least}, _COUNT={count}")
