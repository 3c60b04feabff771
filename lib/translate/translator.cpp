// SPDX-License-Identifier: Apache-2.0
#include "translate/translator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>

#include "base/error.h"
#include "translate/batcher.h"
#include "translate/inputs.h"
#include "translate/options.h"
#include "translate/results.h"

namespace dragoman::translate {

namespace {

using decode::SearchInput;
using decode::SearchOutput;
using decode::SearchRules;

class SearchTranslator final : public Translator {
public:
    explicit SearchTranslator(std::shared_ptr<const LoadedModel> model)
        : model_(std::move(model)), search_(model_->shared_context(), model_->network()) {
        stats_base_ = model_->context().stats();
    }

    const Model& model() const override { return *model_; }
    std::vector<Result> translate(std::span<const Request> requests, const TranslateOptions& options,
                                  const Progress& progress) override;
    std::vector<ScoreResult> score(std::span<const Request> pairs, uint32_t max_input_length) override;
    TranslatorStats stats() const override;
    void reset_stats() override;
    void trim() override;

private:
    struct Prepared {
        std::vector<std::size_t> requests;  // which request each input belongs to
        std::vector<SearchInput> inputs;
        std::vector<std::size_t> source_lengths;
    };
    Prepared prepare(std::span<const Request> requests, const TranslateOptions& options,
                     const model::SearchDefaults& search) const;
    decode::StreamLimits limits(const SearchRules& rules, const TranslateOptions& options) const;
    void translate_alternatives(Prepared prepared, const SearchRules& rules, const Finishing& finishing,
                                std::span<const Request> requests, std::vector<Result>& results,
                                const decode::Poll& poll);
    void count(const Prepared& prepared, const std::vector<Result>& results);

    std::shared_ptr<const LoadedModel> model_;
    mutable std::mutex mutex_;
    decode::Search search_;
    TranslatorStats stats_;
    vulkan::ContextStats stats_base_;
};

decode::StreamLimits SearchTranslator::limits(const SearchRules& rules, const TranslateOptions& options) const {
    // Rows of a step saturate a CPU's vectors early and a GPU's late.
    const bool cpu = model_->context().caps().is_cpu();
    decode::StreamLimits limits{.slots = std::max((cpu ? 128u : 1024u) / rules.beam_size, 1u),
                                .source_tokens = cpu ? 4096u : 32768u};
    if (options.max_batch_size > 0) limits.slots = options.max_batch_size;
    if (options.max_batch_tokens > 0) limits.source_tokens = options.max_batch_tokens;
    return limits;
}

SearchTranslator::Prepared SearchTranslator::prepare(std::span<const Request> requests,
                                                     const TranslateOptions& options,
                                                     const model::SearchDefaults& search) const {
    Prepared prepared;
    const uint32_t most = std::min(search.max_length, model_->network().info().max_target_positions);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!has_content(*model_, requests[i].source)) continue;
        SearchInput input;
        input.source = source_ids(*model_, requests[i].source, options.max_input_length, i);
        const auto target = target_ids(*model_, requests[i].target_prefix, false, 0, i);
        input.start_id = target.front();
        input.prefix.assign(target.begin() + 1, target.end());
        input.max_length = most;
        if (search.max_length_factor > 0)
            input.max_length = std::clamp(
                uint32_t(std::ceil(search.max_length_factor * float(input.source.size()))), 1u, most);
        input.min_length = std::min(search.min_length, input.max_length);
        prepared.requests.push_back(i);
        prepared.source_lengths.push_back(input.source.size());
        prepared.inputs.push_back(std::move(input));
    }
    return prepared;
}

