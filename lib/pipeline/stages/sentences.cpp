// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "pipeline/protect/capital_words.h"
#include "pipeline/stages/stages.h"
#include "text/rows.h"
#include "text/split_sentences.h"

namespace dragoman::pipeline {
namespace {

class SentencesStage final : public Stage {
public:
    explicit SentencesStage(const Plan& plan)
        : plan_(plan), line_breaks_(plan.text.join_lines ? text::LineBreaks::join : text::LineBreaks::separate),
          splitter_(plan.finds_language() ? std::string() : language_of(plan, {}), line_breaks_) {}

    void open(Document& document) const override {
        if (const auto bad = first_invalid_utf8(document.text))
            fail(Status::invalid_argument, "text {}: invalid UTF-8 at byte {}", document.index, *bad);
        if (plan_.model.continues()) document.places.add({0, document.text.size()});
        else if (plan_.text.split_sentences) {
            // Long sentences reach the other stages in parts: time and memory of these grow with the parts, and the whole has
            // progress.
            constexpr std::size_t kLong = 4096, kBytesPerToken = 16;
            document.places.set_longest(std::max(kLong, kBytesPerToken * plan_.text.max_segment_tokens));
            for (const text::Range& sentence : split(document)) {
                if (plan_.text.raw) document.places.add(sentence);
                else cut(document, sentence);
            }
        } else if (!document.parts.empty())
            for (const text::Range& part : document.parts) document.places.add(part);
        else if (const text::Range whole = text::trim(document.text, {0, document.text.size()}); whole.size() > 0)
            document.places.add(whole);
    }

    // Hypothesis h consists of the h-th of every sentence, and of the last one of a sentence that has fewer.
    void settle(Document& document, Sentence& sentence) const override {
        auto& [sources, hypotheses, plain] = document.result;
        auto& [source_at, means] = document.assembly;
        const std::size_t count = std::max(hypotheses.size(), sentence.hypotheses.size());
        while (hypotheses.size() < count) {
            hypotheses.push_back(hypotheses.empty() ? TextHypothesis() : TextHypothesis(hypotheses.back()));
            means.push_back(means.empty() ? Assembly::Means() : Assembly::Means(means.back()));
        }
        for (std::size_t h = 0; h < count; ++h) {
            const std::size_t own = std::min(h, sentence.hypotheses.size() - 1);
            const bool last = h + 1 == count || own < sentence.hypotheses.size() - 1;
            Translation from = last ? std::move(sentence.hypotheses[own]) : sentence.hypotheses[own];
            std::string_view before;
            if (!hypotheses[h].sentences.empty())
                before = text::part(hypotheses[h].text, hypotheses[h].sentences.back().range());
            const std::string_view gap = gap_between(document.text, {source_at, sentence.range.begin},
                                                     sentence.continues, before, from.text);
            const auto spoken = double(std::max<std::size_t>(from.quality.words.size(), 1));
            means[h].score.add({from.score, from.score.tokens()});  // as it is told
            means[h].quality += double(from.quality.score) * spoken;
            means[h].words += spoken;
            add_sentence(hypotheses[h], std::move(from), gap);
        }
        source_at = sentence.range.end;
        if (!plan_.text.return_tokens) sentence.tokens = {}, sentence.ranges = {};
        sources.add({.range = sentence.range,
                     .language = sentence.language,
                     .language_probability = sentence.language_probability,
                     .flags = sentence.flags,
                     .matches = std::move(sentence.matches)},
                    sentence.tokens, sentence.ranges);
    }

    void close(Document& document) const override {
        auto& [sources, hypotheses, plain] = document.result;
        if (sources.empty()) hypotheses.resize(plan_.decoding.num_hypotheses);
        for (std::size_t h = 0; h < hypotheses.size(); ++h) {
            TextHypothesis& all = hypotheses[h];
            all.text += document.text.substr(document.assembly.source_at);
            if (sources.empty()) continue;
            const Assembly::Means& means = document.assembly.means[h];
            all.quality = float(means.quality / means.words);
            all.score = sources.size() == 1 ? all.sentences.front().score : means.score;
        }
        document.assembly = {};
    }

private:
    std::vector<text::Range> split(const Document& document) const {
        if (!plan_.finds_language()) return splitter_.split(document.text);
        return text::SentenceSplitter(document.language.language.language(), line_breaks_).split(document.text);
    }

    // Turns a row into its cells, with the signs between them, and a line into its fields; what a bracket of another script
    // holds in front of a sentence is one of its own, and a pair around all of a sentence is none of it. In markup a tab is a
    // blank.
    static void cut(Document& document, text::Range sentence) {
        const std::string_view text = document.text;
        if (const auto cells = text::cells(text, sentence); !cells.empty()) {
            for (const text::Range& cell : cells) document.places.add(cell);
            return;
        }
        for (text::Range place : text::fields(text, sentence, !document.markup)) {
            place.begin += text::sentence_lead(text, place);
            const text::Range label = document.markup ? text::Range() : text::bracketed_label(text, place);
            if (label.size() > 0) {
                document.places.add(label);
                place = text::trim(text, {text::bracketed_end(text, label.end), place.end});
            }
            document.places.add(text::enclosed(text, place));
        }
    }

    const Plan& plan_;
    const text::LineBreaks line_breaks_;
    const text::SentenceSplitter splitter_;
};

}  // namespace

std::unique_ptr<const Stage> sentences_stage(const Plan& plan) { return std::make_unique<SentencesStage>(plan); }

}  // namespace dragoman::pipeline
