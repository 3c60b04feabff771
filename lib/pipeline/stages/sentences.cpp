// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "pipeline/stages/stages.h"
#include "text/kept.h"
#include "text/split_sentences.h"

namespace dragoman::pipeline {
namespace {

class SentencesStage final : public Stage {
public:
    explicit SentencesStage(const Plan& plan)
        : plan_(plan), line_breaks_(plan.text.join_lines ? text::LineBreaks::join : text::LineBreaks::separate),
          splitter_(plan.finds_language() ? "" : plan.text.source_language, line_breaks_) {}

    void open(Document& document) const override {
        if (const auto bad = first_invalid_utf8(document.text))
            fail(Status::invalid_argument, "text {}: invalid UTF-8 at byte {}", document.index, *bad);
        if (plan_.model.continues()) document.places = {{0, document.text.size()}};
        else if (plan_.text.split_sentences)
            document.places = plan_.text.raw ? split(document) : cut(document, split(document));
        else if (!document.parts.empty()) document.places = document.parts;
        else if (const text::Range whole = text::trim(document.text, {0, document.text.size()}); whole.size() > 0)
            document.places = {whole};
    }

    void close(Document& document) const override {
        TextResult& result = document.result;
        std::size_t count = document.sentences.empty() ? plan_.decoding.num_hypotheses : 1;
        for (const Sentence& sentence : document.sentences) count = std::max(count, sentence.hypotheses.size());
        for (std::size_t h = 0; h < count; ++h) result.hypotheses.push_back(assemble(document, h, h + 1 == count));
        for (Sentence& sentence : document.sentences) {
            result.sentences.push_back({sentence.range,
                                        {},
                                        {},
                                        std::move(sentence.language),
                                        sentence.language_probability,
                                        sentence.flags,
                                        std::move(sentence.matches)});
            if (!plan_.text.return_tokens) continue;
            result.sentences.back().tokens = std::move(sentence.tokens);
            result.sentences.back().ranges = std::move(sentence.ranges);
        }
        document.sentences.clear();
    }

private:
    std::vector<text::Range> split(const Document& document) const {
        if (!plan_.finds_language()) return splitter_.split(document.text);
        return text::SentenceSplitter(document.language.language.language(), line_breaks_).split(document.text);
    }

    // Turns rows of tables into their cells, with the bars between them, and lines into their fields; what a bracket of
    // another script holds in front of a sentence is one of its own. In markup a tab is a blank.
    static std::vector<text::Range> cut(const Document& document, std::vector<text::Range> sentences) {
        const std::string_view text = document.text;
        std::vector<text::Range> places;
        const auto add = [&](text::Range place) {
            const text::Range label = document.markup ? text::Range() : text::bracketed_label(text, place);
            if (label.size() > 0) {
                places.push_back(label);
                place = text::trim(text, {text::bracketed_end(text, label.end), place.end});
            }
            places.push_back(place);
        };
        for (const text::Range& sentence : sentences) {
            const std::vector<text::Range> cells = text::cells(text, sentence);
            if (!cells.empty()) places.insert(places.end(), cells.begin(), cells.end());
            else if (document.markup) add(sentence);
            else std::ranges::for_each(text::fields(text, sentence), add);
        }
        return places;
    }

    // last: the hypotheses are not needed any more.
    static TextHypothesis assemble(Document& document, std::size_t h, bool last) {
        TextHypothesis result;
        std::size_t source_at = 0;
        MeanScore score;
        double quality = 0.0, words = 0.0;
        for (Sentence& sentence : document.sentences) {
            Translation& kept = sentence.hypotheses[std::min(h, sentence.hypotheses.size() - 1)];
            Translation from = last ? std::move(kept) : kept;
            const std::string_view before = result.sentences.empty() ? "" : result.sentences.back().text;
            const std::string_view gap = gap_between(document.text, {source_at, sentence.range.begin},
                                                     sentence.continues, before, from.text);
            source_at = sentence.range.end;
            score.add({from.score, from.score.tokens()});  // as it is told
            const auto spoken = double(std::max<std::size_t>(from.quality.words.size(), 1));
            quality += double(from.quality.score) * spoken;
            words += spoken;
            add_sentence(result, std::move(from), gap);
        }
        result.text += document.text.substr(source_at);
        if (words > 0) result.quality = float(quality / words);
        result.score = result.sentences.size() == 1 ? result.sentences.front().score : score;
        return result;
    }

    const Plan& plan_;
    const text::LineBreaks line_breaks_;
    const text::SentenceSplitter splitter_;
};

}  // namespace

std::unique_ptr<const Stage> sentences_stage(const Plan& plan) { return std::make_unique<SentencesStage>(plan); }

}  // namespace dragoman::pipeline
