# SPDX-License-Identifier: Apache-2.0
"""Locks of files (`flock`), which say who works on what. Not every file system has them."""
from __future__ import annotations

import errno
import os
import re
from typing import Any

try:
    import fcntl
except ImportError:  # Windows, whose files are not shared while they are open for writing
    fcntl = None  # type: ignore[assignment]

#: What flock says where there are no locks: Lustre without its option, NFS without a server for locks, some of FUSE.
_NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP}


def process_name() -> str:
    """What no other process is called that may use the same folder at the same time, for names of files."""
    host = os.uname().nodename.partition(".")[0] if hasattr(os, "uname") else ""
    return f"{re.sub('[^A-Za-z0-9-]', '-', host)}-{os.getpid()}"


def lock(file: Any) -> bool | None:
    """Takes the lock of a file until it is closed. False: another process has it; None: there are no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return None
        raise
    return True


def at_work(path: str) -> bool:
    """Whether another process has the lock of the file at `path`."""
    try:
        with open(path, "r+b") as file:
            return lock(file) is False
    except FileNotFoundError:
        return False


def can_lock(folder: str) -> bool:
    """Whether processes can see what others work on in a folder."""
    if fcntl is None:
        return False
    path = os.path.join(folder, f".{process_name()}.lock")
    with open(path, "wb") as file:
        try:
            return lock(file) is not None
        finally:
            os.unlink(path)
