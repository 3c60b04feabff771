// SPDX-License-Identifier: Apache-2.0
#include "tm/segments.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>

#include "base/fingerprint.h"
#include "text/normalize.h"
#include "text/words.h"

namespace dragoman::tm {
namespace {

constexpr uint32_t kUnknown = UINT32_MAX;  // a word that no segment has
constexpr double kRounding = 1e-6;

bool same_language(const spec::LanguageTag& a, const spec::LanguageTag& b) {
    return a.language() == b.language() && a.likely_script() == b.likely_script();
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (const text::Range& word : text::words(text)) words.emplace_back(text::part(text, word));
    return words;
}

std::size_t common(const std::vector<uint32_t>& sorted, std::vector<uint32_t> words) {
    std::ranges::sort(words);
    std::size_t count = 0;
    for (auto a = sorted.begin(), b = words.cbegin(); a != sorted.end() && b != words.end();) {
        if (*a == *b) ++count, ++a, ++b;
        else if (*a < *b) ++a;
        else ++b;
    }
    return count;
}

}  // namespace

std::string normal_form(std::string_view text) {
    const std::string normalized = text::normalize(text).text;
    std::string result;
    for (const char c : normalized)
        if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    if (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

float similarity(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, float least) {
    const std::size_t longer = std::max(a.size(), b.size());
    if (longer == 0) return 1.0f;
    const auto most = std::size_t(double(longer) * (1.0 - double(least)) + kRounding);  // edits
    const std::size_t none = longer + 1;
    std::vector<std::size_t> row(b.size() + 1), above(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        const std::size_t begin = i > most ? i - most : 1, end = std::min(b.size(), i + most);
        std::ranges::fill(row, none);
        if (begin == 1) row[0] = i;
        std::size_t fewest = row[0];
        for (std::size_t j = begin; j <= end; ++j) {
            const std::size_t change = above[j - 1] + (a[i - 1] != b[j - 1] || a[i - 1] == kUnknown);
            row[j] = std::min({change, above[j] + 1, row[j - 1] + 1});
            fewest = std::min(fewest, row[j]);
        }
        if (fewest > most) return 0.0f;
        std::swap(row, above);
    }
    const std::size_t edits = std::min(above[b.size()], longer);
    return 1.0f - float(edits) / float(longer);
}

bool Segments::add(std::vector<Segment> segments) {
    Unit unit;
    for (Segment& segment : segments) {
        const auto tag = spec::LanguageTag::find(segment.language);
        if (!tag || normal_form(segment.text).empty()) continue;
        unit.push_back({*tag, std::move(segment.text)});
    }
    const bool several = std::ranges::any_of(unit, [&](const Variant& variant) {
        return !same_language(variant.tag, unit.front().tag);
    });
    if (!several) return false;
    const std::lock_guard lock(mutex_);
    const auto number = uint32_t(units_.size());
    for (uint32_t v = 0; v < unit.size(); ++v) {
        Index& index = languages_[unit[v].tag.language()];
        const std::string text = normal_form(unit[v].text);
        const auto place = uint32_t(index.places.size());
        Place made{.unit = number, .variant = v};
        for (std::string& word : words_of(text)) {
            const auto [known, is_new] = index.words.try_emplace(std::move(word), uint32_t(index.having.size()));
            if (is_new) index.having.emplace_back();
            made.words.push_back(known->second);
            std::vector<uint32_t>& having = index.having[known->second];
            if (having.empty() || having.back() != place) having.push_back(place);
        }
        index.equal[text].push_back(place);
        index.places.push_back(std::move(made));
    }
    units_.push_back(std::move(unit));
    return true;
}

void Segments::clear() {
    const std::lock_guard lock(mutex_);
    units_.clear();
    languages_.clear();
}

std::size_t Segments::size() const {
    const std::shared_lock lock(mutex_);
    return units_.size();
}

Fingerprint Segments::fingerprint() const {
    const std::shared_lock lock(mutex_);
    Fingerprint print;
    for (const Unit& unit : units_) {
        print.add(unit.size());
        for (const Variant& variant : unit) {
            print.add(std::string_view(variant.tag.str()));
            print.add(std::string_view(variant.text));
        }
    }
    return print;
}

std::vector<const Segments::Index*> Segments::indices(const spec::LanguageTag& from,
                                                      const spec::LanguageTag& to) const {
    std::vector<const Index*> found;
    for (const auto& [language, index] : languages_)
        if (from.known() ? language == from.language() : language != to.language()) found.push_back(&index);
    return found;
}

// Null: the segment has none.
const Segments::Variant* Segments::translation(const Place& place, const spec::LanguageTag& from,
                                               const spec::LanguageTag& to) const {
    const Unit& unit = units_[place.unit];
    if (from.known() && !same_language(unit[place.variant].tag, from)) return nullptr;
    const Variant* best = nullptr;
    for (const Variant& variant : unit)
        if (same_language(variant.tag, to) && (!best || variant.tag == to)) best = &variant;
    return best;
}

std::optional<std::string> Segments::exact(const spec::LanguageTag& from, const spec::LanguageTag& to,
                                           std::string_view text) const {
    const std::string wanted = normal_form(text);
    const std::shared_lock lock(mutex_);
    const Variant* best = nullptr;
    auto best_rank = std::tuple(-1, -1, uint32_t(0));
    for (const Index* index : indices(from, to)) {
        const auto equal = index->equal.find(wanted);
        if (equal == index->equal.end()) continue;
        for (const uint32_t place : equal->second) {
            const Place& at = index->places[place];
            const Variant* variant = translation(at, from, to);
            if (!variant) continue;
            const bool same_source = units_[at.unit][at.variant].tag == from;
            const auto rank = std::tuple(int(variant->tag == to), int(same_source), at.unit);
            if (best && rank < best_rank) continue;
            best = variant;
            best_rank = rank;
        }
    }
    return best ? std::optional(best->text) : std::nullopt;
}

// A similar enough text shares that many words, and so one of the rarest of them, however they are chosen (Chaudhuri et
// al. 2006, "A Primitive Operator for Similarity Joins in Data Cleaning").
std::vector<uint32_t> Segments::candidates(const Index& index, const std::vector<uint32_t>& words, float least) {
    const double share = std::ceil(double(least) * double(words.size()) - kRounding);
    const auto needed = std::max<std::size_t>(std::size_t(share), 1);
    std::vector<uint32_t> rarest = words;
    const auto how_many = [&](uint32_t word) { return word == kUnknown ? 0 : index.having[word].size(); };
    std::ranges::sort(rarest, {}, [&](uint32_t word) { return std::pair(how_many(word), word); });
    rarest.resize(words.size() - needed + 1);
    std::vector<uint32_t> places;
    for (std::size_t i = 0; i < rarest.size(); ++i)
        if (rarest[i] != kUnknown && (i == 0 || rarest[i] != rarest[i - 1]))
            places.insert(places.end(), index.having[rarest[i]].begin(), index.having[rarest[i]].end());
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::vector<Match> Segments::similar(const spec::LanguageTag& from, const spec::LanguageTag& to, std::string_view text,
                                     float least, std::size_t most) const {
    const std::vector<std::string> wanted = words_of(normal_form(text));
    if (wanted.empty() || most == 0) return {};
    struct Found {
        float similarity;
        uint32_t unit;
        const std::string *source, *target;
    };
    std::vector<Found> found;
    const std::shared_lock lock(mutex_);
    for (const Index* index : indices(from, to)) {
        std::vector<uint32_t> words;
        for (const std::string& word : wanted) {
            const auto known = index->words.find(word);
            words.push_back(known == index->words.end() ? kUnknown : known->second);
        }
        std::vector<uint32_t> sorted = words;
        std::ranges::sort(sorted);
        while (!sorted.empty() && sorted.back() == kUnknown) sorted.pop_back();
        for (const uint32_t place : candidates(*index, words, least)) {
            const Place& at = index->places[place];
            const double needed = double(least) * double(std::max(words.size(), at.words.size())) - kRounding;
            if (double(std::min(words.size(), at.words.size())) < needed) continue;
            const Variant* target = translation(at, from, to);
            if (!target || double(common(sorted, at.words)) < needed) continue;
            const float like = similarity(words, at.words, least);
            if (double(like) + kRounding < double(least)) continue;
            found.push_back({like, at.unit, &units_[at.unit][at.variant].text, &target->text});
        }
    }
    std::ranges::sort(found, [](const Found& a, const Found& b) {
        return std::pair(-a.similarity, b.unit) < std::pair(-b.similarity, a.unit);
    });
    std::vector<Match> matches;
    for (const Found& each : found) {
        Match match{*each.source, *each.target, each.similarity};
        if (std::ranges::find(matches, match) == matches.end()) matches.push_back(std::move(match));
        if (matches.size() == most) break;
    }
    return matches;
}

}  // namespace dragoman::tm
