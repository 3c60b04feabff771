// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/parts.h"

#include <algorithm>
#include <iterator>

#include "pipeline/stages/stages.h"
#include "pipeline/value/model_input.h"
#include "text/cut_long.h"
#include "text/normalize.h"
#include "text/token_ranges.h"

namespace dragoman::pipeline {
namespace {

Sentence part_of(Sentence& sentence, text::Range body, bool first) {
    Sentence part;
    part.range = {first ? sentence.range.begin : body.begin, body.end};
    part.body = body;
    part.continues = first ? sentence.continues : true;
    part.index = sentence.index;
    part.prompt = sentence.prompt;
    part.language = sentence.language;
    part.language_probability = sentence.language_probability;
    part.target_language = sentence.target_language;
    part.flags = sentence.flags & ~SentenceFlags::numbers;  // which is looked at again
    part.kept = sentence.kept;
    for (const WantedTerm& term : sentence.carried_terms)
        if (body.begin <= term.range.begin && term.range.end <= body.end) part.carried_terms.push_back(term);
    part.attempt = sentence.attempt + 1;
    part.attends = true;
    part.beside = sentence.again == Again::beside;
    part.recased = sentence.again == Again::recased;
    part.whole = &sentence;
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
    for (const Sentence& part : sentence.parts) {
        Hypothesis from = part.hypotheses.front();
        if (&part != &sentence.parts.front())
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

// A translation without the word that its sentence ends with.
std::string without(std::string text, const std::string& word) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return text;
    const std::size_t begin = at > 0 && text[at - 1] == ' ' ? at - 1 : at;
    return text.erase(begin, at + word.size() - begin);
}

// Whether a word at the end is better none of the model's: it says the same without it, no less surely, or something
// far more likely.
bool is_better_beside(const Sentence& with, const Sentence& beside) {
    constexpr float kNoLess = -0.03f, kFarMore = 0.15f;
    if (!beside.shown || beside.shown->swaps.empty()) return false;
    const std::string& original = beside.shown->swaps.back().original;
    const std::string word = original.substr(std::min(original.find_first_not_of(' '), original.size()));
    const float gain = beside.likelihood - with.likelihood;
    if (gain > kFarMore) return true;
    return gain > kNoLess && without(with.hypotheses.front().text, word) ==
                                 without(beside.hypotheses.front().text, word);
}

// Of the whole sentence, seen otherwise by the model.
bool is_trial(const Sentence& part) { return part.beside || part.recased; }

bool is_better(const Sentence& sentence, const Sentence& trial) {
    if (trial.copied) return false;
    return trial.beside ? is_better_beside(sentence, trial) : trial.likelihood > sentence.likelihood;
}

}  // namespace

Sentences parts_of(const Plan& plan, const Document& document, Sentence& sentence) {
    Sentences parts;
    if (sentence.again != Again::parts) {
        parts.push_back(part_of(sentence, sentence.body, true));
        return parts;
    }
    const std::size_t around = sentence.prompt_tokens + sentence.prompt_tokens_after;
    const std::size_t most = std::max((sentence.tokens.size() - around + 1) / 2, kShortestPart);
    const auto count = [&](std::string_view part) {
        return plan.model.tokenize(text::normalize(part).text).tokens.size();
    };
    for (const text::Range range : text::cut_long(document.text, sentence.body, most, count,
                                                 kept_in(document, sentence.body)))
        parts.push_back(part_of(sentence, range, parts.empty()));
    return parts;
}

void join_parts(const Document& document, Sentence& sentence) {
    const Sentence& first = sentence.parts.front();
    if (is_trial(first) && (sentence.parts.size() > 1 || !is_better(sentence, first))) return;
    sentence.hypotheses.clear();
    sentence.copied = std::ranges::all_of(sentence.parts, &Sentence::copied);
    for (const Sentence& part : sentence.parts) sentence.flags |= part.flags & ~SentenceFlags::copied;
    if (sentence.copied) sentence.flags |= SentenceFlags::copied;
    if (sentence.parts.size() == 1) {
        Sentence& only = sentence.parts.front();
        sentence.hypotheses = std::move(only.hypotheses);
        sentence.tokens = std::move(only.tokens);
        sentence.ranges = std::move(only.ranges);
        sentence.flags = only.flags;
        return;
    }
    sentence.hypotheses.push_back(join(document, sentence));
    sentence.tokens.clear();
    sentence.ranges.clear();
    for (Sentence& part : sentence.parts) {
        std::ranges::move(part.tokens, std::back_inserter(sentence.tokens));
        append(sentence.ranges, part.ranges, 0);
    }
}

}  // namespace dragoman::pipeline
