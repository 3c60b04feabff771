// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/config.h"
#include "families/huggingface/family.h"
#include "families/huggingface/huggingface_tensors.h"
#include "families/huggingface/huggingface_vocabulary.h"
#include "families/huggingface/search.h"

namespace dragoman::families {
namespace {

constexpr uint32_t kBartStart = 2;  // where the files name none: that of transformers' class

constexpr KeyRule kBartOwnKeys[] = {
    of_generation(heeded("bos_token_id", "before the source")),
    of_generation(ignored("pad_token_id", "nothing is padded")),
};

spec::ModelSpec load_bart(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "BART";
    spec.config = read_bart_config(settings, true);
    spec.config.encoder.embedding_norm = spec.config.decoder.embedding_norm = true;
    HuggingFaceVocabulary vocabulary = read_byte_bpe_vocabulary(files, tokenizer, spec);
    const std::string file = vocabulary.file;
    take_vocabulary(std::move(vocabulary), tokenizer, spec);
    read_special_tokens(settings, file, spec, kBartStart);
    read_suppressed_tokens(settings, spec);
    read_suppressed_beginnings(settings, false, spec);
    spec.bos_token = spec.source.tokens[settings.token_id("bos_token_id", spec.config.source_vocabulary)];
    spec.add_source_bos = spec.add_source_eos = true;
    spec.prompts.pattern.source_before = {spec.bos_token};
    spec.prompts.pattern.source_after = {spec.eos_token};
    spec.prompts.pattern.needs_languages = false;
    spec.clean_up_spaces = cleans_up_spaces(files, [](const FileSet&) { return true; });
    spec.search = read_huggingface_search(settings, spec.target.tokens);
    take_huggingface_weights(files, {.tied = settings.flag("tie_word_embeddings", true), .learned_positions = true},
                             spec);
    return spec;
}

}  // namespace

// BART: byte-level BPE, no languages. Its task (summaries, corrections, translations) depends on its training.
Family bart() {
    return {.model_type = "bart",
            .architectures = {"BartForConditionalGeneration", "BartModel"},
            .load = load_bart,
            .keys = {kBartOwnKeys, bart_keys(), translator_keys(), everywhere_keys(), name_keys(), common_keys(),
                     generation_keys()}};
}

}  // namespace dragoman::families
