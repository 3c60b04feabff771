// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/remembered.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/fingerprint.h"
#include "engine/search_options.h"
#include "pipeline/model/model_info.h"

namespace dragoman::pipeline {
namespace {

constexpr uint32_t kEdition = 2;  // changes with the form below, and when searches give other answers

// Writes numbers in as few bytes as they need.
class AnswerWriter {
public:
    template <class T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void add(T number) {
        auto rest = uint64_t(number);
        for (; rest >= 0x80; rest >>= 7) bytes_ += char(rest | 0x80);
        bytes_ += char(rest);
    }
    void add(float number) { raw({&number, 1}); }
    void add(const std::vector<uint32_t>& ids) {
        add(ids.size());
        for (const uint32_t id : ids) add(id);
    }
    void add(const std::vector<float>& numbers) {
        add(numbers.size());
        raw(numbers);
    }
    void add(const std::vector<decode::Certainty>& tokens) {
        add(tokens.size());
        for (const auto& [log_prob, entropy, margin, best_log_prob] : tokens)
            for (const float number : {log_prob, entropy, margin, best_log_prob}) add(number);
    }
    void add(const std::vector<std::vector<uint32_t>>& lists) {
        add(lists.size());
        for (const auto& list : lists) add(list);
    }
    // Writes ids in order, most of them near their neighbours.
    void add_sorted(const std::vector<uint32_t>& ids) {
        add(ids.size());
        for (uint32_t last = 0; const uint32_t id : ids) add(id - std::exchange(last, id));
    }
    template <class... T>
    void all(const T&... values) {
        (add(values), ...);
    }
    std::string take() { return std::move(bytes_); }

private:
    void raw(std::span<const float> numbers) {
        bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    }
    std::string bytes_;
};

class AnswerReader {
public:
    explicit AnswerReader(std::string_view bytes) : bytes_(bytes) {}
    uint64_t number() {
        uint64_t number = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (bytes_.empty()) break;
            const auto byte = uint8_t(bytes_.front());
            bytes_.remove_prefix(1);
            number |= uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80) return number;
        }
        good_ = false;
        return 0;
    }
    std::vector<uint32_t> ids() {
        std::vector<uint32_t> ids;
        for (uint64_t left = count(1); left > 0; --left) ids.push_back(uint32_t(number()));
        return ids;
    }
    std::vector<float> reals() { return raw(count(sizeof(float))); }
    float real() {
        float real = 0.0f;
        if (bytes_.size() < sizeof real) return float(fault());
        std::memcpy(&real, bytes_.data(), sizeof real);
        bytes_.remove_prefix(sizeof real);
        return real;
    }
    // Reads the number of items with at least so many bytes each.
    uint64_t count(std::size_t bytes) {
        const uint64_t count = number();
        return count > bytes_.size() / bytes ? fault() : count;
    }
    bool good() const { return good_; }
    bool at_end() const { return bytes_.empty(); }

private:
    uint64_t fault() {
        good_ = false;
        return 0;
    }
    std::vector<float> raw(uint64_t count) {
        std::vector<float> numbers(count);
        if (count > 0) std::memcpy(numbers.data(), bytes_.data(), count * sizeof(float));
        bytes_.remove_prefix(count * sizeof(float));
        return numbers;
    }
    std::string_view bytes_;
    bool good_ = true;
};

std::vector<decode::Certainty> certainty(AnswerReader& from) {
    std::vector<decode::Certainty> tokens(from.count(4 * sizeof(float)));
    for (auto& [log_prob, entropy, margin, best_log_prob] : tokens)
        for (float* const number : {&log_prob, &entropy, &margin, &best_log_prob}) *number = from.real();
    return tokens;
}

// Bindings name every member, so that a new one does not compile before somebody has said how it changes answers.
void add(AnswerWriter& to, const decode::SearchRules& rules) {
    const auto& [style, beam_size, patience, early_exit, num_hypotheses, length_penalty, early_stopping, forced_end,
                 renormalize, repetition_penalty, no_repeat_ngram_size, prefix_bias_beta, end_ids, suppressed, allowed,
                 attention, attention_of, certainty, forced_scores, sampling, terms,
                 glued] = rules;  // glued: the vocabulary's
    to.all(style, beam_size, patience, early_exit, num_hypotheses, length_penalty, early_stopping,
           uint64_t(forced_end ? 1 + uint64_t(*forced_end) : 0), renormalize, repetition_penalty, no_repeat_ngram_size,
           prefix_bias_beta, end_ids, suppressed, allowed, attention, attention_of.layer, attention_of.head, certainty,
           forced_scores, sampling, terms);
}

}  // namespace

