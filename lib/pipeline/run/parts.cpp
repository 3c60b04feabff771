// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/parts.h"

#include <algorithm>
#include <iterator>

#include "pipeline/stages/stages.h"

namespace dragoman::pipeline {
namespace {

Sentence attempt_of(Sentence& sentence, text::Range body, bool first) {
    Sentence part = part_of(sentence, body, first);
    part.flags &= ~SentenceFlags::numbers;  // which is looked at anew
    part.attends = true;
    part.attempt = {sentence.attempt.number + 1, sentence.retry.kind(), &sentence};
    return part;
}

void append(std::vector<text::Range>& all, const std::vector<text::Range>& more, std::size_t offset) {
    for (const text::Range& range : more) all.push_back({range.begin + offset, range.end + offset});
}

// Rows and columns of both stand beside each other.
void append(std::vector<std::vector<float>>& rows, std::vector<std::vector<float>> more, std::size_t columns) {
    for (std::vector<float>& row : more) {
        row.insert(row.begin(), columns, 0.0f);
        rows.push_back(std::move(row));
    }
}

void append(text::WordAlignment& all, const text::WordAlignment& more, std::size_t offset) {
    const std::size_t before = all.source.size(), columns = before + more.source.size();
    std::vector<float> weights((all.target.size() + more.target.size()) * columns, 0.0f);
    for (std::size_t t = 0; t < all.target.size(); ++t)
        std::ranges::copy(all.row(t), weights.begin() + std::ptrdiff_t(t * columns));
    for (std::size_t t = 0; t < more.target.size(); ++t)
        std::ranges::copy(more.row(t), weights.begin() + std::ptrdiff_t((all.target.size() + t) * columns + before));
    append(all.source, more.source, 0);  // of the document
    append(all.target, more.target, offset);
    all.weights = std::move(weights);
}

// The sentence's score is the mean of its parts', by their words.
void append(Quality& all, const Quality& more, std::size_t offset) {
    const auto before = double(all.words.size()), words = double(more.words.size());
    if (before + words > 0)
        all.score = float((double(all.score) * before + double(more.score) * words) / (before + words));
    append(all.words, more.words, offset);
    all.scores.insert(all.scores.end(), more.scores.begin(), more.scores.end());
}

Hypothesis join(const Document& document, const Sentence& sentence) {
    Hypothesis all;
    std::size_t source_at = sentence.range.begin, columns = 0, last_begin = 0;
    double score = 0.0;
    for (const Sentence& part : sentence.retry.parts()) {
        Hypothesis from = part.hypotheses.front();
        if (&part != &sentence.retry.parts().front())
            all.text += gap_between(document.text, {source_at, part.range.begin}, true,
                                    std::string_view(all.text).substr(last_begin), from.text);
        last_begin = all.text.size();
        source_at = part.range.end;
        append(all.ranges, from.ranges, last_begin);
        append(all.attention, std::move(from.attention), columns);
        append(all.alignment, from.alignment, last_begin);
        for (const Unchanged& one : from.unchanged)
            all.unchanged.push_back({one.source, {one.target.begin + last_begin, one.target.end + last_begin}});
        append(all.quality, from.quality, last_begin);
        std::ranges::move(from.tokens, std::back_inserter(all.tokens));
        std::ranges::move(from.terms, std::back_inserter(all.terms));
        all.text += from.text;
        columns += part.tokens.size();
        score += double(from.score) * double(from.length);
        all.length += from.length;
    }
    for (std::vector<float>& row : all.attention) row.resize(columns, 0.0f);
    if (all.length > 0) all.score = float(score / double(all.length));
    return all;
}

}  // namespace

Sentences attempts_of(const Document& document, Sentence& sentence, const text::CountTokens& count) {
    Sentences parts;
    if (sentence.retry.kind() != RetryKind::split) {
        parts.push_back(attempt_of(sentence, sentence.body, true));
        return parts;
    }
    const std::size_t around = sentence.prompt_tokens + sentence.prompt_tokens_after;
    const std::size_t most = std::max((sentence.tokens.size() - around + 1) / 2, kShortestPart);
    for (const text::Range range : text::cut_long(document.text, sentence.body, most, count,
                                                 kept_in(document, sentence.body)))
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
    auto& [tokens, ranges, prompt_tokens, prompt_tokens_after, finished, copied, hypotheses] =
        static_cast<Outcome&>(sentence);
    Sentences& parts = sentence.retry.parts();
    copied = std::ranges::all_of(parts, &Sentence::copied);
    for (const Sentence& part : parts) sentence.flags |= part.flags & ~SentenceFlags::copied;
    if (copied) sentence.flags |= SentenceFlags::copied;
    hypotheses.clear();
    hypotheses.push_back(join(document, sentence));
    tokens.clear();
    ranges.clear();
    for (Sentence& part : parts) {
        std::ranges::move(part.tokens, std::back_inserter(tokens));
        append(ranges, part.ranges, 0);
    }
}

}  // namespace dragoman::pipeline
