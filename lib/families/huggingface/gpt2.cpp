// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/gpt2.h"

#include "families/huggingface/causal.h"
#include "families/huggingface/config.h"

namespace dragoman::families {
namespace {

const CausalPart kGpt2Parts[] = {
    {"self_attention/layer_norm", {"ln_1"}}, {"self_attention/linear_0", {"attn.c_attn"}},
    {"self_attention/linear_1", {"attn.c_proj"}}, {"ffn/layer_norm", {"ln_2"}},
    {"ffn/linear_0", {"mlp.c_fc"}}, {"ffn/linear_1", {"mlp.c_proj"}},
};

spec::TransformerConfig read_gpt2_config(const HuggingFaceSettings& settings) {
    const uint32_t d = settings.number("n_embd", 1, kMostWidth);
    spec::StackConfig stack = causal_stack(settings, "n_layer", "n_head", d, "gelu_new");
    stack.positions = spec::Positions::table;
    stack.max_positions = settings.number("n_positions", 1, kMostPositions);
    stack.norm_epsilon = float(settings.real("layer_norm_epsilon", 1e-12, 1e-1, 1e-5));
    if (!settings.flag("scale_attn_weights", true)) stack.attention_scale = 1.0f;
    return causal_config(settings, d, settings.number("n_inner", 1, kMostWidth, 4 * d), stack);
}

}  // namespace

spec::ModelSpec load_gpt2(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "GPT-2";
    spec.config = read_gpt2_config(settings);
    take_causal_vocabulary(settings, tokenizer, read_byte_bpe_vocabulary(files, tokenizer, spec), spec);
    if (tokenizer.flag("add_bos_token")) spec.decoder_start_token = spec.bos_token;
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

}  // namespace dragoman::families
