// SPDX-License-Identifier: Apache-2.0
#include "translation_json.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "json.h"

namespace cli {
namespace {

std::string dump(const Json& value) { return value.dump(); }

std::string dump(const dragoman_string& text) { return Json(dragoman::view(text)).dump(); }

std::string dump(const dragoman_range& range) { return Json({range.begin, range.end}).dump(); }

// An object or array that is written member by member.
class Members {
public:
    Members(std::ostream& to, char begin, char end) : to_(to), end_(end) { to_ << begin; }

    std::ostream& next() {
        if (!empty_) to_ << ',';
        empty_ = false;
        return to_;
    }
    std::ostream& next(std::string_view name) { return next() << '"' << name << "\":"; }
    void add(std::string_view name, const Json& value) { next(name) << dump(value); }
    template <typename T>
    void add_all(std::string_view name, std::span<const T> values) {
        next(name);
        Members array(to_, '[', ']');
        for (const T& value : values) array.next() << dump(value);
        array.end();
    }
    void end() { to_ << end_; }

private:
    std::ostream& to_;
    char end_;
    bool empty_ = true;
};

Json matrix_json(const dragoman_matrix& matrix) {
    Json rows = Json::array();
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        const float* begin = matrix.data + row * matrix.cols;
        rows.push_back(std::vector<float>(begin, begin + matrix.cols));
    }
    return rows;
}

Json marks(uint32_t flags) {
    static constexpr std::pair<uint32_t, const char*> kNames[] = {
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

Json quality(const dragoman::Result& result, const dragoman_sentence& at, std::size_t i, std::size_t h, std::size_t s) {
    Json words = Json::array();
    const auto ranges = result.target_words(i, h, s);
    const auto scores = result.word_quality(i, h, s);
    for (std::size_t w = 0; w < scores.size(); ++w)
        words.push_back({{"begin", ranges[w].begin}, {"end", ranges[w].end}, {"score", scores[w]}});
    return {{"score", at.quality}, {"words", std::move(words)}, {"flags", marks(at.flags)}};
}

// Ranges are [begin, end).
Json sentence_json(const TranslateCommand& command, const dragoman::Result& result, std::size_t i, std::size_t h,
                   std::size_t s) {
    const dragoman_sentence at = result.sentence(i, h, s);
    Json sentence;
    sentence["source_bytes"] = {at.source_begin, at.source_end};
    sentence["target_bytes"] = {at.target_begin, at.target_end};
    sentence["source_tokens"] = {at.source_token_begin, at.source_token_end};
    sentence["target_tokens"] = {at.target_token_begin, at.target_token_end};
    if (*at.language) {
        sentence["language"] = at.language;
        sentence["probability"] = at.language_probability;
    }
    for (const dragoman_term& term : result.terms(i, h, s))
        sentence["terms"].push_back({{"source_bytes", {term.source_begin, term.source_end}}, {"met", term.met == 1}});
    for (const dragoman_match& match : result.matches(i, s))
        sentence["matches"].push_back({{"similarity", match.similarity},
                                       {"source", dragoman::view(match.source)},
                                       {"target", dragoman::view(match.target)}});
    if (at.flags) sentence["marks"] = marks(at.flags);
    if (command.options.return_scores) sentence["score"] = at.score;
    if (command.options.return_quality) sentence["quality"] = quality(result, at, i, h, s);
    if (command.options.return_coverage)
        sentence["coverage"] = {{"share", at.coverage},
                                {"uncovered_words", at.uncovered_words},
                                {"uncovered_bytes", {at.uncovered_begin, at.uncovered_end}}};
    if (command.options.return_attention) sentence["attention"] = matrix_json(result.sentence_attention(i, h, s));
    if (command.options.return_alignment)
        sentence["alignment"] = {{"source_words", to_json(result.source_words(i, h, s))},
                                 {"target_words", to_json(result.target_words(i, h, s))},
                                 {"weights", matrix_json(result.alignment(i, h, s))}};
    return sentence;
}

}  // namespace

void write_json(std::ostream& to, const TranslateCommand& command, const std::string& source,
                const dragoman::Result& result, std::size_t i) {
    Members line(to, '{', '}');
    if (!command.tokens) line.add("source", source);
    line.add_all("source_tokens", result.source_tokens(i));
    if (!command.tokens) line.add_all("source_ranges", result.source_ranges(i));
    line.next("hypotheses");
    Members hypotheses(to, '[', ']');
    for (std::size_t h = 0; h < result.hypotheses(i); ++h) {
        hypotheses.next();
        Members hypothesis(to, '{', '}');
        if (!command.tokens) hypothesis.add("text", result.text(i, h));
        hypothesis.add_all("tokens", result.tokens(i, h));
        if (!command.tokens) hypothesis.add_all("ranges", result.ranges(i, h));
        if (command.options.return_scores) hypothesis.add("score", result.score(i, h));
        if (command.options.return_quality) hypothesis.add("quality", result.quality(i, h));
        if (command.tokens && command.options.return_attention)
            hypothesis.add("attention", matrix_json(result.attention(i, h)));
        if (command.options.return_alignment) hypothesis.add("pharaoh", result.pharaoh(i, h));
        if (!command.tokens) {
            hypothesis.next("sentences");
            Members sentences(to, '[', ']');
            for (std::size_t s = 0; s < result.sentences(i); ++s)
                sentences.next() << dump(sentence_json(command, result, i, h, s));
            sentences.end();
        }
        hypothesis.end();
    }
    hypotheses.end();
    if (!command.chosen.empty()) line.add("models", command.chosen);
    line.end();
    to << '\n';
}

}  // namespace cli
