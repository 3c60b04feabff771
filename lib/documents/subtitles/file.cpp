// SPDX-License-Identifier: Apache-2.0
#include "documents/subtitles/file.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace dragoman::documents {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF", kArrow = "-->";

bool blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Reads "01:02:03,004" (SubRip; its hours may be longer) or "[01:]02:03.004" (WebVTT). False: it is no time.
bool parse_time(std::string_view text, Format format, uint64_t& milliseconds) {
    const std::size_t point = text.find_last_of(format == Format::vtt ? "." : ",.");
    if (point == std::string_view::npos || text.size() - point != 4 || !is_number(text.substr(point + 1))) return false;
    uint64_t seconds = 0;
    std::size_t fields = 0, begin = 0;
    for (; begin <= point; ++fields) {
        const std::size_t end = std::min(text.find(':', begin), point);
        const std::string_view field = text.substr(begin, end - begin);
        const bool hours = fields == 0 && std::ranges::count(text, ':') == 2;
        if (!is_number(field) || (hours ? field.size() > 6 : field.size() != 2)) return false;
        const uint64_t value = std::stoull(std::string(field));
        if (!hours && value > 59) return false;
        seconds = seconds * 60 + value;
        begin = end + 1;
    }
    if (fields != 3 && !(fields == 2 && format == Format::vtt)) return false;
    milliseconds = seconds * 1000 + std::stoull(std::string(text.substr(point + 1)));
    return true;
}

class SubtitleReader {
public:
    explicit SubtitleReader(std::string_view file) : document_(without_cues(file)) {}

    SubtitleFile read() {
        const std::string_view first = document_.lines.empty() ? std::string_view() : document_.lines.front();
        if (first == "WEBVTT" || first.starts_with("WEBVTT ") || first.starts_with("WEBVTT\t")) {
            document_.format = Format::vtt;
            skip_block();
        }
        while (skip_blank_lines(), !at_end()) {
            if (document_.format == Format::vtt && is_vtt_block()) {
                skip_block();
            } else {
                read_cue();
            }
        }
        return std::move(document_);
    }

private:
    [[noreturn]] void refuse(const std::string& what) const { refuse_line(at_, what); }
    bool at_end() const { return at_ == document_.lines.size(); }
    const std::string& line() const { return document_.lines[at_]; }
    void skip_blank_lines() {
        while (!at_end() && blank(line())) ++at_;
    }
    void skip_block() {
        while (!at_end() && !blank(line())) ++at_;
    }
    bool is_vtt_block() const {
        const std::string_view word = std::string_view(line()).substr(0, line().find_first_of(" \t"));
        return word == "NOTE" || word == "STYLE" || word == "REGION";
    }

    void read_cue() {
        // A line before the timing is the cue's index or, in WebVTT, any identifier.
        if (line().find(kArrow) == std::string::npos) {
            if (document_.format == Format::srt && !is_number(trim(line())))
                refuse("expected the index of a cue, got '" + line() + "'");
            ++at_;
            if (at_end()) refuse("expected a timing line, got the end of the file");
            if (line().find(kArrow) == std::string::npos) refuse("expected a timing line, got '" + line() + "'");
        }
        Cue cue;
        read_timing(cue);
        cue.first_line = ++at_;
        do {
            for (; !at_end() && !blank(line()); ++at_) {
                if (line().find(kArrow) != std::string::npos)
                    refuse("a timing line inside a cue: a blank line is missing");
                cue.text.push_back(line());
                cue.line_count = at_ + 1 - cue.first_line;
            }
            skip_blank_lines();
        } while (goes_on(cue));
        document_.cues.push_back(std::move(cue));
    }

    // Whether what follows a blank line is text of the same cue, as players show it: in SubRip it begins with no number,
    // as a cue and every time does.
    bool goes_on(const Cue& cue) const {
        if (document_.format != Format::srt || at_end() || cue.text.empty()) return false;
        const std::string_view next = trim(line());
        return next.front() < '0' || next.front() > '9';
    }

    void read_timing(Cue& cue) const {
        const std::string_view timing = line();
        const std::size_t arrow = timing.find(kArrow);
        const std::string_view begin = trim(timing.substr(0, arrow));
        std::string_view end = trim(timing.substr(arrow + kArrow.size()));
        end = end.substr(0, end.find_first_of(" \t"));  // settings follow
        const char* wanted = document_.format == Format::vtt ? "hh:mm:ss.mmm or mm:ss.mmm" : "hh:mm:ss,mmm";
        for (const auto& [time, target] : {std::pair(begin, &cue.begin_ms), std::pair(end, &cue.end_ms)}) {
            if (!parse_time(time, document_.format, *target))
                refuse("expected a time of the form " + std::string(wanted) + ", got '" + std::string(time) + "'");
        }
        if (cue.end_ms < cue.begin_ms)
            refuse("the cue ends at " + std::string(end) + ", before it begins at " + std::string(begin));
    }

    SubtitleFile document_;
    std::size_t at_ = 0;
};

}  // namespace

void refuse_line(std::size_t line, const std::string& what) {
    fail(Status::invalid_argument, "line {}: {}", line + 1, what);
}

SubtitleFile without_cues(std::string_view file) {
    if (const auto bad = first_invalid_utf8(file))
        refuse_line(std::size_t(std::ranges::count(file.substr(0, *bad), '\n')),
                    "invalid UTF-8: save the file as UTF-8 first");
    SubtitleFile document;
    document.byte_order_mark = file.starts_with(kByteOrderMark);
    if (document.byte_order_mark) file.remove_prefix(kByteOrderMark.size());
    const std::size_t first = file.find_first_of("\r\n");
    if (first != std::string_view::npos)
        document.line_end = file[first] == '\n' ? "\n" : file.substr(first, 2) == "\r\n" ? "\r\n" : "\r";
    document.ends_with_line_end = file.empty() || file.back() == '\n' || file.back() == '\r';
    while (!file.empty()) {
        const std::size_t end = std::min(file.find_first_of("\r\n"), file.size());
        document.lines.emplace_back(file.substr(0, end));
        file.remove_prefix(end);
        if (!file.empty()) file.remove_prefix(file.starts_with("\r\n") ? 2 : 1);
    }
    return document;
}

SubtitleFile parse_subtitles(std::string_view file) { return SubtitleReader(file).read(); }

std::string print_subtitles(const SubtitleFile& document) {
    std::vector<std::string> lines;
    std::size_t next = 0;
    for (const Cue& cue : document.cues) {
        for (; next < cue.first_line; ++next) lines.push_back(document.lines[next]);
        if (cue.line_break.empty()) {
            lines.insert(lines.end(), cue.text.begin(), cue.text.end());
        } else {
            std::string& line = lines.emplace_back(cue.head);
            for (std::size_t i = 0; i < cue.text.size(); ++i) line += (i > 0 ? cue.line_break : "") + cue.text[i];
        }
        next += cue.line_count;
    }
    for (; next < document.lines.size(); ++next) lines.push_back(document.lines[next]);

    std::string file(document.byte_order_mark ? kByteOrderMark : "");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        file += lines[i];
        if (i + 1 < lines.size() || document.ends_with_line_end) file += document.line_end;
    }
    return file;
}

}  // namespace dragoman::documents
