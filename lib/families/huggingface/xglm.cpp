// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/xglm.h"

#include <cmath>

#include "base/error.h"
#include "families/huggingface/causal.h"
#include "families/huggingface/config.h"

namespace dragoman::families {
namespace {

constexpr uint32_t kMadeUpWords = 7;  // of fairseq, which wants a multiple of 8

spec::TransformerConfig read_xglm_config(const HuggingFaceSettings& settings) {
    const uint32_t d = settings.number("d_model", 1, kMostWidth);
    if (d < 4 || d % 2) {
        fail(Status::unsupported, "{}: d_model: expected an even number of at least 4, file has {}",
             settings.config_file(), d);
    }
    spec::StackConfig stack = causal_stack(settings, "num_layers", "attention_heads", d, "gelu");
    stack.first_position = 2;
    if (settings.flag("scale_embedding", true)) stack.embedding_scale = std::sqrt(static_cast<float>(d));
    settings.number("max_position_embeddings", 1, kMostPositions);  // the table grows in transformers, too
    return causal_config(settings, d, settings.number("ffn_dim", 1, kMostWidth), stack);
}

HuggingFaceVocabulary read_vocabulary(const FileSet& files, uint32_t size) {
    std::vector<std::string> words;
    for (uint32_t i = 0; i < kMadeUpWords; ++i) words.push_back(fmt::format("<madeupword{}>", i));
    const std::vector<std::string> endings[] = {{}, std::move(words)};
    return read_fairseq_vocabulary(files, size, endings);
}

}  // namespace

spec::ModelSpec load_xglm(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "XGLM";
    spec.config = read_xglm_config(settings);
    HuggingFaceVocabulary vocabulary = read_vocabulary(files, spec.config.target_vocabulary);
    spec.source.sentencepiece = vocabulary.sentencepiece;
    take_causal_vocabulary(settings, tokenizer, std::move(vocabulary), spec);
    hide_special_tokens(spec);
    spec.decoder_start_token = spec.eos_token;  // fairseq begins texts with it
    take_causal_weights(files,
                        {.before = {"", "model."},
                         .embedding = "embed_tokens",
                         .positions = "",
                         .final_norm = "layer_norm",
                         .layers = "layers",
                         .tied = settings.flag("tie_word_embeddings", true),
                         .parts = bart_decoder_parts()},
                        spec);
    return spec;
}

}  // namespace dragoman::families
