// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/encoder.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kOldBert = "of the first BERT's own files; the checkpoint decides";

constexpr KeyRule kEncoderKeys[] = {
    heeded("architectures", "one must be a whole encoder"),
    heeded("hidden_size"),
    heeded("num_hidden_layers"),
    heeded("num_attention_heads"),
    heeded("intermediate_size"),
    heeded("hidden_act"),
    heeded("max_position_embeddings"),
    heeded("type_vocab_size", "checked only: texts are of the first type"),
    heeded("layer_norm_eps"),
    refused("position_embedding_type", "[\"absolute\"]"),
    refused("is_decoder", "[false]"),
    refused("is_encoder_decoder", "[false]"),
    refused("add_cross_attention", "[false]"),
    refused("embedding_size", "hidden_size", "another width is ELECTRA's"),
    ignored("tie_word_embeddings", kHeads),
    ignored("prefix", "only pipelines of transformers use it"),
    ignored("task_specific_params", "only pipelines of transformers use it"),
    ignored("hidden_dropout_prob", kTraining),
    ignored("attention_probs_dropout_prob", kTraining),
    ignored("initializer_range", kTraining),
    ignored("sep_token_id", "tokenizer_config.json says it"),
    ignored("directionality", kOldBert),
    ignored("pooler_fc_size", kOldBert),
    ignored("pooler_num_attention_heads", kOldBert),
    ignored("pooler_num_fc_layers", kOldBert),
    ignored("pooler_size_per_head", kOldBert),
    ignored("pooler_type", kOldBert),
};

}  // namespace

KeyRules encoder_keys() { return kEncoderKeys; }

}  // namespace dragoman::families
