// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "serve/json.h"
#include "serve/services.h"

namespace serve::api {

// {source_lang, target_lang, entries, entries_format} as v2 has it in a glossary and v3 in each of its dictionaries.
// Languages count without their regions. Throws Problem.
work::Dictionary deepl_read_dictionary(const Services& services, const Json& fields);
Json deepl_dictionary_info(const work::Dictionary& dictionary);  // {source_lang, target_lang, entry_count}
// A language of a glossary, in small letters and without region.
std::string deepl_glossary_language(const Services& services, const Json& fields, const char* field);
std::string deepl_glossary_name(const Json& fields);

}  // namespace serve::api
