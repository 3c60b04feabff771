// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/quality_scores.h"

#include "pipeline/stages/stages.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

class QualityStage final : public Stage {
public:
    explicit QualityStage(const Plan& plan) : plan_(plan) {}

    void up(const Document& document, Sentence& sentence) const override { estimate(document, sentence); }

    // Sentences that did not need the model have not come up.
    void settle(Document& document, Sentence& sentence) const override {
        if (sentence.hypotheses.front().quality.empty()) estimate(document, sentence);
    }

private:
    void estimate(const Document& document, Sentence& sentence) const {
        for (Translation& hypothesis : sentence.hypotheses) {
            const bool given = sentence.copied || sentence.flags & SentenceFlags::from_memory;
            hypothesis.quality = given ? copied(sentence, hypothesis.text) : searched(document, sentence, hypothesis);
            hypothesis.notes = {};
            if (plan_.aligns()) continue;  // which comes later
            if (!plan_.decoding.return_attention) hypothesis.attention = {};
            if (!plan_.text.return_tokens) release_ranges(hypothesis);
        }
    }

    // A copy is right if a person or the rules wanted it, but not if the model's own translation was useless.
    static Quality copied(const Sentence& sentence, std::string_view text) {
        return quality_of_copy(text, sentence.flags & SentenceFlags::repeated ? 0.0f : 1.0f);
    }

    Quality searched(const Document& document, const Sentence& sentence, const Translation& hypothesis) const {
        Quality quality{.words = text::words(hypothesis.text)};
        Evidence found = evidence({.source = text::part(document.text, sentence.body),
                                   .target = hypothesis.text,
                                   .tokens = hypothesis.ranges,
                                   .certainty = hypothesis.notes.certainty,
                                   .attention = hypothesis.attention,
                                   .prompt_tokens = sentence.prompt_tokens,
                                   .prompt_tokens_after = sentence.prompt_tokens_after,
                                   .end_log_prob = hypothesis.notes.end_log_prob,
                                   .numbers = (sentence.flags & SentenceFlags::numbers) != 0},
                                  quality.words);
        judge(found, plan_.model.quality_weights(), hypothesis.notes.put_in, quality);
        quality.evidence = std::move(found);
        return quality;
    }

    const Plan& plan_;
};

}  // namespace

std::unique_ptr<const Stage> quality_stage(const Plan& plan) { return std::make_unique<QualityStage>(plan); }

}  // namespace dragoman::pipeline
