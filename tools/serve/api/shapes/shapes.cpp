// SPDX-License-Identifier: Apache-2.0
#include "serve/api/shapes/shapes.h"

#include <fmt/format.h>

#include <utility>

namespace serve::api {
namespace {

Problem exceeds(std::uint64_t size, std::uint64_t limit) {
    return Problem(Problem::Kind::bad_request,
                   fmt::format("Invalid request: request ({}) exceeds text limit ({})", size, limit), "q");
}

}  // namespace

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

void check_limits(const Services& services, const Account& account, const Texts& texts) {
    if (texts.list && services.max_texts >= 0 && texts.values.size() > std::uint64_t(services.max_texts))
        throw exceeds(texts.values.size(), std::uint64_t(services.max_texts));
    const std::uint64_t limit = account.max_characters > 0     ? account.max_characters
                                : services.max_characters >= 0 ? std::uint64_t(services.max_characters)
                                                               : 0;
    if (limit == 0) return;
    for (const std::string& each : texts.values)
        if (const std::uint64_t size = count_characters(each, "q"); size > limit) throw exceeds(size, limit);
}

work::Ask shape_ask(const ShapeLanguages& languages, std::vector<std::string> texts) {
    work::Ask ask;
    ask.texts = std::move(texts);
    ask.from = languages.from;
    ask.to = languages.to;
    return ask;
}

float score_of(const work::Answer& answer, std::size_t text) { return answer.result ? answer.result->score(text) : 0; }

}  // namespace serve::api
