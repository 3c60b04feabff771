# SPDX-License-Identifier: Apache-2.0
"""What a process has, as Linux says it."""
import os
import pathlib


def look(pid="self"):
    folder = pathlib.Path(f"/proc/{pid}")
    pages = int((folder / "statm").read_text(encoding="ascii").split()[1])
    return {"resident": pages * os.sysconf("SC_PAGE_SIZE"), "files": len(os.listdir(folder / "fd")),
            "threads": len(os.listdir(folder / "task"))}
