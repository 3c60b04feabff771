// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/causal.h"
#include "families/huggingface/config.h"
#include "families/huggingface/family.h"

namespace dragoman::families {
namespace {

const LayerPart kGpt2Parts[] = {
    {"self_attention/layer_norm", {"ln_1"}},
    {"self_attention/linear_0", {"attn.c_attn"}},
    {"self_attention/linear_1", {"attn.c_proj"}},
    {"ffn/layer_norm", {"ln_2"}},
    {"ffn/linear_0", {"mlp.c_fc"}},
    {"ffn/linear_1", {"mlp.c_proj"}},
};

spec::TransformerConfig read_gpt2_config(const HuggingFaceSettings& settings) {
    const uint32_t d = settings.number("n_embd", 1, kMaxWidth);
    spec::StackConfig stack = causal_stack(settings, "n_layer", "n_head", d, "gelu_new");
    stack.positions = spec::Positions::table;
    stack.max_positions = settings.number("n_positions", 1, kMaxPositions);
    stack.norm_epsilon = float(settings.real("layer_norm_epsilon", 1e-12, 1e-1, 1e-5));
    if (!settings.flag("scale_attn_weights", true)) stack.attention_scale = 1.0f;
    return causal_config(settings, d, settings.number("n_inner", 1, kMaxWidth, 4 * d), stack);
}

constexpr KeyRule kGpt2Keys[] = {
    heeded("n_embd"),
    heeded("n_layer"),
    heeded("n_head"),
    heeded("n_inner"),
    heeded("n_positions"),
    heeded("layer_norm_epsilon"),
    heeded("scale_attn_weights"),
    refused("scale_attn_by_inverse_layer_idx", "[false]"),
    ignored("reorder_and_upcast_attn", "sums are float32 anyway"),
    refused("hidden_size", "n_embd", "another name"),
    refused("num_hidden_layers", "n_layer", "another name"),
    refused("num_attention_heads", "n_head", "another name"),
    refused("max_position_embeddings", "n_positions", "another name"),
    ignored("resid_pdrop", kTraining),
    ignored("embd_pdrop", kTraining),
    ignored("attn_pdrop", kTraining),
    ignored("initializer_range", kTraining),
    ignored("summary_type", kHeads),
    ignored("summary_use_proj", kHeads),
    ignored("summary_activation", kHeads),
    ignored("summary_proj_to_labels", kHeads),
    ignored("summary_first_dropout", kHeads),
    ignored("n_ctx", "n_positions says it"),
};

spec::ModelSpec load_gpt2(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "GPT-2";
    spec.config = read_gpt2_config(settings);
    take_causal_vocabulary(settings, tokenizer, read_byte_bpe_vocabulary(files, tokenizer, spec), spec);
    if (tokenizer.flag("add_bos_token")) spec.decoder_start_token = spec.bos_token;
    spec.clean_up_spaces = cleans_up_spaces(files, [](const FileSet&) { return true; });
    take_causal_weights(files,
                        {.before = {"", "transformer."},
                         .embedding = "wte",
                         .positions = "wpe",
                         .final_norm = "ln_f",
                         .layers = "h",
                         .columns = true,
                         .tied = settings.flag("tie_word_embeddings", true),
                         .parts = kGpt2Parts},
                        spec);
    return spec;
}

}  // namespace

// GPT-2, a decoder-only model. Throws bad_model, unsupported.
Family gpt2() {
    return {.model_type = "gpt2",
            .architectures = {"GPT2LMHeadModel"},
            .load = load_gpt2,
            .keys = {kGpt2Keys, causal_keys(), everywhere_keys(), name_keys(), common_keys(), generation_keys()}};
}

}  // namespace dragoman::families