std::vector<Result> SearchTranslator::translate(std::span<const Request> requests, const TranslateOptions& options,
                                                const Progress& progress) {
    check_attention(options, model_->info());
    const model::SearchDefaults search = settle(options, model_->search());
    SearchRules rules = search_rules(options, search, model_->target(), model_->eos_token());
    std::ranges::copy(model_->never_generated(), std::back_inserter(rules.suppressed));
    const model::Shortlist* shortlist = options.use_shortlist ? model_->shortlist() : nullptr;
    if (options.use_shortlist && !shortlist)
        fail(Status::invalid_argument, "use_shortlist: {} brings no shortlist", model_->info().path);
    if (requests.empty()) return {};  // asked to check the options: does not wait
    const Finishing finishing{*model_, options, search, rules.end_ids};
    const std::lock_guard lock(mutex_);
    Prepared prepared = prepare(requests, options, search);
    const std::size_t empty = requests.size() - prepared.inputs.size();
    const auto poll = [&](std::size_t finished) { return !progress || progress(empty + finished, requests.size()); };

    std::vector<Result> results(requests.size());
    for (std::size_t i = 0, next = 0; i < requests.size(); ++i) {
        if (next < prepared.requests.size() && prepared.requests[next] == i) ++next;
        else results[i] = empty_result(finishing, requests[i]);
    }
    if (options.return_alternatives) {
        translate_alternatives(prepared, rules, finishing, requests, results, poll);
    } else if (!prepared.inputs.empty()) {
        Batcher batcher(search_, limits(rules, options), shortlist);
        auto outputs = batcher.run(prepared.inputs, rules, poll);
        for (std::size_t n = 0; n < outputs.size(); ++n) {
            const std::size_t i = prepared.requests[n], source_length = prepared.source_lengths[n];
            for (auto& hypothesis : best(finishing, std::move(outputs[n].hypotheses), source_length))
                results[i].hypotheses.push_back(
                    finish(finishing, std::move(hypothesis), requests[i].source, source_length));
        }
    }
    count(prepared, results);
    return results;
}

// The prefix and its num_hypotheses best next tokens, each continued on its own (CTranslate2's return_alternatives).
void SearchTranslator::translate_alternatives(Prepared prepared, const SearchRules& rules, const Finishing& finishing,
                                              std::span<const Request> requests, std::vector<Result>& results,
                                              const decode::Poll& poll) {
    if (prepared.inputs.empty()) return;
    const TranslateOptions& options = finishing.options;
    const model::Shortlist* shortlist = options.use_shortlist ? model_->shortlist() : nullptr;
    SearchRules expansion = rules;
    expansion.style = SearchStyle::ctranslate2;
    expansion.beam_size = expansion.num_hypotheses = options.num_hypotheses;
    expansion.patience = 1.0f;
    expansion.early_exit = false;
    SearchRules continuation = rules;
    continuation.num_hypotheses = 1;

    for (SearchInput& input : prepared.inputs) {
        input.context = std::move(input.prefix);
        input.prefix.clear();
        if (input.context.size() > input.max_length) input.context.resize(input.max_length);
    }
    std::vector<SearchInput> expanded = prepared.inputs;
    for (SearchInput& input : expanded) {
        input.max_length = std::min(input.max_length, uint32_t(input.context.size()) + 1);
        input.min_length = uint32_t(input.context.size()) + 1;
    }
    auto first_tokens = Batcher(search_, limits(expansion, options), shortlist).run(expanded, expansion, {});

    struct Alternative {
        std::size_t input;
        float log_prob;
        std::size_t context;
    };
    std::vector<Alternative> alternatives;
    std::vector<SearchInput> inputs;
    for (std::size_t n = 0; n < prepared.inputs.size(); ++n) {
        const std::size_t i = prepared.requests[n], source_length = prepared.source_lengths[n];
        const SearchInput& input = prepared.inputs[n];
        auto& found = first_tokens[n].hypotheses;
        if (input.context.size() == input.max_length) {
            found.resize(options.num_hypotheses, found.front());
            for (auto& hypothesis : found) hypothesis.score = 0.0f;
        }
        for (auto& hypothesis : found) {
            if (hypothesis.tokens.size() > input.context.size() &&
                std::exp(hypothesis.score) < options.min_alternative_expansion_prob)
                break;
            if (hypothesis.tokens.size() >= input.max_length) {
                results[i].hypotheses.push_back(
                    finish(finishing, std::move(hypothesis), requests[i].source, source_length));
                continue;
            }
            alternatives.push_back({n, hypothesis.score, hypothesis.tokens.size()});
            inputs.push_back(input);
            inputs.back().context = std::move(hypothesis.tokens);
        }
    }
    if (inputs.empty()) return;
    auto outputs = Batcher(search_, limits(continuation, options), shortlist).run(std::move(inputs), continuation, [&](auto done) {
        return poll(done * prepared.inputs.size() / alternatives.size());
    });
    for (std::size_t a = 0; a < alternatives.size(); ++a) {
        const auto& [n, log_prob, context] = alternatives[a];
        const std::size_t i = prepared.requests[n], source_length = prepared.source_lengths[n];
        auto& hypotheses = outputs[a].hypotheses;
        for (auto& hypothesis : hypotheses)
            hypothesis.score = log_prob + final_score(finishing, hypothesis, context, source_length);
        auto chosen = std::ranges::max_element(hypotheses, {}, &decode::Hypothesis::score);
        results[i].hypotheses.push_back(finish(finishing, std::move(*chosen), requests[i].source, source_length));
    }
}

