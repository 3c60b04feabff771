// SPDX-License-Identifier: Apache-2.0
#include "serve/http/form.h"

#include <fmt/format.h>

#include <algorithm>

#include "serve/http/characters.h"
#include "serve/problem.h"

namespace serve::http {

std::string percent_decoded(std::string_view text, bool plus_is_blank) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '+' && plus_is_blank) {
            result += ' ';
        } else if (c != '%') {
            result += c;
        } else {
            const int high = at + 2 < text.size() ? hex_value(text[at + 1]) : -1;
            const int low = at + 2 < text.size() ? hex_value(text[at + 2]) : -1;
            if (high < 0 || low < 0)
                throw Problem(Problem::Kind::bad_request,
                              fmt::format("\"{}\" is no escape: '%' has to be followed by two hexadecimal digits",
                                          shown(text.substr(at, 3))));
            result += static_cast<char>(high * 16 + low);
            at += 2;
        }
    }
    return result;
}

FormFields read_urlencoded(std::string_view text) {
    FormFields fields;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view pair = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (pair.empty()) continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const std::string_view value = pair.substr(std::min(equals + 1, pair.size()));
        fields.emplace_back(percent_decoded(pair.substr(0, equals), true), percent_decoded(value, true));
    }
    return fields;
}

Multipart& Multipart::operator=(Multipart&& other) noexcept {
    std::swap(fields, other.fields);
    std::swap(uploads, other.uploads);
    return *this;
}

Multipart::~Multipart() {
    std::error_code ignored;  // a handler may have moved it away
    for (const Upload& upload : uploads)
        if (!upload.path.empty()) std::filesystem::remove(upload.path, ignored);
}

}  // namespace serve::http
