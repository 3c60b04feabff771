// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/os/path_text.h"
#include "families/huggingface/encoder.h"
#include "families/huggingface/family.h"
#include "families/huggingface/sentence_encoder.h"
#include "formats/vocabulary_files.h"
#include "formats/word_piece_file.h"

namespace dragoman::families {
namespace {

// tokenizer.json is self-contained; vocab.txt is completed by tokenizer_config.json.
HuggingFaceVocabulary read_vocabulary(const FileSet& files, const TokenizerSettings& tokenizer, spec::ModelSpec& spec) {
    const char *lines = "vocab.txt", *both = "tokenizer.json";
    if (files.has(both)) {
        const FileBytes file = files.read(both);
        auto json = formats::read_word_piece_json(file);
        spec.word_piece = json.word_piece;
        return {.file = file.name, .tokens = std::move(json.tokens)};
    }
    if (!files.has(lines)) {
        fail(Status::bad_model, "{}: expected {} or {}, neither is there", text_of(files.path()), lines, both);
    }
    const std::string unknown = tokenizer.text("unk_token");
    spec.word_piece = {.used = true, .lower_case = tokenizer.flag("do_lower_case", true)};
    if (!unknown.empty()) spec.word_piece.unk_token = unknown;
    spec.word_piece.chinese_characters = tokenizer.flag("tokenize_chinese_chars", true);
    spec.word_piece.strip_accents = tokenizer.flag("strip_accents", spec.word_piece.lower_case);
    if (!tokenizer.flag("do_basic_tokenize", true))
        fail(Status::unsupported, "{}: do_basic_tokenize: expected true, file has false",
             files.label("tokenizer_config.json"));
    return {.file = files.label(lines), .tokens = formats::read_vocabulary(files, lines)};
}

spec::ModelSpec load_bert(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "BERT";
    spec.path = files.folder_path();
    spec.config = read_encoder_config(settings, 0);
    HuggingFaceVocabulary vocabulary = read_vocabulary(files, tokenizer, spec);
    spec.unk_token = spec.word_piece.unk_token;
    take_vocabulary(std::move(vocabulary), tokenizer, spec);
    set_encoder_prompt(tokenizer, "[CLS]", "[SEP]", spec);
    take_encoder_weights(files, "bert.", 0, spec);
    read_sentence_encoder(files, spec);
    return spec;
}

}  // namespace

// BERT, an encoder-only model (also LaBSE and other sentence encoders in its form): WordPiece in vocab.txt or
// tokenizer.json.
Family bert() {
    return {.model_type = "bert",
            .architectures = {"BertModel", "BertForMaskedLM", "BertForPreTraining", "BertForNextSentencePrediction"},
            .load = load_bert,
            .keys = {encoder_keys(), everywhere_keys()},
            .generates = false};
}

}  // namespace dragoman::families
