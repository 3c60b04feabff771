// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/relay.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/release.h"
#include "pipeline/run/run.h"

namespace dragoman::pipeline {
namespace {

// The adjacent words of a translation that stand for a term; an empty range at a place, where no word stands for it
// more than for something else.
text::Range translated(const text::WordAlignment& alignment, text::Range term) {
    const std::size_t first = alignment.target.empty() ? 0 : alignment.target.front().begin;
    text::Range best{first, first}, run{};
    float most = 0.0f, sum = 0.0f;
    for (std::size_t t = 0; t < alignment.target.size(); ++t) {
        float weight = -0.5f;
        for (std::size_t s = 0; s < alignment.source.size(); ++s)
            if (overlap(alignment.source[s], term) > 0) weight += alignment.at(t, s);
        if (sum + weight <= 0.0f) {
            sum = 0.0f;
            continue;
        }
        if (sum == 0.0f) run.begin = alignment.target[t].begin;
        sum += weight;
        run.end = alignment.target[t].end;
        if (sum > most) {
            most = sum;
            best = run;
        }
    }
    return best;
}

// The terms in the order of their places, without overlaps.
std::vector<WantedTerm> passed_on(const std::vector<WantedTerm>& terms, const Translation& hypothesis) {
    std::vector<WantedTerm> passed;
    for (const WantedTerm& term : terms) {
        WantedTerm& next = passed.emplace_back(term);
        next.origin = term.origin.value_or(term.range);
        next.range = translated(hypothesis.alignment, term.range);
        for (const WantedTerm& other : std::span(passed).first(passed.size() - 1))
            if (overlap(other.range, next.range) > 0) next.range = translated(hypothesis.alignment, {});
    }
    return passed;
}

}  // namespace

Translation compose(const Translation& first, const SourceSentences& between, const TextHypothesis& second) {
    std::vector<text::Range> tokens;
    for (const SourceSentence sentence : between) std::ranges::copy(sentence.ranges(), std::back_inserter(tokens));
    return compose(first, whole(second, between), tokens);
}

Relay::Relay(std::vector<Leg> legs, bool scores, int priority, std::shared_ptr<engine::Mailbox> mailbox,
             Finished finished)
    : scores_(scores), num_hypotheses_(legs.front().plan.decoding.num_hypotheses),
      tokens_(legs.back().plan.text.return_tokens), alignment_(legs.back().plan.text.return_alignment),
      finished_(std::move(finished)) {
    for (Leg& leg : legs) leg.plan.text.return_tokens = true;
    const auto source = [this]() -> NextDocument {
        if (waiting_.empty()) return {nullptr, ended_};
        auto next = std::move(waiting_.front());
        waiting_.pop_front();
        return {std::move(next), false};
    };
    run_ = std::make_unique<Run>(std::move(legs), source, 0, priority, std::move(mailbox),
                                 Run::Sink{.sentence = {},
                                           .partial = {},
                                           .document = [this](std::unique_ptr<Document> document) { take(*document); },
                                           .results_before_error = false});
}

Relay::~Relay() = default;

void Relay::pass(Document& document, Sentence& sentence) {
    for (const Translation& hypothesis : sentence.hypotheses) {
        auto next = std::make_unique<Document>();
        next->storage = hypothesis.text;
        next->text = next->storage;
        for (const Unchanged& one : hypothesis.unchanged) next->kept.push_back(one.target);
        std::ranges::sort(next->kept, {}, &text::Range::begin);
        next->terms = passed_on(sentence.passed_terms, hypothesis);
        waiting_.push_back(std::move(next));
    }
    passed_.push_back({&document, &sentence});
}

// Documents arrive in their order.
void Relay::take(Document& translated) {
    Passed& passed = passed_.front();
    passed.results.push_back(std::move(translated.result));
    if (passed.results.size() < passed.sentence->hypotheses.size()) return;
    Passed done = std::move(passed);
    passed_.pop_front();
    compose(done);
    finished_(*done.document, *done.sentence);
}

void Relay::compose(Passed& passed) const {
    std::vector<Hypothesis> all;
    for (std::size_t h = 0; h < passed.results.size(); ++h)
        for (const TextHypothesis& second : passed.results[h].hypotheses)
            all.push_back(pipeline::compose(passed.sentence->hypotheses[h], passed.results[h].sentences, second));
    std::ranges::stable_sort(all, std::greater(), &Hypothesis::score);
    std::unordered_set<std::string> seen;
    std::erase_if(all, [&](const Hypothesis& each) { return !seen.insert(each.text).second; });
    if (all.size() > num_hypotheses_) all.resize(num_hypotheses_);
    for (Translation& hypothesis : all) {
        if (!scores_) hypothesis.score = {};
        if (!tokens_) release(hypothesis.tokens), release_ranges(hypothesis);
        if (!alignment_) hypothesis.alignment = {};
    }
    passed.sentence->unaligned |= !alignment_;
    passed.sentence->hypotheses = std::move(all);
}

}  // namespace dragoman::pipeline
