// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/error.h"
#include "families/huggingface/causal.h"
#include "families/huggingface/config.h"
#include "families/huggingface/family.h"

namespace dragoman::families {
namespace {

constexpr uint32_t kMadeUpWords = 7;  // of fairseq, which wants a multiple of 8

spec::TransformerConfig read_xglm_config(const HuggingFaceSettings& settings) {
    const uint32_t d = settings.number("d_model", 1, kMaxWidth);
    if (d < 4 || d % 2) {
        fail(Status::unsupported, "{}: d_model: expected an even number of at least 4, file has {}",
             settings.config_file(), d);
    }
    spec::StackConfig stack = causal_stack(settings, "num_layers", "attention_heads", d, "gelu");
    stack.first_position = 2;
    if (settings.flag("scale_embedding", true)) stack.embedding_scale = std::sqrt(static_cast<float>(d));
    settings.number("max_position_embeddings", 1, kMaxPositions);  // the table grows in transformers, too
    return causal_config(settings, d, settings.number("ffn_dim", 1, kMaxWidth), stack);
}

HuggingFaceVocabulary read_vocabulary(const FileSet& files, uint32_t size) {
    std::vector<std::string> words;
    for (uint32_t i = 0; i < kMadeUpWords; ++i) words.push_back(fmt::format("<madeupword{}>", i));
    const std::vector<std::string> endings[] = {{}, std::move(words)};
    return read_fairseq_vocabulary(files, size, endings);
}

constexpr KeyRule kXglmKeys[] = {
    heeded("d_model"),
    heeded("scale_embedding"),
    heeded("max_position_embeddings", "checked only, positions go on"),
    heeded("num_layers"),
    heeded("attention_heads"),
    heeded("ffn_dim"),
    refused("hidden_size", "d_model", "another name"),
    refused("num_hidden_layers", "num_layers", "another name"),
    refused("num_attention_heads", "attention_heads", "another name"),
    ignored("layerdrop", kTraining),
};

spec::ModelSpec load_xglm(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "XGLM";
    spec.config = read_xglm_config(settings);
    HuggingFaceVocabulary vocabulary = read_vocabulary(files, spec.config.target_vocabulary);
    spec.source.sentencepiece = vocabulary.sentencepiece;
    take_causal_vocabulary(settings, tokenizer, std::move(vocabulary), spec);
    hide_special_tokens(spec, tokenizer.added_list());
    spec.decoder_start_token = spec.eos_token;  // fairseq begins texts with it
    spec.clean_up_spaces = cleans_up_spaces(files, has_bpe_json);
    take_causal_weights(files,
                        {.before = {"", "model."},
                         .embedding = "embed_tokens",
                         .positions = "",
                         .final_norm = "layer_norm",
                         .layers = "layers",
                         .tied = settings.flag("tie_word_embeddings", true),
                         .parts = bart_parts()},
                        spec);
    return spec;
}

}  // namespace

// XGLM, a decoder alone. Throws bad_model, unsupported.
Family xglm() {
    return {.model_type = "xglm",
            .architectures = {"XGLMForCausalLM"},
            .load = load_xglm,
            .keys = {kXglmKeys, causal_keys(), everywhere_keys(), name_keys(), common_keys(), generation_keys()}};
}

}  // namespace dragoman::families
