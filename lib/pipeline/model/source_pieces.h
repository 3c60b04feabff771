// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "pipeline/model/model.h"
#include "spec/prompt.h"
#include "text/characters.h"
#include "text/normalize.h"

namespace dragoman::pipeline {

// What the model's tokenizer gets of a text: the text itself where there is no encoder or no decoder, since tokenizers
// of such models normalise as in training, and where it is to be read raw; otherwise its normal form.
text::Normalized normalized(const Model& model, std::string_view text, bool raw = false);

// The model's tokens for a stretch of a text, including a prompt around it, but not what begins and ends every source
// (Model::add_source_bos(), add_source_eos()).
struct SourcePieces {
    std::vector<std::string> tokens;
    std::vector<text::Range> ranges;  // the bytes of the text that each stands for; the prompt's stand for none
    std::size_t before = 0, after = 0;  // how many of the first and of the last ones are the prompt's
};
SourcePieces source_pieces(const Model& model, std::string_view text, text::Range body, const spec::Prompt& prompt,
                           bool raw = false);

}  // namespace dragoman::pipeline
