// SPDX-License-Identifier: Apache-2.0
#include "spec/language_names.h"

#include <unordered_map>
#include <utility>

#include "spec/language_table.h"

namespace dragoman::spec {
namespace {

// Besides the English names of the table of languages: names in the language itself, and some English ones that say more
// than a language. In small letters.
constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"azərbaycan", "az"},
    {"azərbaycanca", "az"},
    {"bahasa indonesia", "id"},
    {"bahasa melayu", "ms"},
    {"bosanski", "bs"},
    {"brasileiro", "pt-BR"},
    {"brazilian portuguese", "pt-BR"},
    {"castellano", "es"},
    {"català", "ca"},
    {"cymraeg", "cy"},
    {"dansk", "da"},
    {"deutsch", "de"},
    {"eesti", "et"},
    {"español", "es"},
    {"european portuguese", "pt-PT"},
    {"euskara", "eu"},
    {"farsi", "fa"},
    {"français", "fr"},
    {"gaeilge", "ga"},
    {"galego", "gl"},
    {"hrvatski", "hr"},
    {"italiano", "it"},
    {"kiswahili", "sw"},
    {"latviešu", "lv"},
    {"lietuvių", "lt"},
    {"lëtzebuergesch", "lb"},
    {"magyar", "hu"},
    {"malti", "mt"},
    {"nederlands", "nl"},
    {"norsk", "no"},
    {"norsk bokmål", "nb"},
    {"norsk nynorsk", "nn"},
    {"oʻzbek", "uz"},
    {"polski", "pl"},
    {"português", "pt"},
    {"português brasileiro", "pt-BR"},
    {"română", "ro"},
    {"shqip", "sq"},
    {"simplified chinese", "zh-Hans"},
    {"slovenčina", "sk"},
    {"slovenščina", "sl"},
    {"srpski", "sr-Latn"},
    {"suomi", "fi"},
    {"svenska", "sv"},
    {"tiếng việt", "vi"},
    {"traditional chinese", "zh-Hant"},
    {"türkçe", "tr"},
    {"íslenska", "is"},
    {"čeština", "cs"},
    {"ελληνικά", "el"},
    {"беларуская", "be"},
    {"български", "bg"},
    {"македонски", "mk"},
    {"монгол", "mn"},
    {"русский", "ru"},
    {"српски", "sr"},
    {"українська", "uk"},
    {"қазақ", "kk"},
    {"қазақша", "kk"},
    {"հայերեն", "hy"},
    {"עברית", "he"},
    {"اردو", "ur"},
    {"العربية", "ar"},
    {"فارسی", "fa"},
    {"हिन्दी", "hi"},
    {"বাংলা", "bn"},
    {"தமிழ்", "ta"},
    {"తెలుగు", "te"},
    {"ไทย", "th"},
    {"ქართული", "ka"},
    {"中文", "zh"},
    {"日本語", "ja"},
    {"简体中文", "zh-Hans"},
    {"繁體中文", "zh-Hant"},
    {"한국어", "ko"},
};

// Small letters of those that names of languages begin with, in Latin, Greek and Cyrillic.
std::string small_letters(std::string_view text) {
    std::string result(text);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const auto first = static_cast<unsigned char>(result[i]);
        if (first < 0x80) {
            if (first >= 'A' && first <= 'Z') result[i] = char(first + 0x20);
            continue;
        }
        if (first < 0xc3 || first > 0xdf || i + 1 == result.size()) continue;
        unsigned letter = (first & 0x1fu) << 6 | (static_cast<unsigned char>(result[i + 1]) & 0x3fu);
        if (letter >= 0xc0 && letter <= 0xde) letter += 0x20;  // À to Þ
        else if (letter >= 0x100 && letter <= 0x137) letter |= 1;  // Ā, Č and their like stand before their small ones
        else if (letter >= 0x391 && letter <= 0x3a9) letter += 0x20;  // Α to Ω
        else if (letter >= 0x400 && letter <= 0x40f) letter += 0x50;  // Ѐ to Џ
        else if (letter >= 0x410 && letter <= 0x42f) letter += 0x20;  // А to Я
        else if (letter >= 0x48a && letter <= 0x4bf) letter |= 1;  // Қ and its like
        result[i] = char(0xc0 | letter >> 6);
        result[i + 1] = char(0x80 | (letter & 0x3f));
        ++i;
    }
    return result;
}

}  // namespace

std::optional<LanguageTag> language_named(std::string_view name) {
    static const auto by_name = [] {
        std::unordered_map<std::string, LanguageTag> map;
        for (const auto& [own, tag] : kNames) map.emplace(own, *LanguageTag::find(tag));
        // A language that has two letters is meant before others of its name.
        for (const bool short_code : {true, false})
            for (const LanguageRow& row : all_languages())
                if (!row.group && row.two.empty() != short_code)
                    map.emplace(small_letters(row.name), *LanguageTag::find(row.three));
        return map;
    }();
    const auto found = by_name.find(small_letters(name));
    return found == by_name.end() ? std::nullopt : std::optional(found->second);
}

std::string code_of_language(std::string_view said) {
    if (!LanguageTag::find(said))
        if (const auto tag = language_named(said)) return tag->str();
    return std::string(said);
}

}  // namespace dragoman::spec
