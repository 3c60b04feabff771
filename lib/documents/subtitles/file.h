// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "documents/format.h"

namespace dragoman::documents {

struct Cue {
    std::size_t first_line = 0, line_count = 0;  // its text, as places in SubtitleFile::lines
    uint64_t begin_ms = 0, end_ms = 0;
    std::vector<std::string> text;               // lines; change these
    std::string head{}, line_break{};  // SubStation Alpha: the text's line before it, and what is between its own lines
    std::string voice{};  // who says it and how it looks; a sentence does not go on in a cue of another one
    bool placed = false;  // a sign at a place of its own, which is no part of what is said
};

// A SubRip, WebVTT or SubStation Alpha file. Everything but the text of the cues is written as it was read: indices, timing, settings,
// comments, style blocks, blank lines between cues, line ends, byte order mark.
struct SubtitleFile {
    Format format = Format::srt;
    std::vector<std::string> lines;  // without line ends
    std::vector<Cue> cues;
    std::string line_end = "\n";
    bool byte_order_mark = false, ends_with_line_end = true;
};

// These throw invalid_argument for a fault in the file, naming the line.
SubtitleFile parse_subtitles(std::string_view file);  // SubRip or WebVTT
SubtitleFile parse_substation(std::string_view file);
SubtitleFile without_cues(std::string_view file);  // the lines alone
[[noreturn]] void refuse_line(std::size_t line, const std::string& what);  // counted from 0
std::string print_subtitles(const SubtitleFile& file);

}  // namespace dragoman::documents
