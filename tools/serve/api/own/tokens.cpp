// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "serve/api/own/own.h"
#include "serve/api/own/offsets.h"
#include "serve/api/own/way.h"

namespace serve::api {
namespace {

dragoman_side own_side(const Json& fields, const char* fallback) {
    const std::string side = text(fields, "side", fallback);
    if (side == "source") return DRAGOMAN_SIDE_SOURCE;
    if (side == "target") return DRAGOMAN_SIDE_TARGET;
    throw Problem(Problem::Kind::bad_request, "side is \"" + side + "\", \"source\" or \"target\" is expected", "side");
}

void own_tokenize(const OwnParts& parts, Call& call) {
    std::vector<std::string> texts = own_texts(call.fields, "text").values;
    const dragoman_side side = own_side(call.fields, "source");
    const OwnUnit unit = own_unit(call.fields);
    parts.services.charge(call, texts, "text");
    own_with_model(parts, call, [=, texts = std::move(texts)](const work::Way& way) -> Json {
        Json tokens = Json::array(), ranges = Json::array();
        for (const std::string& text : texts) {
            const OwnPlaces places(text, unit);
            Json each = Json::array();
            for (const dragoman_range& range : way.loaded.front()->token_ranges(text, side))
                each.push_back(places.range(range.begin, range.end));
            tokens.push_back(way.loaded.front()->tokenize(text, side));
            ranges.push_back(std::move(each));
        }
        return {{"model", way.models.front()}, {"tokens", std::move(tokens)}, {"ranges", std::move(ranges)}};
    });
}

// A list of tokens, or a list of such lists.
std::vector<std::vector<std::string>> own_sequences(const Json& fields) {
    const Json* given = find(fields, "tokens");
    if (!given) throw Problem(Problem::Kind::missing, "tokens is missing", "tokens");
    std::vector<std::vector<std::string>> sequences;
    const auto add = [&](const Json& list) {
        sequences.emplace_back();
        for (const Json& token : list) {
            if (!token.is_string())
                throw Problem(Problem::Kind::bad_request,
                              std::string("tokens: one is ") + token.type_name() + ", a string is expected", "tokens");
            sequences.back().push_back(token.get<std::string>());
        }
    };
    if (!given->is_array())
        throw Problem(Problem::Kind::bad_request,
                      std::string("tokens is ") + given->type_name() + ", a list is expected", "tokens");
    if (given->empty() || !given->front().is_array()) add(*given);
    else
        for (const Json& list : *given) add(list);
    return sequences;
}

void own_detokenize(const OwnParts& parts, Call& call) {
    auto sequences = own_sequences(call.fields);
    std::vector<std::string> all;
    for (const auto& tokens : sequences) {
        all.emplace_back();
        for (const std::string& token : tokens) all.back() += token;
    }
    const dragoman_side side = own_side(call.fields, "target");
    parts.services.charge(call, all, "tokens");
    own_with_model(parts, call, [=, sequences = std::move(sequences)](const work::Way& way) -> Json {
        Json texts = Json::array();
        for (const auto& tokens : sequences) texts.push_back(way.loaded.front()->detokenize(tokens, side));
        return {{"model", way.models.front()}, {"texts", std::move(texts)}};
    });
}

}  // namespace

void add_own_tokens(Router& router, const OwnParts& parts) {
    router.add(own_route("POST", "/v1/tokenize", [parts](Call& call) { own_tokenize(parts, call); }));
    router.add(own_route("POST", "/v1/detokenize", [parts](Call& call) { own_detokenize(parts, call); }));
}

}  // namespace serve::api
