// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "download/transfer.h"
#include "registry/entry.h"
#include "registry/registry.h"
#include "registry/versions.h"

// The shapes that registries' lists have; docs/registries.md has the keys of each.
namespace dragoman::registry {

inline constexpr std::size_t kMostItems = 200'000;  // of a list

// Reads a registry's data file for its shape. Throws bad_model naming the file and the key.
void check_shape(const Registry& registry);

// Reads a list of the registry's shape. Throws bad_model for a text that is no such list; items that are broken are
// counted.
ListContent read_list(const Registry& registry, std::string_view body);

// The entry of a registry without a list: asks it. Throws what get_text() throws; io_error where `offline`.
Entry ask_registry(const Registry& registry, const std::string& model, bool offline, const download::Settings& settings,
                   const download::ProgressFn& progress);

// One function for each shape, in a file of its name.
ListContent read_entries(const Registry& registry, std::string_view body);
ListContent read_records(const Registry& registry, std::string_view body);
ListContent read_table(const Registry& registry, std::string_view body);
ListContent read_lines(const Registry& registry, std::string_view body);
Entry ask_hub(const Registry& registry, const std::string& model, const download::Settings& settings,
              const download::ProgressFn& progress);
Entry read_address(const Registry& registry, const std::string& url);

void check_records(const Registry& registry);
void check_lines(const Registry& registry);
void check_hub(const Registry& registry);

}  // namespace dragoman::registry
