// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/keys.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"

namespace dragoman::families {
namespace {

using nlohmann::json;
using enum KeyUse;

constexpr std::size_t kMostNamed = 20;  // keys in a line of the log

constexpr std::string_view kAll = " marian m2m_100 mbart bart t5 mt5 umt5 gpt2 xglm opt ";
constexpr std::string_view kTranslators = " marian m2m_100 mbart bart t5 mt5 umt5 ";
constexpr std::string_view kAlone = " gpt2 xglm opt ";
constexpr std::string_view kBarts = " marian m2m_100 mbart bart ";
constexpr std::string_view kT5s = " t5 mt5 umt5 ";
constexpr std::string_view kNotBart = " marian m2m_100 mbart t5 mt5 umt5 ";

constexpr std::string_view kTraining = "training only";
constexpr std::string_view kOutputs = "what Python gets back";
constexpr std::string_view kHeads = "heads of other tasks";
constexpr std::string_view kCaches = "how transformers stores and compiles, not what it computes";
constexpr std::string_view kAssisted = "drafts of an assistant, which only calls of Python have";
constexpr std::string_view kRecord = "a record of where the file comes from";
constexpr std::string_view kOld = "of older versions; transformers passes over it, the family decides";

constexpr KeyRule kRules[] = {
    // The network.
    {kAll, false, heeded, "model_type", "", "the family"},
    {kAll, false, heeded, "architectures", "", "one must be a whole model for texts"},
    {kAll, false, heeded, "vocab_size", "", ""},
    {" marian m2m_100 mbart bart t5 mt5 umt5 xglm ", false, heeded, "d_model", "", ""},
    {" marian ", false, heeded, "decoder_vocab_size", "", "with share_encoder_decoder_embeddings false"},
    {" marian ", false, heeded, "share_encoder_decoder_embeddings", "", ""},
    {" marian m2m_100 mbart bart gpt2 xglm opt ", false, heeded, "tie_word_embeddings", "", ""},
    {" t5 ", false, heeded, "tie_word_embeddings", "", "also whether the output is scaled"},
    {" umt5 ", false, heeded, "tie_word_embeddings", "", "whether the output is scaled; transformers 5 always does it"},
    {" mt5 ", false, ignored, "tie_word_embeddings", "", "transformers ties whatever the file says"},
    {kBarts, false, heeded, "encoder_layers", "", ""},
    {kBarts, false, heeded, "decoder_layers", "", ""},
    {kBarts, false, heeded, "encoder_attention_heads", "", ""},
    {kBarts, false, heeded, "decoder_attention_heads", "", ""},
    {kBarts, false, heeded, "encoder_ffn_dim", "", ""},
    {kBarts, false, heeded, "decoder_ffn_dim", "", ""},
    {" marian m2m_100 mbart bart gpt2 xglm opt ", false, heeded, "activation_function", "", ""},
    {" marian m2m_100 mbart bart xglm ", false, heeded, "scale_embedding", "", ""},
    {" marian m2m_100 mbart bart xglm opt ", false, heeded, "max_position_embeddings", "",
     "M2M-100 and XGLM: checked only, positions go on"},
    {kT5s, false, heeded, "d_kv", "", ""},
    {kT5s, false, heeded, "d_ff", "", ""},
    {kT5s, false, heeded, "num_layers", "", ""},
    {kT5s, false, heeded, "num_decoder_layers", "", ""},
    {kT5s, false, heeded, "num_heads", "", ""},
    {kT5s, false, heeded, "relative_attention_num_buckets", "", ""},
    {kT5s, false, heeded, "relative_attention_max_distance", "", ""},
    {kT5s, false, heeded, "feed_forward_proj", "", ""},
    {kT5s, false, heeded, "layer_norm_epsilon", "", ""},
    {" t5 ", false, heeded, "scale_decoder_outputs", "", ""},
    {kT5s, false, ignored, "dense_act_fn", "", "transformers takes it from feed_forward_proj"},
    {kT5s, false, ignored, "is_gated_act", "", "transformers takes it from feed_forward_proj"},
    {" gpt2 ", false, heeded, "n_embd", "", ""},
    {" gpt2 ", false, heeded, "n_layer", "", ""},
    {" gpt2 ", false, heeded, "n_head", "", ""},
    {" gpt2 ", false, heeded, "n_inner", "", ""},
    {" gpt2 ", false, heeded, "n_positions", "", ""},
    {" gpt2 ", false, heeded, "layer_norm_epsilon", "", ""},
    {" gpt2 ", false, heeded, "scale_attn_weights", "", ""},
    {" gpt2 ", false, refused, "scale_attn_by_inverse_layer_idx", "[false]", ""},
    {" gpt2 ", false, ignored, "reorder_and_upcast_attn", "", "sums are float32 anyway"},
    {" xglm ", false, heeded, "num_layers", "", ""},
    {" xglm ", false, heeded, "attention_heads", "", ""},
    {" xglm opt ", false, heeded, "ffn_dim", "", ""},
    {" opt ", false, heeded, "hidden_size", "", ""},
    {" opt ", false, heeded, "num_hidden_layers", "", ""},
    {" opt ", false, heeded, "num_attention_heads", "", ""},
    {" opt ", false, heeded, "do_layer_norm_before", "", ""},
    {" opt ", false, heeded, "_remove_final_layer_norm", "", ""},
    {" opt ", false, heeded, "enable_bias", "", ""},
    {" opt ", false, heeded, "word_embed_proj_dim", "", "must be equal to `hidden_size`"},
    {" opt ", false, refused, "layer_norm_elementwise_affine", "[true]", ""},
    {kAlone, false, refused, "add_cross_attention", "[false]", ""},
    {kAlone, false, refused, "is_encoder_decoder", "[false]", ""},
    {kAlone, false, ignored, "is_decoder", "", "they are decoders whatever it says"},
    {kTranslators, false, refused, "is_encoder_decoder", "[true]", ""},
    {kTranslators, false, refused, "is_decoder", "[false]", ""},
    {kAll, false, refused, "tie_encoder_decoder", "[false]", ""},
    {kAll, false, refused, "pruned_heads", "[{}]", ""},
    {kAll, false, refused, "per_layer_config", "[{}]", ""},
    {kAll, false, refused, "quantization_config", "[]", ""},
    {" marian m2m_100 mbart bart t5 mt5 umt5 xglm ", false, refused, "hidden_size", "d_model", "another name"},
    {" gpt2 ", false, refused, "hidden_size", "n_embd", "another name"},
    {" gpt2 ", false, refused, "num_hidden_layers", "n_layer", "another name"},
    {" gpt2 ", false, refused, "num_attention_heads", "n_head", "another name"},
    {" gpt2 ", false, refused, "max_position_embeddings", "n_positions", "another name"},
    {" xglm ", false, refused, "num_hidden_layers", "num_layers", "another name"},
    {" xglm ", false, refused, "num_attention_heads", "attention_heads", "another name"},
    {kBarts, false, refused, "num_hidden_layers", "encoder_layers", "another name"},
    {kBarts, false, refused, "num_attention_heads", "encoder_attention_heads", "another name"},
    {kT5s, false, refused, "num_hidden_layers", "num_layers", "another name"},
    {kT5s, false, refused, "num_attention_heads", "num_heads", "another name"},
    {kT5s, false, refused, "head_dim", "d_kv", "another name"},
    // Whose attention aligns words; keys of this library.
    {kTranslators, false, heeded, "alignment_layer", "", "of the decoder, from 0; absent: the last"},
    {kTranslators, false, heeded, "alignment_first_head", "", "from 0"},
    {kTranslators, false, heeded, "alignment_heads", "", "the mean of so many; 0: of all; absent: 1"},
    {kTranslators, false, heeded, "alignment_next_step", "", "a token's weights are those of the step that reads it"},
    // Texts.
    {kT5s, false, heeded, "prefix", "", "before a text, where the model has no languages"},
    {kT5s, false, heeded, "task_specific_params", "", "the prefixes; only pipelines of transformers use the others"},
    {" marian m2m_100 mbart bart gpt2 xglm opt ", false, ignored, "prefix", "",
     "only pipelines of transformers use it"},
    {" marian m2m_100 mbart bart gpt2 xglm opt ", false, ignored, "task_specific_params", "",
     "only pipelines of transformers use it"},
    {kAll, false, ignored, "tokenizer_class", "", "tokenizer_config.json says it"},
    // What changes no translation.
    {kAll, false, ignored, "dropout", "", kTraining},
    {kAll, false, ignored, "dropout_rate", "", kTraining},
    {kAll, false, ignored, "attention_dropout", "", kTraining},
    {kAll, false, ignored, "activation_dropout", "", kTraining},
    {kAll, false, ignored, "encoder_layerdrop", "", kTraining},
    {kAll, false, ignored, "decoder_layerdrop", "", kTraining},
    {kAll, false, ignored, "init_std", "", kTraining},
    {" xglm opt ", false, ignored, "layerdrop", "", kTraining},
    {" gpt2 ", false, ignored, "resid_pdrop", "", kTraining},
    {" gpt2 ", false, ignored, "embd_pdrop", "", kTraining},
    {" gpt2 ", false, ignored, "attn_pdrop", "", kTraining},
    {" gpt2 ", false, ignored, "initializer_range", "", kTraining},
    {kAll, false, ignored, "initializer_factor", "", kTraining},
    {kAll, false, ignored, "gradient_checkpointing", "", kTraining},
    {kAll, false, ignored, "classifier_dropout", "", kHeads},
    {kAll, false, ignored, "classif_dropout", "", kHeads},
    {kAll, false, ignored, "problem_type", "", kHeads},
    {" gpt2 ", false, ignored, "summary_type", "", kHeads},
    {" gpt2 ", false, ignored, "summary_use_proj", "", kHeads},
    {" gpt2 ", false, ignored, "summary_activation", "", kHeads},
    {" gpt2 ", false, ignored, "summary_proj_to_labels", "", kHeads},
    {" gpt2 ", false, ignored, "summary_first_dropout", "", kHeads},
    {kAll, false, ignored, "id2label", "", kHeads},
    {kAll, false, ignored, "label2id", "", kHeads},
    {kAll, false, ignored, "num_labels", "", kHeads},
    {kAll, false, ignored, "_num_labels", "", kHeads},
    {kAll, false, ignored, "finetuning_task", "", kHeads},
    {kAll, false, ignored, "return_dict", "", kOutputs},
    {kAll, false, ignored, "tie_last_hidden_states", "", kOutputs},
    {kAll, false, ignored, "output_past", "", kOutputs},
    {kAll, false, ignored, "chunk_size_feed_forward", "", kCaches},
    {kAll, false, ignored, "torchscript", "", kCaches},
    {kAll, false, ignored, "attn_implementation", "", kCaches},
    {kAll, false, ignored, "_attn_implementation", "", kCaches},
    {kAll, false, ignored, "_attn_implementation_internal", "", kCaches},
    {kAll, false, ignored, "_experts_implementation_internal", "", kCaches},
    {kAll, false, ignored, "dtype", "", "weights say their type themselves"},
    {kAll, false, ignored, "torch_dtype", "", "weights say their type themselves"},
    {kAll, false, ignored, "use_bfloat16", "", "weights say their type themselves"},
    {kAll, false, ignored, "_name_or_path", "", kRecord},
    {kAll, false, ignored, "name_or_path", "", kRecord},
    {kAll, false, ignored, "_commit_hash", "", kRecord},
    {kAll, false, ignored, "_output_attentions", "", kOutputs},
    {kAll, false, ignored, "_post_init_done", "", kRecord},
    {kAll, false, ignored, "save_step", "", kRecord},
    {kAll, false, ignored, "sep_token_id", "", "not used by these families"},
    {kTranslators, false, ignored, "n_positions", "", kOld},
    {" gpt2 ", false, ignored, "n_ctx", "", "n_positions says it"},
    {kAll, false, ignored, "add_bias_logits", "", kOld},
    {kAll, false, ignored, "add_final_layer_norm", "", kOld},
    {kAll, false, ignored, "normalize_before", "", kOld},
    {kAll, false, ignored, "normalize_embedding", "", kOld},
    {kAll, false, ignored, "static_position_embeddings", "", kOld},
    {kAll, false, ignored, "extra_pos_embeddings", "", kOld},
    {kAll, false, ignored, "force_bos_token_to_be_generated", "", kOld},
    {kTranslators, false, ignored, "add_cross_attention", "", kOld},
    // Special tokens.
    {kAll, true, heeded, "eos_token_id", "", "one or several"},
    {kTranslators, true, heeded, "decoder_start_token_id", "", ""},
    {kAlone, true, ignored, "decoder_start_token_id", "", "not used by these families"},
    {" bart ", true, heeded, "bos_token_id", "", "before the source"},
    {kAlone, true, heeded, "bos_token_id", "", "what a text without tokens begins with"},
    {kNotBart, true, ignored, "bos_token_id", "", "not used by these families"},
    {kT5s, true, heeded, "pad_token_id", "", "the start, where decoder_start_token_id is absent"},
    {" marian ", true, heeded, "pad_token_id", "", "not in texts"},
    {" m2m_100 mbart bart gpt2 xglm opt ", true, ignored, "pad_token_id", "", "nothing is padded"},
    {kTranslators, true, heeded, "forced_bos_token_id", "", ""},
    {kAlone, true, refused, "forced_bos_token_id", "[]", ""},
    {kAll, true, heeded, "forced_eos_token_id", "", "one"},
    // Search.
    {kAll, true, heeded, "num_beams", "", ""},
    {kAll, true, heeded, "length_penalty", "", ""},
    {kAll, true, heeded, "early_stopping", "", ""},
    {kAll, true, heeded, "max_length", "", "of decoders alone with the beginning"},
    {kAll, true, heeded, "max_new_tokens", "", "instead of max_length"},
    {kAll, true, heeded, "min_length", "", "of decoders alone with the beginning"},
    {kAll, true, heeded, "min_new_tokens", "", "instead of min_length"},
    {kAll, true, heeded, "repetition_penalty", "", ""},
    {kAll, true, heeded, "no_repeat_ngram_size", "", ""},
    {kAll, true, heeded, "bad_words_ids", "", ""},
    {kAll, true, heeded, "suppress_tokens", "", ""},
    {kAll, true, heeded, "renormalize_logits", "", ""},
    {kAll, true, heeded, "do_sample", "", "with one beam"},
    {kAll, true, heeded, "temperature", "", ""},
    {kAll, true, heeded, "top_k", "", ""},
    {kAll, true, heeded, "top_p", "", ""},
    {kAll, true, heeded, "min_p", "", ""},
    {kAll, true, refused, "top_h", "[]", ""},
    {kAll, true, refused, "typical_p", "[1]", ""},
    {kAll, true, refused, "epsilon_cutoff", "[0]", ""},
    {kAll, true, refused, "eta_cutoff", "[0]", ""},
    {kAll, true, refused, "penalty_alpha", "[0]", ""},
    {kAll, true, refused, "dola_layers", "[]", ""},
    {kAll, true, refused, "num_beam_groups", "[1]", ""},
    {kAll, true, refused, "diversity_penalty", "[0]", ""},
    {kAll, true, refused, "constraints", "[[]]", ""},
    {kAll, true, refused, "force_words_ids", "[[]]", ""},
    {kAll, true, refused, "begin_suppress_tokens", "[[]]", ""},
    {kAll, true, refused, "sequence_bias", "[[], {}]", ""},
    {kAll, true, refused, "encoder_repetition_penalty", "[1]", ""},
    {kAll, true, refused, "encoder_no_repeat_ngram_size", "[0]", ""},
    {kAll, true, refused, "exponential_decay_length_penalty", "[]", ""},
    {kAll, true, refused, "guidance_scale", "[1]", ""},
    {kAll, true, refused, "watermarking_config", "[]", ""},
    {kAll, true, refused, "token_healing", "[false]", ""},
    {kAll, true, refused, "stop_strings", "[[]]", ""},
    {kAll, true, refused, "max_time", "[]", ""},
    {kAll, true, ignored, "remove_invalid_values", "", "logits are finite"},
    {kAll, true, ignored, "num_return_sequences", "", "the caller says how many"},
    {kAll, true, ignored, "return_dict_in_generate", "", kOutputs},
    {kAll, true, ignored, "output_attentions", "", kOutputs},
    {kAll, true, ignored, "output_hidden_states", "", kOutputs},
    {kAll, true, ignored, "output_scores", "", kOutputs},
    {kAll, true, ignored, "output_logits", "", kOutputs},
    {kAll, true, ignored, "low_memory", "", kCaches},
    {kAll, true, ignored, "use_cache", "", kCaches},
    {kAll, true, ignored, "cache_implementation", "", kCaches},
    {kAll, true, ignored, "cache_config", "", kCaches},
    {kAll, true, ignored, "max_cache_len", "", kCaches},
    {kAll, true, ignored, "prefill_chunk_size", "", kCaches},
    {kAll, true, ignored, "compile_config", "", kCaches},
    {kAll, true, ignored, "disable_compile", "", kCaches},
    {kAll, true, ignored, "continuous_batching_config", "", kCaches},
    {kAll, true, ignored, "is_assistant", "", kAssisted},
    {kAll, true, ignored, "assistant_confidence_threshold", "", kAssisted},
    {kAll, true, ignored, "assistant_early_exit", "", kAssisted},
    {kAll, true, ignored, "assistant_ensemble_weight", "", kAssisted},
    {kAll, true, ignored, "assistant_lookbehind", "", kAssisted},
    {kAll, true, ignored, "target_lookbehind", "", kAssisted},
    {kAll, true, ignored, "num_assistant_tokens", "", kAssisted},
    {kAll, true, ignored, "num_assistant_tokens_schedule", "", kAssisted},
    {kAll, true, ignored, "prompt_lookup_num_tokens", "", kAssisted},
    {kAll, true, ignored, "max_matching_ngram_size", "", kAssisted},
    {kAll, true, ignored, "speculation_type", "", kAssisted},
    {kAll, true, ignored, "use_mtp", "", kAssisted},
    {kAll, true, ignored, "transformers_version", "", kRecord},
    {kAll, true, ignored, "_from_model_config", "", kRecord},
};

std::string written(const json& values) {
    std::vector<std::string> list;
    for (const json& value : values) list.push_back(formats::short_text(value));
    return list.empty() ? "null" : fmt::format("{}", fmt::join(list, " or "));
}

void refuse(const HuggingFaceSettings::File& file, const KeyRule& rule, const json& value) {
    const bool same = !rule.neutral.starts_with('[');
    fail(Status::unsupported, "{}: {} is not supported: expected {}{}, file has {}", file.file, rule.key,
         written(rule.neutral_values(file.values)), same ? fmt::format(" ({})", rule.neutral) : "",
         formats::short_text(value));
}

void warn(const std::string& file, std::vector<std::string> keys, std::string_view what) {
    if (keys.size() > kMostNamed) {
        keys.resize(kMostNamed);
        keys.emplace_back("...");
    }
    if (!keys.empty()) log(LogLevel::warning, "{}: {}: {}", file, fmt::join(keys, ", "), what);
}

}  // namespace

bool KeyRule::applies_to(std::string_view model) const {
    return models.find(fmt::format(" {} ", model)) != std::string_view::npos;
}

json KeyRule::neutral_values(const json& file) const {
    if (neutral.starts_with('[')) return json::parse(neutral);
    const auto found = file.find(neutral);
    return found == file.end() ? json::array() : json::array({*found});
}

bool KeyRule::is_neutral(const json& value, const json& file) const {
    if (value.is_null()) return true;
    for (const json& each : neutral_values(file))
        if (each == value) return true;
    return false;
}

std::span<const KeyRule> huggingface_keys() { return kRules; }

const KeyRule* find_huggingface_key(std::string_view model, std::string_view key) {
    static constexpr KeyRule kGeneratesNothing{
        " bert xlm-roberta ", true, ignored, "", "", "an encoder generates nothing"};
    if (kGeneratesNothing.applies_to(model)) {
        const auto own = std::ranges::find_if(huggingface_encoder_keys(), [&](const KeyRule& rule) {
            return rule.key == key && rule.applies_to(model);
        });
        if (own != huggingface_encoder_keys().end()) return &*own;
        const bool generation = std::ranges::any_of(
            kRules, [&](const KeyRule& rule) { return rule.key == key && rule.generation; });
        return generation ? &kGeneratesNothing : nullptr;
    }
    const auto found = std::ranges::find_if(
        kRules, [&](const KeyRule& rule) { return rule.key == key && rule.applies_to(model); });
    return found == std::end(kRules) ? nullptr : &*found;
}

void check_huggingface_keys(const HuggingFaceSettings& settings, std::string_view model) {
    const HuggingFaceSettings::File& config = settings.config();
    const HuggingFaceSettings::File* generation = settings.generation();
    std::vector<std::string> unknown, overruled;
    for (const auto& [key, value] : config.values.items()) {
        const KeyRule* rule = find_huggingface_key(model, key);
        if (!rule) {
            unknown.push_back(formats::short_text(key));
        } else if (rule->generation && generation && !is_special_token(key)) {
            const bool same = generation->values.contains(key) && generation->values.at(key) == value;
            const bool without_effect = rule->use == ignored || value.is_null() || same;
            if (!without_effect && !(rule->use == refused && rule->is_neutral(value, config.values)))
                overruled.push_back(key);
        } else if (rule->use == refused && !rule->is_neutral(value, config.values)) {
            refuse(config, *rule, value);
        }
    }
    constexpr std::string_view kUnknown = "not known here, and without effect";
    warn(config.file, unknown, kUnknown);
    warn(config.file, overruled, "not heeded beside generation_config.json, as in transformers");
    if (!generation) return;
    unknown.clear();
    for (const auto& [key, value] : generation->values.items()) {
        const KeyRule* rule = find_huggingface_key(model, key);
        if (!rule || !rule->generation) unknown.push_back(formats::short_text(key));
        else if (rule->use == refused && !rule->is_neutral(value, generation->values))
            refuse(*generation, *rule, value);
    }
    warn(generation->file, unknown, kUnknown);
}

}  // namespace dragoman::families
