// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/score.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "base/utf8.h"
#include "engine/search.h"
#include "pipeline/model/token_ids.h"
#include "pipeline/run/translator.h"
#include "pipeline/stages/stages.h"
#include "text/normalize.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {

namespace {

// A source and the target to score, in the order of generation.
struct ScoredPair {
    std::vector<uint32_t> source;
    std::vector<uint32_t> target;   // with what starts it, and the end; of a decoder alone, behind the source
    std::size_t begin = 1;          // the first that is scored; those before it are given
};

void check_positions(const Model& model, std::size_t pair, std::size_t tokens) {
    const uint32_t positions = model.replicas()->info().max_target_positions;
    if (tokens > positions)
        fail(Status::invalid_argument, "pair {}: target has {} tokens, the model has positions for {}", pair, tokens,
             positions);
}

decode::SearchInput search_input(ScoredPair&& pair) {
    decode::SearchInput input;
    input.source = std::move(pair.source);
    input.start_id = pair.target.front();
    input.context.assign(pair.target.begin() + 1, pair.target.end());
    input.max_length = uint32_t(input.context.size());
    input.min_length = 0;
    return input;
}

// The scores of every context token, for each input.
std::vector<std::vector<float>> run(const std::shared_ptr<const Model>& model,
                                    std::vector<decode::SearchInput> inputs) {
    std::vector<std::vector<float>> scores(inputs.size());
    if (inputs.empty()) return scores;
    const auto mailbox = std::make_shared<engine::Mailbox>();
    const decode::SearchRules rules{.style = model->search().style, .forced_scores = true};
    engine::Search search(model->replicas(), {.rules = rules}, mailbox,
                          {.finished =
                               [&](std::size_t input, decode::SearchOutput output) {
                                   scores[input] = std::move(output.forced_scores);
                               },
                           .partial = {}});
    search.add(std::move(inputs), true);
    while (!search.over())
        for (engine::Event& event : mailbox->take())
            if (search.owns(event)) search.handle(std::move(event));
    if (search.error()) std::rethrow_exception(search.error());
    return scores;
}

// Puts tokens into reading order, for models that write the last token first; the end token stays last.
template <class T>
void turn(std::vector<T>& values) {
    if (!values.empty()) std::reverse(values.begin(), values.end() - 1);
}

std::vector<ScoreResult> score_pairs(const std::shared_ptr<const Model>& model, std::vector<ScoredPair> pairs) {
    std::vector<ScoreResult> results(pairs.size());
    std::vector<decode::SearchInput> inputs;
    std::vector<std::size_t> pair_of, begin_of;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        ScoredPair& pair = pairs[i];
        if (pair.target.empty()) continue;
        check_positions(*model, i, pair.target.size() - 1);
        results[i].tokens = model->target().tokens(std::span(pair.target).subspan(pair.begin));
        results[i].log_probs.assign(results[i].tokens.size(), 0.0f);
        if (pair.source.empty() && !model->continues()) continue;
        pair_of.push_back(i);
        begin_of.push_back(pair.begin);
        inputs.push_back(search_input(std::move(pair)));
    }
    auto scores = run(model, std::move(inputs));
    for (std::size_t i = 0; i < scores.size(); ++i)
        results[pair_of[i]].log_probs.assign(scores[i].begin() + std::ptrdiff_t(begin_of[i] - 1), scores[i].end());
    if (!model->right_to_left()) return results;
    for (ScoreResult& result : results) {
        turn(result.tokens);
        turn(result.log_probs);
    }
    return results;
}

// A target after the tokens that a decoder-only model is given.
ScoredPair behind(const Model& model, const Tokens& given, const Tokens& target, uint32_t most, std::size_t index) {
    ScoredPair pair{.source = {}, .target = beginning_ids(model, given, index)};
    pair.begin = pair.target.size();
    std::ranges::copy(target_ids(model, target, true, most, index), std::back_inserter(pair.target));
    return pair;
}

// Turns texts into pairs of ids.
class TextPairs {
public:
    TextPairs(const Model& model, const ScoreOptions& options)
        : plan_(model, Plan::Inputs::texts,
                {.split_sentences = false,
                 .source_language = options.source_language,
                 .target_language = options.target_language},
                {.max_input_length = options.max_input_length}),
          prompt_(prompt_stage(plan_)), pieces_(pieces_stage(plan_)) {}

