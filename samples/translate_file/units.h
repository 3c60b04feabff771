// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

// A text that is translated as one, and how its last line ended: "\n", "\r\n" or, at the end of the file, "".
struct Unit {
    std::string text, ending;
};

bool blank(const std::string& text);

// Reads a text file in units: lines, or paragraphs, whose lines are joined by spaces and which end at a blank line (a
// unit of its own). A byte order mark at the beginning is left out.
class Units {
public:
    Units(const std::filesystem::path& path, bool paragraphs, uint64_t offset, uint64_t lines);

    bool next(Unit& unit);  // throws FileError naming line and byte for text that is not UTF-8
    uint64_t offset() const { return offset_; }
    uint64_t lines() const { return lines_; }

private:
    bool next_line(Unit& line);

    std::string name_;
    std::ifstream file_;
    bool paragraphs_;
    uint64_t offset_, lines_;
};
