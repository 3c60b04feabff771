// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/models.hpp>

#include <cstdint>
#include <string>

namespace cli {

// Languages that have commas between them: up to three by their codes, more by their number.
std::string few(const std::string& languages);
// Models in lines: name, languages, size, quality, licence, whether and where they are here.
void print_table(const dragoman::ModelList& list);
// One JSON object per model, files included.
void print_json(const dragoman::ModelList& list);
// Everything that is known of each model, a line per fact.
void print_details(const dragoman::ModelList& list);
void print_registries(bool json);

// Replaces a downloaded model's files by one GGUF file of that type, made from them.
void convert_kept(const dragoman_published_model& model, int32_t weight_type);

}  // namespace cli
