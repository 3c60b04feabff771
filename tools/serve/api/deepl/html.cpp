// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "serve/api/deepl/form.h"
#include "serve/ascii.h"

namespace serve::api {
namespace {

// Elements in which "<" is no tag.
constexpr std::array<std::string_view, 7> kDeeplRawText = {"script", "style",  "textarea", "title",
                                                           "xmp",    "iframe", "noframes"};

bool deepl_ends_name(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '/' || c == '>';
}

bool deepl_begins_name(std::string_view text, std::size_t at) {
    return at < text.size() && (text[at] | 32) >= 'a' && (text[at] | 32) <= 'z';
}

std::size_t deepl_after(std::string_view text, std::string_view what, std::size_t at) {
    const std::size_t found = text.find(what, at);
    return found == std::string_view::npos ? text.size() : found + what.size();
}

std::size_t deepl_tag_end(std::string_view html, std::size_t at) {
    char quote = 0;
    for (; at < html.size(); ++at) {
        const char c = html[at];
        if (quote) quote = c == quote ? char(0) : quote;
        else if ((c == '"' || c == '\'') && html[at - 1] == '=') quote = c;
        else if (c == '>') return at + 1;
    }
    return at;
}

}  // namespace

DeeplHtml::DeeplHtml(std::string_view html, const std::vector<std::string>& ignored) {
    for (int number = 0; mark_.empty() || html.find(mark_) != std::string_view::npos; ++number)
        mark_ = fmt::format(" translate=\"no\" data-kept=\"{}\"", number);
    std::vector<std::string> names;
    for (const std::string& name : ignored) names.push_back(in_small_letters(name));
    for (std::size_t at = 0; at < html.size();) {
        const std::size_t begin = at;
        if (html[at] != '<') {
            at = std::min(html.find('<', at), html.size());
        } else if (html.substr(at, 4) == "<!--") {
            at = deepl_after(html, "-->", at + 4);
        } else if (deepl_begins_name(html, at + 1)) {
            std::size_t end = at + 1;
            while (end < html.size() && !deepl_ends_name(html[end])) ++end;
            const std::string name = in_small_letters(html.substr(at + 1, end - at - 1));
            html_ += html.substr(begin, end - begin);
            if (end < html.size() && std::ranges::find(names, name) != names.end()) html_ += mark_;
            at = deepl_tag_end(html, end);
            if (std::ranges::find(kDeeplRawText, name) != kDeeplRawText.end())
                while (at < html.size() && in_small_letters(html.substr(at, name.size() + 2)) != "</" + name)
                    at = std::min(html.find('<', at + 1), html.size());
            html_ += html.substr(end, at - end);
            continue;
        } else {
            ++at;
        }
        html_ += html.substr(begin, at - begin);
    }
}

std::string DeeplHtml::restored(std::string_view translated) const {
    std::string html;
    for (std::size_t at = 0; at < translated.size();) {
        const std::size_t found = std::min(translated.find(mark_, at), translated.size());
        html += translated.substr(at, found - at);
        at = found + mark_.size();
    }
    return html;
}

}  // namespace serve::api
