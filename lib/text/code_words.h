// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "text/characters.h"

namespace dragoman::text {

// What of a stretch without blanks names something in a program or a file system: src/main.cpp, notes.md (also of
// notes.md-Datei), *.txt, .gitignore, C:\a\b, %TEMP%, $HOME/bin, --dry-run, -v, list.append(x), std::vector, onClick,
// a.b.c; not and/or, km/h, z.B. or woman(s). Empty: nothing.
Range code_word(std::string_view text, Range chunk);

}  // namespace dragoman::text
