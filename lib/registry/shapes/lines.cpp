// SPDX-License-Identifier: Apache-2.0
// One model per line that fits a regular expression; other lines are other things.
#include "registry/data_keys.h"
#include "registry/shapes/text_lines.h"

namespace dragoman::registry {
namespace {

constexpr std::size_t kLongestLine = 2000;  // a regular expression needs stack for each byte

std::regex line_pattern(const Registry& registry) {
    DataKeys keys(registry.data, registry.file);
    return read_pattern(keys.needed("line"), keys.at("line"));
}

}  // namespace

void check_lines(const Registry& registry) { line_pattern(registry); }

ListContent read_lines(const Registry& registry, std::string_view body) {
    const std::regex pattern = line_pattern(registry);
    return read_text_lines(registry, body, [&](std::string_view line, std::vector<std::string>& columns) {
        if (line.size() > kLongestLine) return false;
        const std::string text(line);  // <regex> is compiled for strings already
        std::smatch match;
        if (!std::regex_match(text, match, pattern)) return false;
        for (std::size_t i = 1; i < match.size(); ++i) columns.push_back(match[i].str());
        return true;
    });
}

}  // namespace dragoman::registry
