// SPDX-License-Identifier: Apache-2.0
#include "engine/weight_room.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace dragoman::engine {
namespace {

std::string size_text(uint64_t bytes) {
    const double mebibytes = double(bytes) / (1 << 20);
    return mebibytes < 1024 ? fmt::format("{:.1f} MiB", mebibytes) : fmt::format("{:.1f} GiB", mebibytes / 1024);
}

std::string choice_text(const WeightChoice& choice) {
    return fmt::format("{} ({})", choice.name, size_text(choice.bytes));
}

}  // namespace

std::string no_room_for_weights(const std::string& model, const WeightChoice& wanted, uint64_t available_bytes,
                                const std::string& place, std::span<const WeightChoice> others) {
    std::string text = fmt::format("{}: its weights take {} as {}, {} has room for {}", model, size_text(wanted.bytes),
                                   wanted.name, place, size_text(available_bytes));
    std::vector<std::string> fitting;
    for (const WeightChoice& choice : others)
        if (choice.bytes <= available_bytes) fitting.push_back(choice_text(choice));
    if (!fitting.empty()) return text + fmt::format("; what would fit: {}", fmt::join(fitting, ", "));
    const auto least = std::ranges::min_element(others, {}, &WeightChoice::bytes);
    return least == others.end() ? text : text + fmt::format("; not even {} would fit", choice_text(*least));
}

}  // namespace dragoman::engine
