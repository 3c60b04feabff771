// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dragoman::store {

// What the head of a repository's README.md says.
struct HubCard {
    std::string license;                 // "cc-by-4.0"
    std::vector<std::string> languages;  // as spelled there
};

HubCard read_hub_card(const std::filesystem::path& readme);

}  // namespace dragoman::store
