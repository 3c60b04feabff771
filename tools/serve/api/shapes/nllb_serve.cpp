// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cmath>
#include <utility>

#include "serve/api/shapes/shapes.h"

namespace serve::api {

http::Response nllb_serve_error(const Problem& problem) {
    http::Response response;
    response.status = http_status(problem.kind);
    response.content_type = "text/plain; charset=utf-8";
    response.body = problem.what();
    return response;
}

// nllb-serve: {source, src_lang, tgt_lang, sen_split} -> {source, translation: [...], src_lang, tgt_lang, time_taken, time_units}
void answer_nllb_serve(Services& services, Call& call) {
    const auto begun = std::chrono::steady_clock::now();
    const Texts given = needed_texts(call.fields, "source");
    if (given.values.empty()) throw missing("source");
    services.check_texts(call.account, given.values, "source");
    const std::string from = text(call.fields, "src_lang"), to = text(call.fields, "tgt_lang");
    const ShapeLanguages languages = shape_languages(services, given.values, from, to);
    work::Ask ask = charged_ask(services, call, languages, given.values, "source");
    if (!flag(call.fields, "sen_split", true)) ask.options["split_sentences"] = false;
    services.translate(call, std::move(ask), nllb_serve_error,
                       [=, sources = given.values](Call& asked, const work::Answer& answer) {
                           Json all = Json::array();
                           for (std::size_t i = 0; i < sources.size(); ++i) all.push_back(answer.text(i));
                           const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
                           Json body;
                           body["source"] = sources;
                           body["translation"] = std::move(all);
                           body["src_lang"] = from.empty() ? languages.from : from;
                           body["tgt_lang"] = to.empty() ? languages.to : to;
                           body["time_taken"] = std::round(taken.count() * 1000) / 1000;
                           body["time_units"] = "s";
                           asked.exchange->send(json_response(body));
                       });
}

}  // namespace serve::api
