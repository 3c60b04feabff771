// SPDX-License-Identifier: Apache-2.0
#include "text/paragraphs.h"

#include <string>

namespace dragoman::text {
namespace {

struct Line {
    Range range;                // without blanks around it and without its bullet
    bool bullet = false;
    bool ends_paragraph = false;  // whatever comes next
};

// Skips the marks before list items, headings and quotations when a space follows: "- ", "• ", "## ", "> ".
std::size_t bullet_end(std::string_view text, Range line) {
    constexpr std::u32string_view kBullets = U"-*+>#•‣◦▪▫●○■□◆◇▶►➢➤✓✔·–—―";
    const std::string_view within = text.substr(0, line.end);
    std::size_t at = line.begin;
    const int32_t mark = next_character(within, at);
    if (mark < 0 || kBullets.find(char32_t(mark)) == std::u32string_view::npos) return line.begin;
    if (mark == '#' || mark == '>')
        while (at < line.end && within[at] == char(mark)) ++at;
    std::size_t after = at;
    if (at < line.end && !is_space(next_character(within, after))) return line.begin;
    return at;
}

Line next_line(std::string_view text, std::size_t& at) {
    Line line;
    std::size_t end = at;
    const std::size_t begin = at;
    int32_t c = -1;
    while (at < text.size()) {
        end = at;
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0x7f) {
            end = ++at;
            continue;
        }
        c = next_character(text, at);
        if (is_line_break(c)) break;
        end = at;
        c = -1;
    }
    if (c == '\r' && at < text.size() && text[at] == '\n') ++at;
    line.ends_paragraph = c == 0x2029 || c == '\f';
    line.range = trim(text, {begin, end});
    const std::size_t bullet = bullet_end(text, line.range);
    line.bullet = bullet != line.range.begin;
    line.range = trim(text, {bullet, line.range.end});
    return line;
}

}  // namespace

std::vector<Range> paragraphs(std::string_view text, LineBreaks line_breaks) {
    std::vector<Range> result;
    bool open = false;  // the last paragraph may go on
    for (std::size_t at = 0; at < text.size();) {
        const Line line = next_line(text, at);
        if (line.range.size() == 0) {
            open = false;
        } else {
            if (open && !line.bullet) result.back().end = line.range.end;
            else result.push_back(line.range);
            open = line_breaks == LineBreaks::join;
        }
        if (line.ends_paragraph) open = false;
    }
    return result;
}

}  // namespace dragoman::text
