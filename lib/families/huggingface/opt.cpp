// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "families/huggingface/causal.h"
#include "families/huggingface/config.h"
#include "families/huggingface/family.h"

namespace dragoman::families {
namespace {

spec::TransformerConfig read_opt_config(const HuggingFaceSettings& settings) {
    const uint32_t d = settings.number("hidden_size", 1, kMaxWidth);
    const char* narrow = "word_embed_proj_dim";
    if (const uint32_t width = settings.number(narrow, 1, kMaxWidth, d); width != d) {
        fail(Status::unsupported, "{}: {}: expected hidden_size ({}), file has {}", settings.config_file(), narrow, d,
             width);
    }
    spec::StackConfig stack = causal_stack(settings, "num_hidden_layers", "num_attention_heads", d, "relu");
    stack.pre_norm = settings.flag("do_layer_norm_before", true);
    stack.final_norm = stack.pre_norm && !settings.flag("_remove_final_layer_norm", false);
    stack.positions = spec::Positions::table;
    stack.max_positions = settings.number("max_position_embeddings", 1, kMaxPositions);
    return causal_config(settings, d, settings.number("ffn_dim", 1, kMaxWidth), stack);
}

constexpr KeyRule kOptKeys[] = {
    heeded("max_position_embeddings"),
    heeded("ffn_dim"),
    heeded("hidden_size"),
    heeded("num_hidden_layers"),
    heeded("num_attention_heads"),
    heeded("do_layer_norm_before"),
    heeded("_remove_final_layer_norm"),
    heeded("enable_bias"),
    heeded("word_embed_proj_dim", "must be equal to `hidden_size`"),
    refused("layer_norm_elementwise_affine", "[true]"),
    ignored("layerdrop", kTraining),
};

spec::ModelSpec load_opt(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "OPT";
    spec.config = read_opt_config(settings);
    take_causal_vocabulary(settings, tokenizer, read_byte_bpe_vocabulary(files, tokenizer, spec), spec);
    if (tokenizer.flag("add_bos_token", true)) spec.decoder_start_token = spec.bos_token;
    spec.clean_up_spaces = cleans_up_spaces(files, [](const FileSet&) { return true; });
    take_causal_weights(files,
                        {.before = {"", "decoder.", "model.decoder."},
                         .embedding = "embed_tokens",
                         .positions = "embed_positions",
                         .final_norm = "final_layer_norm",
                         .layers = "layers",
                         .unused_positions = 2,
                         .biases = settings.flag("enable_bias", true),
                         .tied = settings.flag("tie_word_embeddings", true),
                         .parts = bart_parts()},
                        spec);
    return spec;
}

}  // namespace

// OPT, a decoder-only model. Throws bad_model, unsupported.
Family opt() {
    return {.model_type = "opt",
            .architectures = {"OPTForCausalLM"},
            .load = load_opt,
            .keys = {kOptKeys, causal_keys(), everywhere_keys(), name_keys(), common_keys(), generation_keys()}};
}

}  // namespace dragoman::families
