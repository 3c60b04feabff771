// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/keys.h"

namespace dragoman::families {
namespace {

using enum KeyUse;

constexpr std::string_view kBoth = " bert xlm-roberta ";
constexpr std::string_view kEncoderTraining = "training only";
constexpr std::string_view kEncoderHeads = "heads of other tasks";
constexpr std::string_view kEncoderOutputs = "what Python gets back";
constexpr std::string_view kStorage = "how transformers stores and compiles, not what it computes";
constexpr std::string_view kEncoderRecord = "a record of where the file comes from";
constexpr std::string_view kEncoderOld = "of the first BERT's own files; the checkpoint decides";

constexpr KeyRule kEncoderRules[] = {
    {kBoth, false, heeded, "model_type", "", "the family"},
    {kBoth, false, heeded, "architectures", "", "one must be a whole encoder"},
    {kBoth, false, heeded, "vocab_size", "", ""},
    {kBoth, false, heeded, "hidden_size", "", ""},
    {kBoth, false, heeded, "num_hidden_layers", "", ""},
    {kBoth, false, heeded, "num_attention_heads", "", ""},
    {kBoth, false, heeded, "intermediate_size", "", ""},
    {kBoth, false, heeded, "hidden_act", "", ""},
    {kBoth, false, heeded, "max_position_embeddings", "", ""},
    {kBoth, false, heeded, "type_vocab_size", "", "checked only: texts are of the first type"},
    {kBoth, false, heeded, "layer_norm_eps", "", ""},
    {" xlm-roberta ", true, heeded, "pad_token_id", "", "positions begin behind it"},
    {kBoth, false, refused, "position_embedding_type", "[\"absolute\"]", ""},
    {kBoth, false, refused, "is_decoder", "[false]", ""},
    {kBoth, false, refused, "is_encoder_decoder", "[false]", ""},
    {kBoth, false, refused, "add_cross_attention", "[false]", ""},
    {kBoth, false, refused, "tie_encoder_decoder", "[false]", ""},
    {kBoth, false, refused, "pruned_heads", "[{}]", ""},
    {kBoth, false, refused, "per_layer_config", "[{}]", ""},
    {kBoth, false, refused, "quantization_config", "[]", ""},
    {kBoth, false, refused, "embedding_size", "hidden_size", "another width is ELECTRA's"},
    {kBoth, false, ignored, "tie_word_embeddings", "", kEncoderHeads},
    {kBoth, false, ignored, "tokenizer_class", "", "tokenizer_config.json says it"},
    {kBoth, false, ignored, "prefix", "", "only pipelines of transformers use it"},
    {kBoth, false, ignored, "task_specific_params", "", "only pipelines of transformers use it"},
    {kBoth, false, ignored, "hidden_dropout_prob", "", kEncoderTraining},
    {kBoth, false, ignored, "attention_probs_dropout_prob", "", kEncoderTraining},
    {kBoth, false, ignored, "initializer_range", "", kEncoderTraining},
    {kBoth, false, ignored, "gradient_checkpointing", "", kEncoderTraining},
    {kBoth, false, ignored, "classifier_dropout", "", kEncoderHeads},
    {kBoth, false, ignored, "problem_type", "", kEncoderHeads},
    {kBoth, false, ignored, "id2label", "", kEncoderHeads},
    {kBoth, false, ignored, "label2id", "", kEncoderHeads},
    {kBoth, false, ignored, "num_labels", "", kEncoderHeads},
    {kBoth, false, ignored, "_num_labels", "", kEncoderHeads},
    {kBoth, false, ignored, "finetuning_task", "", kEncoderHeads},
    {kBoth, false, ignored, "return_dict", "", kEncoderOutputs},
    {kBoth, false, ignored, "output_past", "", kEncoderOutputs},
    {kBoth, false, ignored, "_output_attentions", "", kEncoderOutputs},
    {kBoth, false, ignored, "tie_last_hidden_states", "", kEncoderOutputs},
    {kBoth, false, ignored, "chunk_size_feed_forward", "", kStorage},
    {kBoth, false, ignored, "torchscript", "", kStorage},
    {kBoth, false, ignored, "attn_implementation", "", kStorage},
    {kBoth, false, ignored, "_attn_implementation", "", kStorage},
    {kBoth, false, ignored, "_attn_implementation_internal", "", kStorage},
    {kBoth, false, ignored, "_experts_implementation_internal", "", kStorage},
    {kBoth, false, ignored, "dtype", "", "weights say their type themselves"},
    {kBoth, false, ignored, "torch_dtype", "", "weights say their type themselves"},
    {kBoth, false, ignored, "use_bfloat16", "", "weights say their type themselves"},
    {kBoth, false, ignored, "_name_or_path", "", kEncoderRecord},
    {kBoth, false, ignored, "name_or_path", "", kEncoderRecord},
    {kBoth, false, ignored, "_commit_hash", "", kEncoderRecord},
    {kBoth, false, ignored, "_post_init_done", "", kEncoderRecord},
    {kBoth, false, ignored, "sep_token_id", "", "tokenizer_config.json says it"},
    {kBoth, false, ignored, "directionality", "", kEncoderOld},
    {kBoth, false, ignored, "pooler_fc_size", "", kEncoderOld},
    {kBoth, false, ignored, "pooler_num_attention_heads", "", kEncoderOld},
    {kBoth, false, ignored, "pooler_num_fc_layers", "", kEncoderOld},
    {kBoth, false, ignored, "pooler_size_per_head", "", kEncoderOld},
    {kBoth, false, ignored, "pooler_type", "", kEncoderOld},
};

}  // namespace

std::span<const KeyRule> huggingface_encoder_keys() { return kEncoderRules; }

}  // namespace dragoman::families
