// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace dragoman::store {

// Whether a text may be part of a model's name: 1 to 100 letters, digits and . - _ +, without a dot at its beginning.
// So what others' files say neither leads to another folder nor reaches a terminal.
inline bool is_plain_name(std::string_view text) {
    return !text.empty() && text.size() <= 100 && text.front() != '.' && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
               c == '_' || c == '+';
    });
}

}  // namespace dragoman::store
