// SPDX-License-Identifier: Apache-2.0
#include "spec/language_tag.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "spec/language_names.h"
#include "spec/language_table.h"

namespace dragoman::spec {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Old codes, and individual languages that CLDR writes as the macrolanguage that they are the usual one of; those of
// publishers too.
constexpr Pair kAliases[] = {
    {"iw", "he"},       {"in", "id"},    {"ji", "yi"},     {"jw", "jv"},      {"mo", "ro"},     {"mol", "ro"},
    {"fil", "tl"},      {"pb", "pt-BR"}, {"pob", "pt-BR"}, {"zt", "zh-Hant"}, {"ns", "nso"},    {"sh", "sr-Latn"},
    {"hbs", "sr-Latn"}, {"scc", "sr"},   {"scr", "hr"},    {"cnr", "sr-ME"},  {"swc", "sw-CD"}, {"drw", "fa-AF"},
    {"tnf", "fa-AF"},   {"cmn", "zh"},   {"arb", "ar"},    {"pes", "fa"},     {"prs", "fa-AF"}, {"lvs", "lv"},
    {"ekk", "et"},      {"als", "sq"},   {"azj", "az"},    {"plt", "mg"},     {"khk", "mn"},    {"zsm", "ms"},
    {"zlm", "ms"},      {"npi", "ne"},   {"gaz", "om"},    {"ory", "or"},     {"pbt", "ps"},    {"pbu", "ps"},
    {"swh", "sw"},      {"uzn", "uz"},   {"ydd", "yi"},    {"kmr", "ku"},     {"ayr", "ay"},    {"quy", "qu"},
    {"quz", "qu"},      {"fuv", "ff"},   {"fuc", "ff"},    {"knc", "kr"},     {"dik", "din"},   {"gug", "gn"},
    {"bcc", "bal"},     {"bcl", "bik"},  {"bxr", "bua"},   {"cld", "syr"},    {"cwd", "cr"},    {"dgo", "doi"},
    {"dhd", "mwr"},     {"diq", "zza"},  {"emk", "man"},   {"mnk", "man"},    {"esk", "ik"},    {"hea", "hmn"},
    {"ike", "iu"},      {"kng", "kg"},   {"knn", "kok"},   {"kpv", "kv"},     {"mhr", "chm"},   {"mup", "raj"},
    {"ojg", "oj"},      {"pnb", "lah"},  {"rmy", "rom"},   {"src", "sc"},     {"ttq", "tmh"},   {"zyb", "za"},
};

// Regions with a script of their own, by CLDR's likely subtags.
constexpr Pair kRegionScripts[] = {
    {"az-IQ", "Arab"}, {"az-IR", "Arab"},  {"az-RU", "Cyrl"}, {"ha-CM", "Arab"}, {"ha-SD", "Arab"}, {"kk-AF", "Arab"},
    {"kk-CN", "Arab"}, {"kk-IR", "Arab"},  {"kk-MN", "Arab"}, {"ku-LB", "Arab"}, {"ky-CN", "Arab"}, {"ky-TR", "Latn"},
    {"mn-CN", "Mong"}, {"ms-CC", "Arab"},  {"pa-PK", "Arab"}, {"sd-IN", "Deva"}, {"sr-ME", "Latn"}, {"sr-RO", "Latn"},
    {"sr-RU", "Latn"}, {"sr-TR", "Latn"},  {"tg-PK", "Arab"}, {"ug-KZ", "Cyrl"}, {"ug-MN", "Cyrl"}, {"uz-AF", "Arab"},
    {"uz-CN", "Cyrl"}, {"yue-CN", "Hans"}, {"zh-AU", "Hant"}, {"zh-BN", "Hant"}, {"zh-GB", "Hant"}, {"zh-GF", "Hant"},
    {"zh-HK", "Hant"}, {"zh-ID", "Hant"},  {"zh-MO", "Hant"}, {"zh-PA", "Hant"}, {"zh-PF", "Hant"}, {"zh-PH", "Hant"},
    {"zh-SR", "Hant"}, {"zh-TH", "Hant"},  {"zh-TW", "Hant"}, {"zh-US", "Hant"}, {"zh-VN", "Hant"},
};

// The region that a tag without one means, where models have several, by CLDR's likely subtags.
constexpr Pair kLikelyRegions[] = {
    {"ar", "EG"}, {"de", "DE"}, {"en", "US"}, {"es", "ES"}, {"fa", "IR"}, {"fr", "FR"}, {"it", "IT"},
    {"ko", "KR"}, {"nl", "NL"}, {"pt", "BR"}, {"sv", "SE"}, {"sw", "TZ"}, {"zh", "CN"},
};

// Regions that follow another one than the language itself, by CLDR's parent locales.
constexpr std::string_view kLatinAmerica = "AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE";
constexpr std::string_view kPortugal = "AO CH CV FR GQ GW LU MO MZ ST TL";

std::string_view value_of(std::span<const Pair> table, std::string_view key) {
    for (const auto& [name, value] : table)
        if (name == key) return value;
    return {};
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letters(std::string_view part) { return std::ranges::all_of(part, is_lower); }

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return result;
}

std::string upper(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (is_lower(c)) c = char(c - 'a' + 'A');
    return result;
}

std::vector<std::string> subtags(std::string_view text) {
    text = text.substr(0, text.find_first_of(".@"));
    std::vector<std::string> parts(1);
    for (const char c : lower(text)) {
        if (c == '-' || c == '_') parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

bool is_variant(std::string_view part) {
    const bool plain = std::ranges::all_of(part, [](char c) { return is_lower(c) || is_digit(c); });
    return plain && ((part.size() >= 5 && part.size() <= 8) || (part.size() == 4 && is_digit(part[0])));
}

// Chinese and Serbian are read in two scripts each: theirs is always told.
bool told_always(std::string_view language) { return language == "zh" || language == "sr"; }

bool has_word(std::string_view words, std::string_view word) {
    return word.size() == 2 && words.find(word) != words.npos;
}

// Regions whose variety is nearest to a tag's, where neither its own nor one without a region is there.
std::vector<std::string> related_regions(const LanguageTag& tag) {
    std::vector<std::string> regions;
    if (tag.language() == "es" && has_word(kLatinAmerica, tag.region())) regions.emplace_back("419");
    if (tag.language() == "pt" && has_word(kPortugal, tag.region())) regions.emplace_back("PT");
    if (const std::string_view likely = value_of(kLikelyRegions, tag.language()); !likely.empty())
        regions.emplace_back(likely);
    return regions;
}

// Twice the edit distance, less one when the beginning is the same.
std::size_t unlikeness(std::string_view text, const LanguageTag& tag) {
    const auto against = [&](const std::string& word) {
        const bool begins = !text.empty() && !word.empty() && text[0] == word[0];
        return 2 * edit_distance(text, word) - (begins && text != word ? 1 : 0);
    };
    return std::min(against(lower(tag.str())), against(lower(tag.name())));
}

}  // namespace

std::optional<LanguageTag> LanguageTag::find(std::string_view text) {
    const std::vector<std::string> parts = subtags(text);
    std::string language = parts[0];
    if ((language.size() != 2 && language.size() != 3) || !is_letters(language)) return std::nullopt;
    std::size_t next = 1;
    if (next < parts.size() && parts[next].size() == 3 && is_letters(parts[next])) language = parts[next++];  // zh-yue

    LanguageTag tag;
    if (const std::string_view alias = value_of(kAliases, language); !alias.empty() && alias != language) {
        tag = *find(alias);
    } else if (const LanguageRow* row = find_language(language)) {
        tag.language_ = row->two.empty() ? row->three : row->two;
    } else {
        if (language.size() == 2) return std::nullopt;
        tag.language_ = language;
    }
    if (next < parts.size() && parts[next].size() == 4 && is_letters(parts[next])) {
        tag.script_ = parts[next++];
        tag.script_[0] = char(tag.script_[0] - 'a' + 'A');
        if (tag.script_ == "Kore") tag.script_ = "Hang";
    }
    if (next < parts.size() && ((parts[next].size() == 2 && is_letters(parts[next])) ||
                                (parts[next].size() == 3 && std::ranges::all_of(parts[next], is_digit)))) {
        const std::string region = upper(parts[next++]);
        if (region != "XX" && region != "ZZ") tag.region_ = region;
    }
    for (; next < parts.size() && parts[next].size() != 1; ++next)
        if (!is_variant(parts[next])) return std::nullopt;
    if (!tag.script_.empty() && !told_always(tag.language_)) {
        const std::string script = std::exchange(tag.script_, {});
        if (tag.likely_script() != script) tag.script_ = script;
    }
    return tag;
}

LanguageTag LanguageTag::parse(std::string_view text) {
    if (auto tag = find(text)) return *std::move(tag);
    if (auto tag = language_named(text)) return *std::move(tag);
    static const std::vector<LanguageTag> all = [] {
        std::vector<LanguageTag> tags;
        for (const LanguageRow& row : all_languages())
            if (!row.group) tags.push_back(*find(row.three));
        return tags;
    }();
    std::string near;
    for (const std::size_t i : nearest(text.substr(0, 64), all, 3))
        near += (near.empty() ? "" : ", ") + all[i].str() + " (" + all[i].name() + ")";
    fail(Status::invalid_argument, "language \"{}\": expected a code such as de, pt-BR or zh-Hant; the nearest are {}",
         text, near);
}

bool LanguageTag::is_group() const {
    const LanguageRow* row = find_language(language_);
    return language_ == "mul" || (row && row->group);
}

std::string LanguageTag::likely_script() const {
    if (!script_.empty()) return script_;
    if (!region_.empty())
        if (const std::string_view script = value_of(kRegionScripts, language_ + "-" + region_); !script.empty())
            return std::string(script);
    const LanguageRow* row = find_language(language_);
    return std::string(row ? row->script : std::string_view());
}

std::string LanguageTag::str() const {
    std::string text = language_;
    for (const std::string& part : {script_, region_})
        if (!part.empty()) text += "-" + part;
    return text;
}

std::string LanguageTag::language_name() const {
    const LanguageRow* row = find_language(language_);
    return row ? std::string(row->name) : language_;
}

std::string LanguageTag::name() const {
    if (script_.empty() && region_.empty()) return language_name();
    return language_name() + " (" + script_ + (script_.empty() || region_.empty() ? "" : ", ") + region_ + ")";
}

std::optional<std::size_t> best_match(const LanguageTag& wanted, std::span<const LanguageTag> available) {
    const auto first = [&](auto&& fits) -> std::optional<std::size_t> {
        const auto found = std::ranges::find_if(available, fits);
        if (found == available.end()) return std::nullopt;
        return std::size_t(found - available.begin());
    };
    const auto only = [&](auto&& fits) -> std::optional<std::size_t> {
        return std::ranges::count_if(available, fits) == 1 ? first(fits) : std::nullopt;
    };
    const auto family = [](const LanguageTag& tag) -> std::string_view {
        return tag.language() == "nb" ? std::string_view("no") : tag.language();
    };
    const auto same_language = [&](const LanguageTag& tag) { return family(tag) == family(wanted); };
    const auto same_script = [&](const LanguageTag& tag) {
        return same_language(tag) && tag.likely_script() == wanted.likely_script();
    };
    // The script that a tag itself implies: "zh-TW" does, "zh" does not.
    const auto told_script = [](const LanguageTag& tag) {
        if (!tag.script().empty() || tag.region().empty()) return tag.script();
        const std::string usual = LanguageTag::parse(tag.language()).likely_script(), own = tag.likely_script();
        return own == usual ? std::string() : own;
    };
    const auto contradicts = [&](const LanguageTag& tag) {
        const std::string a = told_script(tag), b = told_script(wanted);
        return !a.empty() && !b.empty() && a != b;
    };
    if (const auto same = first([&](const LanguageTag& tag) { return tag == wanted; })) return same;
    if (const auto found = first([&](const LanguageTag& tag) {
            return tag.language() == wanted.language() && tag.script() == wanted.script() && tag.region().empty();
        }))
        return found;
    if (const auto found = first([&](const LanguageTag& tag) {
            return same_script(tag) && (tag.region().empty() || tag.region() == wanted.region());
        }))
        return found;
    for (const std::string& region : related_regions(wanted))
        if (const auto found =
                first([&](const LanguageTag& tag) { return same_script(tag) && tag.region() == region; }))
            return found;
    if (const auto found = only(same_script)) return found;
    return only([&](const LanguageTag& tag) { return same_language(tag) && !contradicts(tag); });
}

std::vector<std::size_t> nearest(std::string_view text, std::span<const LanguageTag> available, std::size_t most) {
    const std::string lowered = lower(text);
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t i = 0; i < available.size(); ++i) order.emplace_back(unlikeness(lowered, available[i]), i);
    most = std::min(most, order.size());
    std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(most), order.end());
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < most; ++i) indices.push_back(order[i].second);
    return indices;
}

}  // namespace dragoman::spec
