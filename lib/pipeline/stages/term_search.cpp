// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stages/term_search.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "decode/terms.h"
#include "pipeline/model/token_kinds.h"
#include "text/token_ranges.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

using text::Range;

// The target tokens of a text that follows another one, or nullopt where the two cannot be separated.
std::optional<std::vector<uint32_t>> ids_behind(const Model& model, const std::string& before,
                                                const std::string& text) {
    const Tokens first = model.tokenize(before, text::Side::target).tokens;
    const Tokens both = model.tokenize(before + text, text::Side::target).tokens;
    if (both.size() <= first.size() || !std::equal(first.begin(), first.end(), both.begin())) return {};
    std::vector<uint32_t> ids;
    for (std::size_t i = first.size(); i < both.size(); ++i) ids.push_back(model.target().id(both[i]));
    if (std::ranges::find(ids, model.target().unk_id()) != ids.end()) return {};
    return ids;
}

// The forms as a separate word and, where the term is glued to something in the source, as part of a word.
std::vector<std::vector<uint32_t>> forms_of(const Model& model, const WantedTerm& term, bool glued) {
    std::vector<std::vector<uint32_t>> forms;
    const auto add = [&](const std::string& before, const std::string& form) {
        const auto ids = ids_behind(model, before, form);
        if (ids && std::ranges::find(forms, *ids) == forms.end()) forms.push_back(*ids);
    };
    for (const std::string& form : term.forms) {
        add(",", " " + form);
        if (glued || text::is_unspaced(text::character_after(form, 0)))
            for (const char* before : {"(", "\"", "-"}) add(before, form);
    }
    if (model.right_to_left())
        for (auto& form : forms) std::ranges::reverse(form);
    return forms;
}

// Tokens [begin, end) of input.source.
std::pair<uint32_t, uint32_t> source_tokens(const Model& model, const Sentence& sentence, Range range) {
    std::size_t begin = sentence.ranges.size(), end = 0;
    for (std::size_t i = 0; i < sentence.ranges.size(); ++i) {
        const Range& token = sentence.ranges[i];
        if (token.begin >= range.end || token.end <= range.begin) continue;
        begin = std::min(begin, i);
        end = i + 1;
    }
    if (begin >= end) return {0, 0};
    if (model.right_to_left())
        std::tie(begin, end) = std::pair(sentence.tokens.size() - end, sentence.tokens.size() - begin);
    const std::size_t skipped = model.add_source_bos() ? 1 : 0, most = sentence.input.source.size();
    return {uint32_t(std::min(begin + skipped, most)), uint32_t(std::min(end + skipped, most))};
}

// The place in input.source where the end of the sentence begins: after its last word.
uint32_t stop_of(const Model& model, const Sentence& sentence) {
    const auto size = uint32_t(sentence.input.source.size()), skipped = uint32_t(model.add_source_bos() ? 1 : 0);
    std::size_t spoken = sentence.tokens.size() - sentence.prompt_tokens_after;
    while (spoken > 0 && !text::is_spoken(without_word_mark(sentence.tokens[spoken - 1]))) --spoken;
    return std::min(uint32_t(spoken) + skipped, size);
}

bool is_glued(std::string_view text, Range range) {
    std::size_t at = range.begin;
    return at > 0 && !text::is_blank(text::previous_character(text, at));
}

}  // namespace

std::vector<decode::Term> search_terms(const Model& model, std::string_view text, Sentence& sentence) {
    std::vector<decode::Term> terms;
    const uint32_t stop = stop_of(model, sentence);
    std::size_t tokens = 0, forms = 0;
    // Protected spans are put back in any case, so terms get the search's places first.
    std::vector<WantedTerm*> list;
    for (WantedTerm& wanted : sentence.terms) list.push_back(&wanted);
    std::ranges::stable_partition(list, [](const WantedTerm* wanted) { return !wanted->stays; });
    for (WantedTerm* const each : list) {
        WantedTerm& wanted = *each;
        if (wanted.forms.front().empty()) continue;
        decode::Term term{.forms = forms_of(model, wanted, is_glued(text, wanted.range))};
        std::size_t own = 0;
        for (const auto& form : term.forms) own += form.size();
        wanted.place.reset();
        if (term.forms.empty() || terms.size() == decode::kMaxTerms || tokens + own > decode::kMaxTermNodes ||
            forms + term.forms.size() > decode::kMaxTermChildren)
            continue;
        tokens += own;
        forms += term.forms.size();
        std::tie(term.source_begin, term.source_end) = source_tokens(model, sentence, wanted.range);
        term.whole = wanted.whole && !model.right_to_left();
        term.stop = stop;
        term.stop_end = model.right_to_left() ? stop : uint32_t(sentence.input.source.size());
        wanted.place = terms.size();
        terms.push_back(std::move(term));
    }
    return terms;
}

}  // namespace dragoman::pipeline
