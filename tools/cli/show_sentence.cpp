// SPDX-License-Identifier: Apache-2.0
#include "show_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

namespace cli {
namespace {

constexpr float kLeastShown = 0.05f;  // of a word's weights
constexpr float kReached = 0.4f;      // as docs/coverage.md says
constexpr float kDoubtful = 0.3f;

// Marks of punctuation need no counterpart.
bool is_letter_or_digit(uint32_t c) {
    if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    constexpr std::array<std::pair<uint32_t, uint32_t>, 9> kMarks = {{{0x80, 0xa9},
                                                                      {0xab, 0xb1},
                                                                      {0xb4, 0xb4},
                                                                      {0xb6, 0xb8},
                                                                      {0xbb, 0xbb},
                                                                      {0xbf, 0xbf},
                                                                      {0x2000, 0x206f},
                                                                      {0x2e00, 0x2e7f},
                                                                      {0x3000, 0x3004}}};
    constexpr std::array<std::pair<uint32_t, uint32_t>, 6> kMore = {
        {{0x3008, 0x3020}, {0x60c, 0x60d}, {0x61b, 0x61f}, {0x964, 0x965}, {0xff00, 0xff0f}, {0xff1a, 0xff20}}};
    const auto in = [c](const auto& range) { return c >= range.first && c <= range.second; };
    return std::ranges::none_of(kMarks, in) && std::ranges::none_of(kMore, in);
}

bool is_spoken_word(std::string_view word) {
    for (std::size_t at = 0; at < word.size();) {
        const auto lead = uint8_t(word[at]);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        uint32_t c = size == 1 ? lead : lead & (0xffu >> (size + 1));
        for (std::size_t i = 1; i < size && at + i < word.size(); ++i) c = c << 6 | (uint8_t(word[at + i]) & 0x3f);
        if (is_letter_or_digit(c)) return true;
        at += size;
    }
    return false;
}

std::string_view bytes_of(std::string_view text, std::size_t begin, std::size_t end) {
    begin = std::min(begin, text.size());
    return text.substr(begin, std::max(std::min(end, text.size()), begin) - begin);
}

// Which source words a translation reaches by attention: those with the largest weight of one of its words, or with 0.4.
std::vector<bool> reached_words(const dragoman_matrix& weights, std::size_t count) {
    std::vector<bool> reached(count, false);
    for (std::size_t row = 0; row < weights.rows; ++row) {
        const std::span<const float> of_word(weights.data + row * weights.cols, weights.cols);
        if (of_word.empty()) continue;
        const auto best = std::size_t(std::ranges::max_element(of_word) - of_word.begin());
        for (std::size_t i = 0; i < std::min(of_word.size(), count); ++i)
            if ((i == best && of_word[i] > 0) || of_word[i] >= kReached) reached[i] = true;
    }
    return reached;
}

// A paragraph of words; `word` writes the attributes of each.
template <class Word>
std::string line_of_words(std::string_view text, std::size_t begin, std::size_t end,
                          std::span<const dragoman_range> words, std::string_view language, const char* label,
                          Word&& attributes) {
    std::string html = fmt::format("<p class=\"line\" dir=\"auto\" role=\"group\" aria-label=\"{}\"", label);
    if (!language.empty()) html += fmt::format(" lang=\"{}\"", escaped_html(language));
    html += '>';
    std::size_t at = begin;
    for (std::size_t w = 0; w < words.size(); ++w) {
        html += escaped_html(bytes_of(text, at, words[w].begin));
        html += "<span class=\"w" + attributes(w) + '>' + escaped_html(bytes_of(text, words[w].begin, words[w].end)) +
                "</span>";
        at = std::max(at, words[w].end);
    }
    return html + escaped_html(bytes_of(text, at, end)) + "</p>\n";
}

class Pair {
public:
    Pair(const ShownText& text, std::size_t sentence)
        : text_(text), sentence_(sentence), best_(text.result.sentence(text.input, 0, sentence)) {}

