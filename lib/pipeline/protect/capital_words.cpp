// SPDX-License-Identifier: Apache-2.0
#include "pipeline/protect/capital_words.h"

#include <utility>

#include "pipeline/model/model_info.h"
#include "spec/prompt.h"
#include "text/capitals.h"
#include "text/language_rules.h"
#include "text/words.h"

namespace dragoman::pipeline {
namespace {

// Log-probabilities of the capitalised form relative to the small one.
constexpr double kNoLess = -0.5;    // where both are as likely, it is a rare noun
constexpr double kReadable = -20.0;  // an unknown character costs more

bool likes_capital(const Model& model, std::string_view word, const std::string& language, double least) {
    const std::string small = text::small_letters(word, language);
    std::size_t second = 0;
    const int32_t first = text::next_character(small, second);
    if (!text::is_lower(first)) return false;
    const auto with = model.score(text::capital_letter(first, language) + small.substr(second));
    const auto without = model.score(small);
    return with && without && *with > *without + least;
}

bool ends_like_a_sentence(std::string_view text) {
    const std::string_view own = text::part(text, text::trim(text, {0, text.size()}));
    return !own.empty() && std::string_view(".!?").find(own.back()) != std::string_view::npos;
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

std::vector<text::Range> capital_words(const Model& model, std::string_view text, const std::string& language) {
    if (!text::language_rules(language).capital_nouns) return {};
    std::vector<text::Range> found;
    bool begins = ends_like_a_sentence(text);
    for (const text::Range& range : text::words(text)) {
        const std::string_view word = text::part(text, range);
        if (!text::is_spoken(word)) continue;
        if (likes_capital(model, word, language, std::exchange(begins, false) ? kReadable : kNoLess))
            found.push_back(range);
    }
    return found;
}

}  // namespace dragoman::pipeline
