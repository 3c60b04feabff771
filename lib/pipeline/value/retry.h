// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>

namespace dragoman::pipeline {

struct Sentence;
using Sentences = std::list<Sentence>;  // a list: their addresses do not change

inline constexpr std::size_t kShortestPart = 8;  // tokens of a sentence that is translated once more in parts

// How a sentence is translated once more. A stronger kind, which stands further down, replaces a weaker one.
enum class RetryKind : int {
    capital,    // a word or two in small letters begin with a capital
    recase,     // words that begin with a capital get small letters, and nouns the capitals of their language
    unlabel,    // the model does not see the number of a list's item at the beginning, which stays there
    set_aside,  // the model does not see the word at the end, which stays there
    show_terms,  // the model reads terms in place of their sources; where it was very unsure, also as carry_terms
    carry_terms,  // stand-ins are in place of terms, whatever the search could make of these
    protect,    // SentenceFacts::kept and protected_terms are kept from the model
    cover,      // in parts of about half the length, if their translations leave out fewer words
    items,      // the items of a list that it is, each as a text of its own
    split,      // in parts of about half the length
};

inline constexpr float kVeryUnsureOfTerms = -1.0f;  // likelihood below which its own words are left beside a term

inline bool makes_parts(RetryKind kind) {
    return kind == RetryKind::cover || kind == RetryKind::items || kind == RetryKind::split;
}

// Says which translation of its words a sentence is: the first one, or one that a retry makes.
struct Attempt {
    uint32_t number = 0;              // 0: the first
    std::optional<RetryKind> kind{};  // of the retry that makes it; none: the first
    Sentence* whole = nullptr;        // the sentence that is retried

    bool is(RetryKind of) const { return kind == of; }
    // Whether a retry of this kind may follow: parts are split further, up to a limit; all else is tried once.
    bool allows(RetryKind next) const;
};

// The retry of one sentence: none -> asked -> at_work -> judged. A step out of this order throws Error{internal}.
class Retry {
public:
    enum class State : int { none, asked, at_work, judged };
    // The result of a retry: the sentence keeps its own translation, its only part's replaces it, or those of all parts
    // are joined.
    enum class Decision : int { keep, replace, join };

    Retry() = default;
    Retry(Retry&&) = default;  // moved, never copied: parts point to their whole sentence
    Retry& operator=(Retry&&) = default;

    State state() const { return state_; }
    bool asked() const { return state_ == State::asked; }
    RetryKind kind() const;  // asked for, whatever has come of it

    void ask(RetryKind kind, const Attempt& now);  // `now`, the sentence's own attempt, must allow it
    void withdraw();  // the sentence is copied; not while attempts are at work
    void start(Sentences parts);  // that have gone down; some may be finished already
    void finish_part();  // one of those that were not
    Decision judge(const Sentence& whole);  // once all are finished; of two attempts, the better one comes first

    bool all_finished() const { return state_ == State::at_work && unfinished_ == 0; }
    Sentences& parts() { return parts_; }
    const Sentences& parts() const { return parts_; }

private:
    bool has_two() const { return kind_ == RetryKind::show_terms && parts_.size() == 2; }
    Decision judge_two(const Sentence& whole);

    State state_ = State::none;
    RetryKind kind_ = RetryKind::capital;
    Sentences parts_{};
    std::size_t unfinished_ = 0;
};

}  // namespace dragoman::pipeline
