// SPDX-License-Identifier: Apache-2.0
#include "text/foreign_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/plain_form.h"
#include "text/words.h"

namespace dragoman::text {
namespace {

// Languages that write their own words with Latin-1's letters, and few more.
constexpr auto kOfLatin1 = std::to_array<std::string_view>({"af",  "ca", "da", "de", "en", "es", "et", "eu", "fi", "fo",
                                                            "fr",  "ga", "gd", "gl", "id", "is", "it", "lb", "ms", "nb",
                                                            "nds", "nl", "nn", "no", "oc", "pt", "sq", "sv", "sw"});
// Letters behind Latin-1 that some of them write: ĳ, ŀ, œ, š, ÿ, ž, ẞ.
constexpr auto kFewMore = std::to_array<int32_t>({0x132, 0x133, 0x13f, 0x140, 0x152, 0x153, 0x160, 0x161, 0x178, 0x17d,
                                                  0x17e, 0x17f, 0x1e9e});

bool in_latin(int32_t c) { return is_letter(c) && (c < 0x250 || (c >= 0x1e00 && c < 0x1f00)); }
bool is_foreign_letter(int32_t c) {
    return c >= 0x100 && in_latin(c) && std::ranges::find(kFewMore, c) == kFewMore.end();
}

bool is_foreign_name(std::string_view word) {
    constexpr std::size_t kShortest = 3;
    std::size_t at = 0, letters = 0;
    bool foreign = false, small = false;
    if (!is_upper(next_character(word, at))) return false;
    for (at = 0; at < word.size(); ++letters) {
        const int32_t c = next_character(word, at);
        if (c != '-' && c != '\'' && c != 0x2019 && !in_latin(c)) return false;
        foreign = foreign || is_foreign_letter(c);
        small = small || is_lower(c);
    }
    return foreign && small && letters >= kShortest;
}

// A name of programs or of a firm, of words that are written as one: "HttpClient", "toString", "PayPal". German endings
// for women and men (SchülerInnen) make none.
bool is_joined_name(std::string_view word) {
    constexpr std::size_t kFewestFirst = 2, kFewest = 3;  // letters of a part
    std::size_t letters = 0, parts = 1;
    bool small = true;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char c = word[i];
        const bool capital = c >= 'A' && c <= 'Z';
        if (!capital && (c < 'a' || c > 'z')) return false;
        if (capital && i > 0) {
            if (!small || letters < (parts == 1 ? kFewestFirst : kFewest)) return false;
            ++parts;
            letters = 0;
        }
        ++letters;
        small = !capital;
    }
    return parts > 1 && letters >= kFewest && !word.ends_with("Innen");
}

std::string in_plain_letters(std::string_view text) {
    std::string all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const int32_t c = next_character(text, at);
        const std::string form = c < 0x80 ? std::string() : plain_form(c);
        all += form.empty() ? text.substr(begin, at - begin) : std::string_view(form);
    }
    return all;
}

}  // namespace

std::vector<Range> foreign_names(std::string_view text, std::string_view language) {
    std::vector<Range> found;
    const std::string_view base = language.substr(0, language.find_first_of("-_"));
    if (std::ranges::find(kOfLatin1, base) == kOfLatin1.end()) return found;
    const auto inner = [&](std::size_t i) { return text[i] >= 'A' && text[i] <= 'Z' && text[i - 1] >= 'a'; };
    bool some = std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xc4; });
    for (std::size_t i = 1; i < text.size() && !some; ++i) some = inner(i);
    if (!some) return found;
    for (const Range& word : words(text))
        if (is_foreign_name(part(text, word)) || is_joined_name(part(text, word))) found.push_back(word);
    return found;
}

bool has_name(std::string_view translation, std::string_view name) {
    bool latin = false;
    for (std::size_t at = 0; at < translation.size() && !latin;) latin = in_latin(next_character(translation, at));
    if (!latin) return true;
    if (name.ends_with('s')) name.remove_suffix(1);
    for (const std::string_view apostrophe : {"'", "\xe2\x80\x99"})
        if (name.ends_with(apostrophe)) name.remove_suffix(apostrophe.size());
    return translation.find(name) != translation.npos ||
           in_plain_letters(translation).find(in_plain_letters(name)) != std::string::npos;
}

}  // namespace dragoman::text
