// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/result.h"

#include <algorithm>
#include <span>
#include <utility>

#include "serve/api/own/own.h"

namespace serve::api {
namespace {

Json own_marks(std::uint32_t flags) {
    static constexpr std::pair<std::uint32_t, const char*> kNames[] = {
        {DRAGOMAN_SENTENCE_COPIED, "copied"},
        {DRAGOMAN_SENTENCE_IN_TARGET_LANGUAGE, "in_target_language"},
        {DRAGOMAN_SENTENCE_IN_OTHER_LANGUAGE, "in_other_language"},
        {DRAGOMAN_SENTENCE_CARRIED, "carried"},
        {DRAGOMAN_SENTENCE_REPEATED, "repeated"},
        {DRAGOMAN_SENTENCE_NUMBERS, "numbers"},
        {DRAGOMAN_SENTENCE_MOJIBAKE, "mojibake"},
        {DRAGOMAN_SENTENCE_FROM_MEMORY, "from_memory"},
        {DRAGOMAN_SENTENCE_UNSURE, "unsure"},
        {DRAGOMAN_SENTENCE_UNCOVERED, "uncovered"}};
    Json names = Json::array();
    for (const auto& [flag, name] : kNames)
        if (flags & flag) names.push_back(name);
    return names;
}

Json own_strings(std::span<const dragoman_string> tokens) {
    Json list = Json::array();
    for (const dragoman_string& token : tokens) list.push_back(std::string(dragoman::view(token)));
    return list;
}

Json own_ranges(std::span<const dragoman_range> ranges, const OwnPlaces& places) {
    Json list = Json::array();
    for (const dragoman_range& range : ranges) list.push_back(places.range(range.begin, range.end));
    return list;
}

// One text with its translation: where places of the source and of the best hypothesis are counted.
struct OwnPair {
    const dragoman::Result& result;
    std::size_t input;
    OwnPlaces source, target;
    const OwnWanted& wanted;
};

Json own_words(const OwnPair& pair, std::size_t s) {
    Json words = Json::array();
    const auto ranges = pair.result.target_words(pair.input, 0, s);
    const auto scores = pair.result.word_quality(pair.input, 0, s);
    for (std::size_t w = 0; w < std::min(scores.size(), ranges.size()); ++w)
        words.push_back({{"target", pair.target.range(ranges[w].begin, ranges[w].end)},
                         {"quality", own_number(double(scores[w]))}});
    return words;
}

Json own_alignment(const OwnPair& pair, std::size_t s) {
    return {{"source_words", own_ranges(pair.result.source_words(pair.input, 0, s), pair.source)},
            {"target_words", own_ranges(pair.result.target_words(pair.input, 0, s), pair.target)},
            {"weights", own_matrix(pair.result.alignment(pair.input, 0, s))}};
}

Json own_sentence(const OwnPair& pair, std::size_t s) {
    const dragoman_sentence at = pair.result.sentence(pair.input, 0, s);
    Json sentence;
    sentence["source"] = pair.source.range(at.source_begin, at.source_end);
    sentence["target"] = pair.target.range(at.target_begin, at.target_end);
    if (*at.language) {
        sentence["language"] = at.language;
        sentence["probability"] = own_number(double(at.language_probability));
    }
    if (at.flags) sentence["marks"] = own_marks(at.flags);
    if (pair.wanted.scores) sentence["score"] = own_number(double(at.score));
    if (pair.wanted.quality) {
        sentence["quality"] = own_number(double(at.quality));
        sentence["words"] = own_words(pair, s);
    }
    if (pair.wanted.coverage) {
        sentence["coverage"] = {{"share", own_number(double(at.coverage))}, {"uncovered_words", at.uncovered_words}};
        if (at.uncovered_words > 0)
            sentence["coverage"]["uncovered"] = pair.source.range(at.uncovered_begin, at.uncovered_end);
    }
    if (pair.wanted.alignment) sentence["alignment"] = own_alignment(pair, s);
    if (pair.wanted.tokens) {
        sentence["source_tokens"] = {at.source_token_begin, at.source_token_end};
        sentence["target_tokens"] = {at.target_token_begin, at.target_token_end};
    }
    for (const dragoman_match& match : pair.result.matches(pair.input, s))
        sentence["matches"].push_back({{"similarity", own_number(double(match.similarity))},
                                       {"source", std::string(dragoman::view(match.source))},
                                       {"target", std::string(dragoman::view(match.target))}});
    return sentence;
}

// Hypotheses after the best one that have other texts than all before.
Json own_alternatives(const dragoman::Result& result, std::size_t input, const OwnWanted& wanted) {
    Json list = Json::array();
    std::vector<std::string_view> seen{result.text(input)};
    for (std::size_t h = 1; h < result.hypotheses(input) && list.size() < wanted.alternatives; ++h) {
        const std::string_view text = result.text(input, h);
        if (std::ranges::find(seen, text) != seen.end()) continue;
        seen.push_back(text);
        Json other{{"text", std::string(text)}};
        if (wanted.scores) other["score"] = own_number(double(result.score(input, h)));
        if (wanted.quality) other["quality"] = own_number(double(result.quality(input, h)));
        list.push_back(std::move(other));
    }
    return list;
}

void own_add_sentences(Json& translation, const OwnPair& pair) {
    translation["sentences"] = Json::array();
    for (std::size_t s = 0; s < pair.result.sentences(pair.input); ++s) {
        translation["sentences"].push_back(own_sentence(pair, s));
        for (const dragoman_term& term : pair.result.terms(pair.input, 0, s))
            translation["terms"].push_back({{"source", pair.source.range(term.source_begin, term.source_end)},
                                            {"sentence", s},
                                            {"met", term.met == 1}});
    }
}

Json own_tokens(const OwnPair& pair) {
    return {{"source", own_strings(pair.result.source_tokens(pair.input))},
            {"source_ranges", own_ranges(pair.result.source_ranges(pair.input), pair.source)},
            {"target", own_strings(pair.result.tokens(pair.input))},
            {"target_ranges", own_ranges(pair.result.ranges(pair.input), pair.target)}};
}

Json own_translation(const dragoman::Result& result, std::size_t input, std::string_view source,
                     const OwnWanted& wanted) {
    const std::string_view text = result.text(input);
    Json translation{{"text", std::string(text)}};
    if (wanted.scores) translation["score"] = own_number(double(result.score(input)));
    if (wanted.quality) translation["quality"] = own_number(double(result.quality(input)));
    if (wanted.alternatives > 0) translation["alternatives"] = own_alternatives(result, input, wanted);
    if (!wanted.sentences) return translation;
    const std::string_view plain_source = wanted.markup ? result.plain_source(input) : source;
    const std::string_view plain_text = wanted.markup ? result.plain_text(input) : text;
    if (wanted.markup) {
        translation["plain_source"] = std::string(plain_source);
        translation["plain_text"] = std::string(plain_text);
    }
    const OwnPair pair{result, input, {plain_source, wanted.unit}, {plain_text, wanted.unit}, wanted};
    own_add_sentences(translation, pair);
    if (wanted.alignment) translation["pharaoh"] = std::string(result.pharaoh(input));
    if (wanted.tokens) translation["tokens"] = own_tokens(pair);
    return translation;
}

// A text that is in the target's language already, or says nothing: there is nothing to know of it.
Json own_copy(const std::string& text, const OwnWanted& wanted) {
    Json translation{{"text", text}, {"copied", true}};
    if (wanted.alternatives > 0) translation["alternatives"] = Json::array();
    if (wanted.sentences) translation["sentences"] = Json::array();
    return translation;
}

}  // namespace

Json own_matrix(const dragoman_matrix& matrix) {
    Json rows = Json::array();
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        Json values = Json::array();
        for (std::size_t col = 0; col < matrix.cols; ++col)
            values.push_back(own_number(double(matrix.data[row * matrix.cols + col])));
        rows.push_back(std::move(values));
    }
    return rows;
}

Json own_answer(const work::Answer& answer, const std::vector<std::string>& texts, const OwnWanted& wanted) {
    Json body{{"from", answer.from}, {"to", answer.to}};
    if (answer.detected) body["detected"] = {{"language", answer.from}, {"confidence", own_number(answer.confidence)}};
    body["models"] = answer.models;
    body["characters"] = answer.characters;
    body["translations"] = Json::array();
    for (std::size_t i = 0; i < texts.size(); ++i)
        body["translations"].push_back(answer.result ? own_translation(*answer.result, i, texts[i], wanted)
                                                     : own_copy(answer.text(i), wanted));
    return body;
}

}  // namespace serve::api
