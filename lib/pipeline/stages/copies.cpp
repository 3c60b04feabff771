// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <vector>

#include "pipeline/stages/stages.h"

namespace dragoman::pipeline {
namespace {

// Without the prompt's.
template <class T>
std::span<const T> own(const std::vector<T>& of_tokens, const Sentence& sentence) {
    const std::size_t around = sentence.prompt_tokens + sentence.prompt_tokens_after;
    return std::span(of_tokens).subspan(sentence.prompt_tokens, of_tokens.size() - around);
}

class CopiesStage final : public Stage {
public:
    explicit CopiesStage(const Plan& plan) : plan_(plan) {}

    void down(Document& document, Sentences& next) const override {
        for (Sentence& sentence : next)
            if (!sentence.finished &&
                (foreign(sentence) || (sentence.target_prefix.empty() && !says_something(sentence))))
                copy_sentence(plan_, document, sentence);
    }

private:
    static bool foreign(const Sentence& sentence) {
        return sentence.flags & (SentenceFlags::in_target_language | SentenceFlags::in_other_language);
    }

    bool says_something(const Sentence& sentence) const {
        static const std::string kWordBegin = "\xe2\x96\x81";  // which means nothing alone
        return std::ranges::any_of(own(sentence.tokens, sentence), [&](const auto& token) {
            return token != kWordBegin && plan_.model.says_something(token);
        });
    }

    const Plan& plan_;
};

}  // namespace

// Its tokens are those of the source, without the prompt's.
void copy_sentence(const Plan& plan, const Document& document, Sentence& sentence) {
    const text::Range body = sentence.body;
    Hypothesis copy{.text = std::string(text::part(document.text, body))};
    for (const text::Range& kept : kept_in(document, body))
        copy.unchanged.push_back({kept, {kept.begin - body.begin, kept.end - body.begin}});
    if (plan.text.return_tokens) {
        const auto tokens = own(sentence.tokens, sentence);
        const auto ranges = own(sentence.ranges, sentence);
        copy.tokens.assign(tokens.begin(), tokens.end());
        copy.ranges.assign(ranges.begin(), ranges.end());
        for (text::Range& range : copy.ranges)
            range = {range.begin - sentence.body.begin, range.end - sentence.body.begin};
    }
    sentence.hypotheses = {std::move(copy)};
    sentence.copied = sentence.finished = true;
    sentence.again = Again::no;
    sentence.flags |= SentenceFlags::copied;
}

std::span<const text::Range> kept_in(const Document& document, text::Range body) {
    const auto first = std::ranges::lower_bound(document.kept, body.begin, {}, &text::Range::begin);
    const auto last = std::ranges::upper_bound(document.kept, body.end, {}, &text::Range::end);
    return {first, std::max(first, last)};
}

std::unique_ptr<const Stage> copies_stage(const Plan& plan) { return std::make_unique<CopiesStage>(plan); }

}  // namespace dragoman::pipeline