std::string answer_context(const Plan& plan) {
    const engine::SearchOptions options = plan.search_options(0, false);
    const auto& [rules, max_batch_size, max_batch_tokens, length_penalty, word_penalty, coverage_penalty,
                 num_hypotheses, alternatives, min_alternative_expansion_prob, priority, partial] = options;
    AnswerWriter to;
    const Fingerprint& model = plan.model.fingerprint();
    to.all(kEdition, model.low(), model.high());
    add(to, rules);
    to.all(length_penalty, word_penalty, coverage_penalty, num_hypotheses, alternatives,
           min_alternative_expansion_prob);
    return to.take();
}

std::unique_ptr<Remembered> Remembered::of(const Plan& plan) {
    if (!plan.text.memory || plan.rules.sampling || plan.inputs != Plan::Inputs::texts) return nullptr;
    return std::make_unique<Remembered>(plan);
}

Remembered::Remembered(const Plan& plan)
    : memory_(plan.text.memory), vocabulary_(plan.model.info().target_vocabulary), attention_(plan.rules.attention),
      certainty_(plan.rules.certainty), context_(memory_->context(answer_context(plan))) {}

std::string Remembered::question(const decode::SearchInput& input, bool attends) {
    const auto& [source, start_id, context, prefix, max_length, min_length, allowed, sampling, terms] = input;
    AnswerWriter to;
    to.all(attends, source, start_id, context, prefix, max_length, min_length);
    to.add_sorted(allowed);
    to.add(terms.size());
    for (const auto& [forms, source_begin, source_end, whole, stop, stop_end] : terms)
        to.all(forms, source_begin, source_end, whole, stop, stop_end);
    return to.take();
}

// Whether a search over so many source tokens may have found it.
bool Remembered::fits(const decode::Hypothesis& hypothesis, std::size_t source, bool attends) const {
    const auto& [tokens, score, attention, certainty, terms_met] = hypothesis;
    const std::size_t weights = attention_ || attends ? tokens.size() * source : 0;
    return std::ranges::all_of(tokens, [&](uint32_t id) { return id < vocabulary_; }) && attention.size() == weights &&
           certainty.size() == (certainty_ ? tokens.size() : 0);
}

// If another program wrote to the file, the content is no answer.
std::optional<decode::SearchOutput> Remembered::find(const std::string& question, const decode::SearchInput& input,
                                                     bool attends) const {
    const tm::Answer answer = memory_->find(context_, question);
    if (!answer) return std::nullopt;
    AnswerReader from(*answer);
    decode::SearchOutput output;
    for (uint64_t left = from.count(4); left > 0 && from.good(); --left) {
        decode::Hypothesis& hypothesis = output.hypotheses.emplace_back();
        hypothesis.tokens = from.ids();
        hypothesis.score = from.real();
        hypothesis.attention = from.reals();
        hypothesis.certainty = certainty(from);
        hypothesis.terms_met = uint32_t(from.number());
    }
    if (!from.good() || !from.at_end() || output.hypotheses.empty()) return std::nullopt;
    const auto fits = [&](const decode::Hypothesis& one) { return this->fits(one, input.source.size(), attends); };
    if (!std::ranges::all_of(output.hypotheses, fits)) return std::nullopt;
    return output;
}

void Remembered::keep(const std::string& question, const decode::SearchOutput& output) const {
    const auto& [hypotheses, forced_scores, overflowed, rerun_f32] = output;
    if (hypotheses.empty() || !forced_scores.empty() || overflowed || rerun_f32) return;
    AnswerWriter to;
    to.add(hypotheses.size());
    for (const auto& [tokens, score, attention, certainty, terms_met] : hypotheses)
        to.all(tokens, score, attention, certainty, terms_met);
    memory_->keep(context_, question, to.take());
}

}  // namespace dragoman::pipeline
