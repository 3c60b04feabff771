// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "serve/ascii.h"
#include "serve/watch/log.h"

namespace serve::watch {
namespace {

constexpr std::array kSecretNames = {"api_key",      "apikey", "api-key", "auth_key",     "key",
                                     "access_token", "token",  "secret",  "document_key", "password"};
constexpr const char* kHidden = "***";

int value_of(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

// A name may be written with escapes, which readers of queries decode. What is no escape stays.
std::string plain(std::string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        char each = name[i];
        if (each == '%' && i + 2 < name.size() && value_of(name[i + 1]) >= 0 && value_of(name[i + 2]) >= 0) {
            each = static_cast<char>(value_of(name[i + 1]) * 16 + value_of(name[i + 2]));
            i += 2;
        }
        text += small_letter(each);
    }
    return text;
}

bool is_secret(std::string_view name) { return std::ranges::find(kSecretNames, plain(name)) != kSecretNames.end(); }

std::string without_login(std::string_view target) {
    const std::size_t scheme = target.find("://");
    if (scheme == std::string_view::npos) return std::string(target);
    const std::size_t begin = scheme + 3, end = std::min(target.find_first_of("/?#", begin), target.size());
    const std::size_t at = target.substr(0, end).rfind('@');
    if (at == std::string_view::npos || at < begin) return std::string(target);
    return std::string(target.substr(0, begin)) + kHidden + std::string(target.substr(at));
}

}  // namespace

std::string redacted(std::string_view target) {
    const std::string shown = without_login(target);
    std::string result;
    for (std::size_t begin = 0; begin <= shown.size();) {
        const std::size_t end = std::min(shown.find_first_of("?&;#", begin), shown.size());
        const std::string_view part = std::string_view(shown).substr(begin, end - begin);
        const std::size_t sign = part.find('=');
        if (sign != std::string_view::npos && is_secret(part.substr(0, sign)))
            result.append(part.substr(0, sign + 1)).append(kHidden);
        else result += part;
        if (end < shown.size()) result += shown[end];
        begin = end + 1;
    }
    return result;
}

}  // namespace serve::watch
