// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/tokenizer_steps.h"
#include "text/normalizer_steps.h"
#include "text/split_steps.h"

namespace dragoman::text {

// A word that a tokenizer's model gets, or a token that the file adds.
struct PreparedWord {
    std::string text;
    std::vector<Range> sources;  // of its bytes, in the text that was given
    bool added = false;          // the text is a token
};

// The steps of a tokenizer.json before its model. Immutable: any number of threads may use one.
class StepWords {
public:
    // Throws bad_model and unsupported for rules and expressions that cannot be read.
    explicit StepWords(const spec::TokenizerSteps& steps);
    // The text must be UTF-8.
    std::vector<PreparedWord> words(std::string_view text) const;

private:
    struct Added {
        spec::AddedWord word;
        std::vector<int32_t> characters;
    };
    struct Section {
        StepWord word;
        const Added* added = nullptr;
    };
    static std::vector<Section> find(const std::vector<Added>& wanted, const StepWord& in);
    StepText normalized(StepText text) const;

    std::vector<TextStep> normalizers_;
    std::vector<WordStep> splits_;
    std::vector<Added> plain_, normalized_;  // the longest first
};

}  // namespace dragoman::text
