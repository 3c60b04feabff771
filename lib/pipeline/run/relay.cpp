// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/relay.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "pipeline/run/run.h"

namespace dragoman::pipeline {
namespace {

std::size_t overlap_of(text::Range a, text::Range b) {
    const std::size_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
    return end > begin ? end - begin : 0;
}

// The weights of a token of the text between over the first source: the mean over its bytes.
std::vector<float> spread(const Hypothesis& first, text::Range between) {
    std::vector<float> row(first.attention.empty() ? 0 : first.attention.front().size(), 0.0f);
    const auto begin = std::ranges::upper_bound(first.ranges, between.begin, {}, &text::Range::end);
    for (auto at = begin; at != first.ranges.end() && at->begin < between.end; ++at) {
        const auto token = std::size_t(at - first.ranges.begin());
        if (token >= first.attention.size()) break;
        const float share = float(overlap_of(*at, between)) / float(between.size());
        for (std::size_t s = 0; s < row.size(); ++s) row[s] += share * first.attention[token][s];
    }
    return row;
}

// Turns rows of target tokens over the tokens between into rows over the first source.
void append_attention(const Hypothesis& first, const SourceSentence& between, const TargetSentence& second,
                      std::vector<std::vector<float>>& rows) {
    std::vector<std::vector<float>> of_source;
    for (const text::Range range : between.ranges) of_source.push_back(spread(first, range));
    const std::size_t width = first.attention.empty() ? 0 : first.attention.front().size();
    for (std::size_t t = 0; t < second.tokens.size(); ++t) {
        std::vector<float>& row = rows.emplace_back(width, 0.0f);
        if (t >= second.attention.size()) continue;  // copied
        for (std::size_t q = 0; q < std::min(of_source.size(), second.attention[t].size()); ++q)
            for (std::size_t s = 0; s < width; ++s) row[s] += second.attention[t][q] * of_source[q][s];
    }
}

// Turns rows of target words over the words between into rows over the first source's words.
void append_alignment(const text::WordAlignment& first, const text::WordAlignment& second, text::WordAlignment& all) {
    const std::size_t width = first.source.size();
    for (std::size_t t = 0; t < second.target.size(); ++t) {
        std::vector<float> row(width, 0.0f);
        float sum = 0.0f;
        for (std::size_t q = 0; q < second.source.size(); ++q)
            for (std::size_t p = 0; p < first.target.size(); ++p) {
                const text::Range between = second.source[q];
                const float share = float(overlap_of(first.target[p], between)) / float(between.size()) * second.at(t, q);
                for (std::size_t s = 0; share > 0.0f && s < width; ++s) row[s] += share * first.at(p, s);
            }
        for (const float weight : row) sum += weight;
        all.target.push_back(second.target[t]);
        for (const float weight : row) all.weights.push_back(sum > 0.0f ? weight / sum : 0.0f);
    }
}

// A word is right if both translations are right there, where the first one counts as a whole; the sentence is as good
// as the worse one.
Quality compose(const Quality& first, const TextHypothesis& second) {
    Quality all{.score = std::min(first.score, second.quality)};
    double mean = 0.0;
    for (const float score : first.scores) mean += double(score) / double(first.scores.size());
    for (const TargetSentence& sentence : second.sentences) {
        all.words.insert(all.words.end(), sentence.quality.words.begin(), sentence.quality.words.end());
        for (const float score : sentence.quality.scores) all.scores.push_back(float(double(score) * mean));
    }
    return all;
}

// The adjacent words of a translation that stand for a term; an empty range at a place, where no word stands for it
// more than for something else.
text::Range translated(const text::WordAlignment& alignment, text::Range term) {
    const std::size_t first = alignment.target.empty() ? 0 : alignment.target.front().begin;
    text::Range best{first, first}, run{};
    float most = 0.0f, sum = 0.0f;
    for (std::size_t t = 0; t < alignment.target.size(); ++t) {
        float weight = -0.5f;
        for (std::size_t s = 0; s < alignment.source.size(); ++s)
            if (overlap_of(alignment.source[s], term) > 0) weight += alignment.at(t, s);
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
std::vector<WantedTerm> passed_on(const std::vector<WantedTerm>& terms, const Hypothesis& hypothesis) {
    std::vector<WantedTerm> passed;
    for (const WantedTerm& term : terms) {
        WantedTerm& next = passed.emplace_back(term);
        next.origin = term.origin.value_or(term.range);
        next.range = translated(hypothesis.alignment, term.range);
        for (const WantedTerm& other : std::span(passed).first(passed.size() - 1))
            if (overlap_of(other.range, next.range) > 0) next.range = translated(hypothesis.alignment, {});
    }
    return passed;
}

}  // namespace

Hypothesis compose(const Hypothesis& first, const std::vector<SourceSentence>& between, const TextHypothesis& second) {
    Hypothesis result{.score = first.score + second.score, .text = second.text, .terms = first.terms};
    result.alignment.source = first.alignment.source;
    for (std::size_t i = 0; i < second.sentences.size(); ++i) {
        const TargetSentence& sentence = second.sentences[i];
        result.tokens.insert(result.tokens.end(), sentence.tokens.begin(), sentence.tokens.end());
        result.ranges.insert(result.ranges.end(), sentence.ranges.begin(), sentence.ranges.end());
        for (const Unchanged& kept : sentence.unchanged)
            for (const Unchanged& before : first.unchanged)
                if (kept.source == before.target) result.unchanged.push_back({before.source, kept.target});
        result.terms.insert(result.terms.end(), sentence.terms.begin(), sentence.terms.end());
        if (!first.alignment.source.empty()) append_alignment(first.alignment, sentence.alignment, result.alignment);
        if (!first.attention.empty()) append_attention(first, between[i], sentence, result.attention);
    }
    if (!first.quality.empty()) result.quality = compose(first.quality, second);
    result.length = result.tokens.size();
    return result;
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
    for (const Hypothesis& hypothesis : sentence.hypotheses) {
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
    for (Hypothesis& hypothesis : all) {
        if (!scores_) hypothesis.score = 0.0f;
        if (!tokens_) hypothesis.tokens = {}, hypothesis.ranges = {};
        if (!alignment_) hypothesis.alignment = {};
    }
    passed.sentence->unaligned |= !alignment_;
    passed.sentence->hypotheses = std::move(all);
}

}  // namespace dragoman::pipeline
