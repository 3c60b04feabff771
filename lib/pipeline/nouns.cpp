// SPDX-License-Identifier: Apache-2.0
#include "pipeline/nouns.h"

#include "text/capitals.h"
#include "text/language_rules.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

bool is_likely_noun(const Model& model, std::string_view word, const std::string& language) {
    const std::string small = text::small_letters(word, language);
    std::size_t second = 0;
    const int32_t first = text::next_character(small, second);
    if (!text::is_lower(first)) return false;
    return model.score(text::capital_letter(first, language) + small.substr(second)) > model.score(small);
}

}  // namespace

std::string language_of(const Plan& plan, const Sentence& sentence) {
    if (!sentence.language.empty()) return sentence.language;
    if (!plan.finds_language() && !plan.text.source_language.empty()) return plan.text.source_language;
    const spec::Languages& languages = plan.model.info().languages;
    const spec::Language* named = languages.find_target(plan.text.target_language);
    const spec::LanguageTag to = sentence.target_language.known() || !named ? sentence.target_language : named->tag;
    if (!to.known() || languages.source.size() > 2) return {};
    for (const spec::Language& language : languages.source)
        if (language.tag.language() != to.language()) return language.code;
    return {};
}

std::vector<text::Range> likely_nouns(const Model& model, std::string_view text, const std::string& language) {
    if (!text::language_rules(language).capital_nouns) return {};
    std::vector<text::Range> found;
    for (const text::Range& word : text::words(text))
        if (text::is_spoken(text::part(text, word)) && is_likely_noun(model, text::part(text, word), language))
            found.push_back(word);
    return found;
}

}  // namespace dragoman::pipeline
