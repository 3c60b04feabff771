// SPDX-License-Identifier: Apache-2.0
#include "text/split_steps.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "text/bert_characters.h"
#include "text/normalizer_steps.h"
#include "text/regex.h"

namespace dragoman::text {
namespace {

using Behavior = spec::SplitBehavior;

struct Stretch {
    Range range;
    bool match;
};

// The whole text: matches, and what is between them.
std::vector<Stretch> stretches(std::size_t size, const std::vector<Range>& matches, bool invert = false) {
    std::vector<Stretch> all;
    std::size_t at = 0;
    for (const Range match : matches) {
        if (match.begin > at) all.push_back({{at, match.begin}, invert});
        all.push_back({match, !invert});
        at = match.end;
    }
    if (at < size) all.push_back({{at, size}, invert});
    return all;
}

// Stretches that become one word each. The ones that join are next to each other, in either direction.
std::vector<Range> parted(std::vector<Stretch> all, Behavior behavior) {
    std::vector<Range> words;
    const bool backwards = behavior == Behavior::merged_with_next;
    if (backwards) std::ranges::reverse(all);
    bool last_match = false, first = true;
    for (const auto& [range, match] : all) {
        const bool merges = behavior == Behavior::merged_with_previous || backwards;
        const bool joins = behavior == Behavior::contiguous ? !first && match == last_match
                                                            : merges && match && !last_match && !words.empty();
        if (joins) (backwards ? words.back().begin : words.back().end) = backwards ? range.begin : range.end;
        else if (behavior != Behavior::removed || !match) words.push_back(range);
        last_match = match;
        first = false;
    }
    if (backwards) std::ranges::reverse(words);
    return words;
}

void add_words(const StepWord& word, const std::vector<Range>& ranges, std::vector<StepWord>& words) {
    for (const Range range : ranges) {
        if (range.size() == 0) continue;
        StepWord part;
        part.text.append(word.text, range);
        part.begin = range.size() == word.text.size() ? word.begin : part.text.sources[0].begin;
        words.push_back(std::move(part));
    }
}

std::vector<Range> characters_where(std::span<const int32_t> characters, bool (*is)(int32_t)) {
    std::vector<Range> found;
    for (std::size_t i = 0; i < characters.size(); ++i)
        if (is(characters[i])) found.push_back({i, i + 1});
    return found;
}

bool is_number(int32_t c) { return (U_GET_GC_MASK(c) & U_GC_N_MASK) != 0; }

WordStep split_where(bool (*is)(int32_t), Behavior behavior) {
    return [is, behavior](const StepWord& word, std::vector<StepWord>& words) {
        add_words(word, parted(stretches(word.text.size(), characters_where(word.text.characters, is)), behavior),
                  words);
    };
}

WordStep split_at(FindStep find, Behavior behavior, bool invert) {
    return [find = std::move(find), behavior, invert](const StepWord& word, std::vector<StepWord>& words) {
        add_words(word, parted(stretches(word.text.size(), find(word.text.characters), invert), behavior), words);
    };
}

void prepend(StepWord& word, const std::vector<int32_t>& beginning) {
    StepText text;
    for (const int32_t c : beginning) text.add(c, {word.text.sources[0].begin, word.text.sources[0].begin});
    text.append(word.text, {0, word.text.size()});
    word.text = std::move(text);
}

struct MakeSplit {
    WordStep operator()(const spec::SplitWhitespace&) const { return split_where(is_bert_white, Behavior::removed); }
    WordStep operator()(const spec::SplitWordsAndSymbols&) const {
        // the joiners are letters here, but not elsewhere
        constexpr const char* kWords = R"([\w\x{200c}\x{200d}]+|[^\w\s\x{200c}\x{200d}]+)";
        return split_at(make_find_step({.text = kWords, .regex = true}), Behavior::removed, true);
    }
    WordStep operator()(const spec::SplitBert&) const {
        const auto white = split_where(is_bert_white, Behavior::removed);
        const auto marks = split_where(is_bert_punctuation, Behavior::isolated);
        return [white, marks](const StepWord& word, std::vector<StepWord>& words) {
            std::vector<StepWord> parts;
            white(word, parts);
            for (const StepWord& part : parts) marks(part, words);
        };
    }
    WordStep operator()(const spec::SplitPunctuation& step) const {
        return split_where(is_bert_punctuation, step.behavior);
    }
    WordStep operator()(const spec::SplitDigits& step) const {
        return split_where(is_number, step.individual ? Behavior::isolated : Behavior::contiguous);
    }
    WordStep operator()(const spec::SplitMetaspace& step) const {
        const auto mark = to_characters(step.replacement);
        const auto split = split_at(make_find_step({.text = step.replacement, .regex = false}),
                                    Behavior::merged_with_next, false);
        return [step, mark, split](const StepWord& given, std::vector<StepWord>& words) {
            StepWord word{.text = {}, .begin = given.begin};
            for (std::size_t i = 0; i < given.text.size(); ++i) {
                if (given.text.characters[i] != ' ') word.text.append(given.text, {i, i + 1});
                else
                    for (const int32_t c : mark) word.text.add(c, given.text.sources[i]);
            }
            using Prepend = spec::SplitMetaspace::Prepend;
            const bool wanted = step.prepend == Prepend::always || (step.prepend == Prepend::first && word.begin == 0);
            const auto& characters = word.text.characters;
            const bool there = characters.size() >= mark.size() &&
                               std::ranges::equal(std::span(characters).first(mark.size()), mark);
            if (wanted && !there) prepend(word, mark);
            if (step.split) split(word, words);
            else words.push_back(std::move(word));
        };
    }
    WordStep operator()(const spec::SplitByteLevel& step) const {
        constexpr const char* kWords = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
        const auto split = split_at(make_find_step({.text = kWords, .regex = true}), Behavior::isolated, false);
        return [step, split](const StepWord& given, std::vector<StepWord>& words) {
            StepWord word = given;
            if (step.space_before && word.text.characters[0] != ' ') prepend(word, {' '});
            std::vector<StepWord> parts;
            if (step.words) split(word, parts);
            else parts.push_back(std::move(word));
            for (StepWord& part : parts) words.push_back({byte_characters_of(part.text), part.begin});
        };
    }
    WordStep operator()(const spec::SplitAt& step) const {
        return split_at(make_find_step(step.pattern), step.behavior, step.invert);
    }
};

}  // namespace

WordStep make_split_step(const spec::SplitStep& step) { return std::visit(MakeSplit(), step); }

bool is_word_character(int32_t c) {
    return u_hasBinaryProperty(c, UCHAR_ALPHABETIC) || (U_GET_GC_MASK(c) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK));
}

}  // namespace dragoman::text
