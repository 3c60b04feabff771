// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <span>
#include <utility>

#include "serve/api/own/own.h"
#include "serve/api/own/offsets.h"
#include "serve/api/own/way.h"

namespace serve::api {
namespace {

constexpr std::int64_t kOwnMostTokens = 1 << 20;

std::int32_t own_pooling(const Json& fields) {
    static constexpr const char* kNames[] = {"model", "mean", "cls", "pooler", "tokens"};
    const std::string name = text(fields, "pooling", kNames[0]);
    for (std::int32_t i = 0; i < std::int32_t(std::size(kNames)); ++i)
        if (name == kNames[i]) return i;
    throw Problem(Problem::Kind::bad_request,
                  "pooling is \"" + name + "\", \"model\", \"mean\", \"cls\", \"pooler\" or \"tokens\" is expected",
                  "pooling");
}

Json own_row(std::span<const float> values) {
    Json row = Json::array();
    for (const float value : values) row.push_back(own_exact(value));
    return row;
}

std::vector<std::string_view> own_views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

// Vectors for each token are lists of rows, others one row for each text.
Json own_vectors_json(const dragoman::Vectors& vectors, bool tokens) {
    Json list = Json::array();
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        if (!tokens) {
            list.push_back(own_row(vectors[i]));
            continue;
        }
        const dragoman_matrix rows = vectors.rows(i);
        Json each = Json::array();
        for (std::size_t row = 0; row < rows.rows; ++row)
            each.push_back(own_row({rows.data + row * rows.cols, rows.cols}));
        list.push_back(std::move(each));
    }
    return list;
}

void own_embed(const OwnParts& parts, Call& call) {
    const Json& fields = call.fields;
    std::vector<std::string> texts = own_texts(fields, "text").values;
    const std::int32_t pooling = own_pooling(fields);
    const bool truncate = flag(fields, "truncate", false);
    std::int32_t normalize = DRAGOMAN_NORMALIZE_MODEL;
    if (has(fields, "normalize"))
        normalize = flag(fields, "normalize", false) ? DRAGOMAN_NORMALIZE_ON : DRAGOMAN_NORMALIZE_OFF;
    const std::int64_t most = integer_between(fields, "max_tokens", 0, 0, kOwnMostTokens);
    parts.services.charge(call, texts, "text");
    own_with_model(parts, call, [=, texts = std::move(texts)](const work::Way& way) -> Json {
        dragoman::EmbedOptions options;
        options.pooling = pooling;
        options.normalize = normalize;
        options.max_tokens = std::uint32_t(most);
        options.truncate = truncate;
        if (!way.from.empty()) options.source_language = way.from.c_str();
        if (!way.to.empty()) options.target_language = way.to.c_str();
        const dragoman::Vectors vectors(*way.loaded.front(), own_views(texts), options);
        return {{"model", way.models.front()},
                {"dimensions", vectors.width()},
                {"vectors", own_vectors_json(vectors, pooling == DRAGOMAN_POOLING_TOKENS)}};
    });
}

Json own_score_json(const dragoman::Scores& scores, std::size_t pair, const std::string& target, OwnUnit unit) {
    const auto log_probs = scores.log_probs(pair);
    const double sum = std::accumulate(log_probs.begin(), log_probs.end(), 0.0);
    const OwnPlaces places(target, unit);
    Json tokens = Json::array(), ranges = Json::array();
    for (const dragoman_string& token : scores.tokens(pair)) tokens.push_back(std::string(dragoman::view(token)));
    for (const dragoman_range& range : scores.ranges(pair)) ranges.push_back(places.range(range.begin, range.end));
    return {{"score", own_number(sum)},
            {"mean", log_probs.empty() ? 0.0 : own_number(sum / double(log_probs.size()))},
            {"tokens", std::move(tokens)},
            {"ranges", std::move(ranges)},
            {"log_probs", own_row(log_probs)}};
}

void own_score(const OwnParts& parts, Call& call) {
    std::vector<std::string> sources = own_texts(call.fields, "source").values;
    std::vector<std::string> targets = own_texts(call.fields, "target").values;
    if (sources.size() != targets.size())
        throw Problem(Problem::Kind::bad_request,
                      "target has " + std::to_string(targets.size()) + " texts, source has " +
                          std::to_string(sources.size()) + ": one for each is expected",
                      "target");
    const OwnUnit unit = own_unit(call.fields);
    parts.services.charge(call, sources, "source");
    parts.services.charge(call, targets, "target");
    own_with_model(parts, call, [=](const work::Way& way) -> Json {
        dragoman::ScoreOptions options;
        if (!way.from.empty()) options.source_language = way.from.c_str();
        if (!way.to.empty()) options.target_language = way.to.c_str();
        const dragoman::Scores scores = way.translator->score(own_views(sources), own_views(targets), options);
        Json list = Json::array();
        for (std::size_t i = 0; i < scores.size(); ++i) list.push_back(own_score_json(scores, i, targets[i], unit));
        return {{"model", way.models.front()}, {"scores", std::move(list)}};
    });
}

}  // namespace

void add_own_vectors(Router& router, const OwnParts& parts) {
    router.add(own_route("POST", "/v1/embed", [parts](Call& call) { own_embed(parts, call); }));
    router.add(own_route("POST", "/v1/score", [parts](Call& call) { own_score(parts, call); }));
}

}  // namespace serve::api
