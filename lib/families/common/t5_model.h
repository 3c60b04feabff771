// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/tokenizer_json.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Common to T5 and its relatives (mT5, UMT5, MADLAD-400), whatever their files are.

// A stack without positions, attention without scale, RMS norm before each sub-layer and at the end.
spec::StackConfig t5_stack(bool decoder);
// Checks that buckets and distances of the relative bias are consistent; `file` is for messages. Throws bad_model.
void check_t5_bias(const std::string& file, const spec::TransformerConfig& config);

// The tensors of a model under the names in its file.
struct T5Tensors {
    enum class Names : uint8_t { huggingface, gguf } names;
    std::function<bool(const std::string&)> has;
    std::function<spec::HostTensor(const std::string&, const std::vector<uint32_t>& shape)> read;
};
// Fills spec.weights with what spec.config needs. A missing embedding or projection, or one equal to another, shares
// that one's data.
void take_t5_weights(const T5Tensors& tensors, spec::ModelSpec& spec);

// Sets the vocabulary of both sides to a tokenizer's pieces, and tokens added after or among them: `rows` tokens.
// Tokens that are no pieces become some; rows without a token are symbols that no text shows. Throws bad_model.
void set_t5_vocabulary(const FileBytes& sentencepiece, std::vector<formats::AddedToken> added, uint32_t rows,
                       spec::ModelSpec& spec);
// T5's sentinels: <extra_id_0> is the last of `count` tokens after `pieces`; no more than fit into `rows`.
std::vector<formats::AddedToken> t5_sentinels(uint32_t pieces, uint32_t count, uint32_t rows);

// A task's words before a text: "translate English to German: ".
struct T5Task {
    std::string from, to, prefix;
};
// Sets how the model is given its languages: by MADLAD's tokens "<2de>" where its vocabulary has them, otherwise by
// `tasks`. Texts whose languages are not given are unchanged. Needs vocabularies and end token.
void set_t5_prompts(const std::vector<T5Task>& tasks, const std::vector<formats::AddedToken>& added,
                    spec::ModelSpec& spec);
// The tasks that the first T5 models were trained on; none where the vocabulary is not T5's own, since such a model was
// trained on other ones.
std::vector<T5Task> usual_t5_tasks(std::span<const std::string> tokens);

// Completes vocabulary and prompts of a model whose files have only tokens and perhaps a SentencePiece model.
void complete_t5_texts(spec::ModelSpec& spec);

}  // namespace dragoman::families
