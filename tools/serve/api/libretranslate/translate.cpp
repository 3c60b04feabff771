// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

using Kind = Problem::Kind;

struct LibreRequest {
    Texts texts;
    ShapeLanguages languages;
    bool html = false;
    std::uint32_t alternatives = 0;
};

// Forms count every kind of line end as one LF, as Python's splitlines() knows them.
std::string libre_line_ends(std::string_view text) {
    static constexpr std::string_view kinds[] = {"\v",   "\f",       "\x1c",         "\x1d",
                                                 "\x1e", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto end = std::ranges::find_if(kinds, [&](std::string_view kind) { return text.starts_with(kind); });
        result += end == std::end(kinds) ? text.front() : '\n';
        text.remove_prefix(end == std::end(kinds) ? 1 : end->size());
    }
    return result;
}

std::uint32_t libre_alternatives(const Services& services, const Json& fields) {
    const std::int64_t limit = services.translations.options().most_alternatives;
    const bool given = has(fields, "alternatives") && *find(fields, "alternatives") != "";
    const std::int64_t asked = given ? std::max<std::int64_t>(0, integer(fields, "alternatives", 0)) : 0;
    if (asked > limit)
        throw Problem(Kind::bad_request, fmt::format("Invalid request: alternatives parameter must be <= {}", limit),
                      "alternatives");
    return static_cast<std::uint32_t>(asked);
}

bool libre_html(const Json& fields) {
    const std::string format = text(fields, "format");
    if (format.empty() || format == "text") return false;
    if (format == "html") return true;
    throw Problem(Kind::bad_request, format + " format is not supported", "format");
}

// In LibreTranslate's order, so that a request with two faults gets the same error.
LibreRequest read_libre(const Services& services, const Call& call) {
    LibreRequest request;
    request.texts = needed_texts(call.fields, "q");
    const auto& given = request.texts.values;
    if (given.empty() || (!request.texts.list && given.front().empty())) throw missing("q");
    const std::string source = needed_text(call.fields, "source"), target = needed_text(call.fields, "target");
    request.alternatives = libre_alternatives(services, call.fields);
    if (!call.is_json)
        for (std::string& each : request.texts.values) each = libre_line_ends(each);
    services.check_texts(call.account, request.texts.values, "q");
    // A wrong format is told after wrong languages and before a pair that is not there.
    if (source != "auto") services.language(source);
    services.language(target);
    request.html = libre_html(call.fields);
    request.languages = shape_languages(services, given, source, target, request.html);
    return request;
}

Json libre_alternatives_of(const LibreRequest& request, const work::Answer& answer, std::size_t text) {
    Json all = Json::array();
    if (!request.html)
        for (std::string& each : answer.alternatives(text)) {
            if (all.size() == request.alternatives) break;
            all.push_back(std::move(each));
        }
    return all;
}

// A value for a string, and a list of them for a list.
template <class Value>
Json libre_shaped(const Texts& texts, Value&& value) {
    if (!texts.list) return value(0);
    Json all = Json::array();
    for (std::size_t i = 0; i < texts.values.size(); ++i) all.push_back(value(i));
    return all;
}

Json libre_answer(const LibreRequest& request, const work::Answer& answer) {
    Json body;
    if (request.alternatives > 0)
        body["alternatives"] = libre_shaped(request.texts,
                                            [&](std::size_t i) { return libre_alternatives_of(request, answer, i); });
    if (request.languages.detected) {
        const Json language{{"confidence", std::lround(request.languages.confidence * 100)},
                            {"language", request.languages.from}};
        body["detectedLanguage"] = libre_shaped(request.texts, [&](std::size_t) { return language; });
    }
    body["translatedText"] = libre_shaped(request.texts, [&](std::size_t i) { return Json(answer.text(i)); });
    return body;
}

}  // namespace

// Without a key LibreTranslate answers 400, and 403 with a wrong one: clients tell them apart by that.
http::Response libretranslate_error(const Problem& problem) {
    http::Response response = plain_error(problem);
    if (problem.kind == Kind::unauthorized) response.status = 400;
    return response;
}

void answer_libretranslate(Services& services, Call& call) {
    const LibreRequest request = read_libre(services, call);
    work::Ask ask = charged_ask(services, call, request.languages, request.texts.values, "q");
    if (request.html) ask.markup = DRAGOMAN_MARKUP_HTML;
    else ask.alternatives = request.alternatives;
    services.translate(call, std::move(ask), libretranslate_error, [request](Call& asked, const work::Answer& answer) {
        asked.exchange->send(json_response(libre_answer(request, answer)));
    });
}

}  // namespace serve::api
