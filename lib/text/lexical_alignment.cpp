// SPDX-License-Identifier: Apache-2.0
#include "text/lexical_alignment.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cmath>
#include <map>
#include <unordered_map>

#include "text/characters.h"

namespace dragoman::text {
namespace {

constexpr int kRounds = 6;
constexpr int kStem = 5;            // characters of a word that are compared
constexpr double kTension = 4.0;    // how strongly the diagonal is preferred
constexpr double kSmoothing = 0.05;  // share for words that were not seen together

std::string stem(std::string_view word) {
    std::string result;
    std::size_t at = 0;
    for (int n = 0; n < kStem && at < word.size(); ++n) {
        const int32_t c = next_character(word, at);
        if (c < 0) continue;
        char bytes[4];
        int32_t size = 0;
        U8_APPEND_UNSAFE(bytes, size, u_tolower(c));
        result.append(bytes, std::size_t(size));
    }
    return result;
}

class Stems {
public:
    std::vector<uint32_t> numbers(std::span<const std::string> words) {
        std::vector<uint32_t> result;
        for (const std::string& word : words)
            result.push_back(known_.try_emplace(stem(word), uint32_t(known_.size())).first->second);
        return result;
    }

private:
    std::unordered_map<std::string, uint32_t> known_;
};

struct Pair {
    std::vector<uint32_t> source, target;
    std::vector<double> places;  // [target word][source word]: preference by position
};

std::vector<double> diagonal(std::size_t targets, std::size_t sources) {
    std::vector<double> result;
    for (std::size_t t = 0; t < targets; ++t)
        for (std::size_t s = 0; s < sources; ++s)
            result.push_back(std::exp(-kTension * std::abs((double(s) + 0.5) / double(sources) -
                                                           (double(t) + 0.5) / double(targets))));
    return result;
}

using Translations = std::map<std::pair<uint32_t, uint32_t>, double>;  // source, target

}  // namespace

std::vector<std::vector<float>> align_lexically(std::span<const WordPair> given) {
    Stems stems;  // over both languages: names and marks are the same word
    std::vector<Pair> pairs;
    for (const WordPair& pair : given)
        pairs.push_back({stems.numbers(pair.source), stems.numbers(pair.target),
                         diagonal(pair.target.size(), pair.source.size())});
    std::vector<std::vector<float>> result(pairs.size());
    Translations likely;
    for (int round = 0; round < kRounds; ++round) {
        Translations counts;
        std::unordered_map<uint32_t, double> seen;
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            const auto& [source, target, places] = pairs[p];
            result[p].assign(places.size(), 0.0f);
            for (std::size_t t = 0; t < target.size(); ++t) {
                std::vector<double> row(source.size());
                double sum = 0;
                for (std::size_t s = 0; s < source.size(); ++s)
                    sum += row[s] = places[t * source.size() + s] * (round == 0 ? 1.0 : likely[{source[s], target[t]}]);
                for (std::size_t s = 0; s < source.size(); ++s) {
                    const double share = sum > 0 ? row[s] / sum : 1.0 / double(source.size());
                    result[p][t * source.size() + s] = float(share);
                    counts[{source[s], target[t]}] += share;
                    seen[source[s]] += share;
                }
            }
        }
        for (auto& [words, count] : counts)
            count = (count + (words.first == words.second ? kSmoothing : 0.0)) / (seen[words.first] + kSmoothing);
        likely = std::move(counts);
    }
    return result;
}

}  // namespace dragoman::text
