// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/sources.h"

#include <dragoman/dragoman.hpp>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "serve/api/shapes/shapes.h"
#include "serve/work/detection.h"

namespace serve::api {
namespace {

constexpr std::size_t kDeeplClearBytes = 24;
constexpr std::size_t kDeeplExpected = 8;  // more languages cannot all be likelier than the rest

// What each text says of itself, the served tag; empty: nothing clear.
std::vector<std::string> deepl_languages_of(const work::Models& models, const std::vector<std::string>& texts) {
    std::string expected;
    const std::vector<work::ServedLanguage> served = models.languages();
    for (const work::ServedLanguage& language : served)
        if (served.size() <= kDeeplExpected && language.targets.size() > 1)
            expected += (expected.empty() ? "" : ",") + language.tag;
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    const dragoman::Languages found(views, expected.c_str());
    std::vector<std::string> tags(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i].size() < kDeeplClearBytes) continue;
        const std::vector<dragoman_language_guess> guesses = found[i];
        if (!guesses.empty() && double(guesses.front().probability) >= work::kClear)
            tags[i] = models.language(guesses.front().tag);
    }
    return tags;
}

}  // namespace

std::vector<DeeplSource> deepl_sources(const work::Models& models, const std::vector<std::string>& texts,
                                       const std::string& from, const std::string& to, bool tagged) {
    DeeplSource all{from, std::vector<std::size_t>(texts.size())};
    std::iota(all.texts.begin(), all.texts.end(), std::size_t(0));
    if (!from.empty()) return {all};
    std::vector<std::string> plain = texts;
    if (tagged) std::ranges::transform(plain, plain.begin(), without_tags);
    if (const auto together = work::source_of(models, work::detect(models, plain), to)) all.language = together->tag;
    if (texts.size() < 2) return {all};

    const std::vector<std::string> alone = deepl_languages_of(models, plain);
    std::vector<DeeplSource> sources;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool clear = !alone[i].empty() && (alone[i] == to || models.translates(alone[i], to));
        const std::string& language = clear ? alone[i] : all.language;
        const auto same = std::ranges::find(sources, language, &DeeplSource::language);
        if (same != sources.end()) same->texts.push_back(i);
        else sources.push_back({language, {i}});
    }
    return sources;
}

}  // namespace serve::api
