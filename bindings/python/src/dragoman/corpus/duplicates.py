# SPDX-License-Identifier: Apache-2.0
"""Rows whose texts came before, in the same part or in one before it by name. Each shard finds them by itself from the
texts of all parts, in bounded memory: hashes go to files by their first bits, and each of these is sorted alone."""
from __future__ import annotations

import hashlib
import os
import shutil
from typing import TYPE_CHECKING, Any, Callable, Sequence

from . import fingerprint
from .formats.batch import BadPart
from .paths import leaves
from .stage import Stage

if TYPE_CHECKING:
    from .job import Job
    from .parts import Part

_BUCKETS = 256
_RECORD = [("high", "<u8"), ("low", "<u8"), ("part", "<u4"), ("row", "<u8")]
_HELD = 1 << 14  # records of a bucket before they are written


def _hash(stage: Stage, columns: dict[str, list[Any]], row: int) -> bytes | None:
    """Of all texts of a row; None where it has none."""
    texts = []
    for path in stage.columns:
        steps = path.resolved(columns)
        try:
            texts += list(leaves(columns[steps[0]][row], steps[1:]))
        except TypeError:
            return None
    if not any(isinstance(text, str) and text for text in texts):
        return None
    parts = [text.encode("utf-8", "surrogatepass") if isinstance(text, str) else b"\xff" for text in texts]
    return hashlib.blake2b(b"".join(b"%d:" % len(part) + part for part in parts), digest_size=16).digest()


class _Buckets:
    """Records by the first bits of their hashes, in files."""

    def __init__(self, folder: str):
        self._folder = folder
        self._held: list[list[tuple[int, int, int, int]]] = [[] for _ in range(_BUCKETS)]

    def add(self, digest: bytes, part: int, row: int) -> None:
        bucket = self._held[digest[0]]
        bucket.append((int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little"), part, row))
        if len(bucket) == _HELD:
            self._flush(digest[0])

    def _path(self, place: int) -> str:
        return os.path.join(self._folder, f"bucket-{place}")

    def _flush(self, place: int) -> None:
        import numpy as np  # here: it is half of what most workers would import
        with open(self._path(place), "ab") as file:
            file.write(np.array(self._held[place], dtype=_RECORD).tobytes())
        self._held[place] = []

    def later(self, place: int) -> Any:
        """The records of a bucket that are not the first with their hash."""
        import numpy as np
        self._flush(place)
        found = np.fromfile(self._path(place), dtype=_RECORD)
        os.unlink(self._path(place))
        found = found[np.lexsort((found["row"], found["part"], found["low"], found["high"]))]
        same = (found["high"][1:] == found["high"][:-1]) & (found["low"][1:] == found["low"][:-1])
        return found[1:][same]


def _file(folder: str, part: Part) -> str:
    return os.path.join(folder, hashlib.blake2b(part.name.encode(), digest_size=16).hexdigest())


def find(stage: Stage, parts: Sequence[Part], folder: str, shard: str,
         rows_of_part: Callable[[Part], Any], tell: Callable[..., None]) -> str:
    """Makes a folder with a file of row numbers for each part that has duplicates, unless it is there. It is made
    aside, so that several shards may do it at once. Where parts cannot be read, which is said when it is their turn, it
    has another name: with these parts repaired it is made again."""
    if os.path.isdir(folder):
        return folder
    import numpy as np
    aside = f"{folder}.{shard}"
    shutil.rmtree(aside, ignore_errors=True)
    os.makedirs(aside)
    try:
        buckets = _Buckets(aside)
        broken = []
        for place, part in enumerate(parts):
            row = 0
            try:
                for columns, count in rows_of_part(part):
                    for at in range(count):
                        digest = _hash(stage, columns, at)
                        if digest is not None:
                            buckets.add(digest, place, row + at)
                    row += count
            except BadPart:
                broken.append(part.name)
            tell(parts=place + 1, of=len(parts))
        for bucket in range(_BUCKETS):
            later = buckets.later(bucket)
            for place in np.unique(later["part"]):
                with open(_file(aside, parts[place]), "ab") as file:
                    file.write(np.ascontiguousarray(later["row"][later["part"] == place]).tobytes())
        if broken:
            folder += f"-without-{fingerprint.together({'parts': broken})}"
        try:
            os.rename(aside, folder)
        except OSError:
            if not os.path.isdir(folder):  # else another shard was first
                raise
        return folder
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def rows_of(job: Job, part: Part) -> frozenset[int]:
    """The rows of a part that are duplicates."""
    if job.duplicates_folder is None or not os.path.exists(path := _file(job.duplicates_folder, part)):
        return frozenset()
    import numpy as np
    return frozenset(np.fromfile(path, dtype="<u8").tolist())
