// SPDX-License-Identifier: Apache-2.0
// Sentences that come into a session's slots, and results that go out.
#include <algorithm>
#include <bit>

#include "base/error.h"
#include "decode/session.h"
#include "decode/terms.h"

namespace dragoman::decode {

namespace {
uint32_t rounded_up(uint32_t value, uint32_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// The certainty of each token, from what its step noted.
std::vector<Certainty> certainty(const float* steps, uint64_t stride, const Hypothesis& hypothesis) {
    std::vector<Certainty> all;
    const std::size_t length = hypothesis.tokens.size();
    for (std::size_t t = 0; t < length; ++t) {
        const float* const step = steps + t * stride;
        const float after = t + 1 < length ? step[stride + CERTAINTY_SCORE] : hypothesis.score;
        all.push_back({.log_prob = std::min(after - step[CERTAINTY_SCORE], 0.0f),
                       .entropy = step[CERTAINTY_ENTROPY],
                       .margin = step[CERTAINTY_MARGIN],
                       .best_log_prob = step[CERTAINTY_BEST]});
    }
    return all;
}
}  // namespace

using vulkan::BufferUse;

std::vector<uint32_t> Session::enter(std::span<const Entrant> entrants) {
    DRAGOMAN_ASSERT(entered_ == 0);
    const bool cached = model_.info().cache_bytes_per_step > 0;
    std::vector<uint32_t> slots, tokens{0};
    for (const Entrant& entrant : entrants) {
        if (slots.size() == free_slots_.size() || !shape_.holds(*entrant.input)) break;
        const uint32_t slot = *std::next(free_slots_.begin(), std::ptrdiff_t(slots.size()));
        Places& places = places_[slot];
        places.urgency = entrant.urgency;
        places.steps = std::min(entrant.steps, entrant.input->max_length + 1);
        if (cached) {
            const auto begin = caches_.allocate(places.steps * shape_.beam);
            if (!begin) break;
            places.cache_begin = *begin;
        } else {
            places.steps = shape_.max_steps();
        }
        slots.push_back(slot);
        tokens.push_back(tokens.back() + uint32_t(entrant.input->source.size()));
    }
    // Their encoder writes one contiguous range of the memory.
    std::optional<uint32_t> rows;
    while (!slots.empty()) {
        rows = tokens.back() > 0 ? source_rows_.allocate(tokens.back()) : 0;
        if (rows) break;
        const Places& places = places_[slots.back()];
        if (cached) caches_.free(places.cache_begin, places.steps * shape_.beam);
        slots.pop_back();
        tokens.pop_back();
    }
    if (slots.empty()) return slots;
    entered_ = uint32_t(slots.size());
    entered_tokens_ = tokens.back();
    entered_at_ = *rows;
    entered_pairs_ = 0;
    entered_longest_ = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        Places& places = places_[slots[i]];
        places.taken = true;
        places.source_begin = *rows + tokens[i];
        places.source_length = tokens[i + 1] - tokens[i];
        entered_pairs_ += uint64_t(places.source_length) * places.source_length;
        entered_longest_ = std::max(entered_longest_, places.source_length);
        places.context_length = uint32_t(entrants[i].input->context.size());
        places.min_length = needs_min_length(rules_, *entrants[i].input) ? entrants[i].input->min_length : 0;
        free_slots_.erase(slots[i]);
    }
    const auto taken = entrants.first(slots.size());
    upload_sources(taken);
    for (std::size_t begin = 0, end = 0; begin < slots.size(); begin = end) {
        for (end = begin + 1; end < slots.size() && slots[end] == slots[end - 1] + 1;) ++end;
        upload_run(taken.subspan(begin, end - begin), slots[begin]);
        if (rules_.sampling) upload_sampling(taken.subspan(begin, end - begin), slots[begin]);
    }
    for (std::size_t i = 0; i < slots.size() && shape_.terms; ++i) upload_terms(*taken[i].input, slots[i]);
    upload_allowed(taken, slots);
    relist_ = true;
    return slots;
}

// Uploads the entrants of consecutive slots.
void Session::upload_run(std::span<const Entrant> entrants, uint32_t first_slot) {
    const auto count = uint32_t(entrants.size()), beam = shape_.beam, stride = shape_.forced_tokens;
    std::vector<uint32_t> slots(count * SLOT_WORDS), inputs(count * INPUT_WORDS), tokens(count * beam),
        zeros(count * beam), begin(count), length(count), ranges(2 * count), forced(count * stride);
    for (uint32_t i = 0; i < count; ++i) {
        const SearchInput& input = *entrants[i].input;
        const Places& places = places_[first_slot + i];
        slots[i * SLOT_WORDS + SLOT_ACTIVE] = uint32_t(entrants[i].urgency);
        slots[i * SLOT_WORDS + SLOT_WIDTH] = 1;
        slots[i * SLOT_WORDS + SLOT_STEPS] = places.steps;
        tokens[i * beam] = input.start_id;
        begin[i] = places.source_begin;
        length[i] = places.source_length;
        ranges[2 * i] = places.cache_begin;
        ranges[2 * i + 1] = places.steps;
        uint32_t* words = &inputs[i * INPUT_WORDS];
        words[INPUT_CONTEXT] = uint32_t(input.context.size());
        const bool biased = rules_.prefix_bias_beta > 0.0f;
        words[INPUT_PREFIX] = biased ? 0 : uint32_t(input.prefix.size());
        words[INPUT_BIASED] = biased ? uint32_t(input.prefix.size()) : 0;
        words[INPUT_FORCED_AT] = forced_at_ + (first_slot + i) * stride;
        words[INPUT_MAX_LENGTH] = input.max_length;
        words[INPUT_MIN_LENGTH] = input.min_length;
        words[INPUT_START] = input.start_id;
        words[INPUT_PARTIAL] = entrants[i].partial ? 1 : 0;
        const auto prefix = std::ranges::copy(input.context, forced.begin() + i * stride).out;
        std::ranges::copy(input.prefix, prefix);
    }
    const auto upload = [&](const vulkan::Buffer& buffer, uint64_t at, const std::vector<uint32_t>& words) {
        if (!words.empty()) context_->upload({buffer, at * 4, words.size() * 4}, words.data(), words.size() * 4);
    };
    const uint64_t first_row = uint64_t(first_slot) * beam;
    upload(*search_, push_.slots_at + first_slot * SLOT_WORDS, slots);
    upload(*search_, push_.tokens_at + first_row, tokens);
    upload(*search_, push_.position_at + first_row, zeros);
    upload(*search_, push_.scores_at + first_row, zeros);
    upload(*parameters_, push_.inputs_at + first_slot * INPUT_WORDS, inputs);
    upload(*parameters_, forced_at_ + first_slot * stride, forced);
    upload(*source_, source_begin_at_ + first_slot, begin);
    upload(*source_, source_length_at_ + first_slot, length);
    upload(*source_, ranges_at_ + 2 * first_slot, ranges);
    outcome_->fill(*context_, first_slot * OUTCOME_WORDS, count * OUTCOME_WORDS, 0);
}

// Uploads how the entrants of consecutive slots draw their tokens.
void Session::upload_sampling(std::span<const Entrant> entrants, uint32_t first_slot) {
    std::vector<shared::SampleInput> inputs;
    for (const Entrant& entrant : entrants) {
        const Sampling& sampling = entrant.input->sampling;
        const uint64_t source = sampling_source(*entrant.input);
        inputs.push_back({.temperature = sampling.temperature,
                          .top_k = sampling.top_k,
                          .top_p = sampling.top_p,
                          .min_p = sampling.min_p,
                          .seed_low = uint32_t(sampling.seed),
                          .seed_high = uint32_t(sampling.seed >> 32),
                          .sample_index = sampling.index,
                          .source_low = uint32_t(source),
                          .source_high = uint32_t(source >> 32)});
    }
    const uint64_t bytes = inputs.size() * sizeof inputs[0];
    context_->upload({*parameters_, (sampling_at_ + first_slot * kSamplingWords) * 4ull, bytes}, inputs.data(), bytes);
}

void Session::upload_terms(const SearchInput& input, uint32_t slot) {
    // If attention never came to a term's span, it will hardly do so any more.
    const auto given = uint32_t(input.context.size() + input.prefix.size());
    const uint32_t open_at = given + uint32_t(input.source.size()) * 3 / 2 + 8;
    const std::vector<uint32_t> words = TermTrie(input.terms).words(open_at);
    context_->upload({*parameters_, (terms_at_ + uint64_t(slot) * TERM_SLOT_WORDS) * 4, words.size() * 4}, words.data(),
                     words.size() * 4);
    const std::vector<uint32_t> none(shape_.beam * TERM_STATE_WORDS);
    context_->upload(in_state(term_state_at_ + slot * uint32_t(none.size()), uint32_t(none.size())), none.data(),
                     none.size() * 4);
}

// Uploads the encoder's inputs.
void Session::upload_sources(std::span<const Entrant> entrants) {
    std::vector<uint32_t> ids, positions, sentence, begin;
    for (uint32_t i = 0; i < entrants.size(); ++i) {
        const std::vector<uint32_t>& source = entrants[i].input->source;
        begin.push_back(uint32_t(ids.size()));
        ids.insert(ids.end(), source.begin(), source.end());
        sentence.resize(ids.size(), i);
        for (uint32_t position = 0; position < source.size(); ++position) positions.push_back(position);
    }
    begin.push_back(uint32_t(ids.size()));
    const auto upload = [&](uint32_t at, std::span<const uint32_t> words) {
        if (!words.empty()) context_->upload({*source_, at * 4ull, words.size() * 4}, words.data(), words.size() * 4);
    };
    upload(ids_at_, ids);
    upload(positions_at_, positions);
    upload(row_sentence_at_, sentence);
    upload(sentence_begin_at_, begin);
    upload(token_count_at_, {&begin.back(), 1});
    const auto sentences = uint32_t(entrants.size());
    upload(sentence_count_at_, {&sentences, 1});
}

void Session::upload_allowed(std::span<const Entrant> entrants, std::span<const uint32_t> slots) {
    if (!shape_.limited) return;
    const uint32_t vocabulary = model_.info().target_vocabulary, words = (vocabulary + 31) / 32;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        std::vector<uint32_t> bits(words, 0);
        const std::vector<uint32_t>& ids = entrants[i].input->allowed;
        allowed_tokens_->enter(ids);
        places_[slots[i]].allowed = ids;
        for (const uint32_t id : ids) bits[id / 32] |= 1u << (id % 32);
        context_->upload({*permitted_, uint64_t(slots[i]) * words * 4, words * 4ull}, bits.data(), words * 4ull);
    }
    if (!allowed_tokens_->assign_places(allowed_capacity_)) {
        allowed_capacity_ = std::min(bucket(allowed_tokens_->used() * 5 / 4, 64), rounded_up(vocabulary, 64));
        allocate_allowed();
        allowed_tokens_->assign_places(allowed_capacity_);
    }
    if (!allowed_tokens_->changed()) return;
    std::vector<uint32_t> ids = allowed_tokens_->ids();
    const auto count = uint32_t(ids.size());
    ids.resize(allowed_capacity_, 0);
    context_->upload(*allowed_, ids.data(), ids.size() * 4);
    context_->upload(*allowed_count_, &count, 4);
    context_->upload(*allowed_places_, allowed_tokens_->places().data(), vocabulary * 4ull);
}

