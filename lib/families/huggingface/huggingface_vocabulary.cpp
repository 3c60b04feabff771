// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/huggingface_vocabulary.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "families/huggingface/config.h"
#include "formats/byte_bpe_file.h"
#include "formats/sentencepiece_model.h"
#include "formats/tokenizer_json.h"
#include "formats/vocabulary_files.h"

namespace dragoman::families {
namespace {

constexpr const char *kTokenizerJson = "tokenizer.json", *kTokenizerConfig = "tokenizer_config.json";
constexpr std::size_t kMaxUnusedRows = 128;  // embeddings are made larger, to a multiple of at most this

// The tokens of a map that numbers them from 0. Some ids may be without a token: that of another one that was there twice.
std::vector<std::string> numbered_pieces(const FileBytes& file, const nlohmann::json& pieces,
                                         const std::string& unk_token) {
    const std::size_t most = pieces.size() + kMaxUnusedRows;
    std::vector<std::string> tokens(most);
    std::vector<bool> taken(most);
    std::size_t size = 0;
    for (const auto& [piece, id] : pieces.items()) {
        if (!id.is_number_unsigned() || id.get<uint64_t>() >= most) {
            fail(Status::bad_model, "{}: \"{}\": expected an id from 0 to {}, file has {}", file.name, piece, most - 1,
                 id.is_number() ? id.dump() : std::string(id.type_name()));
        }
        const auto place = id.get<uint32_t>();
        if (taken[place]) {
            fail(Status::bad_model, "{}: id {}: expected one piece, file has \"{}\" and \"{}\"", file.name, place,
                 tokens[place], piece);
        }
        tokens[place] = piece;
        taken[place] = true;
        size = std::max<std::size_t>(size, place + 1);
    }
    tokens.resize(size);
    for (std::size_t id = 0; id < size; ++id)
        if (!taken[id]) tokens[id] = formats::unused_token(uint32_t(id));
    if (!unk_token.empty() && !pieces.contains(unk_token)) {
        fail(Status::bad_model, "{}: expected a piece {}, the file has none", file.name, unk_token);
    }
    return tokens;
}

const std::vector<std::string>& fairseq_beginning() {
    static const std::vector<std::string> first{"<unk>", "<s>", "</s>"};
    return first;
}

bool has_fairseq_order(std::span<const std::string> pieces) {
    const auto& first = fairseq_beginning();
    return pieces.size() >= first.size() && std::ranges::equal(pieces.first(first.size()), first);
}

// BARThez' SentencePiece model has fairseq's special tokens itself.
bool has_own_order(std::span<const std::string> pieces) {
    const std::vector<std::string> first{"<s>", "<pad>", "</s>", "<unk>"};
    return pieces.size() >= first.size() && std::ranges::equal(pieces.first(first.size()), first);
}

std::vector<std::string> fairseq_tokens(const FileBytes& file, std::span<const std::string> pieces,
                                        const std::vector<std::string>& ending) {
    const auto& first = fairseq_beginning();
    if (!has_fairseq_order(pieces)) {
        fail(Status::bad_model, "{}: expected the pieces {} first, file has {}", file.name, fmt::join(first, " "),
             fmt::join(pieces.first(std::min(pieces.size(), first.size())), " "));
    }
    std::vector<std::string> tokens{"<s>", "<pad>", "</s>", "<unk>"};
    const auto rest = pieces.subspan(first.size());
    tokens.insert(tokens.end(), rest.begin(), rest.end());
    tokens.insert(tokens.end(), ending.begin(), ending.end());
    return tokens;
}

void add_tokens(const TokenizerSettings& tokenizer, uint32_t size, uint32_t first_id,
                HuggingFaceVocabulary& vocabulary) {
    std::size_t left_out = 0;
    const formats::AddedToken* first = nullptr;
    for (const auto& [id, token] : tokenizer.added()) {
        if (id < first_id) continue;
        if (id >= size) {
            if (!first) first = &token;
            ++left_out;
            continue;
        }
        auto& tokens = vocabulary.tokens;
        while (tokens.size() <= id) tokens.push_back(formats::unused_token(uint32_t(tokens.size())));
        tokens[id] = token.text;
    }
    if (first) {
        log(LogLevel::warning,
            "{}: {} added tokens have no row in the embedding and are left out: the first is \"{}\", "
            "id {}, vocab_size is {}",
            vocabulary.file, left_out, first->text, first->id, size);
    }
}

// What the tokenizer has past the embedding goes, if it was added to the vocabulary.
void drop_added(const TokenizerSettings& tokenizer, uint32_t size, std::vector<std::string>& tokens) {
    const auto added = [&](std::size_t id) {
        const auto found = tokenizer.added().find(uint32_t(id));
        return tokens[id] == formats::unused_token(uint32_t(id)) ||
               (found != tokenizer.added().end() && found->second.text == tokens[id]);
    };
    while (tokens.size() > size && added(tokens.size() - 1)) tokens.pop_back();
}

void fill_rows(const TokenizerSettings& tokenizer, uint32_t size, const char* size_key,
               HuggingFaceVocabulary& vocabulary) {
    auto& tokens = vocabulary.tokens;
    drop_added(tokenizer, size, tokens);
    if (tokens.size() > size || size - tokens.size() >= kMaxUnusedRows) {
        fail(Status::bad_model, "{}: expected {} tokens ({}), the tokenizer has {}", vocabulary.file, size, size_key,
             tokens.size());
    }
    while (tokens.size() < size) tokens.push_back(formats::unused_token(uint32_t(tokens.size())));
}

// The tokens that a file names as special: {"additional_special_tokens": ["<x>", {"content": "<y>"}], ...}.
void note_special(const nlohmann::json& values, std::set<std::string>& special) {
    const auto note = [&](const nlohmann::json& value) {
        const bool object = value.is_object() && value.contains("content");
        const nlohmann::json& content = object ? value.at("content") : value;
        if (content.is_string()) special.insert(content.get<std::string>());
    };
    for (const auto& [key, value] : values.items()) {
        if (!key.ends_with("_token") && !key.ends_with("special_tokens")) continue;
        if (value.is_array()) std::ranges::for_each(value, note);
        else note(value);
    }
}

nlohmann::json read_if_there(const FileSet& files, const char* name) {
    if (!files.has(name)) return nlohmann::json::object();
    return formats::parse_json_object(files.label(name), files.read(name).text());
}

std::string text_of_key(const nlohmann::json& values, const char* key) {
    const auto found = values.find(key);
    if (found == values.end()) return {};
    const bool object = found->is_object() && found->contains("content");  // {"content": "<s>", "lstrip": false ...}
    const nlohmann::json& value = object ? found->at("content") : *found;
    return value.is_string() ? value.get<std::string>() : std::string();
}

bool flag_of(const nlohmann::json& values, const std::string& file, const char* key, bool absent) {
    const auto found = values.find(key);
    if (found == values.end() || found->is_null()) return absent;
    if (!found->is_boolean()) {
        fail(Status::bad_model, "{}: {}: expected true or false, file has {}", file, key, formats::short_text(*found));
    }
    return found->get<bool>();
}

std::string class_of(const FileSet& files, const nlohmann::json& tokenizer) {
    constexpr const char *kConfig = "config.json", *kKey = "tokenizer_class";
    constexpr std::string_view kFast = "Fast";
    const nlohmann::json config = read_if_there(files, kConfig);
    if (config.contains(kKey) && !config.at(kKey).is_null() && !config.at(kKey).is_string())
        fail(Status::bad_model, "{}: {}: expected a string, file has {}", files.label(kConfig), kKey,
             formats::short_text(config.at(kKey)));
    std::string name = text_of_key(tokenizer, kKey);
    if (name.empty()) name = text_of_key(config, kKey);
    if (name.ends_with(kFast)) name.resize(name.size() - kFast.size());
    return name;
}

}  // namespace

std::vector<std::string> read_huggingface_pieces(const FileBytes& file, const std::string& unk_token) {
    return numbered_pieces(file, formats::parse_json_object(file.name, file.text()), unk_token);
}

void read_special_tokens(const HuggingFaceSettings& settings, const std::string& vocabulary, spec::ModelSpec& spec,
                         std::optional<uint32_t> start) {
    const auto& tokens = spec.target.tokens;
    const auto size = static_cast<uint32_t>(tokens.size());
    const auto ends = settings.end_ids(size);
    spec.eos_token = tokens[ends.empty() ? settings.token_id("eos_token_id", size) : ends.front()];
    if (std::ranges::find(spec.source.tokens, spec.eos_token) == spec.source.tokens.end()) {
        fail(Status::bad_model, "{}: expected a piece {} (the target's eos_token_id), the file has none", vocabulary,
             spec.eos_token);
    }
    spec.decoder_start_token = std::nullopt;
    if (const auto id = settings.optional_token_id("decoder_start_token_id", size)) start = id;
    if (start && *start < size) spec.decoder_start_token = tokens[*start];
    if (const auto id = settings.optional_token_id("forced_bos_token_id", size))
        spec.prompts.pattern.target_begin = {tokens[*id]};
}

void read_suppressed_tokens(const HuggingFaceSettings& settings, spec::ModelSpec& spec) {
    const auto& tokens = spec.target.tokens;
    const auto size = static_cast<uint32_t>(tokens.size());
    const auto never = [&](const std::vector<uint32_t>& ids) {
        std::vector<std::string> sequence;
        for (const uint32_t id : ids) sequence.push_back(tokens[id]);
        if (std::ranges::find(spec.never_generated, sequence) == spec.never_generated.end())
            spec.never_generated.push_back(std::move(sequence));
    };
    for (const uint32_t id : settings.token_ids("suppress_tokens", size)) never({id});
    const auto ends = settings.end_ids(size);
    for (const auto& ids : settings.token_sequences("bad_words_ids", size)) {
        // transformers ignores ends among bad words, but not among suppressed tokens.
        const bool end = ids.size() == 1 && std::ranges::find(ends, ids[0]) != ends.end();
        if (!end) never(ids);
    }
}

void read_suppressed_beginnings(const HuggingFaceSettings& settings, bool with_language, spec::ModelSpec& spec) {
    const char* key = "begin_suppress_tokens";
    const auto& tokens = spec.target.tokens;
    const auto ids = settings.token_ids(key, static_cast<uint32_t>(tokens.size()));
    if (ids.empty()) return;
    if (with_language || !spec.decoder_start_token) {
        const auto& file = settings.generation() ? *settings.generation() : settings.config();
        fail(Status::unsupported,
             "{}: {} is not supported in models whose translations begin with a language: "
             "expected [], file has {}",
             file.file, key, formats::short_text(file.values.at(key)));
    }
    std::vector<std::string> beginning{*spec.decoder_start_token};
    std::ranges::copy(spec.prompts.pattern.target_begin, std::back_inserter(beginning));
    for (const uint32_t id : ids) {
        spec.never_generated.push_back(beginning);
        spec.never_generated.back().push_back(tokens[id]);
    }
}

bool has_bpe_json(const FileSet& files) {
    return files.has(kTokenizerJson) && formats::tokenizer_model_type(files.read(kTokenizerJson)) == "BPE";
}

bool cleans_up_spaces(const FileSet& files, bool (*bpe)(const FileSet& files)) {
    const nlohmann::json values = read_if_there(files, kTokenizerConfig);
    const auto flag = [&](const char* key) { return flag_of(values, files.label(kTokenizerConfig), key, false); };
    if (!flag("clean_up_tokenization_spaces")) return false;
    return !bpe(files) || flag("clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output");
}

std::string tokenizer_class(const FileSet& files) { return class_of(files, read_if_there(files, kTokenizerConfig)); }

TokenizerSettings::TokenizerSettings(const FileSet& files)
    : file_(files.label(kTokenizerConfig)), values_(read_if_there(files, kTokenizerConfig)) {
    class_ = class_of(files, values_);
    read_added(files);
}

std::optional<bool> TokenizerSettings::stated_flag(const char* key) const {
    const bool value = flag(key, false);
    return value == flag(key, true) ? std::optional(value) : std::nullopt;
}

std::string TokenizerSettings::text(const char* key) const { return text_of_key(values_, key); }

bool TokenizerSettings::flag(const char* key, bool absent) const { return flag_of(values_, file_, key, absent); }

void TokenizerSettings::read_added(const FileSet& files) {
    if (files.has(kTokenizerJson))
        for (const auto& token : formats::added_tokens(files.read(kTokenizerJson))) added_[token.id] = token;
    if (files.has(kTokenizerConfig))
        for (const auto& token : formats::added_tokens_decoder(files.read(kTokenizerConfig))) added_[token.id] = token;
    const char *name = "added_tokens.json", *map = "special_tokens_map.json";
    if (!files.has(name)) return;
    std::set<std::string> special;
    note_special(values_, special);
    const bool told = files.has(map);
    if (told) note_special(formats::parse_json_object(files.label(map), files.read(map).text()), special);
    const FileBytes file = files.read(name);
    const auto added = formats::parse_json_object(file.name, file.text());
    for (const auto& [token, id] : added.items()) {
        if (!id.is_number_unsigned() || id.get<uint64_t>() >= kMaxVocabulary)
            fail(Status::bad_model, "{}: \"{}\": expected an id, file has {}", file.name, token,
                 formats::short_text(id));
        const auto known = added_.find(id.get<uint32_t>());
        if (known != added_.end() && known->second.text == token) continue;
        added_[id.get<uint32_t>()] = {.text = token,
                                      .id = id.get<uint32_t>(),
                                      .special = special.contains(token) || (!told && is_special_token_form(token))};
    }
}

std::vector<formats::AddedToken> TokenizerSettings::added_list() const {
    std::vector<formats::AddedToken> list;
    for (const auto& [id, token] : added_) list.push_back(token);
    return list;
}

HuggingFaceVocabulary read_fairseq_vocabulary(const FileSet& files, uint32_t size,
                                              std::initializer_list<LanguageList> lists) {
    std::vector<std::vector<std::string>> endings;
    for (const LanguageList list : lists) {
        endings.push_back(language_list(list));
        endings.back().emplace_back("<mask>");
    }
    return read_fairseq_vocabulary(files, size, endings);
}

HuggingFaceVocabulary read_fairseq_vocabulary(const FileSet& files, uint32_t size,
                                              std::span<const std::vector<std::string>> endings) {
    const std::string name = formats::find_sentencepiece(files, "source");
    if (name.empty() && !files.has(kTokenizerJson)) {
        fail(Status::bad_model, "{}: expected sentencepiece.bpe.model or tokenizer.json, neither is there",
             text_of(files.path()));
    }
    if (name.empty()) return read_tokenizer_vocabulary(files);
    const FileBytes file = files.read(name);
    const auto pieces = formats::sentencepiece_pieces(file);
    HuggingFaceVocabulary vocabulary{.file = file.name, .tokens = {}, .sentencepiece = file};
    const bool other = files.has(kTokenizerJson);
    if (has_own_order(pieces.texts)) {  // its ids are the model's
        vocabulary.tokens = pieces.texts;
        if (vocabulary.tokens.size() < size) vocabulary.tokens.emplace_back("<mask>");
        return vocabulary;
    }
    if (other && !has_fairseq_order(pieces.texts)) return read_tokenizer_vocabulary(files);
    for (const auto& ending : endings) {
        auto tokens = fairseq_tokens(file, pieces.texts, ending);
        if (vocabulary.tokens.empty() || tokens.size() <= size) vocabulary.tokens = std::move(tokens);
    }
    // a vocabulary that was made smaller has an order of its own, which the SentencePiece file does not tell
    if (other && vocabulary.tokens.size() > size) return read_tokenizer_vocabulary(files);
    return vocabulary;
}

HuggingFaceVocabulary read_tokenizer_vocabulary(const FileSet& files) {
    const FileBytes file = files.read(kTokenizerJson);
    auto json = formats::read_tokenizer_json(file);
    return {.file = file.name,
            .tokens = std::move(json.tokens),
            .sentencepiece = std::move(json.sentencepiece),
            .unk_token = std::move(json.unk_token),
            .steps = std::move(json.steps)};
}

HuggingFaceVocabulary read_byte_bpe_vocabulary(const FileSet& files, const TokenizerSettings& tokenizer,
                                               spec::ModelSpec& spec) {
    const char *pieces = "vocab.json", *merges = "merges.txt";
    if (files.has(pieces) && files.has(merges)) {
        const FileBytes file = files.read(pieces);
        spec.byte_bpe = {.merges = formats::read_merges(files.read(merges)),
                         .space_before = tokenizer.flag("add_prefix_space")};
        return {.file = file.name, .tokens = read_huggingface_pieces(file, "")};
    }
    if (!files.has(kTokenizerJson)) {
        fail(Status::bad_model, "{}: expected {} and {}, or {}, neither is there", text_of(files.path()), pieces,
             merges, kTokenizerJson);
    }
    const FileBytes file = files.read(kTokenizerJson);
    auto json = formats::read_byte_bpe_json(file, tokenizer.stated_flag("add_prefix_space"));
    spec.byte_bpe = std::move(json.bpe);
    return {.file = file.name, .tokens = std::move(json.tokens), .steps = std::move(json.steps)};
}

void fit_rows(const TokenizerSettings& tokenizer, uint32_t size, const char* size_key,
              HuggingFaceVocabulary& vocabulary, uint32_t first_id) {
    add_tokens(tokenizer, size, first_id, vocabulary);
    fill_rows(tokenizer, size, size_key, vocabulary);
}

void take_vocabulary(HuggingFaceVocabulary vocabulary, const TokenizerSettings& tokenizer, spec::ModelSpec& spec) {
    // 0: there is no such stack
    const uint32_t size = std::max(spec.config.source_vocabulary, spec.config.target_vocabulary);
    fit_rows(tokenizer, size, "vocab_size", vocabulary);
    if (std::ranges::find(vocabulary.tokens, spec.unk_token) == vocabulary.tokens.end())
        fail(Status::bad_model, "{}: expected a piece {}, the file has none", vocabulary.file, spec.unk_token);
    spec.shared_vocabulary = true;
    spec.tokenizer_steps = std::move(vocabulary.steps);
    spec.source.tokens = std::move(vocabulary.tokens);
    spec.target.tokens = spec.source.tokens;
}

void take_vocabulary(HuggingFaceVocabulary vocabulary, const TokenizerSettings& tokenizer, LanguageTokens form,
                     spec::ModelSpec& spec) {
    const FileBytes sentencepiece = vocabulary.sentencepiece;
    take_vocabulary(std::move(vocabulary), tokenizer, spec);
    spec.source_languages = spec.target_languages = languages_of(form, spec.source.tokens);
    spec.source.sentencepiece = sentencepiece;
    hide_special_tokens(spec, tokenizer.added_list());
}

}  // namespace dragoman::families
