// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "serve/api/deepl/form.h"
#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

constexpr std::uint32_t kDeeplxAlternatives = 3;  // as DeepLX gives

dragoman_markup deeplx_markup(const Json& fields) {
    const std::string handling = text(fields, "tag_handling");
    if (handling.empty()) return DRAGOMAN_MARKUP_NONE;
    if (handling == "html") return DRAGOMAN_MARKUP_HTML;
    if (handling == "xml") return DRAGOMAN_MARKUP_XML;
    throw Problem(Problem::Kind::bad_request, "Invalid tag_handling value: " + handling, "tag_handling");
}

}  // namespace

http::Response deeplx_error(const Problem& problem) {
    const int status = http_status(problem.kind);
    return json_response({{"code", status}, {"message", problem.what()}}, status);
}

// {text, source_lang, target_lang, tag_handling} -> {code: 200, data, alternatives}
void answer_deeplx(Services& services, Call& call) {
    const std::string given = needed_text(call.fields, "text");
    services.check_texts(call.account, {given}, "text");
    const dragoman_markup markup = deeplx_markup(call.fields);
    const ShapeLanguages languages = shape_languages(services, {given}, text(call.fields, "source_lang"),
                                                     needed_text(call.fields, "target_lang"),
                                                     markup != DRAGOMAN_MARKUP_NONE);
    work::Ask ask = charged_ask(services, call, languages, {given}, "text");
    ask.markup = markup;
    if (markup == DRAGOMAN_MARKUP_NONE)
        ask.alternatives = std::min(kDeeplxAlternatives, services.translations.options().most_alternatives);
    services.translate(call, std::move(ask), deeplx_error, [languages](Call& asked, const work::Answer& answer) {
        Json body{{"code", 200}};
        body["data"] = answer.text(0);
        body["alternatives"] = answer.alternatives(0);
        body["source_lang"] = deepl_upper(languages.from);
        body["target_lang"] = deepl_upper(languages.to);
        asked.exchange->send(json_response(body));
    });
}

}  // namespace serve::api
