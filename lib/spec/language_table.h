// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace dragoman::spec {

// A language of ISO 639-3 (only those that models translate, and all that have two letters), or a group of ISO 639-5.
struct LanguageRow {
    std::string_view three;          // deu
    std::string_view two;            // de; empty: has none
    std::string_view bibliographic;  // ger; empty: the same as `three`
    std::string_view script;         // the usual one, Latn; empty: unknown
    std::string_view name;           // German
    bool group = false;              // "gmw", West Germanic languages
};

// By any of its codes, in lower case; null: not in the table.
const LanguageRow* find_language(std::string_view code);
std::span<const LanguageRow> all_languages();

}  // namespace dragoman::spec
