// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "families/huggingface/config.h"
#include "families/huggingface/family.h"
#include "families/huggingface/huggingface_tensors.h"
#include "families/huggingface/huggingface_vocabulary.h"
#include "families/huggingface/search.h"
#include "formats/vocabulary_files.h"

namespace dragoman::families {
namespace {

// used by M2M-100; NLLB's ids follow from its SentencePiece model
constexpr const char* kM2m100Vocabulary = "vocab.json";
constexpr uint32_t kM2m100Start = 2;  // where the files name none: that of transformers' class

spec::TransformerConfig read_m2m100_config(const HuggingFaceSettings& settings) {
    spec::TransformerConfig config = read_bart_config(settings, true);
    for (spec::StackConfig* stack : {&config.encoder, &config.decoder}) {
        stack->pre_norm = stack->final_norm = true;
        stack->positions = spec::Positions::sinusoid;
        stack->first_position = 2;
        stack->max_positions = 0;
    }
    if (config.d_model < 4 || config.d_model % 2) {
        fail(Status::unsupported, "{}: d_model: expected an even number of at least 4, file has {}",
             settings.config_file(), config.d_model);
    }
    return config;
}

// Pieces in the order of vocab.json, then the languages.
HuggingFaceVocabulary read_m2m_vocabulary(const FileSet& files, const TokenizerSettings& tokenizer,
                                          const std::string& unk_token) {
    const FileBytes file = files.read(kM2m100Vocabulary);
    HuggingFaceVocabulary vocabulary{.file = file.name, .tokens = read_huggingface_pieces(file, unk_token)};
    const std::string name = formats::find_sentencepiece(files, "source");
    if (name.empty()) {
        fail(Status::bad_model, "{}: expected sentencepiece.bpe.model, it is not there", text_of(files.path()));
    }
    vocabulary.sentencepiece = files.read(name);
    const bool wmt21 = tokenizer.text("language_codes") == "wmt21";
    for (const std::string& code : language_list(wmt21 ? LanguageList::wmt21 : LanguageList::m2m100))
        vocabulary.tokens.push_back(language_token(LanguageTokens::m2m, code));
    return vocabulary;
}

// SMaLL-100 has M2M-100's files and another prompt, which no setting tells.
bool is_small100(const FileSet& files, const HuggingFaceSettings& settings, const TokenizerSettings& tokenizer,
                 const spec::TransformerConfig& config) {
    if (files.has("tokenization_small100.py") || names_small100(tokenizer.tokenizer_class())) return true;
    if (names_small100(tokenizer.text("name_or_path")) || names_small100(settings.text("_name_or_path", "")))
        return true;
    return has_small100_shape(config);
}

// A forced token is the language that is meant where a caller names none.
void set_default_target(const HuggingFaceSettings& settings, LanguageTokens form,
                        const std::vector<std::string>& forced, spec::ModelSpec& spec) {
    if (forced.empty()) return;
    const std::vector<std::string> codes = languages_of(form, forced);
    if (!codes.empty()) {
        spec.prompts.pattern.default_target = codes.front();
        return;
    }
    log(LogLevel::warning, "{}: forced_bos_token_id: expected a language, \"{}\" is none and not heeded",
        settings.config_file(), forced.front());
}

constexpr KeyRule kM2m100Keys[] = {
    heeded("_name_or_path", "SMaLL-100 is known by it"),
    of_generation(ignored("bos_token_id", "not used by these families")),
    of_generation(ignored("pad_token_id", "nothing is padded")),
};

spec::ModelSpec load_m2m100(const FileSet& files, const HuggingFaceSettings& settings) {
    const bool nllb = !files.has(kM2m100Vocabulary);
    const LanguageTokens form = nllb ? LanguageTokens::nllb : LanguageTokens::m2m;
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = nllb ? "NLLB-200" : "M2M-100";
    spec.config = read_m2m100_config(settings);
    HuggingFaceVocabulary vocabulary = nllb ? read_fairseq_vocabulary(files, spec.config.source_vocabulary,
                                                                      {LanguageList::nllb})
                                            : read_m2m_vocabulary(files, tokenizer, spec.unk_token);
    const std::string file = vocabulary.file;
    take_vocabulary(std::move(vocabulary), tokenizer, form, spec);
    read_special_tokens(settings, file, spec, kM2m100Start);
    read_suppressed_tokens(settings, spec);
    read_suppressed_beginnings(settings, true, spec);
    const bool language_last = nllb && tokenizer.flag("legacy_behaviour");
    const std::vector<std::string> forced = spec.prompts.pattern.target_begin;
    if (!nllb && is_small100(files, settings, tokenizer, spec.config)) {
        spec.family = "SMaLL-100";
        spec.prompts.pattern = target_first_prompt(form, spec.eos_token);
    } else {
        spec.prompts.pattern = language_prompt(form, spec.eos_token, language_last);
        set_default_target(settings, form, forced, spec);
    }
    spec.add_source_eos = !language_last;
    spec.clean_up_spaces = cleans_up_spaces(files, [](const FileSet& all) { return !all.has(kM2m100Vocabulary); });
    spec.search = read_huggingface_search(settings, spec.target.tokens);
    take_huggingface_weights(files, {.tied = settings.flag("tie_word_embeddings", true), .logits_bias = false}, spec);
    return spec;
}

}  // namespace

// M2M-100, SMaLL-100, WMT21's dense models and NLLB-200 (model_type m2m_100): one vocabulary with a token for each
// language.
Family m2m100() {
    return {.model_type = "m2m_100",
            .architectures = {"M2M100ForConditionalGeneration", "M2M100Model"},
            .load = load_m2m100,
            .keys = {kM2m100Keys, bart_keys(), translator_keys(), everywhere_keys(), common_keys(), generation_keys()}};
}

}  // namespace dragoman::families
