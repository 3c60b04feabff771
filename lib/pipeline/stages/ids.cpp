// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "engine/replicas.h"
#include "pipeline/model/model_info.h"
#include "pipeline/model/options.h"
#include "pipeline/model/token_ids.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/term_search.h"
#include "spec/prompt.h"
#include "spec/shortlist.h"
#include "text/degenerate_repetition.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {
namespace {

// Whether a source has more than BOS, EOS and a language code; otherwise its translation is empty without asking the
// model.
bool has_content(const Model& model, const Tokens& source) {
    const std::string& bos = model.bos_token();
    const std::string& eos = model.eos_token();
    const std::size_t n = source.size();
    if (n == 0) return false;
    if (n == 1) return source[0] != bos && source[0] != eos;
    std::size_t special = source[0] == bos ? 1 : 0;
    if (source[n - 1] == eos) special += 1;
    else if (source[n - 2] == eos) special += 2;  // the language code comes last
    return n > special;
}

class IdsStage final : public Stage {
public:
    explicit IdsStage(const Plan& plan)
        : plan_(plan), most_(std::min(plan.search.max_length, plan.model.replicas()->info().max_target_positions)) {}

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next) {
            if (sentence.finished) continue;
            if (plan_.model.continues()) continue_from(document.index, sentence);
            else if (has_content(plan_.model, sentence.tokens)) translate(document, sentence);
            else finish_empty(sentence);
        }
    }

    void up(const Document&, Sentence& sentence) const override {
        for (const decode::Hypothesis& hypothesis : sentence.output->hypotheses)
            sentence.hypotheses.push_back(read(hypothesis, sentence));
        if (sentence.hypotheses.empty()) return;
        sentence.length = sentence.hypotheses.front().score.tokens();
        sentence.likelihood = likelihood(sentence.output->hypotheses.front(), sentence.input.context.size());
    }

