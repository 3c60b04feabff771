// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <utility>

#include "base/os/path_text.h"
#include "json.h"
#include "quality_note.h"
#include "written.h"

namespace cli {
namespace {

constexpr std::streamoff kMostHeld = 1 << 20;  // bytes

std::string join(std::span<const dragoman_string> tokens, char separator) {
    std::string text;
    for (const dragoman_string& token : tokens) {
        if (!text.empty()) text += separator;
        text += dragoman::view(token);
    }
    return text;
}

Json matrix_json(const dragoman_matrix& matrix) {
    Json rows = Json::array();
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        const float* begin = matrix.data + row * matrix.cols;
        rows.push_back(std::vector<float>(begin, begin + matrix.cols));
    }
    return rows;
}

std::span<const dragoman_string> slice(std::span<const dragoman_string> all, std::size_t begin, std::size_t end) {
    return all.subspan(begin, end - begin);
}

}  // namespace

void Output::open() {
    if (to_) return;
    if (command_.options.return_quality && !command_.json) explain_quality();
    if (command_.output != "-") {
        const std::filesystem::path path = dragoman::path_of(command_.output);
        std::error_code none;
        const bool goes_on = begin_.value_or(0) > 0;
        if (goes_on) std::filesystem::resize_file(path, *begin_, none);
        file_.open(path, std::ios::binary | std::ios::out | (goes_on ? std::ios::in : std::ios::trunc));
        file_.seekp(0, std::ios::end);
        if (!file_) throw Failure(fmt::format("{}: {}", command_.output, std::strerror(errno)));
    }
    to_ = file_.is_open() ? &file_ : &std::cout;
}

void Output::end() {
    open();
    flush();
}

void Output::write(const std::string& input, const dragoman::Result& result, std::size_t i) {
    open();
    if (command_.json) write_json(input, result, i);
    else write_plain(result, i);
    ++count_;
    if (out_.tellp() > kMostHeld) flush();
}

void Output::pass(const std::string& input, const std::string& why) {
    fmt::print(stderr, "{}; {}\n", why, command_.on_error == OnError::copy ? "copied" : "left out");
    ++count_;
    if (command_.on_error != OnError::copy) return;
    open();
    if (command_.json) {
        const Json line = {{"source", input}, {"error", why}};
        out_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
        return;
    }
    if (command_.options.num_hypotheses > 1) out_ << count_ << '\t';
    if (command_.options.return_scores) out_ << fmt::format("{:.6f}\t", 0.0f);
    if (command_.options.return_quality) out_ << fmt::format("{:.3f}\t", 0.0f);
    out_ << input << line_end();
}

void Output::resume(std::size_t inputs, uint64_t bytes) {
    count_ = inputs;
    begin_ = bytes;
}

uint64_t Output::bytes() { return file_.is_open() ? uint64_t(file_.tellp()) : begin_.value_or(0); }

void Output::flush() {
    if (!to_) return;
    const std::string bytes = out_.str();
    out_.str({});
    errno = 0;
    if (to_->write(bytes.data(), std::streamsize(bytes.size())).flush()) return;
    throw Failure(fmt::format("{}: {}", command_.output == "-" ? "standard output" : command_.output, write_error()));
}

std::string Output::text(const dragoman::Result& result, std::size_t input, std::size_t hypothesis) const {
    if (command_.tokens) return join(result.tokens(input, hypothesis), ' ');
    return std::string(result.text(input, hypothesis));
}

void Output::write_plain(const dragoman::Result& result, std::size_t i) {
    for (std::size_t h = 0; h < result.hypotheses(i); ++h) {
        if (command_.options.num_hypotheses > 1) out_ << count_ + 1 << '\t';
        if (command_.options.return_scores) out_ << fmt::format("{:.6f}\t", result.score(i, h));
        if (command_.options.return_quality) out_ << fmt::format("{:.3f}\t", result.quality(i, h));
        out_ << text(result, i, h);
        if (command_.options.return_alignment) out_ << '\t' << result.pharaoh(i, h);
        if (!is_whole()) out_ << line_end();
        if (!command_.options.return_attention) continue;
        if (command_.tokens) write_table(result.source_tokens(i), result.tokens(i, h), result.attention(i, h));
        for (std::size_t s = 0; s < result.sentences(i); ++s) {
            const dragoman_sentence at = result.sentence(i, h, s);
            write_table(slice(result.source_tokens(i), at.source_token_begin, at.source_token_end),
                        slice(result.tokens(i, h), at.target_token_begin, at.target_token_end),
                        result.sentence_attention(i, h, s));
        }
    }
}

