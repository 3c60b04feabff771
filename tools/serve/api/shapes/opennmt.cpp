// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "serve/api/shapes/shapes.h"

namespace serve::api {
namespace {

struct OpennmtRequest {
    Texts texts{{}, true};
    std::string model, from, to;
};

// A list of {src, id}; an id that is a name here chooses the model, numbers do not.
OpennmtRequest read_opennmt(const Services& services, const Json& list) {
    OpennmtRequest request;
    for (const Json& each : list) {
        const Json* source = find(each, "src");
        if (!source || !source->is_string())
            throw Problem(Problem::Kind::bad_request, fmt::format("[{}] has no src", request.texts.values.size()),
                          "src");
        request.texts.values.push_back(source->get<std::string>());
        const Json* id = find(each, "id");
        if (id && id->is_string() && services.models.find(id->get<std::string>()))
            request.model = id->get<std::string>();
        if (request.from.empty()) request.from = first_text(each, {"src_lang"});
        if (request.to.empty()) request.to = first_text(each, {"tgt_lang"});
    }
    return request;
}

}  // namespace

http::Response opennmt_error(const Problem& problem) {
    return json_response({{"error", problem.what()}, {"status", "error"}}, http_status(problem.kind));
}

// OpenNMT-py's server: [{src, id}] -> [[{src, tgt, n_best, pred_score}]]; the outer list has a place for each of n
// best.
void answer_opennmt(Services& services, Call& call) {
    OpennmtRequest request = read_opennmt(services, call.fields);
    services.check_texts(call.account, request.texts.values, "src");
    const ShapeLanguages languages = shape_languages(services, request.texts.values, request.from, request.to);
    work::Ask ask = charged_ask(services, call, languages, request.texts.values, "src");
    ask.model = request.model;
    ask.scores = true;
    services.translate(call, std::move(ask), opennmt_error,
                       [sources = request.texts.values](Call& asked, const work::Answer& answer) {
                           Json all = Json::array();
                           for (std::size_t i = 0; i < sources.size(); ++i)
                               all.push_back({{"src", sources[i]},
                                              {"tgt", answer.text(i)},
                                              {"n_best", 1},
                                              {"pred_score", score_of(answer, i)}});
                           asked.exchange->send(json_response(Json::array({std::move(all)})));
                       });
}

}  // namespace serve::api
