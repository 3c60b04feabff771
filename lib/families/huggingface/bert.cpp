// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/os/path_text.h"
#include "families/huggingface/encoder.h"
#include "families/huggingface/family.h"
#include "families/huggingface/sentence_encoder.h"
#include "formats/sentencepiece_model.h"
#include "formats/vocabulary_files.h"
#include "formats/word_piece_file.h"

namespace dragoman::families {
namespace {

// Whether a tokenizer is SentencePiece's: XLM-R's or another one beside a network of BERT's.
bool has_pieces(const FileSet& files) {
    if (files.has("vocab.txt")) return false;
    const char* json = "tokenizer.json";
    if (files.has(json)) return formats::tokenizer_model_type(files.read(json)) == "Unigram";
    return !formats::find_sentencepiece(files, "source").empty();
}

// Ids are in fairseq's order (XLM-R), those of tokenizer.json, or those of the SentencePiece model.
HuggingFaceVocabulary read_pieces(const FileSet& files, const TokenizerSettings& tokenizer, spec::ModelSpec& spec) {
    const uint32_t size = spec.config.source_vocabulary;
    const std::string name = formats::find_sentencepiece(files, "source");
    const bool fairseq = name == "sentencepiece.bpe.model" || tokenizer.tokenizer_class() == "XLMRobertaTokenizer";
    if (fairseq) return read_fairseq_vocabulary(files, size, {LanguageList::none});
    if (name.empty() || files.has("tokenizer.json")) return read_tokenizer_vocabulary(files);
    const bool changes = tokenizer.tokenizer_class() == "AlbertTokenizer" ||
                         tokenizer.tokenizer_class() == "XLNetTokenizer";
    const auto refuse = [&](const char* key, bool expected) {
        fail(Status::unsupported, "{}: {}: expected {} with a SentencePiece model, file has {}",
             files.label("tokenizer_config.json"), key, expected, !expected);
    };
    if (tokenizer.flag("do_lower_case", tokenizer.tokenizer_class() == "AlbertTokenizer"))
        refuse("do_lower_case", false);
    if (changes && !tokenizer.flag("keep_accents")) refuse("keep_accents", true);
    const FileBytes file = files.read(name);
    auto pieces = formats::sentencepiece_pieces(file);
    spec.unk_token = pieces.texts[pieces.unknown];
    return {.file = file.name, .tokens = std::move(pieces.texts), .sentencepiece = file};
}

// Those of BERT's classes in transformers overrule the cleaning of tokenizer.json, also by what they have where a key is
// absent. The class of any tokenizer.json takes it as it is.
void overrule_cleaning(const TokenizerSettings& tokenizer, formats::WordPieceFile& file) {
    const std::string name = tokenizer.tokenizer_class();
    if (name == "PreTrainedTokenizer" || name == "TokenizersBackend") return;
    const auto overrule = [&](auto& cleaning) {
        cleaning.lower_case = tokenizer.flag("do_lower_case", true);
        cleaning.strip_accents = tokenizer.flag("strip_accents", cleaning.lower_case);
        cleaning.chinese_characters = tokenizer.flag("tokenize_chinese_chars", true);
    };
    if (!file.steps.used()) return overrule(file.word_piece);
    auto& normalizers = file.steps.normalizers;
    auto* cleaning = normalizers.size() == 1 ? std::get_if<spec::BertCleaning>(normalizers.data()) : nullptr;
    if (!cleaning) return;
    overrule(*cleaning);
    file.word_piece.lower_case = cleaning->lower_case;
}

// Of equal lines the last one has the token, as in transformers.
std::vector<std::string> last_of_equals(std::vector<std::string> lines) {
    std::set<std::string_view> met;
    std::vector<std::size_t> earlier;
    for (std::size_t id = lines.size(); id-- > 0;)
        if (!met.insert(lines[id]).second) earlier.push_back(id);
    for (const std::size_t id : earlier) lines[id] = formats::unused_token(uint32_t(id));
    return lines;
}

// Both are completed by tokenizer_config.json.
HuggingFaceVocabulary read_vocabulary(const FileSet& files, const TokenizerSettings& tokenizer, spec::ModelSpec& spec) {
    const char *lines = "vocab.txt", *both = "tokenizer.json";
    if (files.has(both)) {
        const FileBytes file = files.read(both);
        auto json = formats::read_word_piece_json(file);
        overrule_cleaning(tokenizer, json);
        spec.word_piece = json.word_piece;
        return {.file = file.name, .tokens = std::move(json.tokens), .steps = std::move(json.steps)};
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
    return {.file = files.label(lines), .tokens = last_of_equals(formats::read_vocabulary(files, lines))};
}

spec::ModelSpec load_bert(const FileSet& files, const HuggingFaceSettings& settings) {
    const TokenizerSettings tokenizer(files);
    spec::ModelSpec spec;
    spec.family = "BERT";
    spec.path = files.folder_path();
    spec.config = read_encoder_config(settings, 0);
    const bool pieces = has_pieces(files);
    HuggingFaceVocabulary vocabulary = pieces ? read_pieces(files, tokenizer, spec)
                                              : read_vocabulary(files, tokenizer, spec);
    if (!pieces) spec.unk_token = spec.word_piece.unk_token;
    if (!vocabulary.unk_token.empty()) spec.unk_token = vocabulary.unk_token;
    const FileBytes sentencepiece = vocabulary.sentencepiece;
    take_vocabulary(std::move(vocabulary), tokenizer, spec);
    if (pieces) {
        spec.source.sentencepiece = sentencepiece;
        hide_special_tokens(spec, tokenizer.added_list());
    }
    const bool marks = std::ranges::find(spec.source.tokens, "[CLS]") != spec.source.tokens.end();
    set_encoder_prompt(tokenizer, marks ? "[CLS]" : "<s>", marks ? "[SEP]" : "</s>", spec);
    take_encoder_weights(files, "bert.", 0, spec);
    read_sentence_encoder(files, spec);
    return spec;
}

}  // namespace

// BERT, an encoder-only model (also LaBSE and other sentence encoders in its form): WordPiece in vocab.txt or
// tokenizer.json, or pieces of SentencePiece (multilingual-e5-small has XLM-R's).
Family bert() {
    return {.model_type = "bert",
            .architectures = {"BertModel", "BertForMaskedLM", "BertForPreTraining", "BertForNextSentencePrediction"},
            .load = load_bert,
            .keys = {encoder_keys(), everywhere_keys(), name_keys()},
            .generates = false};
}

}  // namespace dragoman::families
