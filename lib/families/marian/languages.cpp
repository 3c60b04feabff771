// SPDX-License-Identifier: Apache-2.0
#include "families/marian/languages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "formats/json_object.h"
#include "formats/yaml_map.h"

namespace dragoman::families {
namespace {

constexpr const char *kMarianMetadata = "metadata.json", *kModelInfo = "model_info.json";

bool are_known(const MarianLanguages& languages) { return !languages.source.empty() || !languages.target.empty(); }

// browsermt's: {"srcTags": {"cs": "Czech"}, "trgTag": "en", "version": 1}
void read_model_info(const FileSet& files, MarianLanguages& languages) {
    if (!files.has(kModelInfo)) return;
    const auto info = formats::parse_json_object(files.label(kModelInfo), files.read(kModelInfo).text());
    const auto sources = info.find("srcTags"), target = info.find("trgTag"), version = info.find("version");
    if (sources != info.end() && sources->is_object())
        for (const auto& [code, name] : sources->items()) languages.source.push_back(code);
    if (target != info.end() && target->is_string()) languages.target = {target->get<std::string>()};
    if (version != info.end() && languages.version.empty())
        languages.version = version->is_string() ? version->get<std::string>() : version->dump();
}

}  // namespace

MarianLanguages read_marian_languages(const FileSet& files, std::string_view model) {
    MarianLanguages languages;
    if (files.has(kMarianMetadata)) {
        const formats::YamlMap metadata(files.label(kMarianMetadata), files.read(kMarianMetadata).text());
        const auto take = [&](const char* key, std::vector<std::string>& to) {
            if (const std::string code = metadata.text(key, ""); !code.empty()) to = {code};
        };
        take("sourceLanguage", languages.source);
        take("targetLanguage", languages.target);
        languages.version = metadata.text("version", "");
        if (are_known(languages)) return languages;
    }
    read_model_info(files, languages);
    constexpr std::string_view begin = "model.";
    if (are_known(languages) || !model.starts_with(begin)) return languages;
    const std::string_view pair = model.substr(begin.size(), model.find('.', begin.size()) - begin.size());
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    if (pair.size() != 4 || !std::ranges::all_of(pair, is_lower)) return languages;
    languages.source = {std::string(pair.substr(0, 2))};
    languages.target = {std::string(pair.substr(2))};
    return languages;
}

}  // namespace dragoman::families
