// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/parts.h"

#include <algorithm>
#include <iterator>

#include "text/lists.h"

namespace dragoman::pipeline {
namespace {

// What is said of a translation, and looked at anew in its parts'.
constexpr uint32_t kJudgedAnew = SentenceFlags::numbers | SentenceFlags::uncovered;

Sentence attempt_of(Sentence& sentence, text::Range body, bool first) {
    Sentence part = part_of(sentence, body, first);
    part.flags &= ~kJudgedAnew;
    part.attends = true;
    part.attempt = {sentence.attempt.number + 1, sentence.retry.kind(), &sentence};
    return part;
}

Translation join(const Document& document, const Sentence& sentence) {
    const bool attends = std::ranges::any_of(sentence.retry.parts(), [](const Sentence& part) {
        return !part.hypotheses.front().attention.empty();
    });
    Translation all;
    std::size_t source_at = sentence.range.begin, last_begin = 0;
    for (const Sentence& part : sentence.retry.parts()) {
        Translation from = part.hypotheses.front();
        if (attends) complete_attention(from, part.tokens.size());
        std::string_view gap;
        if (&part != &sentence.retry.parts().front())
            gap = gap_between(document.text, {source_at, part.range.begin}, true,
                              std::string_view(all.text).substr(last_begin), from.text);
        last_begin = all.text.size() + gap.size();
        source_at = part.range.end;
        append(all, std::move(from), gap);
    }
    return all;
}

}  // namespace

Sentences attempts_of(const Document& document, Sentence& sentence, const text::CountTokens& count) {
    Sentences parts;
    if (!makes_parts(sentence.retry.kind())) {
        parts.push_back(attempt_of(sentence, sentence.body, true));
        if (sentence.retry.kind() != RetryKind::show_terms || sentence.likelihood >= kVeryUnsureOfTerms) return parts;
        parts.push_back(attempt_of(sentence, sentence.body, true));
        parts.back().attempt.kind = RetryKind::carry_terms;
        return parts;
    }
    if (sentence.retry.kind() == RetryKind::items) {
        for (const text::Range item : text::items(document.text, sentence.body))
            parts.push_back(attempt_of(sentence, item, parts.empty()));
        return parts;
    }
    const std::size_t around = sentence.prompt_tokens + sentence.prompt_tokens_after;
    const std::size_t most = std::max((sentence.tokens.size() - around + 1) / 2, kShortestPart);
    for (const text::Range range :
         text::cut_long(document.text, sentence.body, most, count, kept_in(document, sentence.body)))
        parts.push_back(attempt_of(sentence, range, parts.empty()));
    return parts;
}

void replace_by_part(Sentence& sentence) {
    Sentence& only = sentence.retry.parts().front();
    sentence.flags = only.flags;
    static_cast<Outcome&>(sentence) = std::move(only);
}

// The bindings name every field: a new one does not compile until somebody says what it is of joined parts. The
// sentence keeps its own numbers of prompt tokens.
void join_parts(const Document& document, Sentence& sentence) {
    auto& [tokens, ranges, prompt_tokens, prompt_tokens_after, finished, copied,
           hypotheses] = static_cast<Outcome&>(sentence);
    Sentences& parts = sentence.retry.parts();
    copied = std::ranges::all_of(parts, &Sentence::copied);
    sentence.flags &= ~kJudgedAnew;
    for (const Sentence& part : parts) sentence.flags |= part.flags & ~SentenceFlags::copied;
    if (copied) sentence.flags |= SentenceFlags::copied;
    hypotheses.clear();
    hypotheses.push_back(join(document, sentence));
    tokens.clear();
    ranges.clear();
    for (Sentence& part : parts) {
        std::ranges::move(part.tokens, std::back_inserter(tokens));
        std::ranges::move(part.ranges, std::back_inserter(ranges));
    }
}

}  // namespace dragoman::pipeline