    std::string html() const {
        std::string html = "<div class=\"pair\">\n<div class=\"side source\">\n" + source() +
                           "</div>\n<div class=\"side target\">\n" + target(0, "Translation");
        return html + alternatives() + "</div>\n" + facts() + "</div>\n";
    }

private:
    std::string source() const {
        const auto words = text_.result.source_words(text_.input, 0, sentence_);
        const dragoman_matrix weights = text_.result.alignment(text_.input, 0, sentence_);
        std::vector<bool> reached = reached_words(weights, words.size());
        const std::set<std::string_view> carried = carried_words();
        for (std::size_t w = 0; w < words.size(); ++w)
            if (carried.contains(bytes_of(text_.source, words[w].begin, words[w].end))) reached[w] = true;
        const bool known = weights.rows > 0 && best_.coverage < 1;
        const std::string_view language = *best_.language ? std::string_view(best_.language) : text_.source_language;
        return line_of_words(text_.source, best_.source_begin, best_.source_end, words, language, "Source",
                             [&](std::size_t w) -> std::string {
                                 const bool spoken =
                                     is_spoken_word(bytes_of(text_.source, words[w].begin, words[w].end));
                                 return known && spoken && !reached[w] ? " missing\"" : "\"";
                             });
    }

    // The model saw others in their place.
    std::set<std::string_view> carried_words() const {
        const auto words = text_.result.target_words(text_.input, 0, sentence_);
        const auto scores = text_.result.word_quality(text_.input, 0, sentence_);
        std::set<std::string_view> carried;
        for (std::size_t w = 0; w < std::min(words.size(), scores.size()); ++w)
            if (scores[w] >= 1) carried.insert(bytes_of(target_text(0), words[w].begin, words[w].end));
        return carried;
    }

    std::string target(std::size_t hypothesis, const char* label) const {
        const dragoman_sentence at = text_.result.sentence(text_.input, hypothesis, sentence_);
        const auto words = text_.result.target_words(text_.input, hypothesis, sentence_);
        const auto scores = text_.result.word_quality(text_.input, hypothesis, sentence_);
        const dragoman_matrix weights = text_.result.alignment(text_.input, hypothesis, sentence_);
        const auto attributes = [&](std::size_t w) {
            std::string html = w < scores.size() && scores[w] < kDoubtful ? " doubtful\"" : "\"";
            if (w < scores.size()) html += fmt::format(" style=\"--q:{0:.2f}\" data-q=\"{0:.2f}\"", scores[w]);
            std::string links;
            for (std::size_t s = 0; w < weights.rows && s < weights.cols; ++s) {
                const float weight = weights.data[w * weights.cols + s];
                if (weight >= kLeastShown) links += fmt::format("{}{}:{:.2f}", links.empty() ? "" : " ", s, weight);
            }
            return html + (links.empty() ? "" : " data-a=\"" + links + '"');
        };
        return line_of_words(target_text(hypothesis), at.target_begin, at.target_end, words, text_.target_language,
                             label, attributes);
    }

    std::string_view target_text(std::size_t hypothesis) const {
        const std::string_view plain = text_.result.plain_text(text_.input, hypothesis);
        return plain.empty() ? text_.result.text(text_.input, hypothesis) : plain;
    }

    // Those of a text differ in one sentence or another.
    std::string alternatives() const {
        const auto said = [&](std::size_t hypothesis) {
            const dragoman_sentence at = text_.result.sentence(text_.input, hypothesis, sentence_);
            return bytes_of(target_text(hypothesis), at.target_begin, at.target_end);
        };
        std::set<std::string_view> known = {said(0)};
        std::string items;
        std::size_t count = 0;
        for (std::size_t h = 1; h < text_.result.hypotheses(text_.input); ++h) {
            if (!known.insert(said(h)).second) continue;
            ++count;
            const dragoman_sentence at = text_.result.sentence(text_.input, h, sentence_);
            items += "<li>" + target(h, "Alternative") +
                     fmt::format("<span class=\"number\">quality {:.2f}</span></li>\n", at.quality);
        }
        if (count == 0) return {};
        return fmt::format("<details><summary>{} alternative{}</summary>\n<ol>\n{}</ol></details>\n", count,
                           count == 1 ? "" : "s", items);
    }

