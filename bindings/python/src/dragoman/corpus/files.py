# SPDX-License-Identifier: Apache-2.0
"""Files that are whole or not there."""
from __future__ import annotations

import errno
import hashlib
import json
import os
from typing import Any, Mapping

from .formats.batch import reading
from .journal import OtherRun, differences
from .locks import process_name

#: Of the run, in the folder of outputs.
RUN_NAME = ".dragoman-corpus.json"


def no_room(error: BaseException) -> bool:
    """Whether a disk is full, or a quota."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def sync_folder(path: str) -> None:
    """A name that was given to a file is on the disk then."""
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a file system without it
                raise
        finally:
            os.close(folder)


def settle(aside: str, target: str) -> None:
    """Gives a file that was written aside, and is on the disk, its name."""
    os.replace(aside, target)
    sync_folder(os.path.dirname(target))


def file_digest(path: str) -> str:
    """Of a file's content. Raises BadPart."""
    made = hashlib.sha256()
    with reading(path), open(path, "rb") as file:
        while block := file.read(1 << 20):
            made.update(block)
    return made.hexdigest()[:32]


def check_run(folder: str, key: Mapping[str, Any]) -> None:
    """Notes in a folder what its outputs depend on. Raises OtherRun where it has outputs of something else."""
    path = os.path.join(folder, RUN_NAME)
    now = json.loads(json.dumps(key))
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(path):
        _begin_run(path, now)
    with open(path, encoding="utf-8") as file:
        before = json.load(file)
    if before != now:
        raise OtherRun(f"{folder} has outputs of another run. {differences(before, now)}. Other outputs need another "
                       f"folder; if these are not wanted, remove it, with {RUN_NAME}.")


def _begin_run(path: str, now: Mapping[str, Any]) -> None:
    """The first one of all shards that wants to makes the file."""
    aside = f"{path}.{process_name()}"
    try:
        with open(aside, "x", encoding="utf-8") as file:
            json.dump(now, file, indent=1, sort_keys=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(aside, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            if not os.path.exists(path):
                os.replace(aside, path)
    finally:
        if os.path.exists(aside):
            os.unlink(aside)