std::vector<ScoreResult> SearchTranslator::score(std::span<const Request> pairs, uint32_t max_input_length) {
    const std::lock_guard lock(mutex_);
    const text::Vocabulary& target = model_->target();
    const uint32_t positions = model_->network().info().max_target_positions;
    std::vector<ScoreResult> results(pairs.size());
    std::vector<SearchInput> inputs;
    std::vector<std::size_t> requests;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!model_->decoder_start_token() && pairs[i].target_prefix.empty()) continue;
        SearchInput input;
        input.source = source_ids(*model_, pairs[i].source, max_input_length, i);
        // One more: the start token is fed, not scored.
        Tokens generated = pairs[i].target_prefix;
        if (model_->right_to_left()) std::ranges::reverse(generated);
        const auto ids = target_ids(*model_, generated, true, max_input_length ? max_input_length + 1 : 0, i);
        input.start_id = ids.front();
        input.context.assign(ids.begin() + 1, ids.end());
        if (input.context.size() > positions)
            fail(Status::invalid_argument, "pair {}: target has {} tokens, the model has positions for {}", i,
                 input.context.size(), positions);
        results[i].tokens = target.tokens(input.context);
        results[i].log_probs.assign(input.context.size(), 0.0f);
        if (input.source.empty()) continue;
        input.max_length = uint32_t(input.context.size());
        input.min_length = 0;
        inputs.push_back(std::move(input));
        requests.push_back(i);
    }
    if (inputs.empty()) return results;
    const SearchRules rules{.forced_scores = true};
    auto outputs = Batcher(search_, limits(rules, {})).run(std::move(inputs), rules, {});
    for (std::size_t n = 0; n < outputs.size(); ++n)
        results[requests[n]].log_probs = std::move(outputs[n].forced_scores);
    if (!model_->right_to_left()) return results;
    for (ScoreResult& result : results) {  // in reading order; the end token stays last
        if (result.tokens.empty()) continue;
        std::reverse(result.tokens.begin(), result.tokens.end() - 1);
        std::reverse(result.log_probs.begin(), result.log_probs.end() - 1);
    }
    return results;
}

void SearchTranslator::count(const Prepared& prepared, const std::vector<Result>& results) {
    stats_.sentences += results.size();
    for (const SearchInput& input : prepared.inputs) stats_.source_tokens += input.source.size();
    for (const Result& result : results)
        if (!result.hypotheses.empty()) stats_.target_tokens += result.hypotheses.front().tokens.size();
}

TranslatorStats SearchTranslator::stats() const {
    const std::lock_guard lock(mutex_);
    TranslatorStats stats = stats_;
    stats.batches = search_.stats().batches;
    stats.decoder_steps = search_.stats().decoder_steps;
    stats.dispatches_per_step = search_.stats().dispatches_per_step;
    stats.device = model_->context().stats();
    stats.device.submissions -= stats_base_.submissions;
    stats.device.host_waits -= stats_base_.host_waits;
    stats.device.dispatches -= stats_base_.dispatches;
    return stats;
}

void SearchTranslator::reset_stats() {
    const std::lock_guard lock(mutex_);
    stats_ = {};
    search_.reset_stats();
    stats_base_ = model_->context().stats();
}

void SearchTranslator::trim() {
    const std::lock_guard lock(mutex_);
    search_.trim();
    model_->context().trim();
}

}  // namespace

std::unique_ptr<Translator> Translator::create(std::shared_ptr<const Model> model) {
    auto loaded = std::dynamic_pointer_cast<const LoadedModel>(model);
    DRAGOMAN_ASSERT(loaded != nullptr);
    return std::make_unique<SearchTranslator>(std::move(loaded));
}

}  // namespace dragoman::translate
