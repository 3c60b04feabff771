// SPDX-License-Identifier: Apache-2.0
#include "decode/search.h"

#include <algorithm>

#include "base/error.h"
#include "decode/session.h"
#include "ops/topk.h"

namespace dragoman::decode {

namespace {
constexpr std::size_t kKeptSessions = 4;
static_assert(kMaxCandidates <= ops::kMaxTopK && kMaxCandidates >= 2 * kMaxBeam);

// Translations are mostly shorter than this; longer ones make the caches grow.
uint32_t estimated_steps(std::span<const SearchInput> batch) {
    std::size_t steps = 32;
    for (const SearchInput& input : batch)
        steps = std::max(steps, input.context.size() + input.prefix.size() + input.source.size() * 3 / 2 + 16);
    return uint32_t((steps + 31) / 32 * 32);
}
}  // namespace

uint32_t SearchRules::candidates() const {
    switch (style) {
        case SearchStyle::marian: return beam_size;
        case SearchStyle::huggingface:
            return beam_size == 1 ? 1 : beam_size * std::max(1 + uint32_t(end_ids.size()), 2u);
        case SearchStyle::ctranslate2: break;
    }
    // Greedy search needs one candidate; biased decoding can move the favoured token above the best one.
    return beam_size == 1 && prefix_bias_beta == 0.0f ? 1 : 2 * beam_size;
}

Search::Search(std::shared_ptr<vulkan::Context> context, const nn::Seq2Seq& model)
    : context_(std::move(context)), model_(model) {}

Search::~Search() = default;

void Search::trim() { sessions_.clear(); }

Search::Session& Search::session_for(std::span<const SearchInput> batch, const SearchRules& rules) {
    const SessionShape shape = SessionShape::of(batch, rules);
    auto found = std::ranges::find_if(sessions_, [&](const auto& s) { return s->shape().fits(shape); });
    if (found != sessions_.end()) {
        std::rotate(found, found + 1, sessions_.end());
        return *sessions_.back();
    }
    const uint32_t steps =
        std::min(initial_steps_ ? initial_steps_ : estimated_steps(batch), shape.max_length + 1);
    const uint64_t largest = Session::largest_buffer_bytes(model_.info(), shape, steps);
    const uint64_t limit = context_->caps().max_storage_range_bytes;
    if (largest > limit)
        fail(batch.size() > 1 ? Status::out_of_memory : Status::unsupported,
             "a batch of {} sentences, beam {}, up to {} tokens needs a buffer of {} bytes; the device allows {}",
             batch.size(), shape.beam, shape.max_length, largest, limit);
    if (sessions_.size() >= kKeptSessions) sessions_.erase(sessions_.begin());
    sessions_.push_back(std::make_unique<Session>(context_, model_, shape, steps));
    return *sessions_.back();
}

std::vector<SearchOutput> Search::run(std::span<const SearchInput> batch, const SearchRules& rules, const Poll& poll) {
    DRAGOMAN_ASSERT(!batch.empty() && rules.beam_size >= 1 && rules.beam_size <= kMaxBeam &&
                    rules.candidates() <= kMaxCandidates);
    try {
        return session_for(batch, rules).run(batch, rules, poll, stats_);
    } catch (const Error&) {
        // Steps may still be running in it, or it is half built.
        if (!sessions_.empty()) sessions_.pop_back();
        throw;
    }
}

uint32_t Search::max_batch(uint32_t source_tokens, uint32_t max_length, const SearchRules& rules) const {
    const auto& caps = context_->caps();
    const uint64_t limit = caps.max_storage_range_bytes;
    const uint64_t memory = caps.device_memory_bytes / 2;
    SessionShape shape;
    shape.beam = rules.beam_size;
    shape.candidates = std::max(rules.candidates(), 2 * rules.beam_size);
    shape.max_length = max_length;
    shape.longest_source = rules.attention ? source_tokens : 0;
    shape.finished_capacity = uint32_t(float(rules.beam_size) * (rules.patience + 1.0f)) + rules.num_hypotheses;
    const uint32_t steps = std::min(source_tokens * 2 + 64, max_length + 1);
    uint32_t slots = 1;
    for (; slots < 1024; slots *= 2) {
        shape.slots = slots * 2;
        shape.source_tokens = source_tokens * shape.slots;
        if (Session::largest_buffer_bytes(model_.info(), shape, steps) > limit ||
            Session::total_bytes(model_.info(), shape, steps) > memory)
            break;
    }
    return slots;
}

}  // namespace dragoman::decode