    std::string facts() const {
        std::string html = fmt::format("<span>quality {:.2f}</span>", best_.quality);
        const auto words = text_.result.source_words(text_.input, 0, sentence_);
        if (!words.empty())
            html += fmt::format("<span>{:.0f} % of the source's words reached</span>", 100 * best_.coverage);
        if (best_.uncovered_words > 1)
            html += fmt::format("<span class=\"bad\">{} words in a row are not: “{}”</span>", best_.uncovered_words,
                                escaped_html(bytes_of(text_.source, best_.uncovered_begin, best_.uncovered_end)));
        for (const auto& [flag, said, bad] : kFlags)
            if (best_.flags & flag) html += fmt::format("<span{}>{}</span>", bad ? " class=\"bad\"" : "", said);
        for (const dragoman_term& term : text_.result.terms(text_.input, 0, sentence_))
            html += fmt::format("<span{}>term “{}” {}</span>", term.met == 1 ? "" : " class=\"bad\"",
                                escaped_html(bytes_of(text_.source, term.source_begin, term.source_end)),
                                term.met == 1 ? "kept to" : "not kept to");
        for (const dragoman_match& match : text_.result.matches(text_.input, sentence_))
            html += fmt::format("<span>memory, {:.0f} %: “{}” → “{}”</span>", 100 * match.similarity,
                                escaped_html(dragoman::view(match.source)), escaped_html(dragoman::view(match.target)));
        return "<div class=\"facts\">" + html + "</div>\n";
    }

    struct Flag {
        uint32_t flag;
        const char* said;
        bool bad;
    };
    static constexpr Flag kFlags[] = {
        {DRAGOMAN_SENTENCE_COPIED, "copied", false},
        {DRAGOMAN_SENTENCE_IN_TARGET_LANGUAGE, "is in the target language already", false},
        {DRAGOMAN_SENTENCE_IN_OTHER_LANGUAGE, "is in a language that the model does not translate from", false},
        {DRAGOMAN_SENTENCE_CARRIED, "has parts that were carried over unchanged", false},
        {DRAGOMAN_SENTENCE_REPEATED, "the model repeated itself", true},
        {DRAGOMAN_SENTENCE_NUMBERS, "a number is missing", true},
        {DRAGOMAN_SENTENCE_MOJIBAKE, "looks like text that was read in the wrong encoding", true},
        {DRAGOMAN_SENTENCE_FROM_MEMORY, "from the translation memory", false},
        {DRAGOMAN_SENTENCE_UNSURE, "copied, since its translation was too doubtful", true},
        {DRAGOMAN_SENTENCE_UNCOVERED, "leaves out more words than was allowed", true}};

    const ShownText& text_;
    const std::size_t sentence_;
    const dragoman_sentence best_;
};

}  // namespace

std::string escaped_html(std::string_view text) {
    std::string html;
    html.reserve(text.size() + text.size() / 8);
    for (const char c : text) {
        switch (c) {
            case '&': html += "&amp;"; break;
            case '<': html += "&lt;"; break;
            case '>': html += "&gt;"; break;
            case '"': html += "&quot;"; break;
            case '\'': html += "&#39;"; break;
            default:  // a page has no control characters
                if (uint8_t(c) < 0x20 && c != '\t' && c != '\n') html += "\xef\xbf\xbd";
                else html += c;
        }
    }
    return html;
}

std::string show_sentence(const ShownText& text, std::size_t sentence) { return Pair(text, sentence).html(); }

}  // namespace cli
