// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl_sources.h"

#include <algorithm>
#include <numeric>

#include "serve/work/detection.h"

namespace serve::api {
namespace {

constexpr std::size_t kDeeplClearBytes = 24;
constexpr double kDeeplClear = 0.9;

std::string deepl_without_tags(const std::string& text) {
    std::string plain;
    bool inside = false;
    for (const char c : text) {
        if (c == '<') inside = true, plain += ' ';
        else if (c == '>') inside = false;
        else if (!inside) plain += c;
    }
    return plain;
}

}  // namespace

std::vector<DeeplSource> deepl_sources(const work::Models& models, const std::vector<std::string>& texts,
                                       const std::string& from, const std::string& to, bool tagged) {
    DeeplSource all{from, std::vector<std::size_t>(texts.size())};
    std::iota(all.texts.begin(), all.texts.end(), std::size_t(0));
    if (!from.empty()) return {all};
    std::vector<std::string> plain = texts;
    if (tagged) std::ranges::transform(plain, plain.begin(), deepl_without_tags);
    const std::vector<work::Guess> together = work::detect(models, plain);
    if (!together.empty()) all.language = together.front().tag;
    if (texts.size() < 2) return {all};

    std::vector<DeeplSource> sources;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::string language = all.language;
        if (plain[i].size() >= kDeeplClearBytes) {
            const std::vector<work::Guess> alone = work::detect(models, {plain[i]});
            if (!alone.empty() && alone.front().confidence >= kDeeplClear && models.translates(alone.front().tag, to))
                language = alone.front().tag;
        }
        const auto same = std::ranges::find(sources, language, &DeeplSource::language);
        if (same != sources.end()) same->texts.push_back(i);
        else sources.push_back({language, {i}});
    }
    return sources;
}

}  // namespace serve::api
