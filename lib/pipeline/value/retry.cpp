// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/retry.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/error.h"
#include "pipeline/value/model_input.h"
#include "pipeline/value/sentence.h"

namespace dragoman::pipeline {
namespace {

constexpr uint32_t kFaults = SentenceFlags::repeated | SentenceFlags::numbers;
constexpr uint32_t kMaxAttempts = 3;  // after the first: each split halves the parts

// A translation without the word that its sentence ends with.
std::string without(std::string text, const std::string& word) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return text;
    const std::size_t begin = at > 0 && text[at - 1] == ' ' ? at - 1 : at;
    return text.erase(begin, at + word.size() - begin);
}

// Whether the model should not see the word at the end: without it, it says the same no less surely, or something far
// more likely.
bool is_better_aside(const Sentence& with, const Sentence& aside) {
    constexpr float kNoLess = -0.03f, kFarMore = 0.15f;
    if (!aside.model_input || aside.model_input->placeholders.empty()) return false;
    const std::string& original = aside.model_input->placeholders.back().original;
    const std::string word = original.substr(std::min(original.find_first_not_of(' '), original.size()));
    const float gain = aside.likelihood - with.likelihood;
    if (gain > kFarMore) return true;
    return gain > kNoLess &&
           without(with.hypotheses.front().text, word) == without(aside.hypotheses.front().text, word);
}

std::size_t longest_unreached(const Sentence& sentence) {
    return sentence.hypotheses.front().coverage.longest_unreached().words;
}

std::size_t reached(const Sentence& sentence) {
    return std::size_t(std::ranges::count(sentence.hypotheses.front().coverage.reached, true));
}

// Whether the parts' translations reach more words than the whole sentence's, and leave out fewer in a row.
bool covers_more(const Sentence& whole, const Sentences& parts) {
    std::size_t longest = 0, all_reached = 0;
    for (const Sentence& part : parts) {
        if (part.copied || part.flags & SentenceFlags::repeated) return false;
        longest = std::max(longest, longest_unreached(part));
        all_reached += reached(part);
    }
    return longest < longest_unreached(whole) && all_reached > reached(whole);
}

// Whether the model is surer of the translation for which it has read the terms, as far as chance allows to say, and
// nothing is wrong with it that was right before.
bool shows_terms_better(const Sentence& whole, const Sentence& shown) {
    constexpr float kSurer = 0.1f;
    return shown.likelihood > whole.likelihood + kSurer && (shown.flags & ~whole.flags & kFaults) == 0 &&
           std::ranges::all_of(shown.hypotheses.front().terms, &TermUse::met);
}

// A retry with another input for the model must be better than the first translation, and one for coverage must reach
// more. The other kinds follow translations that are known to be wrong.
bool wins(RetryKind kind, const Sentence& whole, const Sentences& parts) {
    if (kind == RetryKind::cover) return covers_more(whole, parts);
    if (makes_parts(kind) || kind == RetryKind::protect || kind == RetryKind::carry_terms) return true;
    const Sentence& part = parts.front();
    if (part.copied) return false;
    if (kind == RetryKind::unlabel) return true;
    if (kind == RetryKind::show_terms) return shows_terms_better(whole, part);
    return kind == RetryKind::set_aside ? is_better_aside(whole, part) : part.likelihood > whole.likelihood;
}

}  // namespace

bool Attempt::allows(RetryKind next) const { return number < (makes_parts(next) ? kMaxAttempts : 1); }

RetryKind Retry::kind() const {
    DRAGOMAN_ASSERT(state_ != State::none);
    return kind_;
}

void Retry::ask(RetryKind kind, const Attempt& now) {
    DRAGOMAN_ASSERT(state_ == State::none || state_ == State::asked);
    DRAGOMAN_ASSERT(now.allows(kind));
    kind_ = asked() ? std::max(kind_, kind) : kind;
    state_ = State::asked;
}

void Retry::withdraw() {
    DRAGOMAN_ASSERT(state_ != State::at_work);
    if (asked()) state_ = State::none;
}

void Retry::start(Sentences parts) {
    DRAGOMAN_ASSERT(state_ == State::asked && !parts.empty());
    parts_ = std::move(parts);
    unfinished_ = std::size_t(std::ranges::count(parts_, false, &Sentence::finished));
    state_ = State::at_work;
}

void Retry::finish_part() {
    DRAGOMAN_ASSERT(state_ == State::at_work && unfinished_ > 0);
    --unfinished_;
}

Retry::Decision Retry::judge(const Sentence& whole) {
    DRAGOMAN_ASSERT(all_finished());
    state_ = State::judged;
    if (has_two()) return judge_two(whole);
    const bool one = parts_.size() == 1;
    const bool comparable = one || kind_ == RetryKind::protect || makes_parts(kind_);
    if (!comparable || !wins(kind_, whole, parts_)) return Decision::keep;
    return one ? Decision::replace : Decision::join;
}

// The model has read the terms, or stand-ins for them.
Retry::Decision Retry::judge_two(const Sentence& whole) {
    const Sentence &shown = parts_.front(), &carried = parts_.back();
    const bool better = !shown.copied && shows_terms_better(whole, shown);
    const bool right = !carried.copied && (carried.flags & ~whole.flags & kFaults) == 0;
    const bool first = better && (!right || shown.likelihood > kVeryUnsureOfTerms);
    if (!first && !right) return Decision::keep;
    if (!first) parts_.splice(parts_.begin(), parts_, std::prev(parts_.end()));
    return Decision::replace;
}

}  // namespace dragoman::pipeline
