// SPDX-License-Identifier: Apache-2.0
// Sentences of a text, and what of them stays as it is; the first byte says which language.
#include <algorithm>
#include <array>
#include <iterator>

#include "fuzz/texts.h"
#include "text/capitals.h"
#include "text/cut_long.h"
#include "text/kept.h"
#include "text/mojibake.h"
#include "text/normalize.h"
#include "text/patterns.h"
#include "text/signs.h"
#include "text/split_sentences.h"
#include "text/words.h"

namespace dragoman::test::sentences_fuzz {

namespace {

std::vector<text::Range> kept_of(std::string_view in) {
    std::vector<text::Range> ranges;
    for (const text::Kept& kept : text::find_kept(in)) ranges.push_back(kept.range);
    return ranges;
}

template <class Found>
void check_found(std::string_view in, const std::vector<Found>& all) {
    std::vector<text::Range> ranges;
    for (const Found& found : all) ranges.push_back(found.range);
    test::check_ranges(in, ranges);
}

std::vector<text::Range> inside(text::Range sentence, std::span<const text::Range> all) {
    std::vector<text::Range> ranges;
    for (const text::Range range : all)
        if (range.begin >= sentence.begin && range.end <= sentence.end) ranges.push_back(range);
    return ranges;
}

void check_parts(std::string_view in, text::Range sentence, std::span<const text::Range> parts) {
    test::check_ranges(in, parts);
    for (const text::Range part : parts) DRAGOMAN_ASSERT(part.begin >= sentence.begin && part.end <= sentence.end);
}

void check_sentence(std::string_view whole, text::Range range, std::span<const text::Range> all_kept,
                    const std::string& language) {
    static constexpr std::size_t kMost = 7;
    const std::vector<text::Range> kept = inside(range, all_kept);
    check_parts(whole, range, text::cut_bytes(whole, range, 40, kept));
    check_parts(whole, range,
                text::cut_long(whole, range, kMost, [](std::string_view part) { return part.size() / 3; }, kept));
    const std::string_view sentence = whole.substr(range.begin, range.end - range.begin);
    check_found(sentence, text::shouts(sentence));
    check_found(sentence, text::guillemets(sentence));
    check_found(sentence, text::number_signs(sentence, language));
    text::is_date_pattern(sentence);
    text::is_armour(sentence);
    text::is_code(sentence);
    text::is_mojibake(sentence);
    text::is_in_title_case(sentence);
    std::string capitals(sentence);
    std::array<text::Range, 1> all{{{0, capitals.size()}}};
    text::to_capitals(capitals, all, language);
    test::check_range(capitals, all[0]);
}

}  // namespace

// All ranges lie in order between characters, and map back to the text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    static constexpr const char* kLanguages[] = {"", "en", "de", "el", "ja", "th", "tr", "ar"};
    if (size == 0) return 0;
    const std::string language = kLanguages[data[0] % std::size(kLanguages)];
    const std::string whole = test::text_of(data + 1, std::min<std::size_t>(size - 1, 8192));
    const std::vector<text::Range> kept = kept_of(whole);
    test::check_ranges(whole, kept);
    test::check_ranges(whole, text::words(whole));
    for (const text::LineBreaks breaks : {text::LineBreaks::separate, text::LineBreaks::join}) {
        const std::vector<text::Range> sentences = text::SentenceSplitter(language, breaks).split(whole);
        test::check_ranges(whole, sentences);
        for (const text::Range sentence : sentences) check_sentence(whole, sentence, kept, language);
    }
    const text::Normalized plain = text::normalize(whole);
    for (const text::Range word : text::words(plain.text)) test::check_range(whole, plain.map.source(word));
    return 0;
}

}  // namespace dragoman::test::sentences_fuzz
