// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "serve/json.h"
#include "serve/work/glossaries.h"
#include "serve/work/language_codes.h"

namespace serve::work {

constexpr std::uint64_t kMostGlossaryBytes = 10u << 20;  // of a glossary's entries

// As it is kept in its file.
Json glossary_json(const Glossary& glossary);
Glossary glossary_of(const Json& json);  // throws what is wrong with it

LanguageCode dictionary_language(const std::string& given);  // throws Problem
// With or without scripts and regions.
bool is_language(const LanguageCode& one, const LanguageCode& other);
// The languages become tags in small letters. Throws Problem.
void check_dictionaries(std::vector<Dictionary>& dictionaries);
std::uint64_t checked_size(const Glossary& glossary);  // of its entries, in bytes; throws Problem
// New entries in place of the old ones, or (merge) beside those with other sources.
void merge_entries(Dictionary& old, Dictionary&& fresh, bool merge);

}  // namespace serve::work