void Session::allocate_allowed() {
    outputs_ = model_.make_output_subset(allowed_capacity_);
    allowed_ = context_->buffer(allowed_capacity_ * 4ull, BufferUse::device, "search/allowed");
    allowed_count_ = context_->buffer(4, BufferUse::device, "search/allowed_count");
    allowed_places_ = context_->buffer(model_.info().target_vocabulary * 4ull, BufferUse::device,
                                       "search/allowed_places");
    allowed_logits_ = context_->buffer(uint64_t(shape_.rows()) * allowed_capacity_ * 4, BufferUse::device,
                                       "search/allowed_logits");
    steps_.clear();
}

std::vector<uint32_t> Session::partial(uint32_t slot) const {
    const uint32_t* words = outcome_->words();
    const uint32_t* tokens = words + partial_at_ + uint64_t(slot) * shape_.max_length;
    return {tokens, tokens + words[slot * OUTCOME_WORDS + OUTCOME_PARTIAL]};
}

std::vector<SearchOutput> Session::collect(std::span<const uint32_t> slots) {
    DRAGOMAN_ASSERT(std::ranges::is_sorted(slots));
    const uint32_t* words = outcome_->words();
    const uint64_t stride = shape_.attention_stride();
    const uint64_t slot_floats = uint64_t(shape_.finished_capacity) * shape_.max_length * stride;
    std::vector<float> attention;
    if (rules_.attention && !slots.empty()) {
        attention.resize((slots.back() - slots.front() + 1) * slot_floats);
        context_->readback({*outcome_attention_, slots.front() * slot_floats * 4, attention.size() * 4},
                           attention.data(), attention.size() * 4);
    }
    std::vector<SearchOutput> outputs(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const uint32_t slot = slots[i], source_length = places_[slot].source_length;
        const uint32_t finished = words[slot * OUTCOME_WORDS + OUTCOME_FINISHED];
        for (uint32_t place = 0; place < finished; ++place) {
            const uint32_t* entry = words + push_.finished_at +
                                    (uint64_t(slot) * shape_.finished_capacity + place) *
                                        (FINISHED_WORDS + shape_.max_length);
            const uint32_t length = entry[FINISHED_LENGTH];
            Hypothesis hypothesis;
            hypothesis.score = std::bit_cast<float>(entry[FINISHED_SCORE]);
            if (shape_.terms) hypothesis.terms_met = entry[FINISHED_MET];
            hypothesis.tokens.assign(entry + FINISHED_WORDS, entry + FINISHED_WORDS + length);
            if (rules_.attention) {
                const float* rows = attention.data() + (slot - slots.front()) * slot_floats +
                                    uint64_t(place) * shape_.max_length * stride;
                for (uint32_t t = 0; t < length; ++t)
                    hypothesis.attention.insert(hypothesis.attention.end(), rows + t * stride,
                                                rows + t * stride + source_length);
                if (shape_.certainty)
                    hypothesis.certainty = certainty(rows + shape_.longest_source, stride, hypothesis);
            }
            outputs[i].hypotheses.push_back(std::move(hypothesis));
        }
        if (rules_.forced_scores) {
            const auto* scores = words + push_.forced_scores_at + uint64_t(slot) * shape_.max_length;
            for (uint32_t t = 0; t < places_[slot].context_length; ++t)
                outputs[i].forced_scores.push_back(std::bit_cast<float>(scores[t]));
        }
    }
    return outputs;
}

