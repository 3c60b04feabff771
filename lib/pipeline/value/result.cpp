// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/result.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace dragoman::pipeline {
namespace {

// Which parts a record has.
constexpr uint8_t kHasRanges = 1, kHasLanguage = 2, kHasMatches = 4;  // of a source
constexpr uint8_t kHasScore = 2, kHasRest = 4;  // of a translation

void pack_real(std::string& bytes, float value) {
    const auto bits = std::bit_cast<std::array<char, sizeof value>>(value);
    bytes.append(bits.data(), bits.size());
}

float unpack_real(std::string_view& rest) {
    std::array<char, sizeof(float)> bits{};
    rest.copy(bits.data(), bits.size());
    rest.remove_prefix(bits.size());
    return std::bit_cast<float>(bits);
}

uint8_t unpack_byte(std::string_view& rest) {
    const auto byte = uint8_t(rest.front());
    rest.remove_prefix(1);
    return byte;
}

}  // namespace

void SourceSentences::add(Facts facts, const Tokens& tokens, std::span<const text::Range> ranges) {
    const auto has = uint8_t((ranges.empty() ? 0 : kHasRanges) | (facts.language.empty() ? 0 : kHasLanguage) |
                             (facts.matches.empty() ? 0 : kHasMatches));
    std::string record(1, char(has));
    pack_number(record, facts.range.begin);
    pack_number(record, facts.range.size());
    pack_number(record, facts.flags);
    if (!facts.language.empty()) {
        pack_number(record, facts.language.size());
        (record += facts.language) += '\0';
        pack_real(record, facts.language_probability);
    }
    pack_tokens(record, tokens, ranges, facts.range.begin);
    if (!facts.matches.empty()) matches_.push_back({size(), std::move(facts.matches)});
    records_.add(record, tokens.size());
}

SourceSentence SourceSentences::operator[](std::size_t sentence) const {
    static const std::vector<tm::Match> none;
    auto [rest, tokens] = records_[sentence];
    const uint8_t has = unpack_byte(rest);
    text::Range range{};
    range.begin = std::size_t(unpack_number(rest));
    range.end = range.begin + std::size_t(unpack_number(rest));
    const auto flags = uint32_t(unpack_number(rest));
    std::string_view language = "";
    float probability = 0.0f;
    if (has & kHasLanguage) {
        const auto size = std::size_t(unpack_number(rest));
        language = rest.substr(0, size);
        rest.remove_prefix(size + 1);
        probability = unpack_real(rest);
    }
    const auto found = has & kHasMatches ? std::ranges::lower_bound(matches_, sentence, {}, &Matches::sentence)
                                         : matches_.end();
    return {.range = range,
            .language = language,
            .language_probability = probability,
            .flags = flags,
            .packed = {rest, tokens, (has & kHasRanges) != 0, range.begin},
            .matches = found == matches_.end() ? none : found->found};
}

std::size_t SourceSentences::bytes() const { return records_.bytes() + matches_.size() * sizeof(Matches); }

void TranslatedSentences::add(Translation sentence) {
    const Quality& quality = sentence.quality;
    const bool has_rest = !sentence.attention.empty() || sentence.alignment != text::WordAlignment() ||
                          !sentence.terms.empty() || !sentence.unchanged.empty() || !quality.empty() ||
                          !quality.evidence.words.empty() || sentence.coverage.measured;
    const float score = sentence.score;
    const bool scored = score != 0.0f;
    std::string record(1, char((sentence.ranges.empty() ? 0 : kHasRanges) | (scored ? kHasScore : 0) |
                               (has_rest ? kHasRest : 0)));
    pack_number(record, sentence.begin);
    pack_number(record, sentence.text.size());
    pack_number(record, sentence.score.tokens());
    if (scored) pack_real(record, score);
    pack_tokens(record, sentence.tokens, sentence.ranges, sentence.begin);
    if (has_rest) {
        rests_.push_back(std::make_shared<Rest>(Rest{.sentence = size(),
                                                     .attention = std::move(sentence.attention),
                                                     .alignment = std::move(sentence.alignment),
                                                     .terms = std::move(sentence.terms),
                                                     .unchanged = std::move(sentence.unchanged),
                                                     .quality = std::move(sentence.quality),
                                                     .coverage = std::move(sentence.coverage)}));
    }
    records_.add(record, sentence.tokens.size());
}

TranslatedSentence TranslatedSentences::operator[](std::size_t sentence) const {
    static const Rest none;
    auto [rest, tokens] = records_[sentence];
    const uint8_t has = unpack_byte(rest);
    const auto begin = std::size_t(unpack_number(rest)), size = std::size_t(unpack_number(rest));
    const auto scored_tokens = std::size_t(unpack_number(rest));
    const float score = has & kHasScore ? unpack_real(rest) : 0.0f;
    const Rest* own = &none;
    if (has & kHasRest)
        own = std::ranges::lower_bound(rests_, sentence, {}, [](const auto& each) { return each->sentence; })->get();
    return {.begin = begin,
            .size = size,
            .score = {score, scored_tokens},
            .packed = {rest, tokens, (has & kHasRanges) != 0, begin},
            .attention = own->attention,
            .alignment = own->alignment,
            .terms = own->terms,
            .unchanged = own->unchanged,
            .quality = own->quality,
            .coverage = own->coverage};
}

void TranslatedSentences::drop_alignments() {
    for (const auto& rest : rests_) rest->alignment = {};
}

std::size_t TranslatedSentences::bytes() const {
    std::size_t bytes = records_.bytes() + rests_.size() * sizeof(Rest);
    for (const auto& rest : rests_) bytes += rest->attention.values.size() * sizeof(float);
    return bytes;
}

void add_sentence(TextHypothesis& all, Translation sentence, std::string_view gap) {
    all.text += gap;
    shift(sentence, std::ptrdiff_t(all.text.size() - sentence.begin));
    all.text += sentence.text;
    if (sentence.tokens.empty()) sentence.ranges.clear();
    all.sentences.add(std::move(sentence));
}

Translation TextHypothesis::sentence(std::size_t at) const {
    const TranslatedSentence from = sentences[at];
    Translation to{.text = std::string(text::part(plain.empty() ? text : plain, from.range())), .begin = from.begin};
    to.tokens = from.packed.tokens();
    to.ranges = from.packed.ranges();
    to.score = from.score;
    to.attention = from.attention;
    to.alignment = from.alignment;
    to.terms = from.terms;
    to.unchanged = from.unchanged;
    to.quality = from.quality;
    to.coverage = from.coverage;
    return to;
}

Translation whole(const TextHypothesis& hypothesis, const SourceSentences& sources) {
    const bool attends = std::ranges::any_of(hypothesis.sentences,
                                             [](const auto& each) { return !each.attention.empty(); });
    Translation all;
    std::size_t at = 0;
    for (std::size_t i = 0; i < hypothesis.sentences.size(); ++i) {
        Translation sentence = hypothesis.sentence(i);
        if (attends) complete_attention(sentence, sources[i].packed.size());
        const text::Range gap{at, sentence.begin};
        at = sentence.range().end;
        append(all, std::move(sentence), text::part(hypothesis.text, gap));
    }
    all.text += std::string_view(hypothesis.text).substr(at);
    all.score = {hypothesis.score, all.tokens.size()};
    all.quality.score = hypothesis.quality;
    return all;
}

}  // namespace dragoman::pipeline
