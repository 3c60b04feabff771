#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_sources.py names what breaks the rules, and lets pass what only looks like it."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check_sources.py")
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
WRONG = [  # file, line, what the message says
    ("lib/base/a.cpp", "#include <unistd.h>", "<unistd.h> is of the system"),
    ("lib/base/os/a.h", "#include <pthread.h>", "<pthread.h> is of the system"),
    ("lib/nn/a.h", "#  include <sys/mman.h>", "<sys/mman.h> is of the system"),
    ("capi/a.cpp", "#include <windows.h>", "<windows.h> is of the system"),
    ("tools/cli/a.cpp", "bool shown = isatty(2);", "isatty() is of the system"),
    ("samples/live/a.cpp", "#include <termios.h>", "<termios.h> is of the system"),
    ("samples/support/a.cpp", "int c = getopt_long (argc, argv, s, k, nullptr);", "getopt_long() is of the system"),
    ("bench/a.cpp", 'std::ifstream f("/proc/self/status");', "/proc/ is of the system"),
    ("lib/base/a.cpp", 'const char* s = std::getenv("HOME");', "getenv() is of the system"),
    ("lib/base/a.cpp", "pthread_sigmask(SIG_SETMASK, &a, &b);", "pthread_sigmask() is of the system"),
    ("lib/base/a.cpp", "const int file = ::open(name, 0);", "::open is of the system"),
    ("lib/base/a.cpp", "#ifdef __linux__", "__linux__ is of the system"),
    ("lib/base/a.cpp", "#pragma GCC diagnostic push", "GCC is GNU's"),
    ("lib/base/a.cpp", "int bits = __builtin_clz(x);", "__builtin_clz is GNU's"),
    ("lib/base/a.h", "using wide = unsigned __int128;", "__int128 is GNU's"),
    ("lib/base/a.h", "__attribute__((packed)) struct A {};", "__attribute__ is GNU's"),
    ("lib/text/a.cpp", "#include <unicode/unistr.h>", "<unicode/unistr.h>: expected one of ICU's C headers"),
    ("lib/nn/a.cpp", "#include <unicode/uchar.h>", "<unicode/uchar.h>: only lib/text, and what uses it"),
    ("tools/cli/a.cpp", "#include <unicode/uchar.h>", "<unicode/uchar.h>: only lib/text, and what uses it"),
    ("lib/text/a.cpp", "#define U_SHOW_CPLUSPLUS_API 1", "U_SHOW_CPLUSPLUS_API is set in one place"),
    ("tests/text/CMakeLists.txt", "set(D U_SHOW_CPLUSPLUS_HEADER_API=1)", "U_SHOW_CPLUSPLUS_HEADER_API is set in one place"),
    ("lib/base/a.cpp", '#include "text/b.h"', "base must not include text/b.h"),
    ("lib/pipeline/model/a.cpp", '#include "pipeline/stages/b.h"', "pipeline/model must not include pipeline/stages/b.h"),
    ("lib/families/marian/a.h", '#include "families/families.h"', "families/marian must not include families/families.h"),
    ("lib/decode/search.h", '#include "nn/b.h"', "nn/b.h: a search is described without networks"),
    ("samples/live/a.cpp", '#include "base/os/terminal.h"', "only the C API may be used here"),
    ("lib/base/a.h", "// Of the list.", '"Of the list.": expected a sentence'),
    ("tests/base/a_test.cpp", "    // Likewise of rows: two.", '"Likewise": expected a sentence'),
    ("tests/base/a_test.cpp", 'TEST_CASE("a") {}', "expected the namespace a_test"),
    ("shaders/ops/a.comp", "// Of a row; f32.", '"Of a row;": expected a sentence'),
]
RIGHT = [
    ("lib/base/os/posix/a.cpp", "#include <unistd.h>"),
    ("samples/support/os/posix/a.cpp", "#include <termios.h>"),
    ("tools/cli/a.cpp", '#include "base/os/terminal.h"'),
    ("lib/pipeline/run/a.cpp", '#include "pipeline/stages/b.h"'),
    ("lib/families/families.cpp", '#include "families/marian/b.h"'),
    ("capi/include/dragoman/basics.h", "#if defined(_WIN32)"),
    ("lib/text/a.cpp", "#include <unicode/unorm2.h>"),
    ("lib/markup/a.cpp", "#include <unicode/utf8.h>"),
    ("tests/text/a_test.cpp", "#include <unicode/unorm2.h>"),
    ("tests/base/a_test.cpp", 'namespace dragoman::base::a_test {\nTEST_CASE("a") {}\n}'),
    ("lib/base/a.cpp", "#ifdef __GNUC__\n#pragma GCC diagnostic push\n#endif"),
    ("lib/base/a.h", "#if defined(_MSC_VER)\n#define A\n#else\n#define A __attribute__((cold))\n#endif"),
    ("lib/base/os/posix/a.cpp", "static __attribute__((constructor)) void begin() {}"),
    ("lib/base/a.cpp", "// unlike getenv(), and __linux__ alone"),
    ("lib/base/a.cpp", 'fail("cannot mmap(): {}", "isatty(");'),
    ("lib/base/a.cpp", "file.open(path); file_.close(); job->poll();"),
    ("lib/vulkan/a.cpp", '#include "vulkan/link.h"'),
    ("lib/base/a.h", "// Of two rows, the first one counts."),
    ("lib/base/a.h", "// The last part of a name.\n// Of the others nothing is kept."),
    ("lib/base/a.h", "int rows;  // of the list"),
    ("lib/base/a.h", "// Offsets. Likewise sizes."),
]


def check(file, line):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / file
        path.parent.mkdir(parents=True)
        path.write_text(SPDX + line + "\n")
        (pathlib.Path(folder) / "lib" / "base").mkdir(parents=True, exist_ok=True)
        (pathlib.Path(folder) / "lib" / "base" / "b.cpp").write_text(SPDX)
        (pathlib.Path(folder) / "lib" / "pipeline" / "run").mkdir(parents=True, exist_ok=True)
        (pathlib.Path(folder) / "lib" / "pipeline" / "run" / "run.h").write_text(SPDX)
        run = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


def main():
    faults = []
    for file, line, message in WRONG:
        code, out = check(file, line)
        if code != 1 or f"{file}:2: {message}" not in out:
            faults.append(f"{file}: {line}: expected '{message}', got {code} {out}")
    code, out = check("lib/pipeline/value/run.h", "#pragma once")
    if code != 1 or "lib/pipeline/value/run.h: expected a name that no other room has" not in out:
        faults.append(f"one name in two rooms: expected a fault, got {code} {out}")
    for file, line in RIGHT:
        code, out = check(file, line)
        if code != 0:
            faults.append(f"{file}: {line}: expected no fault, got {out}")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
