#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""under_filter.py REFUSED CALLS PROGRAM ARGUMENT...: runs a program that can make none but the system calls named in CALLS (with
commas), as systemd's SystemCallFilter= does it; all others fail with EPERM. REFUSED: a call that has to be among those,
tried before the program begins."""
import ctypes
import errno
import os
import sys

ERRNO = 0x00050000 | errno.EPERM
ALLOW = 0x7fff0000


def main():
    refused, calls, program = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    context = library.seccomp_init(ERRNO)
    for call in calls:
        number = library.seccomp_syscall_resolve_name(call.encode())
        if number >= 0:  # others are of another processor, or newer than the library
            code = library.seccomp_rule_add(context, ALLOW, number, 0)
            if code:
                sys.exit(f"seccomp_rule_add({call}): {os.strerror(-code)}")
    code = library.seccomp_load(context)
    if code:
        sys.exit(f"seccomp_load: {os.strerror(-code)}")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(library.seccomp_syscall_resolve_name(refused.encode()), 0, 0, 0) != -1 or \
            ctypes.get_errno() != errno.EPERM:
        sys.exit(f"{refused}: expected EPERM by the filter")
    os.execvp(program[0], program)


if __name__ == "__main__":
    main()
