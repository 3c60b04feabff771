// SPDX-License-Identifier: Apache-2.0
#include "markup/languages.h"

#include <algorithm>
#include <array>

#include "markup/ascii.h"
#include "spec/language_tag.h"

namespace dragoman::markup {
namespace {

// Scripts that are written from right to left.
constexpr std::array<std::string_view, 9> kRightToLeft = {"Adlm", "Arab", "Aran", "Hebr", "Mand",
                                                          "Nkoo", "Rohg", "Syrc", "Thaa"};

bool is_right_to_left(const spec::LanguageTag& language) {
    return std::ranges::find(kRightToLeft, language.likely_script()) != kRightToLeft.end();
}

Edit replacement(Range bytes, std::string text) {
    const std::size_t size = text.size();
    return {bytes, std::move(text), {{false, {0, size}}}};
}

// Other things are called `lang`, too, in XML of anybody's.
bool is_language(std::string_view value) { return spec::LanguageTag::find(value).has_value(); }

}  // namespace

std::vector<Edit> language_edits(std::string_view source, const LanguagePlaces& places, std::string_view language) {
    std::vector<Edit> edits;
    const auto tag = spec::LanguageTag::find(language);
    if (!tag || !tag->known()) return edits;
    const std::string code = tag->str();
    const bool turned = is_right_to_left(*tag);
    const std::string_view direction = turned ? "rtl" : "ltr", other = turned ? "ltr" : "rtl";
    for (const Range& value : places.languages)
        if (value.size() == 0)  // an edit is of at least a byte: the quotation mark in front of it
            edits.push_back(replacement({value.begin - 1, value.end}, source[value.begin - 1] + code));
        else if (is_language(text::part(source, value))) edits.push_back(replacement(value, code));
    for (const Range& value : places.directions)
        if (equal_ignoring_case(text::part(source, value), other))
            edits.push_back(replacement(value, std::string(direction)));
    if (places.page.size() == 0) return edits;
    std::string said(text::part(source, places.page));
    if (!places.page_says_language) said += " lang=\"" + code + '"';
    if (!places.page_says_direction && turned) said += " dir=\"rtl\"";
    if (said.size() > places.page.size()) edits.push_back(replacement(places.page, std::move(said)));
    return edits;
}

}  // namespace dragoman::markup
