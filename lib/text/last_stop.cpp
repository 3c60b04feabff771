// SPDX-License-Identifier: Apache-2.0
#include "text/last_stop.h"

#include <algorithm>

#include "text/characters.h"

namespace dragoman::text {
namespace {

bool ends_with_mark_of_hour(std::string_view text) {
    for (const std::string_view mark : {"a.m.", "p.m.", "a. m.", "p. m.", "A.M.", "P.M."})
        if (text.ends_with(mark)) return true;
    return false;
}

// "Open 9 a.m. to 5 p.m." may be a label; what has more words is a sentence.
bool is_sentence(std::string_view text) {
    constexpr std::size_t kFewest = 3;
    std::size_t words = 0, letters = 0;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        letters = is_letter(c) ? letters + 1 : 0;
        words += letters == 2;
    }
    return words >= kFewest;
}

bool ends_with_number(std::string_view text) {
    if (text.empty()) return false;
    if (text.back() >= '0' && text.back() <= '9') return true;
    for (const std::string_view mark : {"Uhr", "am", "pm"}) {
        if (!text.ends_with(mark)) continue;
        std::size_t at = text.size() - mark.size();
        const int32_t before = previous_character(text, at);
        return is_digit(before) || (is_space(before) && is_digit(previous_character(text, at)));
    }
    return false;
}

}  // namespace

std::vector<Edit> last_stop(std::string_view source, std::string_view target) {
    if (source.empty() || std::string_view(".!?").find(source.back()) == std::string_view::npos) return {};
    if (!ends_with_number(target) || (ends_with_mark_of_hour(source) && !is_sentence(source))) return {};
    if (source.size() > 1 && source[source.size() - 2] == source.back()) return {};  // an ellipsis
    return {{{target.size(), target.size()}, std::string(1, source.back())}};
}

}  // namespace dragoman::text
