// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/search.h"

#include <algorithm>

#include "base/error.h"

namespace dragoman::families {

namespace {

constexpr double kMaxBeams = 64;    // decode::kMaxBeam
constexpr double kMaxTokens = 4096;  // longer limits are as good as this one
constexpr double kAnyTokens = 1u << 30;
constexpr double kMaxPenalty = 1e6;
constexpr double kLeastTemperature = 1e-6;
constexpr double kMaxTopK = 1u << 26;

uint32_t tokens(double count) { return uint32_t(std::clamp(count, 0.0, kMaxTokens)); }

// Lengths include the start token, and the whole beginning with a decoder-only model, except under the newer names.
void read_lengths(const HuggingFaceSettings& settings, bool alone, spec::SearchDefaults& search) {
    if (const auto length = settings.generation_number("max_new_tokens", 1, kAnyTokens))
        search.max_length = tokens(*length);
    else if (const auto whole = settings.generation_number("max_length", 2, kAnyTokens))
        (alone ? search.max_total : search.max_length) = tokens(*whole - (alone ? 0 : 1));
    if (const auto length = settings.generation_number("min_new_tokens", 0, kAnyTokens))
        search.min_length = tokens(*length);
    else if (const auto whole = settings.generation_number("min_length", 0, kAnyTokens))
        (alone ? search.min_total : search.min_length) = tokens(*whole - (alone ? 0 : 1));
}

spec::EarlyStopping early_stopping(const HuggingFaceSettings& settings) {
    const std::string word = settings.generation_word("early_stopping", {"false", "true", "never"}, "false");
    return word == "true"    ? spec::EarlyStopping::on
           : word == "never" ? spec::EarlyStopping::never
                             : spec::EarlyStopping::off;
}

void read_sampling(const HuggingFaceSettings& settings, spec::SearchDefaults& search) {
    const bool samples = settings.generation_word("do_sample", {"false", "true"}, "false") == "true";
    // Files of greedy models have a temperature of 0.
    const double least = samples ? kLeastTemperature : 0.0;
    if (const auto number = settings.generation_number("temperature", least, spec::kMaxTemperature); number > 0)
        search.temperature = std::max(float(*number), float(kLeastTemperature));
    search.top_k = uint32_t(settings.generation_number("top_k", 0, kMaxTopK).value_or(search.top_k));
    search.top_p = float(settings.generation_number("top_p", 0, 1).value_or(search.top_p));
    search.min_p = float(settings.generation_number("min_p", 0, 1).value_or(search.min_p));
    if (!samples) return;
    if (search.beam_size > 1)
        fail(Status::unsupported, "{}: do_sample is supported with num_beams 1, file has {}", settings.config_file(),
             search.beam_size);
    search.sampling = spec::Sampling::on;
}

void read_ends(const HuggingFaceSettings& settings, const std::vector<std::string>& target,
               spec::SearchDefaults& search) {
    const auto size = uint32_t(target.size());
    const auto ends = settings.end_ids(size);
    for (std::size_t i = 1; i < ends.size(); ++i) search.more_ends.push_back(target[ends[i]]);
    const auto forced = settings.optional_token_id("forced_eos_token_id", size);
    if (!forced) return;
    search.forced_end = target[*forced];
    const auto suppressed = settings.token_ids("suppress_tokens", size);
    if (std::ranges::find(suppressed, *forced) != suppressed.end())
        fail(Status::unsupported, "{}: forced_eos_token_id: expected none of suppress_tokens, file has {}",
             (settings.generation() ? *settings.generation() : settings.config()).file, *forced);
}

}  // namespace

spec::SearchDefaults read_huggingface_search(const HuggingFaceSettings& settings,
                                             const std::vector<std::string>& target, bool alone) {
    spec::SearchDefaults search = spec::SearchDefaults::of(spec::SearchStyle::huggingface);
    search.beam_size = uint32_t(settings.generation_number("num_beams", 1, kMaxBeams).value_or(1));
    search.length_penalty =
        float(settings.generation_number("length_penalty", -kMaxPenalty, kMaxPenalty).value_or(search.length_penalty));
    read_lengths(settings, alone, search);
    search.early_stopping = early_stopping(settings);
    search.renormalize = settings.generation_word("renormalize_logits", {"false", "true"}, "false") == "true";
    search.repetition_penalty =
        float(settings.generation_number("repetition_penalty", 1e-6, kMaxPenalty).value_or(1.0));
    search.no_repeat_ngram_size = tokens(settings.generation_number("no_repeat_ngram_size", 0, kAnyTokens).value_or(0));
    read_sampling(settings, search);
    read_ends(settings, target, search);
    return search;
}

}  // namespace dragoman::families
