// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "families/huggingface/config.h"
#include "families/huggingface/family.h"
#include "families/huggingface/huggingface_tensors.h"
#include "families/huggingface/huggingface_vocabulary.h"
#include "families/huggingface/search.h"
#include "formats/sentencepiece_model.h"
#include "formats/vocabulary_files.h"

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

// Whether the list of languages behind the pieces is mBART-50's. An embedding may have rows for it that are padding:
// its size tells only where it is exactly one list's, otherwise the start does, which mBART-50 alone has.
bool lists_50_languages(const FileSet& files, const HuggingFaceSettings& settings, const TokenizerSettings& tokenizer,
                        uint32_t rows) {
    const std::string name = tokenizer.tokenizer_class(), pieces = formats::find_sentencepiece(files, "source");
    if (name == "MBart50Tokenizer" || name == "MBartTokenizer") return name == "MBart50Tokenizer";
    const char* json = "tokenizer.json";
    if (files.has(json)) return files.read(json).text().find("\"" + std::string(kLastOf50) + "\"") != std::string::npos;
    if (pieces.empty()) return false;
    constexpr uint32_t kMore = 2;  // <pad> and <mask>
    const auto own = uint32_t(formats::sentencepiece_pieces(files.read(pieces)).texts.size()) + kMore;
    const auto whole = own + uint32_t(language_list(LanguageList::mbart50).size());
    if (rows <= whole) return rows == whole;
    const auto start = settings.optional_token_id("decoder_start_token_id", rows);
    const auto ends = settings.end_ids(rows);
    return start && std::ranges::find(ends, *start) != ends.end();
}

HuggingFaceVocabulary read_mbart_vocabulary(const FileSet& files, const HuggingFaceSettings& settings,
                                            const TokenizerSettings& tokenizer, uint32_t rows) {
    if (lists_50_languages(files, settings, tokenizer, rows))
        return read_fairseq_vocabulary(files, rows, {LanguageList::mbart25, LanguageList::mbart50});
    return read_fairseq_vocabulary(files, rows, {LanguageList::mbart25});
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
    HuggingFaceVocabulary vocabulary = read_mbart_vocabulary(files, settings, tokenizer, spec.config.source_vocabulary);
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
