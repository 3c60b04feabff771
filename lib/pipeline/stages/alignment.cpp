// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "pipeline/stages/stages.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

using text::Range;

// Ranges of the document as ranges of a part of it. Tokens of a language code before the part get empty ones.
std::vector<Range> within(std::vector<Range> ranges, Range part) {
    const auto offset = [&](std::size_t at) { return std::clamp(at, part.begin, part.end) - part.begin; };
    for (Range& range : ranges) range = {offset(range.begin), offset(range.end)};
    return ranges;
}

text::WordAlignment identity(std::string_view text) {
    text::WordAlignment result{.source = text::words(text), .target = text::words(text)};
    result.weights.assign(result.source.size() * result.target.size(), 0.0f);
    for (std::size_t w = 0; w < result.target.size(); ++w) result.weights[w * result.source.size() + w] = 1.0f;
    return result;
}

class AlignmentStage final : public Stage {
public:
    explicit AlignmentStage(const Plan& plan) : plan_(plan) {}

    void up(const Document& document, Sentence& sentence) const override { align(document.text, sentence); }

    // Sentences that did not need the model have not come up.
    void settle(Document& document, Sentence& sentence) const override { align(document.text, sentence); }

private:
    void align(std::string_view document, Sentence& sentence) const {
        if (sentence.unaligned) return drop(sentence);
        const std::string_view source = text::part(document, sentence.body);
        const std::vector<Range> tokens = within(sentence.ranges, sentence.body);
        for (Translation& hypothesis : sentence.hypotheses) {
            if (hypothesis.alignment == text::WordAlignment{}) {
                hypothesis.alignment = sentence.copied
                                           ? identity(source)
                                           : text::align_words({source, tokens}, {hypothesis.text, hypothesis.ranges},
                                                               hypothesis.attention);
                for (Range& word : hypothesis.alignment.source)
                    word = {word.begin + sentence.body.begin, word.end + sentence.body.begin};
            }
            if (plan_.text.return_coverage && !hypothesis.coverage.measured) cover(document, sentence, hypothesis);
        }
        drop(sentence);
    }

    static void cover(std::string_view document, const Sentence& sentence, Translation& hypothesis) {
        const bool given = sentence.copied || sentence.flags & SentenceFlags::from_memory;
        hypothesis.coverage = given ? complete_coverage(document, sentence.body)
                                    : measure_coverage(hypothesis.alignment, document, hypothesis.text);
    }

    // Drops what only the alignment needs.
    void drop(Sentence& sentence) const {
        for (Translation& hypothesis : sentence.hypotheses) {
            if (!plan_.decoding.return_attention) hypothesis.attention = {};
            if (!plan_.text.return_tokens) release_ranges(hypothesis);
        }
    }

    const Plan& plan_;
};

}  // namespace

std::unique_ptr<const Stage> alignment_stage(const Plan& plan) { return std::make_unique<AlignmentStage>(plan); }

}  // namespace dragoman::pipeline
