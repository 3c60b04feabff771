// SPDX-License-Identifier: Apache-2.0
#include "translate/text_translator.h"

#include "translate/text_plan.h"

namespace dragoman::translate {

namespace {
constexpr std::size_t kTokensPerCall = 1u << 18;  // so that memory does not grow with the texts
}

std::vector<TextResult> translate_texts(Translator& translator, std::span<const Text> texts,
                                        const TextOptions& text_options, const TranslateOptions& options,
                                        const Progress& progress) {
    TextPlan plan(translator.model(), texts, text_options, options);
    translator.translate({}, options);  // checks the options before the work
    for (std::size_t units_done = 0; plan.prepare(kTokensPerCall); units_done = plan.prepared_units()) {
        Progress inner;
        if (progress)
            inner = [&](std::size_t done, std::size_t total) {
                return progress(units_done + (plan.prepared_units() - units_done) * done / total, plan.units());
            };
        std::vector<Result> results = translator.translate(plan.requests(), options, inner);
        for (std::size_t i = 0; i < results.size(); ++i) plan.finish(i, std::move(results[i]));
    }
    return plan.assemble();
}

}  // namespace dragoman::translate
