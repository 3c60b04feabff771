// SPDX-License-Identifier: Apache-2.0
#include "store/elsewhere/hub_card.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "store/elsewhere/plain_name.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace {

constexpr uint64_t kMaxHead = 1 << 16;
constexpr std::size_t kMaxValue = 100;

std::string_view trimmed(std::string_view text, std::string_view off = " \t\r\"'") {
    const auto begin = text.find_first_not_of(off);
    return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(off) + 1 - begin);
}

void add_code(std::string_view text, std::vector<std::string>& codes) {
    text = trimmed(text);
    if (text.size() >= 2 && text != "multilingual" && is_plain_name(text)) codes.emplace_back(text);
}

// "de", "[de, en]", or nothing where a line for each follows.
void add_codes(std::string_view value, std::vector<std::string>& codes) {
    value = trimmed(value, " \t\r[]");
    while (!value.empty()) {
        const auto comma = value.find(',');
        add_code(value.substr(0, comma), codes);
        value = comma == value.npos ? std::string_view() : value.substr(comma + 1);
    }
}

HubCard read_head(std::string_view text) {
    HubCard card;
    bool first = true, in_languages = false;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
        const bool fence = trimmed(line) == "---";
        if (fence != std::exchange(first, false)) return card;  // no head, or its end
        if (fence) continue;
        const std::string_view item = trimmed(line);
        if (in_languages && item.starts_with("- ")) {
            add_code(item.substr(2), card.languages);
            continue;
        }
        in_languages = line.starts_with("language:");
        if (in_languages) add_codes(line.substr(line.find(':') + 1), card.languages);
        else if (line.starts_with("license:"))
            card.license = trimmed(line.substr(line.find(':') + 1)).substr(0, kMaxValue);
    }
    return card;
}

}  // namespace

HubCard read_hub_card(const std::filesystem::path& readme) {
    try {
        return read_head(read_beginning(readme, kMaxHead));
    } catch (const Error&) {
        return {};  // a repository without a card
    }
}

}  // namespace dragoman::store
