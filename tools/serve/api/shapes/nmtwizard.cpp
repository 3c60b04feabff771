// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

// {src: [{text}]}: the texts.
Texts nmtwizard_texts(const Json& fields) {
    Texts all{{}, true};
    for (const Json& each : *find(fields, "src")) {
        const Json* text = find(each, "text");
        if (!text || !text->is_string())
            throw Problem(Problem::Kind::bad_request, fmt::format("src[{}] has no text", all.values.size()), "src");
        all.values.push_back(text->get<std::string>());
    }
    return all;
}

}  // namespace

http::Response nmtwizard_error(const Problem& problem) {
    return json_response({{"message", problem.what()}}, http_status(problem.kind));
}

// NMT-Wizard: {src: [{text}]} -> {tgt: [[{text, score}]]}
void answer_nmtwizard(Services& services, Call& call) {
    const Texts given = nmtwizard_texts(call.fields);
    if (given.values.empty()) {
        call.exchange->send(json_response({{"tgt", Json::array()}}));
        return;
    }
    services.check_texts(call.account, given.values, "src");
    const Json* options = find(call.fields, "options");
    const Json none = Json::object();
    const Json& named = options && options->is_object() ? *options : none;
    const ShapeLanguages languages = shape_languages(services, given.values, first_text(named, {"source", "src_lang"}),
                                                     first_text(named, {"target", "tgt_lang"}));
    work::Ask ask = charged_ask(services, call, languages, given.values, "src");
    ask.scores = true;
    services.translate(call, std::move(ask), nmtwizard_error, [](Call& asked, const work::Answer& answer) {
        Json all = Json::array();
        for (std::size_t i = 0; i < answer.size(); ++i)
            all.push_back(Json::array({Json{{"text", answer.text(i)}, {"score", score_of(answer, i)}}}));
        asked.exchange->send(json_response({{"tgt", std::move(all)}}));
    });
}

}  // namespace serve::api
