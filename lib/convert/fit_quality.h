// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/model/model.h"
#include "spec/quality_weights.h"

namespace dragoman::convert {

// Examples for a logistic regression: `width` features each, the first of which is 1, and the score wanted.
struct Examples {
    std::size_t width = 0;
    std::vector<float> features{};
    std::vector<float> wanted{};  // between 0 and 1

    std::size_t count() const { return wanted.size(); }
    void add(std::span<const float> more, float score);
};

// Weights of least cross entropy, by Newton's method on features scaled to a deviation of 1. A penalty of a tenth of an
// example's square keeps the weights of uninformative features small.
std::vector<float> fit_logistic(const Examples& examples);

struct FitQuality {
    // Lines: a source, a tab, its human translation, and optionally a tab and the target language. At least 200.
    std::string pairs;
    std::string source_language, target_language;  // for lines that do not name it
};

// Fits weights for this model: it translates the sources greedily, and what the search knows of each word and sentence
// is compared with the references. Throws invalid_argument (lines that are no pairs, too few lines; what translating
// throws), unsupported for a model without tokenizer or encoder.
spec::QualityWeights fit_quality(const std::shared_ptr<const pipeline::Model>& model, const FitQuality& by);

}  // namespace dragoman::convert
