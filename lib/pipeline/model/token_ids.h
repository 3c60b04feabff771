// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/model/model.h"
#include "pipeline/model/options.h"

namespace dragoman::pipeline {

// Ids including the special tokens that the model needs, cut to max_length (0: no limit) so that a final EOS, or EOS
// and language code, keeps its place. Throws invalid_argument for invalid UTF-8 and for more tokens than the model has
// positions.
std::vector<uint32_t> source_ids(const Model& model, const Tokens& source, uint32_t max_length, std::size_t input);

// Ids for a decoder-only model to continue, its start token first; nothing is continued from the token that begins
// texts. Throws invalid_argument as above.
std::vector<uint32_t> beginning_ids(const Model& model, const Tokens& beginning, std::size_t input);

// Target ids with the decoder's start token first (the caller's first token when the model names none; no start token
// for a decoder-only model) and, for scoring, EOS last; cut as above.
std::vector<uint32_t> target_ids(const Model& model, const Tokens& target, bool add_eos, uint32_t max_length,
                                 std::size_t input);

// The number of the prompt's tokens that a hypothesis begins with; the target's start token does not count.
std::size_t forced_tokens(const Model& model, const spec::Prompt& prompt);

}  // namespace dragoman::pipeline
