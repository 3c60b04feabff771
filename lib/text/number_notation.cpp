// SPDX-License-Identifier: Apache-2.0
// The table is the library's own, and a test compares it with ICU's data: packages for some systems have no data of
// languages, and answers are the same everywhere.
#include "text/number_notation.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "spec/language_tag.h"

namespace dragoman::text {
namespace {

struct Row {
    std::string_view decimal, group, codes;
};

constexpr std::array kRows{
    Row{".", ",",
        "en zh ja ko th he fil sw cy ga ms es-MX es-US es-PR es-DO es-GT es-HN es-NI es-PA es-PE es-SV zu yo ha ig"},
    Row{",", ".", "de es it nl pt id tr da el hr sl sr bs ro vi ca gl eu is fo lb az mk jv su"},
    Row{",", "\xc2\xa0", "ru uk pl cs sk bg fi sv no hu lt lv et hy ka sq be kk ky tk tt af de-AT pt-PT oc"},
    Row{",", "\xe2\x80\xaf", "fr"},
    Row{".", "\xe2\x80\x99", "de-CH de-LI it-CH"},
};

std::map<std::string, NumberNotation, std::less<>> make_table() {
    std::map<std::string, NumberNotation, std::less<>> table;
    for (const Row& row : kRows)
        for (std::string_view left = row.codes; !left.empty();) {
            const std::size_t end = std::min(left.find(' '), left.size());
            const std::string code(left.substr(0, end));
            NumberNotation notation{.language = code,
                                    .decimal = std::string(row.decimal),
                                    .group = std::string(row.group)};
            if (code.starts_with("de")) notation.hour_word = "Uhr";
            if (code == "en") notation.am = "am", notation.pm = "pm";
            table.emplace(code, std::move(notation));
            left.remove_prefix(std::min(end + 1, left.size()));
        }
    return table;
}

}  // namespace

const NumberNotation& number_notation(std::string_view code) {
    static const auto table = make_table();
    static const NumberNotation unknown;
    const auto tag = spec::LanguageTag::find(code);
    if (!tag || !tag->known()) return unknown;
    auto found = table.find(tag->language() + "-" + tag->region());
    if (found == table.end())
        found = table.find(tag->language() == "nb" || tag->language() == "nn" ? "no" : tag->language());
    return found == table.end() ? unknown : found->second;
}

}  // namespace dragoman::text
