# SPDX-License-Identifier: Apache-2.0
"""What a process has, as Linux says it."""
import ctypes
import os
import pathlib


class MallocInfo(ctypes.Structure):
    """struct mallinfo2 of the GNU C library."""
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]


def allocated():
    """Bytes that this process has allocated and not freed, by the C library; None where it does not say so."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return None
    ask.restype = MallocInfo
    found = ask()
    return found.uordblks + found.hblkhd


def look(pid="self"):
    folder = pathlib.Path(f"/proc/{pid}")
    pages = int((folder / "statm").read_text(encoding="ascii").split()[1])
    return {"resident": pages * os.sysconf("SC_PAGE_SIZE"), "files": len(os.listdir(folder / "fd")),
            "threads": len(os.listdir(folder / "task"))}
