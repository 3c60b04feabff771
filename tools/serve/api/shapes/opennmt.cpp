// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "serve/api/shapes/groups.h"

namespace serve::api {
namespace {

// A list of {src, id}; an id that is a name here chooses the model, numbers do not. What an item leaves out, the first
// one that has it says.
GroupedAsk read_opennmt(const Services& services, const Json& list) {
    GroupedAsk ask{{}, {}, "src", opennmt_error, [](work::Ask& each) { each.scores = true; }};
    TextWay first;
    for (const Json& each : list) {
        const Json* source = find(each, "src");
        if (!source || !source->is_string())
            throw Problem(Problem::Kind::bad_request, fmt::format("[{}] has no src", ask.texts.size()), "src");
        ask.texts.push_back(source->get<std::string>());
        TextWay& way = ask.ways.emplace_back(TextWay{text(each, "src_lang"), text(each, "tgt_lang"), ""});
        const Json* id = find(each, "id");
        if (id && id->is_string() && services.models.find(id->get<std::string>())) way.model = id->get<std::string>();
        for (const auto part : {&TextWay::from, &TextWay::to, &TextWay::model})
            if ((first.*part).empty()) first.*part = way.*part;
    }
    for (TextWay& way : ask.ways)
        for (const auto part : {&TextWay::from, &TextWay::to, &TextWay::model})
            if ((way.*part).empty()) way.*part = first.*part;
    return ask;
}

}  // namespace

http::Response opennmt_error(const Problem& problem) {
    return json_response({{"error", problem.what()}, {"status", "error"}}, http_status(problem.kind));
}

// OpenNMT-py's server: [{src, id}] -> [[{src, tgt, n_best, pred_score}]]; the outer list has a place for each of n
// best.
void answer_opennmt(Services& services, Call& call) {
    GroupedAsk ask = read_opennmt(services, call.fields);
    services.check_texts(call.account, ask.texts, "src");
    const std::vector<std::string> sources = ask.texts;
    translate_groups(services, call, std::move(ask), [sources](Call& asked, const GroupedAnswer& answer) {
        Json all = Json::array();
        for (std::size_t i = 0; i < sources.size(); ++i)
            all.push_back(
                {{"src", sources[i]}, {"tgt", answer.text(i)}, {"n_best", 1}, {"pred_score", answer.score(i)}});
        asked.exchange->send(json_response(Json::array({std::move(all)})));
    });
}

}  // namespace serve::api
