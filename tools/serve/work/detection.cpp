// SPDX-License-Identifier: Apache-2.0
#include "serve/work/detection.h"

#include <dragoman/dragoman.hpp>

#include <algorithm>

namespace serve::work {
namespace {

constexpr std::size_t kSample = 8192;   // bytes that tell as much as all of them
constexpr std::size_t kExpected = 8;    // languages that can be told to be likelier

// The beginning of each text, as much of all as of one.
std::string sample_of(const std::vector<std::string>& texts) {
    std::string sample;
    const std::size_t each = texts.empty() ? 0 : std::max<std::size_t>(kSample / texts.size(), 64);
    for (const std::string& text : texts) {
        if (sample.size() >= kSample) break;
        const std::size_t cut = std::min(each, text.size());
        const std::size_t whole = dragoman_utf8_prefix(text.data(), cut);
        if (whole == cut || cut < text.size()) sample.append(text, 0, whole);
        else throw Problem(Problem::Kind::bad_request, "text: invalid UTF-8 at byte " + std::to_string(whole));
        sample += '\n';
    }
    return sample;
}

std::string expected_of(const std::vector<ServedLanguage>& languages) {
    std::string expected;
    if (languages.size() > kExpected) return expected;
    for (const ServedLanguage& language : languages) {
        const bool is_source = language.targets.size() > 1;  // besides itself
        if (is_source) expected += (expected.empty() ? "" : ",") + language.tag;
    }
    return expected;
}

}  // namespace

std::vector<Guess> detect(const Models& models, const std::vector<std::string>& texts) {
    const std::string sample = sample_of(texts);
    const dragoman::Languages found(sample, expected_of(models.languages()).c_str());
    std::vector<Guess> guesses;
    for (const dragoman_language_guess& guess : found[0]) {
        const std::string tag = models.language(guess.tag);
        const auto same = std::ranges::find(guesses, tag, &Guess::tag);
        if (tag.empty()) continue;
        if (same != guesses.end()) same->confidence = std::min(1.0, same->confidence + double(guess.probability));
        else guesses.push_back({tag, double(guess.probability)});
    }
    return guesses;
}

std::optional<Guess> source_of(const Models& models, const std::vector<Guess>& guesses, const std::string& to) {
    const Guess* target = nullptr;
    for (const Guess& guess : guesses) {
        if (guess.tag == to && guess.confidence < kClear) target = &guess;
        else if (models.translates(guess.tag, to)) return guess;
    }
    if (!target) return {};
    for (const ServedLanguage& language : models.languages())
        if (language.tag != to && models.translates(language.tag, to)) return Guess{language.tag, 0};
    return *target;
}

}  // namespace serve::work
