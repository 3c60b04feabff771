// SPDX-License-Identifier: Apache-2.0
#include "translate/task.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "translate/inputs.h"
#include "translate/options.h"

namespace dragoman::translate {

using decode::SearchInput;
using decode::SearchOutput;

namespace {

void add_shortlist(SearchInput& input, const spec::Shortlist& shortlist, std::span<const uint32_t> end_ids) {
    input.allowed = shortlist.allowed(input.source);
    for (const uint32_t end : end_ids)  // without them nothing would end
        if (!std::ranges::binary_search(input.allowed, end))
            input.allowed.insert(std::ranges::lower_bound(input.allowed, end), end);
}

}  // namespace

SearchPlan::SearchPlan(const LoadedModel& from, const TranslateOptions& asked) : model(from), options(asked) {
    check_attention(options, model.info());
    search = settle(options, model.search());
    rules = search_rules(options, search, model.target(), model.eos_token());
    std::ranges::copy(model.never_generated(), std::back_inserter(rules.suppressed));
    shortlist = options.use_shortlist ? model.shortlist() : nullptr;
    if (options.use_shortlist && !shortlist)
        fail(Status::invalid_argument, "use_shortlist: {} brings no shortlist", model.info().path);
}

engine::SearchOptions SearchPlan::search_options(int priority, bool partial) const {
    return {.rules = rules,
            .max_batch_size = options.max_batch_size,
            .max_batch_tokens = options.max_batch_tokens,
            .length_penalty = search.length_penalty,
            .word_penalty = search.word_penalty,
            .coverage_penalty = options.coverage_penalty,
            .num_hypotheses = options.num_hypotheses,
            .alternatives = options.return_alternatives,
            .min_alternative_expansion_prob = options.min_alternative_expansion_prob,
            .priority = priority,
            .partial = partial};
}

Task::Task(std::shared_ptr<engine::Mailbox> mailbox, TaskCounters& counters, const SearchPlan& plan,
           std::span<const Request> requests, int priority, Sink sink)
    : counters_(counters), plan_(plan), finishing_{plan.model, plan.options, plan.search, plan.rules.end_ids},
      requests_(requests), sink_(std::move(sink)) {
    std::vector<SearchInput> inputs = prepare();
    for (std::size_t i = 0, next = 0; i < requests_.size(); ++i) {
        if (next < request_of_.size() && request_of_[next] == i) ++next;
        else emit(i, empty_result(finishing_, requests_[i]));
    }
    if (inputs.empty()) {
        conclude();
        return;
    }
    engine::Search::Sink outputs{
        .finished = [this](std::size_t i, SearchOutput output) { finish_one(i, std::move(output)); }, .partial = {}};
    if (sink_.partial)
        outputs.partial = [this](std::size_t i, std::span<const uint32_t> ids) {
            std::vector<uint32_t> read(ids.begin(), ids.end());
            if (plan_.model.right_to_left()) std::ranges::reverse(read);
            sink_.partial(request_of_[i], plan_.model.target().tokens(read));
        };
    search_.emplace(plan.model.network(), plan.search_options(priority, bool(sink_.partial)), std::move(mailbox),
                    std::move(outputs));
    search_->add(std::move(inputs), true);
}

std::vector<SearchInput> Task::prepare() {
    const LoadedModel& model = plan_.model;
    const uint32_t most = std::min(plan_.search.max_length, model.network()->info().max_target_positions);
    std::vector<SearchInput> inputs;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        if (!has_content(model, requests_[i].source)) continue;
        SearchInput input;
        input.source = source_ids(model, requests_[i].source, plan_.options.max_input_length, i);
        const auto target = target_ids(model, requests_[i].target_prefix, false, 0, i);
        input.start_id = target.front();
        input.prefix.assign(target.begin() + 1, target.end());
        input.max_length = most;
        if (plan_.search.max_length_factor > 0)
            input.max_length = std::clamp(
                uint32_t(std::ceil(plan_.search.max_length_factor * float(input.source.size()))), 1u, most);
        input.min_length = std::min(plan_.search.min_length, input.max_length);
        if (plan_.shortlist) add_shortlist(input, *plan_.shortlist, plan_.rules.end_ids);
        request_of_.push_back(i);
        source_lengths_.push_back(input.source.size());
        inputs.push_back(std::move(input));
    }
    return inputs;
}

void Task::cancel() {
    if (search_) search_->cancel();
}

void Task::handle(engine::Event event) {
    search_->handle(std::move(event));
    if (!search_->over()) return;
    error_ = search_->error();
    if (error_) over_ = true;
    else conclude();
}

void Task::finish_one(std::size_t n, SearchOutput output) {
    const std::size_t i = request_of_[n];
    Result result;
    for (auto& hypothesis : output.hypotheses)
        result.hypotheses.push_back(
            finish(finishing_, std::move(hypothesis), requests_[i].source, source_lengths_[n]));
    emit(i, std::move(result));
}

void Task::emit(std::size_t request, Result result) {
    ++emitted_;
    if (!result.hypotheses.empty()) counters_.target_tokens += result.hypotheses.front().tokens.size();
    sink_.finished(request, std::move(result));
}

void Task::conclude() {
    counters_.sentences += requests_.size();
    for (const std::size_t length : source_lengths_) counters_.source_tokens += length;
    over_ = true;
}

}  // namespace dragoman::translate
