// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stages/stages.h"

namespace dragoman::pipeline {
namespace {

// It looks at the best translation. Those of an n-best list would lose their neighbours in a retry, which has one.
class UncoveredStage final : public Stage {
public:
    explicit UncoveredStage(const Plan& plan) : plan_(plan) {}

    void up(const Document&, Sentence& sentence) const override {
        if (sentence.hypotheses.empty() || sentence.copied) return;
        const Coverage& coverage = sentence.hypotheses.front().coverage;
        if (!coverage.measured || coverage.longest_unreached().words <= plan_.text.max_uncovered_words) return;
        sentence.flags |= SentenceFlags::uncovered;
        const std::size_t own = sentence.tokens.size() - sentence.prompt_tokens - sentence.prompt_tokens_after;
        if (sentence.hypotheses.size() == 1 && own > kShortestPart && allows_retry(plan_, sentence, RetryKind::cover))
            sentence.retry.ask(RetryKind::cover, sentence.attempt);
    }

private:
    const Plan& plan_;
};

}  // namespace

std::unique_ptr<const Stage> uncovered_stage(const Plan& plan) { return std::make_unique<UncoveredStage>(plan); }

}  // namespace dragoman::pipeline
