// SPDX-License-Identifier: Apache-2.0
#include "text/step_words.h"

#include <algorithm>

#include "text/bert_characters.h"

namespace dragoman::text {
namespace {

PreparedWord prepared(const StepText& text) {
    PreparedWord word;
    for (std::size_t i = 0; i < text.size(); ++i) {
        append_utf8(word.text, text.characters[i]);
        word.sources.resize(word.text.size(), text.sources[i]);
    }
    return word;
}

}  // namespace

StepWords::StepWords(const spec::TokenizerSteps& steps) {
    for (const auto& step : steps.normalizers) normalizers_.push_back(make_normalizer_step(step));
    for (const auto& step : steps.splits) splits_.push_back(make_split_step(step));
    for (const auto& word : steps.words) {
        std::vector<int32_t> characters = to_characters(word.text);
        if (word.normalized) {
            StepText text;
            for (const int32_t c : characters) text.add(c, {});
            characters = normalized(std::move(text)).characters;
        }
        if (!characters.empty()) (word.normalized ? normalized_ : plain_).push_back({word, std::move(characters)});
    }
    const auto size = [](const Added& added) { return added.characters.size(); };
    for (auto* list : {&plain_, &normalized_}) std::ranges::stable_sort(*list, std::greater(), size);
}

StepText StepWords::normalized(StepText text) const {
    for (const TextStep& step : normalizers_) text = step(text);
    return text;
}

std::vector<StepWords::Section> StepWords::find(const std::vector<Added>& wanted, const StepWord& in) {
    const std::span<const int32_t> all = in.text.characters;
    std::vector<Section> sections;
    std::size_t begin = 0;
    const auto add = [&](Range range, const Added* added) {
        if (range.size() == 0) return;
        StepWord word;
        word.text.append(in.text, range);
        word.begin = range.size() == all.size() ? in.begin : word.text.sources[0].begin;
        sections.push_back({std::move(word), added});
    };
    for (std::size_t at = 0; at < all.size() && !wanted.empty();) {
        const auto here = std::ranges::find_if(wanted, [&](const Added& added) {
            const std::size_t size = added.characters.size();
            return at + size <= all.size() && std::ranges::equal(all.subspan(at, size), added.characters);
        });
        if (here == wanted.end()) {
            ++at;
            continue;
        }
        Range range{at, at + here->characters.size()};
        at = range.end;
        const bool inside = (range.begin > 0 && is_word_character(all[range.begin - 1])) ||
                            (range.end < all.size() && is_word_character(all[range.end]));
        if (here->word.single_word && inside) continue;
        while (here->word.blanks_before && range.begin > begin && is_bert_white(all[range.begin - 1])) --range.begin;
        while (here->word.blanks_after && range.end < all.size() && is_bert_white(all[range.end])) ++range.end;
        add({begin, range.begin}, nullptr);
        add(range, &*here);
        begin = at = range.end;
    }
    add({begin, all.size()}, nullptr);
    return sections;
}

std::vector<PreparedWord> StepWords::words(std::string_view given) const {
    StepWord whole;
    for (std::size_t at = 0, next = 0; at < given.size(); at = next) {
        const int32_t c = next_character(given, next);
        whole.text.add(c, {at, next});
    }
    std::vector<PreparedWord> result;
    const auto add_token = [&](const Section& section) {
        PreparedWord word{.text = section.added->word.text, .sources = {}, .added = true};
        word.sources.resize(word.text.size(), section.word.text.source({0, section.word.text.size()}));
        result.push_back(std::move(word));
    };
    for (const Section& outer : find(plain_, whole)) {
        if (outer.added) {
            add_token(outer);
            continue;
        }
        for (const Section& section : find(normalized_, {normalized(outer.word.text), outer.word.begin})) {
            if (section.added) {
                add_token(section);
                continue;
            }
            std::vector<StepWord> words{section.word}, parts;
            for (const WordStep& split : splits_) {
                parts.clear();
                for (const StepWord& word : words)
                    if (!word.text.empty()) split(word, parts);
                std::swap(words, parts);
            }
            for (const StepWord& word : words)
                if (!word.text.empty()) result.push_back(prepared(word.text));
        }
    }
    return result;
}

}  // namespace dragoman::text
