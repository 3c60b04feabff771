// SPDX-License-Identifier: Apache-2.0
#include "registry/choice.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "registry/merit.h"

namespace dragoman::registry {
namespace {

struct Leg {
    Merit merit;
    std::size_t index;
};

struct Way {
    std::vector<std::size_t> indices;  // one or two; none: no way
    std::string pivot;
};

std::optional<Leg> best_leg(const std::vector<Candidate>& candidates, const spec::LanguageTag& from,
                            const spec::LanguageTag& to) {
    std::optional<Leg> best;
    for (const Candidate& candidate : candidates)
        if (auto merit = candidate.between(from, to); merit && (!best || *merit < best->merit))
            best = Leg{std::move(*merit), candidate.index};
    return best;
}

// The best model into, or out of, each language that is not one of the ends; from -> X where `to` is unknown.
std::map<std::string, Leg> legs(const std::vector<Candidate>& candidates, const spec::LanguageTag& from,
                                const spec::LanguageTag& to) {
    std::map<std::string, Leg> best;
    const bool outward = from.known();
    for (const Candidate& candidate : candidates) {
        if (!candidate.between(from, to)) continue;
        for (const spec::LanguageTag& other : outward ? candidate.to : candidate.from) {
            const auto merit = outward ? candidate.between(from, other) : candidate.between(other, to);
            const auto old = best.find(other.str());
            if (old == best.end()) best.emplace(other.str(), Leg{*merit, candidate.index});
            else if (*merit < old->second.merit) old->second = {*merit, candidate.index};
        }
    }
    return best;
}

// A size that is not known is the largest there is, and stays that.
uint64_t sum_of_bytes(const Leg& first, const Leg& second) {
    const uint64_t sum = first.merit.bytes + second.merit.bytes;
    return sum < first.merit.bytes ? std::numeric_limits<uint64_t>::max() : sum;
}

Way way_over(const std::vector<Candidate>& candidates, const spec::LanguageTag& from, const spec::LanguageTag& to) {
    if (const auto direct = best_leg(candidates, from, to)) return {{direct->index}, ""};

    const auto first = legs(candidates, from, {}), second = legs(candidates, {}, to);
    using Rank = std::tuple<bool, bool, uint64_t, std::string>;  // is not English, is restricted, bytes, language
    std::optional<std::pair<Rank, Way>> best;
    for (const auto& [language, leg] : first) {
        const auto rest = second.find(language);
        const auto pivot = spec::LanguageTag::find(language);
        if (rest == second.end() || !pivot || *pivot == from || *pivot == to || rest->second.index == leg.index)
            continue;
        Rank rank{language != "en", leg.merit.restricted || rest->second.merit.restricted,
                  sum_of_bytes(leg, rest->second), language};
        if (!best || rank < best->first) best = {{std::move(rank), {{leg.index, rest->second.index}, language}}};
    }
    return best ? best->second : Way{};
}

Way find_way(std::vector<Candidate> candidates, const std::string& from_text, const std::string& to_text) {
    const spec::LanguageTag from = wanted_language(from_text), to = wanted_language(to_text);
    if (!from.known() || !to.known()) return {};
    const auto bad = std::ranges::stable_partition(candidates, [](const Candidate& one) {
        return !one.merit.poor && !one.merit.too_large;
    });
    const std::vector<Candidate> good(candidates.begin(), bad.begin());
    Way way = way_over(good, from, to);
    return way.indices.empty() && !bad.empty() ? way_over(candidates, from, to) : way;
}

}  // namespace

bool allows_commercial_use(std::string_view license) {
    std::vector<std::string> words(1);
    for (const char c : license) {
        const bool capital = c >= 'A' && c <= 'Z';
        if (capital || (c >= 'a' && c <= 'z')) words.back() += capital ? char(c - 'A' + 'a') : c;
        else words.emplace_back();
    }
    std::erase(words, "");
    if (words.empty()) return false;
    return std::ranges::none_of(words, [](const std::string& word) {
        return word == "nc" || word == "noncommercial" || word == "unknown" || word == "other" || word == "none" ||
               word == "non" || word == "research";
    });
}

bool better(const Entry& left, const Entry& right, const std::string& from, const std::string& to) {
    const spec::LanguageTag wanted_from = wanted_language(from), wanted_to = wanted_language(to);
    const auto a = candidate_of(left, 0).between(wanted_from, wanted_to);
    const auto b = candidate_of(right, 1).between(wanted_from, wanted_to);
    if (!a || !b) return a.has_value() && !b.has_value();
    return *a < *b;
}

Route find_route(Catalog& catalog, const std::string& from, const std::string& to) {
    std::vector<const Entry*> entries;
    std::vector<Candidate> candidates;
    for (const Listing& listing : catalog.listings())
        for (const Entry& entry : listing.entries) {
            candidates.push_back(candidate_of(entry, entries.size(), catalog.memory_bytes()));
            entries.push_back(&entry);
        }
    const Way way = find_way(std::move(candidates), from, to);
    Route route;
    route.pivot = way.pivot;
    bool known = true;
    for (const std::size_t index : way.indices) {
        route.models.push_back(*entries[index]);
        known &= entries[index]->bytes() > 0;
        route.bytes += entries[index]->bytes();
    }
    if (!known) route.bytes = 0;
    return route;
}

std::vector<store::Installed> find_installed_route(const std::vector<store::Installed>& models, const std::string& from,
                                                   const std::string& to, uint64_t memory) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < models.size(); ++i) candidates.push_back(candidate_of(models[i], i, memory));
    std::vector<store::Installed> route;
    for (const std::size_t index : find_way(std::move(candidates), from, to).indices) route.push_back(models[index]);
    return route;
}

}  // namespace dragoman::registry
