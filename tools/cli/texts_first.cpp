// SPDX-License-Identifier: Apache-2.0
#include "texts_first.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "base/os/path_text.h"

namespace cli {
namespace {

constexpr std::array<std::string_view, 3> kCommands = {"translate", "continue", "embed"};  // that take texts
constexpr std::array<std::string_view, 3> kGreedy = {"--models", "--weights", "--route"};

bool is_weight(const std::string& word) {
    char* end = nullptr;
    std::strtod(word.c_str(), &end);
    return end != word.c_str() && *end == '\0';
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-' && !is_weight(word); }

bool is_text(const std::string& word) {
    std::error_code none;
    if (word.empty() || std::filesystem::exists(dragoman::path_of(word), none)) return false;
    const bool spaces = std::ranges::any_of(word, [](unsigned char c) { return std::isspace(c); });
    return spaces || std::string_view(".!?").find(word.back()) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> texts_first(int argc, const char* const* argv) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const auto is_one_of = [](const auto& names, const std::string& word) {
        return std::ranges::find(names, std::string_view(word).substr(0, word.find('='))) != names.end();
    };
    const auto command = std::ranges::find_if(words, [](const std::string& word) { return !is_option(word); });
    if (command == words.end() || !is_one_of(kCommands, *command)) return words;
    std::vector<std::string> texts, others;
    for (auto at = std::next(command); at != words.end();) {
        const std::string& option = *at;
        if (option == "--") {
            others.insert(others.end(), at, words.end());
            break;
        }
        others.push_back(*at++);
        if (!is_one_of(kGreedy, option)) continue;
        const bool numbers = option.starts_with("--weights");
        const auto end = std::find_if(at, words.end(), is_option);
        const auto text =
            std::find_if(at, end, [&](const std::string& word) { return numbers ? !is_weight(word) : is_text(word); });
        others.insert(others.end(), at, text);
        texts.insert(texts.end(), text, end);
        at = end;
    }
    std::vector<std::string> all(words.begin(), std::next(command));
    all.insert(all.end(), texts.begin(), texts.end());
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

}  // namespace cli
