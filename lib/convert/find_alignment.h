// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/model/model.h"
#include "spec/transformer_config.h"

namespace dragoman::convert {

// Heads whose attention aligns words.
struct AlignmentHeads {
    uint32_t layer = 0;                 // of the decoder, from 0
    uint32_t head = 0;                  // from 0; with all_heads: 0
    bool all_heads = false;             // the mean of the layer's heads
    bool next_step = false;             // attention of the step that reads a token, not of the one that writes it
    float agreement = 0;                // how well its links agree with what words alone tell, 0 to 1
};

struct FindAlignment {
    std::string text;  // in a language that the model translates; a hundred sentences are enough
    std::string source_language, target_language;
};

// Every layer and head, the best first. The model translates the text, and its attention is compared with the word
// alignment learned from the sentences and their translations (text/lexical_alignment.h). Throws invalid_argument (no
// words; what translating throws), unsupported for a model without tokenizer or cross-attention.
std::vector<AlignmentHeads> find_alignment(const std::shared_ptr<const pipeline::Model>& model,
                                           const FindAlignment& by);

void set_alignment(spec::TransformerConfig& config, const AlignmentHeads& heads);

}  // namespace dragoman::convert