private:
    void translate(const Document& document, Sentence& sentence) const {
        const std::size_t index = document.index;
        decode::SearchInput& input = sentence.input;
        input.source = source_ids(plan_.model, sentence.tokens, plan_.decoding.max_input_length, index);
        Tokens target = sentence.prompt ? sentence.prompt->target_begin : Tokens();
        target.insert(target.end(), sentence.target_prefix.begin(), sentence.target_prefix.end());
        const auto ids = target_ids(plan_.model, target, false, 0, index);
        input.start_id = ids.front();
        (is_beginning(sentence) ? input.context : input.prefix).assign(ids.begin() + 1, ids.end());
        input.max_length = most_;
        if (plan_.search.max_length_factor > 0)
            input.max_length =
                std::clamp(uint32_t(std::ceil(plan_.search.max_length_factor * float(input.source.size()))), 1u, most_);
        // Repetitive sources make models go on until they are stopped.
        const bool watched = plan_.inputs == Plan::Inputs::texts && !plan_.text.raw;
        if (watched && text::repeats(input.source))
            input.max_length = std::min(input.max_length, uint32_t(2 * input.source.size() + 16));
        input.min_length = std::min(plan_.search.min_length, input.max_length);
        input.sampling = sampling();
        if (plan_.shortlist) add_shortlist(input);
        if (!sentence.terms.empty()) input.terms = search_terms(plan_.model, document.text, sentence);
        sentence.source_length = input.source.size();
        if (sentence.prompt) sentence.fed = forced_tokens(plan_.model, *sentence.prompt);
    }

    // To transformers a given prefix is the decoder's input, and no part of what the search finds and measures; tokens
    // that the model forces are. Terms that a prefix has are met only where it is a part.
    bool is_beginning(const Sentence& sentence) const {
        return plan_.rules.style == spec::SearchStyle::huggingface && !sentence.target_prefix.empty() &&
               sentence.terms.empty();
    }

    void continue_from(std::size_t index, Sentence& sentence) const {
        decode::SearchInput& input = sentence.input;
        const auto ids = beginning_ids(plan_.model, sentence.tokens, index);
        const auto begun = uint32_t(ids.size());
        if (const uint32_t most = plan_.search.max_total; most > 0 && begun >= most)
            fail(Status::invalid_argument,
                 "request {}: the text has {} tokens, the model's max_length allows {} with the continuation; "
                 "max_decoding_length counts the continuation alone",
                 index, begun, most);
        input.start_id = ids.front();
        input.context.assign(ids.begin() + 1, ids.end());
        input.prefix = target_ids(plan_.model, sentence.target_prefix, false, 0, index);
        const spec::SearchDefaults& search = plan_.search;
        const uint32_t most = search.max_total ? search.max_total - begun : search.max_length;
        const uint32_t fewest = std::max(search.min_total, begun) - begun;
        // The start token does not count in the search, and the last token needs no position.
        input.max_length = std::min(begun - 1 + most, plan_.model.replicas()->info().max_target_positions);
        input.min_length = std::min(begun - 1 + std::max(fewest, search.min_length), input.max_length);
        input.sampling = sampling();
        sentence.source_length = begun;
        sentence.fed = input.context.size();
    }

    decode::Sampling sampling() const {
        return {.temperature = plan_.search.temperature,
                .top_k = plan_.search.top_k,
                .top_p = plan_.search.top_p,
                .min_p = plan_.search.min_p,
                .seed = plan_.decoding.seed};
    }

    void add_shortlist(decode::SearchInput& input) const {
        input.allowed = plan_.shortlist->allowed(input.source);
        for (const uint32_t end : plan_.rules.end_ids)  // without them nothing would end
            if (!std::ranges::binary_search(input.allowed, end))
                input.allowed.insert(std::ranges::lower_bound(input.allowed, end), end);
    }

    // Makes as many hypotheses as asked for, with the prefix alone.
    void finish_empty(Sentence& sentence) const {
        Tokens tokens = sentence.target_prefix;
        if (!plan_.model.decoder_start_token() && !tokens.empty()) tokens.erase(tokens.begin());
        if (tokens.size() > plan_.search.max_length) tokens.resize(plan_.search.max_length);
        const text::Vocabulary& target = plan_.model.target();
        for (std::string& token : tokens) token = target.token(target.id(token));
        Translation hypothesis{.tokens = tokens};
        if (plan_.decoding.return_attention) hypothesis.attention = Matrix(tokens.size(), sentence.tokens.size());
        if (plan_.model.info().has_tokenizer) {
            text::DetokenizedText words = plan_.model.detokenize(hypothesis.tokens);
            hypothesis.text = std::move(words.text);
            hypothesis.ranges = std::move(words.ranges);
        }
        sentence.hypotheses.assign(plan_.decoding.num_hypotheses, hypothesis);
        sentence.finished = true;
    }

    bool is_end(uint32_t id) const { return std::ranges::find(plan_.rules.end_ids, id) != plan_.rules.end_ids.end(); }

    // The likelihood of a token, whatever the options make of a score.
    float likelihood(const decode::Hypothesis& from, std::size_t given) const {
        const auto length = float(std::max(from.tokens.size(), given + 1) - given);
        return from.score * std::pow(length, plan_.search.length_penalty - 1.0f);
    }

    Translation read(const decode::Hypothesis& from, const Sentence& sentence) const {
        const Model& model = plan_.model;
        std::span<const uint32_t> ids = from.tokens;
        if (!plan_.decoding.return_end_token)
            while (!ids.empty() && is_end(ids.back())) ids = ids.first(ids.size() - 1);
        const bool ended = !ids.empty() && is_end(ids.back());
        const std::size_t begin = std::min(sentence.fed, ids.size());
        const std::size_t length = ids.size() - begin;
        Translation result{.tokens = model.target().tokens(ids.subspan(begin)),
                           .score = {plan_.decoding.return_scores ? from.score : 0.0f, length}};
        std::vector<std::vector<float>> rows;
        if (!from.attention.empty())
            for (std::size_t t = begin; t < ids.size(); ++t) {
                std::vector<float> weights = attention(from, t, sentence);
                if (plan_.search.replace_unknowns && ids[t] == model.target().unk_id())
                    result.tokens[t - begin] =
                        sentence.tokens[std::size_t(std::ranges::max_element(weights) - weights.begin())];
                if (plan_.keeps_attention() || sentence.model_input) rows.push_back(std::move(weights));
            }
        if (!from.certainty.empty()) {
            std::size_t end = ids.size();
            while (end > begin && is_end(ids[end - 1])) --end;
            result.notes.certainty.assign(from.certainty.begin() + std::ptrdiff_t(begin),
                                          from.certainty.begin() + std::ptrdiff_t(end));
            if (is_end(from.tokens.back())) result.notes.end_log_prob = from.certainty.back().log_prob;
        }
        if (model.right_to_left()) {
            const auto in_reading_order = [&](auto& items) {
                std::reverse(items.begin(), items.end() - (ended && !items.empty() ? 1 : 0));
            };
            in_reading_order(result.tokens);
            in_reading_order(rows);
            std::ranges::reverse(result.notes.certainty);
        }
        for (const WantedTerm& term : sentence.terms)
            if (is_reported(plan_, term))
                result.terms.push_back({term.origin.value_or(term.range), has_term(from, term)});
        for (const std::vector<float>& row : rows) result.attention.add_row(row);
        return result;
    }

    // The attention of target token t over the tokens of the sentence.
    std::vector<float> attention(const decode::Hypothesis& from, std::size_t t, const Sentence& sentence) const {
        const Model& model = plan_.model;
        const std::size_t skipped = model.add_source_bos() ? 1 : 0;
        const std::size_t last = std::max(sentence.source_length - (model.add_source_eos() ? 1 : 0), skipped);
        const float* row = from.attention.data() + step_of(from, t) * sentence.source_length;
        std::vector<float> weights(row + skipped, row + last);
        // The part cut off by max_input_length gets none: the source ended before it.
        weights.resize(sentence.tokens.size(), 0.0f);
        if (model.right_to_left()) std::ranges::reverse(weights);
        return weights;
    }

    // The step whose attention is target token t's: the one that reads the token, where the model says so. A last token
    // has none.
    std::size_t step_of(const decode::Hypothesis& from, std::size_t t) const {
        const bool chosen = plan_.decoding.attention_layer > 0 || plan_.decoding.attention_head > 0;
        const bool next = !chosen && plan_.model.replicas()->info().alignment_next_step;
        return next ? std::min(t + 1, from.tokens.size() - 1) : t;
    }

    const Plan& plan_;
    const uint32_t most_;
};

}  // namespace

std::unique_ptr<const Stage> ids_stage(const Plan& plan) { return std::make_unique<IdsStage>(plan); }

}  // namespace dragoman::pipeline
