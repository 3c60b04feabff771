// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "families/huggingface/config.h"
#include "families/huggingface/family.h"
#include "families/huggingface/huggingface_tensors.h"
#include "families/huggingface/huggingface_vocabulary.h"
#include "families/huggingface/search.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kLastOf50 = "sl_SI";

spec::TransformerConfig read_mbart_config(const HuggingFaceSettings& settings) {
    spec::TransformerConfig config = read_bart_config(settings, true);
    for (spec::StackConfig* stack : {&config.encoder, &config.decoder})
        stack->pre_norm = stack->final_norm = stack->embedding_norm = true;
    return config;
}

bool is_language(const spec::ModelSpec& spec, const std::optional<std::string>& token) {
    return token && std::ranges::find(spec.target_languages, *token) != spec.target_languages.end();
}

bool has_50_languages(const TokenizerSettings& tokenizer, const spec::ModelSpec& spec) {
    const std::string name = tokenizer.tokenizer_class();
    if (name == "MBart50Tokenizer" || name == "MBartTokenizer") return name == "MBart50Tokenizer";
    return std::ranges::find(spec.target_languages, kLastOf50) != spec.target_languages.end();
}

// A model for one target language forces the language's token, or starts with it.
void make_prompts(bool fifty, spec::ModelSpec& spec) {
    const std::vector<std::string> forced = spec.prompts.pattern.target_begin;
    if (spec.target_languages.empty()) {  // a BART with this network (BARThez)
        spec.add_source_bos = spec.add_source_eos = true;
        spec.prompts.pattern.source_before = {spec.bos_token};
        spec.prompts.pattern.source_after = {spec.eos_token};
        spec.prompts.pattern.needs_languages = false;
        return;
    }
    spec.prompts.pattern = language_prompt(LanguageTokens::mbart, spec.eos_token, !fifty);
    spec.add_source_eos = fifty;
    if (!forced.empty() && is_language(spec, forced.front())) spec.target_languages = forced;
    if (is_language(spec, spec.decoder_start_token)) {
        spec.target_languages = {*spec.decoder_start_token};
        spec.prompts.pattern.target_begin.clear();
    } else if (!fifty && spec.decoder_start_token != spec.eos_token) {
        spec.decoder_start_token = std::nullopt;  // any language is possible then
    }
}

constexpr KeyRule kMbartKeys[] = {
    of_generation(ignored("bos_token_id", "not used by these families")),
    of_generation(ignored("pad_token_id", "nothing is padded")),
};

spec::ModelSpec load_mbart(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.config = read_mbart_config(settings);
    HuggingFaceVocabulary vocabulary = read_fairseq_vocabulary(files, spec.config.source_vocabulary,
                                                               {LanguageList::mbart25, LanguageList::mbart50});
    const std::string file = vocabulary.file;
    take_vocabulary(std::move(vocabulary), tokenizer, LanguageTokens::mbart, spec);
    read_special_tokens(settings, file, spec);
    read_suppressed_tokens(settings, spec);
    read_suppressed_beginnings(settings, !spec.target_languages.empty(), spec);
    const bool fifty = has_50_languages(tokenizer, spec);
    spec.family = fifty ? "mBART-50" : "mBART";
    make_prompts(fifty, spec);
    spec.clean_up_spaces = cleans_up_spaces(files, has_bpe_json);
    spec.search = read_huggingface_search(settings, spec.target.tokens);
    take_huggingface_weights(files, {.tied = settings.flag("tie_word_embeddings", true), .learned_positions = true},
                             spec);
    return spec;
}

}  // namespace

// mBART with 25 languages, mBART-50 with any number of languages on either side.
Family mbart() {
    return {.model_type = "mbart",
            .architectures = {"MBartForConditionalGeneration", "MBartModel"},
            .load = load_mbart,
            .keys = {kMbartKeys, bart_keys(), translator_keys(), everywhere_keys(), name_keys(), common_keys(),
                     generation_keys()}};
}

}  // namespace dragoman::families
