// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

enum class Format : uint8_t { srt, vtt };

struct Cue {
    std::size_t first_line = 0, line_count = 0;  // its text, as places in Document::lines
    uint64_t begin_ms = 0, end_ms = 0;
    std::vector<std::string> text;               // lines; change these
};

// A SubRip or WebVTT file. Everything but the text of the cues is written as it was read: indices, timing, settings,
// comments, style blocks, blank lines, line ends, byte order mark.
struct Document {
    Format format = Format::srt;
    std::vector<std::string> lines;  // without line ends
    std::vector<Cue> cues;
    std::string line_end = "\n";
    bool byte_order_mark = false, ends_with_line_end = true;
};

// A fault in a file; the message begins with "name:line: ".
struct BadSubtitles : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Document read_subtitles(std::string_view file, const std::string& name);
std::string write_subtitles(const Document& document);
