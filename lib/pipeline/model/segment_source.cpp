// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/segment_source.h"

#include "pipeline/model/model_info.h"
#include "spec/prompt.h"

namespace dragoman::pipeline {

spec::LanguageTag segment_source(const Plan& plan, const spec::LanguageTag& target) {
    if (plan.matched_source.known() || plan.finds_language() || !target.known()) return plan.matched_source;
    spec::LanguageTag other;
    for (const spec::Language& language : plan.model.info().languages.source) {
        if (language.tag.language() == target.language()) continue;
        if (other.known()) return {};
        other = language.tag;
    }
    return other;
}

}  // namespace dragoman::pipeline
