// SPDX-License-Identifier: Apache-2.0
#include "text/scale_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/capitals.h"
#include "text/language_rules.h"
#include "text/scale_words.h"
#include "text/words.h"

namespace dragoman::text {
namespace {

struct ScaleName {
    std::string_view one, many;
    int power;
};

constexpr auto kEnglishNames = std::to_array<ScaleName>({{"million", "millions", 6},
                                                         {"billion", "billions", 9},
                                                         {"trillion", "trillions", 12},
                                                         {"quadrillion", "quadrillions", 15}});
constexpr auto kGermanNames = std::to_array<ScaleName>({{"Million", "Millionen", 6},
                                                        {"Milliarde", "Milliarden", 9},
                                                        {"Billion", "Billionen", 12},
                                                        {"Billiarde", "Billiarden", 15},
                                                        {"Trillion", "Trillionen", 18}});

std::span<const ScaleName> names_of(std::string_view language) {
    if (language == "en") return kEnglishNames;
    return language == "de" ? std::span<const ScaleName>(kGermanNames) : std::span<const ScaleName>();
}

struct Named {
    Range range{};
    int power = 0;
    bool many = false;
};

std::vector<Named> names_in(std::string_view text, std::span<const ScaleName> names) {
    std::vector<Named> found;
    for (const Range& range : words(text)) {
        const std::string small = small_letters(part(text, range), {});
        for (const auto& [one, many, power] : names)
            for (const bool plural : {false, true})
                if (small == small_letters(plural ? many : one, {})) found.push_back({range, power, plural});
    }
    return found;
}

std::vector<int> sorted_powers(const std::vector<Named>& names) {
    std::vector<int> powers;
    for (const Named& name : names) powers.push_back(name.power);
    std::ranges::sort(powers);
    return powers;
}

// Whether "1" or "a" counts what begins at `at`.
bool is_one(std::string_view text, std::size_t at) {
    const std::string_view front = text.substr(0, at);
    return front.ends_with(" 1 ") || front == "1 " || front.ends_with("eine ") || front.ends_with("Eine ");
}

}  // namespace

std::vector<Edit> scale_names(std::string_view source, std::string_view target, std::string_view source_language,
                              std::string_view target_language) {
    const std::string from = primary_language(source_language), to = primary_language(target_language);
    const std::span<const ScaleName> of_source = names_of(from), of_target = names_of(to);
    if (from == to || of_source.empty() || of_target.empty() || target.find_first_of("iI") == target.npos) return {};
    const std::vector<Named> found = names_in(target, of_target);
    if (found.empty()) return {};
    std::string whole(source);
    std::vector<Edit> words;
    for (ScaleWord& word : scale_words(source, from)) words.push_back({word.range, std::move(word.word)});
    apply(words, whole, {});
    const std::vector<Named> given = names_in(whole, of_source);
    if (given.size() != found.size() || sorted_powers(given) == sorted_powers(found)) return {};
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto right = std::ranges::find(of_target, given[i].power, &ScaleName::power);
        if (given[i].power == found[i].power || right == of_target.end()) continue;
        const bool many = to == "de" ? !is_one(target, found[i].range.begin) : found[i].many;
        std::string name(many ? right->many : right->one);
        const std::string_view own = part(target, found[i].range);
        if (own.size() > 1 && is_upper(own[1])) to_capitals(name, {}, to);
        edits.push_back({found[i].range, std::move(name)});
    }
    return edits;
}

}  // namespace dragoman::text
