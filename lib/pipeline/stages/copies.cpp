// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "pipeline/model/model_info.h"
#include "pipeline/stages/stages.h"
#include "pipeline/value/fields.h"
#include "text/edits.h"
#include "text/vocabulary.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

using text::Range;

// Leaves out the prompt's items.
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

    // A raw sentence is the model's, whatever it makes of unknown tokens.
    bool says_something(const Sentence& sentence) const {
        if (reads_word(plan_.model, sentence)) return true;
        const auto& vocabulary = plan_.model.source();
        return plan_.text.raw && std::ranges::any_of(own(sentence.tokens, sentence), [&](const auto& token) {
                   return vocabulary.id(token) == vocabulary.unk_id();
               });
    }

    const Plan& plan_;
};

}  // namespace

bool reads_word(const Model& model, const Sentence& sentence) {
    static const std::string kWordBegin = "\xe2\x96\x81";  // which means nothing alone
    return std::ranges::any_of(own(sentence.tokens, sentence),
                               [&](const auto& token) { return token != kWordBegin && model.says_something(token); });
}

// Its tokens are the source's, without the prompt's.
void copy_sentence(const Plan& plan, const Document& document, Sentence& sentence) {
    const text::Range body = sentence.body;
    Translation copy{.text = std::string(text::part(document.text, body))};
    for (const text::Range& kept : kept_in(document, body))
        copy.unchanged.push_back({kept, {kept.begin - body.begin, kept.end - body.begin}});
    if (plan.text.return_tokens) {
        const auto tokens = own(sentence.tokens, sentence);
        const auto ranges = own(sentence.ranges, sentence);
        copy.tokens.assign(tokens.begin(), tokens.end());
        copy.ranges.assign(ranges.begin(), ranges.end());
        shift(copy.ranges, -std::ptrdiff_t(body.begin));
    }
    sentence.hypotheses = {std::move(copy)};
    sentence.copied = sentence.finished = true;
    sentence.retry.withdraw();
    sentence.flags |= SentenceFlags::copied;
}

namespace {

// Words outside the edits stand for themselves, words in one edit for each other.
text::WordAlignment around(std::span<const text::Edit> edits, std::string_view source, std::string_view copy,
                           std::size_t offset) {
    text::WordAlignment result{.source = text::words(source), .target = text::words(copy)};
    for (const Range& target : result.target) {
        std::size_t added = 0, left_out = 0;  // in front of it
        const text::Edit* edited = nullptr;
        for (const text::Edit& edit : edits) {
            const std::size_t begin = edit.range.begin + added - left_out, end = begin + edit.text.size();
            if (target.end <= begin) break;
            if (target.begin < end) edited = &edit;
            added += edit.text.size();
            left_out += edit.range.size();
        }
        const Range range = edited ? edited->range
                                   : Range{target.begin + left_out - added, target.end + left_out - added};
        std::vector<float> row;
        for (const Range& word : result.source)
            row.push_back(word.begin < range.end && range.begin < word.end ? 1.0f : 0.0f);
        const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
        for (const float weight : row) result.weights.push_back(sum > 0 ? weight / sum : 0.0f);
    }
    shift(result.source, std::ptrdiff_t(offset));
    return result;
}

}  // namespace

void copy_with_terms(const Plan& plan, const Document& document, Sentence& sentence) {
    const std::string_view text = document.text;
    copy_sentence(plan, document, sentence);
    Translation& copy = sentence.hypotheses.front();
    std::vector<text::Edit> edits;
    for (const WantedTerm& term : sentence.terms) {
        if (is_reported(plan, term)) copy.terms.push_back({term.origin.value_or(term.range), true});
        const Range own{term.range.begin - sentence.body.begin, term.range.end - sentence.body.begin};
        if (!term.stays) edits.push_back({own, term.forms.front()});
    }
    for (const WantedTerm& term : sentence.carried_terms) {
        const Range range = term.origin.value_or(term.range);
        if (is_reported(plan, term) && std::ranges::find(copy.terms, range, &TermUse::source) == copy.terms.end())
            copy.terms.push_back({range, true});
        edits.push_back({{term.range.begin - sentence.body.begin, term.range.end - sentence.body.begin},
                         term.forms.front()});
    }
    if (edits.empty()) return;
    std::ranges::sort(edits, {}, [](const text::Edit& edit) { return edit.range.begin; });
    text::apply(edits, copy.text, copy.ranges);
    if (plan.aligns()) copy.alignment = around(edits, text::part(text, sentence.body), copy.text, sentence.body.begin);
}

std::unique_ptr<const Stage> copies_stage(const Plan& plan) { return std::make_unique<CopiesStage>(plan); }

}  // namespace dragoman::pipeline
