// SPDX-License-Identifier: Apache-2.0
#include "spec/model_card.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"

namespace dragoman::spec {
namespace {

constexpr std::size_t kMaxBytes = 4096;
constexpr std::size_t kMaxReadmeBytes = 1 << 16;

std::string lowercase(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

// The longest valid UTF-8 that the text begins with, of at most `most` bytes.
std::string beginning(std::string_view text, std::size_t most) {
    text = text.substr(0, most);
    if (const auto bad = first_invalid_utf8(text)) text = text.substr(0, *bad);
    return std::string(text);
}

bool is_license_file(const std::string& name) {
    const std::string lowered = lowercase(name);
    std::string_view plain = lowered;
    for (const std::string_view end : {".txt", ".md"})
        if (plain.ends_with(end)) plain.remove_suffix(end.size());
    return plain == "license" || plain == "licence" || plain == "copying";
}

// What "license: mit", "- License: MIT", "**Licence:** CC0" and the like name; "## Licence" names none.
std::string readme_license(std::string_view text) {
    text = text.substr(0, kMaxReadmeBytes);
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto first = line.find_first_not_of(" \t-*#>");
        if (first == std::string_view::npos) continue;
        line.remove_prefix(first);
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        const std::string plain = lowercase(line.substr(0, 16));
        const auto colon = line.find(':');
        if (!plain.starts_with("license") && !plain.starts_with("licence")) continue;
        if (colon == std::string_view::npos) continue;
        const auto name = line.find_first_not_of(" \t*_\"'", colon + 1);
        if (name == std::string_view::npos) continue;
        line = line.substr(name, line.find_last_not_of(" \t*_\"'") + 1 - name);
        return beginning(line, kMaxBytes);
    }
    return {};
}

}  // namespace

std::string read_license(const FileSet& files) {
    for (const std::string& name : files.names())
        if (is_license_file(name)) return beginning(files.beginning(name, kMaxBytes + 4).text(), kMaxBytes);
    for (const std::string& name : files.names())
        if (lowercase(name) == "readme.md") return readme_license(files.beginning(name, kMaxReadmeBytes).text());
    return {};
}

std::vector<std::string> languages_in(std::span<const std::string> tokens) {
    std::vector<std::string> languages;
    for (const std::string& token : tokens) {
        if (token.size() <= 4 || !token.starts_with(">>")) continue;
        if (token.find("<<") == token.size() - 2) languages.push_back(token.substr(2, token.size() - 4));
    }
    return languages;
}

}  // namespace dragoman::spec
