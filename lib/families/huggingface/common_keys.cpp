// SPDX-License-Identifier: Apache-2.0
// Keys that a family need not state itself.
#include "families/huggingface/keys.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kAssisted = "drafts of an assistant, which only calls of Python have";
constexpr std::string_view kOld = "of older versions; transformers passes over it, the family decides";

constexpr KeyRule kEverywhereKeys[] = {
    heeded("model_type", "the family"),
    heeded("vocab_size"),
    refused("tie_encoder_decoder", "[false]"),
    refused("pruned_heads", "[{}]"),
    refused("per_layer_config", "[{}]"),
    refused("quantization_config", "[]", "get the weights as they were before"),
    heeded("tokenizer_class", "where tokenizer_config.json does not say it"),
    ignored("gradient_checkpointing", kTraining),
    ignored("tf_legacy_loss", kTraining),
    ignored("cross_attention_hidden_size", "only classes that join two models look at it"),
    ignored("classifier_dropout", kHeads),
    ignored("problem_type", kHeads),
    ignored("id2label", kHeads),
    ignored("label2id", kHeads),
    ignored("num_labels", kHeads),
    ignored("_num_labels", kHeads),
    ignored("finetuning_task", kHeads),
    ignored("return_dict", kOutputs),
    ignored("tie_last_hidden_states", kOutputs),
    ignored("output_past", kOutputs),
    ignored("chunk_size_feed_forward", kStorage),
    ignored("torchscript", kStorage),
    ignored("attn_implementation", kStorage),
    ignored("_attn_implementation", kStorage),
    ignored("_attn_implementation_internal", kStorage),
    ignored("_experts_implementation_internal", kStorage),
    ignored("dtype", "weights say their type themselves"),
    ignored("torch_dtype", "weights say their type themselves"),
    ignored("use_bfloat16", "weights say their type themselves"),
    ignored("name_or_path", kRecord),
    of_generation(ignored("_commit_hash", kRecord)),
    ignored("_output_attentions", kOutputs),
    ignored("_post_init_done", kRecord),
};

constexpr KeyRule kCommonKeys[] = {
    heeded("architectures", "one must be a whole model for texts"),
    ignored("dropout", kTraining),
    ignored("dropout_rate", kTraining),
    ignored("attention_dropout", kTraining),
    ignored("activation_dropout", kTraining),
    ignored("encoder_layerdrop", kTraining),
    ignored("decoder_layerdrop", kTraining),
    ignored("init_std", kTraining),
    ignored("initializer_factor", kTraining),
    ignored("classif_dropout", kHeads),
    ignored("save_step", kRecord),
    ignored("sep_token_id", "not used by these families"),
    ignored("add_bias_logits", kOld),
    ignored("add_final_layer_norm", kOld),
    ignored("normalize_before", kOld),
    ignored("normalize_embedding", kOld),
    ignored("static_position_embeddings", kOld),
    ignored("extra_pos_embeddings", kOld),
    ignored("force_bos_token_to_be_generated", kOld),
};

constexpr auto kGenerationKeys = of_generation({
    heeded("eos_token_id", "one or several"),
    heeded("forced_eos_token_id", "one"),
    heeded("num_beams"),
    heeded("length_penalty"),
    heeded("early_stopping"),
    heeded("max_length", "of decoders alone with the beginning"),
    heeded("max_new_tokens", "instead of max_length"),
    heeded("min_length", "of decoders alone with the beginning"),
    heeded("min_new_tokens", "instead of min_length"),
    heeded("repetition_penalty"),
    heeded("no_repeat_ngram_size"),
    heeded("bad_words_ids"),
    heeded("suppress_tokens"),
    heeded("renormalize_logits"),
    heeded("do_sample", "with one beam"),
    heeded("temperature"),
    heeded("top_k"),
    heeded("top_p"),
    heeded("min_p"),
    refused("top_h", "[]"),
    refused("typical_p", "[1]"),
    refused("epsilon_cutoff", "[0]"),
    refused("eta_cutoff", "[0]"),
    refused("penalty_alpha", "[0]"),
    refused("dola_layers", "[]"),
    refused("num_beam_groups", "[1]"),
    refused("diversity_penalty", "[0]"),
    refused("constraints", "[[]]"),
    refused("force_words_ids", "[[]]"),
    refused("forced_decoder_ids", "[[]]"),
    refused("generation_kwargs", "[{}]"),
    refused("sequence_bias", "[[], {}]"),
    refused("encoder_repetition_penalty", "[1]"),
    refused("encoder_no_repeat_ngram_size", "[0]"),
    refused("exponential_decay_length_penalty", "[]"),
    refused("guidance_scale", "[1]"),
    refused("watermarking_config", "[]"),
    refused("token_healing", "[false]"),
    refused("stop_strings", "[[]]"),
    refused("max_time", "[]"),
    ignored("remove_invalid_values", "logits are finite"),
    ignored("num_return_sequences", "the caller says how many"),
    ignored("return_dict_in_generate", kOutputs),
    ignored("output_attentions", kOutputs),
    ignored("output_hidden_states", kOutputs),
    ignored("output_scores", kOutputs),
    ignored("output_logits", kOutputs),
    ignored("low_memory", kStorage),
    ignored("use_cache", kStorage),
    ignored("cache_implementation", kStorage),
    ignored("cache_config", kStorage),
    ignored("max_cache_len", kStorage),
    ignored("prefill_chunk_size", kStorage),
    ignored("compile_config", kStorage),
    ignored("disable_compile", kStorage),
    ignored("continuous_batching_config", kStorage),
    ignored("is_assistant", kAssisted),
    ignored("assistant_confidence_threshold", kAssisted),
    ignored("assistant_early_exit", kAssisted),
    ignored("assistant_ensemble_weight", kAssisted),
    ignored("assistant_lookbehind", kAssisted),
    ignored("target_lookbehind", kAssisted),
    ignored("num_assistant_tokens", kAssisted),
    ignored("num_assistant_tokens_schedule", kAssisted),
    ignored("prompt_lookup_num_tokens", kAssisted),
    ignored("max_matching_ngram_size", kAssisted),
    ignored("speculation_type", kAssisted),
    ignored("use_mtp", kAssisted),
    ignored("transformers_version", kRecord),
    ignored("_from_model_config", kRecord),
});

constexpr KeyRule kTranslatorKeys[] = {
    refused("is_encoder_decoder", "[true]"),
    refused("is_decoder", "[false]"),
    heeded("alignment_layer", "of the decoder, from 0; absent: the last"),
    heeded("alignment_first_head", "from 0"),
    heeded("alignment_heads", "the mean of so many; 0: of all; absent: 1"),
    heeded("alignment_next_step", "a token's weights are those of the step that reads it"),
    ignored("n_positions", kOld),
    ignored("add_cross_attention", kOld),
    of_generation(heeded("decoder_start_token_id",
                         "absent: 2 in M2M-100 and BART, 0 in mT5 and UMT5, padding in T5; Marian needs it")),
    of_generation(heeded("forced_bos_token_id")),
    of_generation(heeded("begin_suppress_tokens", "refused where a translation begins with its language")),
};

constexpr KeyRule kNameKeys[] = {ignored("_name_or_path", kRecord)};

}  // namespace

KeyRules name_keys() { return kNameKeys; }

KeyRules everywhere_keys() { return kEverywhereKeys; }

KeyRules common_keys() { return kCommonKeys; }

KeyRules generation_keys() { return kGenerationKeys; }

KeyRules translator_keys() { return kTranslatorKeys; }

}  // namespace dragoman::families