void Output::write_table(std::span<const dragoman_string> source, std::span<const dragoman_string> target,
                         const dragoman_matrix& attention) {
    out_ << '\t' << join(source, '\t') << '\n';
    for (std::size_t row = 0; row < attention.rows; ++row) {
        if (row < target.size()) out_ << dragoman::view(target[row]);
        for (std::size_t col = 0; col < attention.cols; ++col) {
            out_ << fmt::format("\t{:.3f}", attention.data[row * attention.cols + col]);
        }
        out_ << '\n';
    }
}

void Output::write_json(const std::string& source, const dragoman::Result& result, std::size_t i) {
    Json line;
    if (!command_.tokens) line["source"] = source;
    line["source_tokens"] = to_json(result.source_tokens(i));
    if (!command_.tokens) line["source_ranges"] = to_json(result.source_ranges(i));
    line["hypotheses"] = Json::array();
    for (std::size_t h = 0; h < result.hypotheses(i); ++h) {
        Json hypothesis;
        if (!command_.tokens) hypothesis["text"] = result.text(i, h);
        hypothesis["tokens"] = to_json(result.tokens(i, h));
        if (!command_.tokens) hypothesis["ranges"] = to_json(result.ranges(i, h));
        if (command_.options.return_scores) hypothesis["score"] = result.score(i, h);
        if (command_.options.return_quality) hypothesis["quality"] = result.quality(i, h);
        if (command_.tokens && command_.options.return_attention)
            hypothesis["attention"] = matrix_json(result.attention(i, h));
        if (command_.options.return_alignment) hypothesis["pharaoh"] = result.pharaoh(i, h);
        if (!command_.tokens) hypothesis["sentences"] = sentences(result, i, h);
        line["hypotheses"].push_back(std::move(hypothesis));
    }
    if (!command_.chosen.empty()) line["models"] = command_.chosen;
    out_ << line.dump() << '\n';
}

Json Output::marks(uint32_t flags) {
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

Json Output::quality(const dragoman::Result& result, const dragoman_sentence& at, std::size_t i, std::size_t h,
                     std::size_t s) {
    Json words = Json::array();
    const auto ranges = result.target_words(i, h, s);
    const auto scores = result.word_quality(i, h, s);
    for (std::size_t w = 0; w < scores.size(); ++w)
        words.push_back({{"begin", ranges[w].begin}, {"end", ranges[w].end}, {"score", scores[w]}});
    return {{"score", at.quality}, {"words", std::move(words)}, {"flags", marks(at.flags)}};
}

// Ranges are [begin, end).
Json Output::sentences(const dragoman::Result& result, std::size_t i, std::size_t h) const {
    Json array = Json::array();
    for (std::size_t s = 0; s < result.sentences(i); ++s) {
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
            sentence["terms"].push_back({{"source_bytes", {term.source_begin, term.source_end}},
                                         {"met", term.met == 1}});
        for (const dragoman_match& match : result.matches(i, s))
            sentence["matches"].push_back({{"similarity", match.similarity},
                                           {"source", dragoman::view(match.source)},
                                           {"target", dragoman::view(match.target)}});
        if (at.flags) sentence["marks"] = marks(at.flags);
        if (command_.options.return_scores) sentence["score"] = at.score;
        if (command_.options.return_quality) sentence["quality"] = quality(result, at, i, h, s);
        if (command_.options.return_coverage)
            sentence["coverage"] = {{"share", at.coverage},
                                    {"uncovered_words", at.uncovered_words},
                                    {"uncovered_bytes", {at.uncovered_begin, at.uncovered_end}}};
        if (command_.options.return_attention) sentence["attention"] = matrix_json(result.sentence_attention(i, h, s));
        if (command_.options.return_alignment)
            sentence["alignment"] = {{"source_words", to_json(result.source_words(i, h, s))},
                                     {"target_words", to_json(result.target_words(i, h, s))},
                                     {"weights", matrix_json(result.alignment(i, h, s))}};
        array.push_back(std::move(sentence));
    }
    return array;
}

}  // namespace cli
