// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/encoder.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kOldBert = "of the first BERT's own files; the checkpoint decides";

constexpr KeyRule kEncoderKeys[] = {
    heeded("model_type", "the family"),
    heeded("architectures", "one must be a whole encoder"),
    heeded("vocab_size"),
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
    refused("tie_encoder_decoder", "[false]"),
    refused("pruned_heads", "[{}]"),
    refused("per_layer_config", "[{}]"),
    refused("quantization_config", "[]"),
    refused("embedding_size", "hidden_size", "another width is ELECTRA's"),
    ignored("tie_word_embeddings", kHeads),
    ignored("tokenizer_class", "tokenizer_config.json says it"),
    ignored("prefix", "only pipelines of transformers use it"),
    ignored("task_specific_params", "only pipelines of transformers use it"),
    ignored("hidden_dropout_prob", kTraining),
    ignored("attention_probs_dropout_prob", kTraining),
    ignored("initializer_range", kTraining),
    ignored("gradient_checkpointing", kTraining),
    ignored("classifier_dropout", kHeads),
    ignored("problem_type", kHeads),
    ignored("id2label", kHeads),
    ignored("label2id", kHeads),
    ignored("num_labels", kHeads),
    ignored("_num_labels", kHeads),
    ignored("finetuning_task", kHeads),
    ignored("return_dict", kOutputs),
    ignored("output_past", kOutputs),
    ignored("_output_attentions", kOutputs),
    ignored("tie_last_hidden_states", kOutputs),
    ignored("chunk_size_feed_forward", kStorage),
    ignored("torchscript", kStorage),
    ignored("attn_implementation", kStorage),
    ignored("_attn_implementation", kStorage),
    ignored("_attn_implementation_internal", kStorage),
    ignored("_experts_implementation_internal", kStorage),
    ignored("dtype", "weights say their type themselves"),
    ignored("torch_dtype", "weights say their type themselves"),
    ignored("use_bfloat16", "weights say their type themselves"),
    ignored("_name_or_path", kRecord),
    ignored("name_or_path", kRecord),
    ignored("_commit_hash", kRecord),
    ignored("_post_init_done", kRecord),
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
