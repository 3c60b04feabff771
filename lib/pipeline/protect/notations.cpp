// SPDX-License-Identifier: Apache-2.0
#include "pipeline/protect/notations.h"

#include "pipeline/model/model_info.h"
#include "pipeline/protect/capital_words.h"
#include "spec/prompt.h"

namespace dragoman::pipeline {
namespace {

std::string target_language_of(const Plan& plan, const Sentence& sentence) {
    if (sentence.target_language.known()) return sentence.target_language.str();
    const spec::Languages& languages = plan.model.info().languages;
    if (!plan.text.target_language.empty()) {
        const spec::Language* named = plan.model.find_target(plan.text.target_language);
        return named && named->tag.known() ? named->tag.str() : plan.text.target_language;
    }
    return languages.target.size() == 1 ? languages.target.front().tag.str() : std::string();
}

}  // namespace

text::NumberNotations notations_of(const Plan& plan, const Sentence& sentence) {
    return {text::number_notation(language_of(plan, sentence)),
            text::number_notation(target_language_of(plan, sentence))};
}

}  // namespace dragoman::pipeline
