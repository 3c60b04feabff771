// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "serve/http/form.h"
#include "serve/problem.h"
#include "serve/watch/log.h"

namespace serve::watch {
namespace {

constexpr std::array kSecretNames = {"api_key",      "apikey", "api-key", "auth_key",     "key",
                                     "access_token", "token",  "secret",  "document_key", "password"};
constexpr const char* kHidden = "***";

// A name may be written with escapes, which servers read.
std::string plain(std::string_view name) {
    std::string text;
    try {
        text = http::percent_decoded(name, true);
    } catch (const Problem&) {
        text = name;
    }
    std::ranges::transform(text, text.begin(), [](char each) { return each >= 'A' && each <= 'Z' ? char(each + 32) : each; });
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
