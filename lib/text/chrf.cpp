// SPDX-License-Identifier: Apache-2.0
#include "text/chrf.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {
namespace {

constexpr std::size_t kOrders = 6;
constexpr double kBeta2 = 4.0;

// The places where characters other than white space begin, and the end.
struct Characters {
    std::string bytes;
    std::vector<std::size_t> begins{0};
    std::size_t count() const { return begins.size() - 1; }
};

Characters characters_of(std::string_view text) {
    Characters all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (is_space(next_character(text, at))) continue;
        all.bytes += text.substr(begin, at - begin);
        all.begins.push_back(all.bytes.size());
    }
    return all;
}

std::unordered_map<std::string_view, long> runs(const Characters& of, std::size_t order) {
    std::unordered_map<std::string_view, long> counts;
    for (std::size_t i = 0; i + order <= of.count(); ++i)
        ++counts[std::string_view(of.bytes).substr(of.begins[i], of.begins[i + order] - of.begins[i])];
    return counts;
}

}  // namespace

double chrf(std::string_view translation, std::string_view reference) {
    const Characters said = characters_of(translation), wanted = characters_of(reference);
    double precision = 0.0, recall = 0.0, orders = 0.0;
    for (std::size_t order = 1; order <= std::min({kOrders, said.count(), wanted.count()}); ++order) {
        const auto of_reference = runs(wanted, order);
        long matches = 0;
        for (const auto& [run, count] : runs(said, order))
            if (const auto found = of_reference.find(run); found != of_reference.end())
                matches += std::min(count, found->second);
        precision += double(matches) / double(said.count() + 1 - order);
        recall += double(matches) / double(wanted.count() + 1 - order);
        orders += 1.0;
    }
    if (precision + recall == 0.0) return 0.0;
    precision /= orders;
    recall /= orders;
    return (1.0 + kBeta2) * precision * recall / (kBeta2 * precision + recall);
}

}  // namespace dragoman::text
