// SPDX-License-Identifier: Apache-2.0
#include "documents/icu_message.h"

#include <algorithm>

namespace dragoman::documents {
namespace {

// Whether an argument with forms begins at a brace.
bool has_forms(std::string_view argument) {
    const std::size_t comma = argument.find(',');
    if (comma == std::string_view::npos || argument.find_first_of("{}") < comma) return false;
    const std::size_t begin = argument.find_first_not_of(" \t\n", comma + 1);
    if (begin == std::string_view::npos) return false;
    const std::string_view kind = argument.substr(begin);
    return kind.starts_with("plural") || kind.starts_with("select");
}

}  // namespace

std::vector<text::Range> icu_forms(std::string_view message) {
    enum class Brace { argument, forms, form };
    std::vector<Brace> open;
    std::vector<text::Range> texts;
    bool found = false;
    std::size_t begin = 0;  // beginning of the current text
    const auto in_text = [&] { return open.empty() || open.back() == Brace::form; };
    const auto take = [&](std::size_t end) {
        const text::Range text = text::trim(message, {begin, end});
        if (text.size() > 0) texts.push_back(text);
    };
    for (std::size_t at = 0; at < message.size(); ++at) {
        if (message[at] == '{') {
            if (!open.empty() && open.back() == Brace::forms) {
                open.push_back(Brace::form);
                begin = at + 1;
            } else if (in_text() && has_forms(message.substr(at + 1))) {
                take(at);
                found = true;
                open.push_back(Brace::forms);
            } else {
                open.push_back(Brace::argument);
            }
        } else if (message[at] == '}' && !open.empty()) {
            if (open.back() == Brace::form) take(at);
            if (open.back() == Brace::forms) begin = at + 1;
            open.pop_back();
        }
    }
    if (!found || !open.empty()) return {};
    take(message.size());
    return texts;
}

}  // namespace dragoman::documents
