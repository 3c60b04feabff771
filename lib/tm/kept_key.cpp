// SPDX-License-Identifier: Apache-2.0
#include "tm/kept_key.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"

namespace dragoman::tm {
namespace {

using Items = std::vector<std::pair<std::string_view, std::string_view>>;

Items items_of(std::string_view key) {
    Items items;
    while (!key.empty()) {
        const std::string_view line = key.substr(0, key.find('\n'));
        const std::size_t tab = std::min(line.find('\t'), line.size());
        items.emplace_back(line.substr(0, tab), line.substr(std::min(tab + 1, line.size())));
        key.remove_prefix(std::min(line.size() + 1, key.size()));
    }
    return items;
}

std::optional<std::string_view> find(const Items& items, std::string_view name) {
    const auto at = std::ranges::find(items, name, [](const auto& item) { return item.first; });
    return at == items.end() ? std::nullopt : std::optional(at->second);
}

std::string in_words(const std::optional<std::string_view>& value) {
    if (!value) return "not there";
    if (value->starts_with(kPrintBegin)) return "one";
    return value->empty() ? "none" : std::string(*value);
}

}  // namespace

std::string differences(std::string_view then, std::string_view now) {
    const Items old = items_of(then), fresh = items_of(now);
    std::vector<std::string> told;
    bool other_device = false;
    const auto compare = [&](std::string_view name, const auto& before, const auto& after) {
        if (before == after) return;
        other_device |= name.starts_with(kDeviceName) || name.starts_with(kComputeTypeName);
        if (name.starts_with(kModelName) && other_device) return;
        if (name.starts_with(kRulesName) && !told.empty()) return;
        const bool prints = before && after && before->starts_with(kPrintBegin) && after->starts_with(kPrintBegin);
        told.push_back(prints ? fmt::format("{}: another one", name)
                              : fmt::format("{}: {} then, {} now", name, in_words(before), in_words(after)));
    };
    for (const auto& [name, value] : fresh) compare(name, find(old, name), std::optional(value));
    for (const auto& [name, value] : old)
        if (!find(fresh, name)) compare(name, std::optional(value), std::optional<std::string_view>());
    return fmt::format("{}", fmt::join(told, "; "));
}

}  // namespace dragoman::tm
