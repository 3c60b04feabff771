// SPDX-License-Identifier: Apache-2.0
#include "store/elsewhere/hub_languages.h"

#include <algorithm>

#include "base/error.h"
#include "store/elsewhere/hub_card.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace {

std::string text_of_file(const std::filesystem::path& file, const char* key) {
    try {
        return text_in(read_json_file(file), key);
    } catch (const Error&) {  // a repository without that file
        return {};
    }
}

// "deu", or "de+en" where the tokenizer takes several.
std::vector<std::string> codes_in(const std::string& text) {
    std::vector<std::string> codes;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        if (end > begin) codes.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return codes;
}

}  // namespace

HubLanguages read_hub_languages(const std::filesystem::path& folder) {
    const auto settings = folder / "tokenizer_config.json";
    const std::string from = text_of_file(settings, "source_lang"), to = text_of_file(settings, "target_lang");
    if (!from.empty() && !to.empty() && text_of_file(folder / "config.json", "model_type") == "marian")
        return {codes_in(from), codes_in(to)};
    std::vector<std::string> languages = read_hub_card(folder / "README.md").languages;
    if (languages.size() <= 2) return {};  // which of them is translated into which?
    return {languages, languages};
}

}  // namespace dragoman::store
