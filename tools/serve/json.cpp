// SPDX-License-Identifier: Apache-2.0
#include "serve/json.h"

#include <charconv>
#include <cstddef>

namespace serve {
namespace {

constexpr std::size_t kEscape = 6;  // bytes of \uXXXX

// The unit of UTF-16 that an escape at this place stands for; 0: there is none, or it is no surrogate.
unsigned surrogate_at(std::string_view json, std::size_t at) {
    if (at + kEscape > json.size() || json[at] != '\\' || json[at + 1] != 'u') return 0;
    unsigned unit = 0;
    const char* const digits = json.data() + at + 2;
    const auto [end, error] = std::from_chars(digits, digits + 4, unit, 16);
    return error == std::errc() && end == digits + 4 && unit >= 0xd800 && unit < 0xe000 ? unit : 0;
}

}  // namespace

std::optional<std::string> without_lone_surrogates(std::string_view json) {
    std::optional<std::string> mended;
    for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at)) {
        const unsigned unit = surrogate_at(json, at);
        if (unit == 0) {
            at += 2;  // the byte behind it is escaped, also where it is a backslash
            continue;
        }
        if (unit < 0xdc00 && surrogate_at(json, at + kEscape) >= 0xdc00) {
            at += 2 * kEscape;
            continue;
        }
        if (!mended) mended = std::string(json);
        mended->replace(at + 2, 4, "fffd");
        at += kEscape;
    }
    return mended;
}

Json parse_leniently(std::string_view text) {
    Json value = Json::parse(text, nullptr, false);
    if (!value.is_discarded()) return value;
    const std::optional<std::string> mended = without_lone_surrogates(text);
    return mended ? Json::parse(*mended, nullptr, false) : value;
}

}  // namespace serve
