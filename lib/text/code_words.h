// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "text/characters.h"

namespace dragoman::text {

// What of a stretch without blanks names something in a program or a file system: src/main.cpp, notes.md (also of
// notes.md-Datei), *.txt, .gitignore, C:\a\b, %TEMP%, $HOME/bin, --dry-run, -v, list.append(x), std::vector, onClick,
// a.b.c; not and/or, km/h, z.B. or woman(s). Empty: nothing.
Range code_word(std::string_view text, Range chunk);

// The end of a path of Windows that begins at `at`, with the blanks in its folders' names ("C:\Program Files\App\bin").
std::size_t drive_path_end(std::string_view text, std::size_t at);

// The end of keys of a keyboard that are pressed together, in a sentence ("Ctrl+Alt+Del"); where they are all of the text,
// or only two, models know them.
std::size_t key_combination_end(std::string_view text, std::size_t at);

}  // namespace dragoman::text