    // Also returns the bytes of the target that its tokens stand for, in reading order, without the end.
    ScoredPair ids(const TextPair& given, std::size_t index, std::vector<text::Range>& ranges) const {
        check(given.source, "source", index);
        check(given.target, "target", index);
        if (plan_.model.continues()) return behind(given, index, ranges);
        const Sentence sentence = source(given.source, index);
        text::Normalized normal = text::normalize(given.target);
        text::TokenizedText target = plan_.model.tokenize(normal.text, text::Side::target);
        text::to_source(normal.map, given.target, target.ranges);
        ranges = std::move(target.ranges);
        Tokens generated = sentence.prompt->target_begin;
        const std::size_t own = target.tokens.size();
        if (plan_.model.right_to_left()) std::ranges::reverse(target.tokens);
        std::ranges::move(target.tokens, std::back_inserter(generated));
        const uint32_t most = plan_.decoding.max_input_length;
        ScoredPair pair{.source = source_ids(plan_.model, sentence.tokens, most, index),
                        .target = target_ids(plan_.model, generated, true, 0, index)};
        pair.begin = pair.target.size() - own - 1;
        cut(pair, ranges, most);
        return pair;
    }

private:
    // Both texts are unchanged.
    ScoredPair behind(const TextPair& given, std::size_t index, std::vector<text::Range>& ranges) const {
        text::TokenizedText target = plan_.model.tokenize(given.target);
        ranges = std::move(target.ranges);
        const uint32_t most = plan_.decoding.max_input_length;
        if (most > 0 && ranges.size() >= most) ranges.resize(most - 1);
        const Tokens source = plan_.model.tokenize(given.source).tokens;
        return pipeline::behind(plan_.model, source, target.tokens, most, index);
    }

    static void check(std::string_view text, const char* side, std::size_t index) {
        if (const auto bad = first_invalid_utf8(text))
            fail(Status::invalid_argument, "pair {}: {}: invalid UTF-8 at byte {}", index, side, *bad);
    }

    Sentence source(std::string_view text, std::size_t index) const {
        Document document;
        document.index = index;
        document.text = text;
        prompt_->open(document);
        Sentences one(1);
        one.front().range = one.front().body = text::trim(text, {0, text.size()});
        prompt_->down(document, one);
        pieces_->down(document, one);
        return std::move(one.front());
    }

    // Cuts the pair to `most` scored tokens, including the end.
    void cut(ScoredPair& pair, std::vector<text::Range>& ranges, uint32_t most) const {
        if (most == 0 || pair.target.size() - pair.begin <= most) return;
        const uint32_t end = pair.target.back();
        pair.target.resize(pair.begin + most);
        pair.target.back() = end;
        // The tokens generated last are left out.
        if (plan_.model.right_to_left()) ranges.erase(ranges.begin(), ranges.end() - (most - 1));
        else ranges.resize(most - 1);
    }

    const Plan plan_;
    const std::unique_ptr<const Stage> prompt_, pieces_;
};

}  // namespace

std::vector<ScoreResult> score(const std::shared_ptr<const Model>& model, std::span<const Request> requests,
                               uint32_t max_input_length) {
    std::vector<ScoredPair> pairs(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (model->continues()) {
            pairs[i] = behind(*model, requests[i].source, requests[i].target_prefix, max_input_length, i);
            continue;
        }
        if (!model->decoder_start_token() && requests[i].target_prefix.empty()) continue;
        pairs[i].source = source_ids(*model, requests[i].source, max_input_length, i);
        Tokens generated = requests[i].target_prefix;
        if (model->right_to_left()) std::ranges::reverse(generated);
        // The start token is additional: it is fed, not scored.
        pairs[i].target = target_ids(*model, generated, true, max_input_length ? max_input_length + 1 : 0, i);
    }
    return score_pairs(model, std::move(pairs));
}

std::vector<ScoreResult> score_texts(const std::shared_ptr<const Model>& model, std::span<const TextPair> given,
                                     const ScoreOptions& options) {
    const TextPairs texts(*model, options);
    std::vector<ScoredPair> pairs(given.size());
    std::vector<std::vector<text::Range>> ranges(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) pairs[i] = texts.ids(given[i], i, ranges[i]);
    std::vector<ScoreResult> results = score_pairs(model, std::move(pairs));
    for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].ranges = std::move(ranges[i]);
        results[i].ranges.push_back({given[i].target.size(), given[i].target.size()});
    }
    return results;
}

}  // namespace dragoman::pipeline