void Session::leave(uint32_t slot) {
    Places& places = places_[slot];
    DRAGOMAN_ASSERT(places.taken);
    if (!finished(slot)) {
        const uint32_t inactive = 0;
        context_->upload(in_state(push_.slots_at + slot * SLOT_WORDS + SLOT_ACTIVE, 1), &inactive, 4);
        relist_ = true;
    }
    source_rows_.free(places.source_begin, places.source_length);
    if (model_.info().cache_bytes_per_step > 0) caches_.free(places.cache_begin, places.steps * shape_.beam);
    if (allowed_tokens_) allowed_tokens_->leave(places.allowed);
    places = {};
    free_slots_.insert(slot);
}

bool Session::grow(uint32_t slot) {
    Places& places = places_[slot];
    const uint32_t steps = std::min(2 * places.steps, shape_.max_steps());
    const auto begin = caches_.allocate(steps * shape_.beam);
    if (!begin) return false;
    for (uint32_t k = 0; k < shape_.beam; ++k)
        moves_.push_back({places.cache_begin + k * places.steps, *begin + k * steps, places.steps});
    caches_.free(places.cache_begin, places.steps * shape_.beam);
    places.cache_begin = *begin;
    places.steps = steps;
    const uint32_t range[] = {*begin, steps};
    context_->upload({*source_, (ranges_at_ + 2ull * slot) * 4, 8}, range, 8);
    context_->upload(in_state(push_.slots_at + slot * SLOT_WORDS + SLOT_STEPS, 1), &steps, 4);
    relist_ = true;
    return true;
}

void Session::enlarge(uint32_t cache_places) {
    ops::Recorder rec(context_);
    model_.grow(rec, *state_, cache_places);
    const auto list = rec.finish();
    steps_.clear();
    caches_.extend(cache_places);
    shape_.cache_places = cache_places;
    context_->wait(context_->submit(*list));
}

}  // namespace dragoman::decode
