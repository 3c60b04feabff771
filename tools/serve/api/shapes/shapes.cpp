// SPDX-License-Identifier: Apache-2.0
#include "serve/api/shapes/shapes.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace serve::api {

Problem missing(const char* name) {
    return Problem(Problem::Kind::missing, fmt::format("Invalid request: missing {} parameter", name), name);
}

std::string needed_text(const Json& fields, const char* name) {
    std::string value = text(fields, name);
    if (value.empty()) throw missing(name);
    return value;
}

Texts needed_texts(const Json& fields, const char* name) {
    std::optional<Texts> found = texts(fields, name);
    if (!found) throw missing(name);
    return std::move(*found);
}

std::string first_text(const Json& fields, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (std::string value = text(fields, name); !value.empty()) return value;
    return "";
}

work::Ask charged_ask(Services& services, const Call& call, const ShapeLanguages& languages,
                      std::vector<std::string> texts, const char* name) {
    services.charge(call, texts, name);
    work::Ask ask;
    ask.texts = std::move(texts);
    ask.from = languages.from;
    ask.to = languages.to;
    return ask;
}

std::string without_tags(std::string_view markup) {
    std::string text;
    text.reserve(markup.size());
    bool in_tag = false;
    for (const char c : markup) {
        if (c == '<') in_tag = true, text += ' ';
        else if (c == '>') in_tag = false;
        else if (!in_tag) text += c;
    }
    return text;
}

float score_of(const work::Answer& answer, std::size_t text) { return answer.result ? answer.result->score(text) : 0; }

}  // namespace serve::api
