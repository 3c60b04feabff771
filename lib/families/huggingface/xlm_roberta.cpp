// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/config.h"
#include "families/huggingface/encoder.h"
#include "families/huggingface/family.h"
#include "families/huggingface/sentence_encoder.h"

namespace dragoman::families {
namespace {

constexpr KeyRule kXlmRobertaKeys[] = {
    of_generation(heeded("pad_token_id", "positions begin behind it")),
};

spec::ModelSpec load_xlm_roberta(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "XLM-RoBERTa";
    spec.path = files.folder_path();
    const uint32_t size = settings.number("vocab_size", 1, kMaxVocabulary);
    const uint32_t first_position = settings.optional_token_id("pad_token_id", size).value_or(1) + 1;
    spec.config = read_encoder_config(settings, first_position);
    HuggingFaceVocabulary vocabulary = read_fairseq_vocabulary(files, size, {LanguageList::none});
    const FileBytes sentencepiece = vocabulary.sentencepiece;
    take_vocabulary(std::move(vocabulary), tokenizer, spec);
    spec.source.sentencepiece = sentencepiece;
    hide_special_tokens(spec, tokenizer.added_list());
    set_encoder_prompt(tokenizer, "<s>", "</s>", spec);
    take_encoder_weights(files, "roberta.", first_position, spec);
    read_sentence_encoder(files, spec);
    return spec;
}

}  // namespace

// XLM-RoBERTa, an encoder alone: BERT with SentencePiece, and positions that begin behind that of padding.
Family xlm_roberta() {
    return {.model_type = "xlm-roberta",
            .architectures = {"XLMRobertaModel", "XLMRobertaForMaskedLM"},
            .load = load_xlm_roberta,
            .keys = {kXlmRobertaKeys, encoder_keys(), everywhere_keys(), name_keys()},
            .generates = false};
}

}  // namespace dragoman::families
