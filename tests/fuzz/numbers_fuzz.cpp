// SPDX-License-Identifier: Apache-2.0
// Numbers of a text and of its translation: the first byte says which languages, the first line is the text, the rest its
// translation.
#include <algorithm>
#include <iterator>
#include <utility>

#include "fuzz/texts.h"
#include "text/compare_numbers.h"
#include "text/kept.h"

namespace dragoman::test::numbers_fuzz {

namespace {

constexpr std::size_t kLongest = 4096;  // a sentence (text::cut_bytes)

std::vector<text::Range> kept_words(std::string_view in) {
    std::vector<text::Range> ranges;
    for (const text::Kept& kept : text::find_kept(in))
        if (kept.as == text::Kept::As::word) ranges.push_back(kept.range);
    return ranges;
}

void check_numbers(const std::vector<text::Number>& numbers, std::string_view in) {
    std::size_t last = 0;
    for (const text::Number& number : numbers) {
        DRAGOMAN_ASSERT(number.range.begin >= last);
        last = number.range.begin;
        test::check_range(in, number.range);
        test::check_range(in, number.figures);
    }
}

}  // namespace

// Numbers lie within their texts, and what is written in place of others gives a text again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    static constexpr std::pair<const char*, const char*> kLanguages[] = {{"", ""},        {"en", "de"}, {"de", "en"},
                                                                         {"en", "fr"},    {"es", "en"}, {"en", "pl"},
                                                                         {"de-CH", "it"}, {"ar", "en"}};
    if (size == 0) return 0;
    const auto [from, to] = kLanguages[data[0] % std::size(kLanguages)];
    const std::string both = test::text_of(data + 1, std::min(size - 1, 2 * kLongest));
    const std::size_t line = std::min(both.find('\n'), both.size());
    const std::string_view source = std::string_view(both).substr(0, line),
                           target = std::string_view(both).substr(std::min(line + 1, both.size()));
    const text::NumberNotations notations{text::number_notation(from), text::number_notation(to)};

    const std::vector<text::Number> found = text::numbers(source, notations.source);
    check_numbers(found, source);
    for (const text::Number& number : found)
        DRAGOMAN_ASSERT(!first_invalid_utf8(text::written(source, number, notations.target)));
    const std::vector<text::Range> fixed = kept_words(source), fixed_target = kept_words(target);
    for (const bool with_fixed : {false, true}) {
        const auto changes = with_fixed ? text::compare_numbers(source, target, notations, fixed, fixed_target, 1)
                                        : text::compare_numbers(source, target, notations, {}, {}, 3);
        check_numbers(changes.missing, source);
        for (const text::Range range : changes.at_fault) test::check_range(source, range);
        std::size_t last = 0;
        for (const text::Edit& edit : changes.edits) {
            DRAGOMAN_ASSERT(edit.range.begin >= last);
            last = edit.range.end;
            test::check_range(target, edit.range);
        }
        std::string mended(target);
        std::vector<text::Range> tokens{{0, target.size()}};
        text::apply(changes.edits, mended, tokens);
        DRAGOMAN_ASSERT(!first_invalid_utf8(mended) && tokens[0].end <= mended.size());
    }
    return 0;
}

}  // namespace dragoman::test::numbers_fuzz
