// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/log.h"
#include "families/huggingface/config.h"
#include "families/huggingface/family.h"
#include "families/huggingface/huggingface_tensors.h"
#include "families/huggingface/huggingface_vocabulary.h"
#include "families/huggingface/search.h"
#include "formats/sentencepiece_model.h"
#include "formats/sentencepiece_pair.h"
#include "formats/vocabulary_files.h"
#include "spec/model_card.h"

namespace dragoman::families {
namespace {

constexpr const char* kVocabulary = "vocab.json";

// Says what is wrong with one of the two files: one is missing, or it is another model's.
void check_sentencepiece(const FileSet& files, const spec::ModelSpec& spec) {
    constexpr double kLeast = 0.9;  // published ones have 0.994 and more, those of other models up to 0.71
    if (spec.source.sentencepiece.empty() && spec.target.sentencepiece.empty()) return;
    for (const auto& [name, side] : {std::pair{"source.spm", &spec.source}, std::pair{"target.spm", &spec.target}}) {
        const FileBytes& file = side->sentencepiece;
        if (file.empty()) {
            log(LogLevel::warning, "{}: no such file: without it the model has tokens only, and no texts",
                files.label(name));
        } else if (const double share = formats::share_of_pieces(formats::sentencepiece_pieces(file), side->tokens);
                   share < kLeast) {
            log(LogLevel::warning,
                "{}: expected nearly all of its pieces in the vocabulary, {:.0f} % of its pieces are "
                "in it: it may be of another model",
                file.name, 100 * share);
        }
    }
}

// Two vocabularies share the added tokens, past the pieces of both.
void read_vocabularies(const FileSet& files, const TokenizerSettings& tokenizer, bool shared, spec::ModelSpec& spec) {
    const spec::TransformerConfig& config = spec.config;
    const auto read = [&](const char* name) {
        const FileBytes file = files.read(name);
        return HuggingFaceVocabulary{.file = file.name, .tokens = read_huggingface_pieces(file, spec.unk_token)};
    };
    if (const char* json = "tokenizer.json"; files.has(json) && !files.has(kVocabulary))
        fail(Status::bad_model,
             "{}: expected {}, source.spm and target.spm, the file alone is not read; get them from the original model",
             files.label(json), kVocabulary);
    HuggingFaceVocabulary source = read(kVocabulary);
    const char* other = "target_vocab.json";
    spec.shared_vocabulary = shared || !files.has(other);
    HuggingFaceVocabulary target = spec.shared_vocabulary ? source : read(other);
    const std::size_t pieces = spec.shared_vocabulary ? 0 : std::max(source.tokens.size(), target.tokens.size());
    fit_rows(tokenizer, config.source_vocabulary, "vocab_size", source);
    if (shared) target = source;
    else fit_rows(tokenizer, config.target_vocabulary, "decoder_vocab_size", target, uint32_t(pieces));
    spec.source.tokens = std::move(source.tokens);
    spec.target.tokens = std::move(target.tokens);
    formats::read_sentencepiece(files, spec);
    check_sentencepiece(files, spec);
}

// Added tokens are words of texts, unless they are special; rows without a token show in none.
FileBytes with_added(const FileBytes& file, const std::vector<formats::AddedToken>& added,
                     const std::vector<std::string>& tokens) {
    using Kind = formats::SentencePieceModel::Kind;
    if (file.empty()) return file;
    const auto texts = formats::sentencepiece_pieces(file).texts;
    std::set<std::string_view> known(texts.begin(), texts.end());
    std::vector<formats::SentencePieceModel::Piece> more;
    for (const formats::AddedToken& token : added)
        if (token.id < tokens.size() && tokens[token.id] == token.text && known.insert(token.text).second)
            more.push_back({.text = token.text, .kind = token.special ? Kind::control : Kind::user_defined});
    for (std::size_t id = 0; id < tokens.size(); ++id)
        if (formats::is_unused_token(tokens[id], uint32_t(id)) && known.insert(tokens[id]).second)
            more.push_back({.text = tokens[id], .kind = Kind::control});
    return formats::with_pieces(file, more);
}

void add_words(const TokenizerSettings& tokenizer, spec::ModelSpec& spec) {
    const auto added = tokenizer.added_list();
    FileBytes &source = spec.source.sentencepiece, &target = spec.target.sentencepiece;
    const bool one = spec.shared_vocabulary && source.bytes.data() == target.bytes.data();
    source = with_added(source, added, spec.source.tokens);
    target = one ? source : with_added(target, added, spec.target.tokens);
}

// Padding is no piece, and is invisible in texts. Most files suppress it.
void hide_padding(const HuggingFaceSettings& settings, spec::ModelSpec& spec) {
    const auto pad = settings.optional_token_id("pad_token_id", spec.config.target_vocabulary);
    FileBytes& file = spec.target.sentencepiece;
    if (!pad || file.empty()) return;
    const std::string& token = spec.target.tokens[*pad];
    if (std::ranges::find(spec.never_generated, std::vector{token}) != spec.never_generated.end()) return;
    const auto texts = formats::sentencepiece_pieces(file).texts;
    if (std::ranges::find(texts, token) == texts.end())
        file = formats::with_pieces(file, {{.text = token, .kind = formats::SentencePieceModel::Kind::control}});
}

// OPUS-MT's own names for languages and groups of them; all other ones are codes.
constexpr std::pair<std::string_view, std::string_view> kOpusNames[] = {
    {"jap", "ja"},
    {"ROMANCE", "roa"},
    {"CELTIC", "cel"},
    {"GERMANIC", "gem"},
    {"SAMI", "smi"},
    {"SCANDINAVIA", "gmq"},
    {"NORWAY", "no+nb+nn"},
    {"NORTH_EU", "de+nl+fy+af+da+fo+is+no+nb+nn+sv"},
    {"en_el_es_fi", "en+el+es+fi"},
    {"fi_nb_no_nn_ru_sv_en", "fi+nb+no+nn+ru+sv+en"},
};

// The codes in "de+en"; none where one of them follows no standard, since the model has a language then that no list of
// the others would let through.
std::vector<std::string> codes_in(const std::string& names) {
    std::string all;
    std::istringstream words(names);
    for (std::string name; std::getline(words, name, '+');) {
        const auto own = std::ranges::find(kOpusNames, name, [](const auto& entry) { return entry.first; });
        all += (all.empty() ? "" : "+") + (own == std::end(kOpusNames) ? name : std::string(own->second));
    }
    std::vector<std::string> list;
    std::istringstream codes(all);
    for (std::string code; std::getline(codes, code, '+');) {
        const auto tag = spec::LanguageTag::find(code);
        if (!tag || !tag->known()) return {};
        if (std::ranges::find(list, code) == list.end()) list.push_back(code);
    }
    return list;
}

// The tokenizer names its languages; a model for several targets has codes for them instead.
void read_languages(const FileSet& files, spec::ModelSpec& spec) {
    const char* name = "tokenizer_config.json";
    if (!files.has(name)) return;
    const FileBytes file = files.read(name);
    const auto json = formats::parse_json_object(file.name, file.text());
    const auto read = [&](const char* key, std::vector<std::string>& languages) {
        const auto found = json.find(key);
        if (found != json.end() && found->is_string()) languages = codes_in(found->get<std::string>());
    };
    spec.target_languages = spec::languages_in(spec.source.tokens);
    read("source_lang", spec.source_languages);
    if (spec.target_languages.empty()) read("target_lang", spec.target_languages);
}

constexpr KeyRule kMarianMtKeys[] = {
    heeded("decoder_vocab_size", "with share_encoder_decoder_embeddings false"),
    heeded("share_encoder_decoder_embeddings"),
    of_generation(ignored("bos_token_id", "not used by these families")),
    of_generation(heeded("pad_token_id", "not in texts")),
};

spec::ModelSpec load_marianmt(const FileSet& files, const HuggingFaceSettings& settings) {
    spec::ModelSpec spec;
    spec.family = "MarianMT";
    const bool shared = settings.flag("share_encoder_decoder_embeddings", true);
    spec.config = read_bart_config(settings, shared);
    const TokenizerSettings tokenizer(files);
    read_vocabularies(files, tokenizer, shared, spec);
    add_words(tokenizer, spec);
    spec.clean_up_spaces = cleans_up_spaces(files, [](const FileSet&) { return false; });
    read_special_tokens(settings, files.label(kVocabulary), spec);
    if (!spec.decoder_start_token) settings.token_id("decoder_start_token_id", spec.config.target_vocabulary);
    spec.add_source_eos = true;
    read_suppressed_tokens(settings, spec);
    read_suppressed_beginnings(settings, false, spec);
    hide_padding(settings, spec);
    spec.search = read_huggingface_search(settings, spec.target.tokens);
    read_languages(files, spec);
    take_huggingface_weights(files, {.shared = shared, .tied = settings.flag("tie_word_embeddings", true)}, spec);
    return spec;
}

}  // namespace

// MarianMT: OPUS-MT as transformers has it. Vocabularies in vocab.json, tokenizers in source.spm and target.spm.
Family marian_mt() {
    return {.model_type = "marian",
            .architectures = {"MarianMTModel", "MarianModel"},
            .load = load_marianmt,
            .keys = {kMarianMtKeys, bart_keys(), translator_keys(), everywhere_keys(), name_keys(), common_keys(),
                     generation_keys()}};
}

}  // namespace dragoman::families
