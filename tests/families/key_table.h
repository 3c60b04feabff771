// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "families/huggingface/family.h"
#include "support/temp_dir.h"

namespace dragoman::test {

using families::Family, families::KeyRule, families::KeyUse;

inline const Family& family(std::string_view model_type) {
    const auto list = families::huggingface_families();
    const auto found = std::ranges::find(list, model_type, &Family::model_type);
    REQUIRE_MESSAGE(found != list.end(), model_type);
    return *found;
}

inline std::vector<const KeyRule*> key_rules(const Family& family) {
    std::vector<const KeyRule*> list;
    for (const families::KeyRules rules : family.keys)
        for (const KeyRule& rule : rules) list.push_back(&rule);
    return list;
}

// One rule for each key, with what its use needs.
inline void check_rules(const Family& family) {
    std::set<std::string_view> seen;
    for (const KeyRule* rule : key_rules(family)) {
        CAPTURE(rule->key);
        CHECK(seen.insert(rule->key).second);
        CHECK((rule->use == KeyUse::refused) == !rule->neutral.empty());
        CHECK((rule->use != KeyUse::ignored || !rule->why.empty()));
    }
}

// Rules of several families that say the same are one row.
struct KeyRow {
    const KeyRule* rule;
    std::vector<std::string> models;
};

inline std::vector<KeyRow> key_rows(bool generates) {
    std::vector<KeyRow> rows;
    for (const Family& family : families::huggingface_families()) {
        if (family.generates != generates) continue;
        for (const KeyRule* rule : key_rules(family)) {
            const auto same = [&](const KeyRow& row) {
                const KeyRule& other = *row.rule;
                return rule->key == other.key && rule->use == other.use && rule->neutral == other.neutral &&
                       rule->why == other.why;
            };
            auto row = std::ranges::find_if(rows, same);
            if (row == rows.end()) row = rows.insert(row, {rule, {}});
            row->models.emplace_back(family.model_type);
        }
    }
    std::ranges::stable_sort(rows, {}, [](const KeyRow& row) { return row.rule->key; });
    return rows;
}

inline std::string use_text(const KeyRule& rule) {
    if (rule.use != KeyUse::refused) return rule.use == KeyUse::heeded ? "heeded" : "ignored";
    std::string text = "refused unless null";
    if (!rule.neutral.starts_with('[')) return text + " or equal to `" + std::string(rule.neutral) + "`";
    for (const auto& value : nlohmann::json::parse(rule.neutral)) text += " or `" + value.dump() + "`";
    return text;
}

// The page ends with the table. `names`: a row's models in words.
template <class Names>
void check_key_table(const char* page, bool generates, Names&& names) {
    std::string expected;
    for (const KeyRow& row : key_rows(generates)) {
        expected += fmt::format("| `{}` | {} | {} | {} |\n", row.rule->key, names(row.models), use_text(*row.rule),
                                row.rule->why);
    }
    const std::string text = read_file(std::filesystem::path(DRAGOMAN_TEST_DATA) / "../../docs" / page);
    const std::string begin = "| key | models | what is done | |\n|---|---|---|---|\n";
    REQUIRE(text.find(begin) != std::string::npos);
    INFO("expected rows:\n" << expected);
    CHECK(text.substr(text.find(begin) + begin.size()) == expected);
}

}  // namespace dragoman::test
