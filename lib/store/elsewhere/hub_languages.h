// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dragoman::store {

// Codes of languages as they are spelled there; empty: only the model itself says.
struct HubLanguages {
    std::vector<std::string> from, to;
};

// What the files of a repository of Hugging Face's say, as they lie in a folder. Models of one direction name it for their
// tokenizer. Those of many languages have a list in their card, and take all of them both ways.
HubLanguages read_hub_languages(const std::filesystem::path& folder);

}  // namespace dragoman::store
