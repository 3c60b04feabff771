// SPDX-License-Identifier: Apache-2.0
#include "families/common/stored_languages.h"

#include "formats/json_object.h"
#include "spec/language_tag.h"
#include "spec/model_card.h"
#include "spec/stored_metadata.h"

namespace dragoman::families {
namespace {

// The only language of a list; "" where there are others.
std::string only_language(const nlohmann::json& metadata, const char* key) {
    const auto list = metadata.find(key);
    if (list == metadata.end() || !list->is_array() || list->size() != 1 || !list->front().is_string()) return {};
    const auto tag = spec::LanguageTag::find(list->front().get<std::string>());
    return tag && tag->known() ? tag->str() : std::string();
}

}  // namespace

void read_stored_languages(const FileSet& files, spec::ModelSpec& spec) {
    const bool said = !spec.source_languages.empty() || !spec.target_languages.empty();
    if (said || !spec::languages_in(spec.source.tokens).empty() || !files.has(spec::kStoredMetadata)) return;
    const FileBytes file = files.read(spec::kStoredMetadata);
    const auto metadata = formats::parse_json_object(file.name, file.text());
    const std::string from = only_language(metadata, "from"), to = only_language(metadata, "to");
    if (from.empty() || to.empty()) return;
    spec.source_languages = {from};
    spec.target_languages = {to};
}

}  // namespace dragoman::families
