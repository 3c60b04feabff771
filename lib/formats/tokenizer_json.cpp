// SPDX-License-Identifier: Apache-2.0
#include "formats/tokenizer_json.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "files/file_budget.h"
#include "formats/base64.h"
#include "formats/bpe_merges.h"
#include "formats/json_object.h"
#include "formats/sentencepiece_model.h"
#include "formats/tokenizer_file.h"
#include "formats/tokenizer_steps.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;
using PieceKind = SentencePieceModel::Kind;

constexpr std::string_view kSpace = "\xe2\x96\x81";
constexpr std::size_t kMaxPieces = kMaxVocabularyEntries, kMaxGap = 1 << 12;

class TokenizerJsonReader : public TokenizerFields {
public:
    explicit TokenizerJsonReader(const FileBytes& file)
        : TokenizerFields(file.name), json_(parse_json_object(file.name, file.text())) {}

    TokenizerJson read() {
        added_ = read_added();
        read_pieces();
        add_tokens();
        auto steps = read_tokenizer_steps(file_, json_);
        std::ranges::for_each(steps.normalizers, [&](const auto& step) { read_normalizer(step); });
        std::ranges::for_each(steps.splits, [&](const auto& step) { read_split(step); });
        each("decoder", "decoders", [&](const json& step) { check_decoder(step); });
        if (!spaces_) refuse("pre_tokenizer", "without Metaspace", nullptr);
        // blanks at the ends stay, or go, in both; Metaspace puts no second one before a text
        plain_ = plain_ && (joined_ ? ends_stripped_ : !stripped_ && !marked_) && steps.words.empty();
        part_words();
        TokenizerJson result{.tokens = {},
                             .unk_token = pieces()[unknown_].text,
                             .added = added_,
                             .sentencepiece = {},
                             .steps = plain_ ? spec::TokenizerSteps() : std::move(steps)};
        for (const auto& piece : pieces()) result.tokens.push_back(piece.text);
        result.sentencepiece = sentencepiece_file(model_, file_);
        return result;
    }

    std::string model_type() const {
        const json* model = find(json_, "model");
        if (!model) wrong("model", "an object", model);
        return find(*model, "type") ? text(*model, "model", "type") : untyped(*model);
    }

    std::vector<AddedToken> read_added() const {
        std::vector<AddedToken> added;
        if (!find(json_, "added_tokens")) return added;
        for (const json& token : list(json_, "added_tokens", "added_tokens")) {
            const std::string content = text(token, "added_tokens", "content");
            const json* id = find(token, "id");
            if (content.empty() || !id || !id->is_number_unsigned() || id->get<uint64_t>() > kMaxPieces)
                wrong(fmt::format("added_tokens: \"{}\": id", content), "a text and its id", id);
            added.push_back({.text = content,
                             .id = id->get<uint32_t>(),
                             .special = flag(token, "added_tokens", "special", false)});
        }
        return added;
    }

private:
    std::vector<SentencePieceModel::Piece>& pieces() { return model_.pieces; }

    [[noreturn]] void refuse(std::string_view where, std::string_view what, const json* value) const {
        fail(Status::unsupported, "{}: {} {} is not supported{}{}", file_, where, what, value ? ": " : "",
             value ? short_text(*value) : std::string());
    }

    // Visits the step under a key, or the steps of the Sequence there.
    void each(const char* key, const char* members, const auto& read) const {
        const json* step = find(json_, key);
        if (!step) return;
        if (text(*step, key, "type") != "Sequence") return read(*step);
        for (const json& member : list(*step, key, members)) read(member);
    }

    void read_pieces() {
        const json* model = find(json_, "model");
        if (!model) wrong("model", "an object", model);
        const std::string type = model_type();
        if (type == "Unigram") read_unigram(*model);
        else if (type == "BPE") read_bpe(*model);
        else refuse("model: type", type, nullptr);
        pieces()[unknown_].kind = PieceKind::unknown;
    }

    // Of equal pieces the last one counts, as in tokenizers.
    void leave_out_repeated() {
        std::unordered_map<std::string_view, std::size_t> last;
        for (std::size_t id = 0; id < pieces().size(); ++id) last[pieces()[id].text] = id;
        std::vector<std::size_t> earlier;
        for (std::size_t id = 0; id < pieces().size(); ++id)
            if (last.at(pieces()[id].text) != id) earlier.push_back(id);
        for (const std::size_t id : earlier)
            pieces()[id] = {.text = unused_token(uint32_t(id)), .score = 0, .kind = PieceKind::control};
    }

    // No text has an empty piece.
    void leave_out_if_empty(std::size_t id) {
        auto& piece = pieces()[id];
        if (piece.text.empty()) piece = {.text = unused_token(uint32_t(id)), .score = 0, .kind = PieceKind::control};
    }

    // Old files leave out the type: only Unigram has a list of pieces, only BPE has merges.
    static std::string untyped(const json& model) {
        const json* vocabulary = find(model, "vocab");
        if (vocabulary && vocabulary->is_array()) return "Unigram";
        return find(model, "merges") ? "BPE" : "WordPiece";
    }

    void read_unigram(const json& model) {
        const json& vocabulary = list(model, "model", "vocab");
        if (vocabulary.size() > kMaxPieces) wrong("model: vocab", fmt::format("at most {}", kMaxPieces), nullptr);
        for (const json& item : vocabulary) {
            const bool fits = item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_number();
            const double score = fits ? item[1].get<double>() : 0;
            if (!fits || std::abs(score) > 1e9)
                wrong(fmt::format("model: vocab: entry {}", pieces().size()), "a text and a number", &item);
            pieces().push_back({.text = item[0].get<std::string>(), .score = float(score)});
            leave_out_if_empty(pieces().size() - 1);
        }
        leave_out_repeated();
        const json* unknown = find(model, "unk_id");
        if (!unknown || !unknown->is_number_unsigned() || unknown->get<uint64_t>() >= pieces().size())
            wrong("model: unk_id", fmt::format("0 to {}", pieces().size()), unknown);
        unknown_ = unknown->get<std::size_t>();
        model_.sums_in_double = true;
        model_.byte_fallback = flag(model, "model", "byte_fallback", false);
        if (model_.byte_fallback) mark_bytes();
    }

    void read_bpe(const json& model) {
        model_.type = SentencePieceModel::Type::bpe;
        for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
            if (const json* value = find(model, key); value && *value != "") refuse("model:", key, value);
        if (flag(model, "model", "ignore_merges", false)) refuse("model:", "ignore_merges", nullptr);
        // with bytes for what it lacks, nothing is unknown
        if (!flag(model, "model", "fuse_unk", false) && !flag(model, "model", "byte_fallback", false))
            refuse("model: fuse_unk", "false", nullptr);
        const json* vocabulary = find(model, "vocab");
        if (!vocabulary || !vocabulary->is_object() || vocabulary->size() > kMaxPieces)
            wrong("model: vocab", "an object", vocabulary);
        pieces().resize(vocabulary->size());
        for (const auto& [piece, id] : vocabulary->items()) {
            if (!id.is_number_unsigned() || id.get<uint64_t>() >= pieces().size())
                wrong(fmt::format("model: vocab: \"{}\"", piece), fmt::format("0 to {}", pieces().size() - 1), &id);
            std::string& text = pieces()[id.get<std::size_t>()].text;
            if (!text.empty()) wrong(fmt::format("model: vocab: \"{}\"", piece), "an id of its own", &id);
            text = piece;
        }
        for (std::size_t id = 0; id < pieces().size(); ++id) leave_out_if_empty(id);
        unknown_ = place(text(model, "model", "unk_token"));
        model_.byte_fallback = flag(model, "model", "byte_fallback", false);
        if (model_.byte_fallback) mark_bytes();
        score_by_merges(list(model, "model", "merges"));
    }

    std::size_t place(const std::string& token) const {
        const auto same = [&](const auto& piece) { return piece.text == token; };
        const auto found = std::ranges::find_if(model_.pieces, same);
        if (found == model_.pieces.end())
            fail(Status::bad_model, "{}: model: vocab: expected \"{}\", the file has none", file_, token);
        return std::size_t(found - model_.pieces.begin());
    }

    void score_by_merges(const json& stored) {
        BpeMerges merges(file_);
        for (const json& item : stored) {
            const bool pair = item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string();
            if (pair) merges.add(item[0].get<std::string>(), item[1].get<std::string>());
            else add_merge(item, merges);
        }
        std::vector<std::string> apart{model_.pieces[unknown_].text};
        for (const AddedToken& token : added_) apart.push_back(token.text);
        for (auto& piece : pieces()) {
            // a special token in brackets that old files do not name as one: no merge leads to it
            const bool special = piece.text.size() > 2 && piece.text.front() == '<' && piece.text.back() == '>' &&
                                 !merges.make(piece.text);
            if (special && piece.kind == PieceKind::normal) piece.kind = PieceKind::control;
            if (special || piece.kind == PieceKind::byte) apart.push_back(piece.text);
        }
        merges.score(pieces(), apart);
    }

    void add_merge(const json& item, BpeMerges& merges) const {
        const std::string both = item.is_string() ? item.get<std::string>() : std::string();
        if (std::ranges::count(both, ' ') != 1) wrong("model: merges", "pairs of pieces", &item);
        merges.add(both.substr(0, both.find(' ')), both.substr(both.find(' ') + 1));
    }

    void mark_bytes() {
        for (auto& piece : pieces())
            if (piece.text.size() == 6 && piece.text.starts_with("<0x") && piece.text.ends_with(">"))
                piece.kind = PieceKind::byte;
    }

    // Added tokens come after the vocabulary or are in it.
    void add_tokens() {
        const std::size_t own = pieces().size();
        for (const AddedToken& token : added_) {
            if (token.id >= pieces().size() + kMaxGap)
                fail(Status::bad_model, "{}: added_tokens: \"{}\": id: expected one of {} after {}, file has {}", file_,
                     token.text, kMaxGap, pieces().size(), token.id);
            while (pieces().size() <= token.id)
                pieces().push_back({.text = unused_token(uint32_t(pieces().size())), .kind = PieceKind::control});
            auto& piece = pieces()[token.id];
            const bool unused = token.id >= own && piece.text == unused_token(token.id);
            if (!unused && piece.text != token.text)
                fail(Status::bad_model, "{}: added_tokens: id {}: expected \"{}\", file has \"{}\"", file_, token.id,
                     piece.text, token.text);
            piece.text = token.text;
            // a control symbol of one character would match that character, and stand for nothing
            const bool one = std::ranges::count_if(token.text, [](char c) { return (c & 0xc0) != 0x80; }) == 1;
            if (token.id != unknown_) piece.kind = token.special && !one ? PieceKind::control : PieceKind::user_defined;
        }
    }

    // Of the steps below, those that a SentencePiece model has too. With any other, texts go through the steps.
    void read_normalizer(const spec::NormalizerStep& step) {
        if (const auto* rules = std::get_if<spec::PrecompiledRules>(&step)) {
            plain_ = plain_ && model_.rules.empty() && !joined_ && !spaces_ && !prefix_;
            model_.rules = rules->rules;
            model_.rules_of_clusters = true;
        } else if (const auto* replace = std::get_if<spec::ReplaceText>(&step)) {
            read_replace(*replace);
        } else if (const auto* prepend = std::get_if<spec::PrependText>(&step); prepend && prepend->text == kSpace) {
            prefix_ = true;
        } else if (const auto* strip = std::get_if<spec::StripBlanks>(&step)) {
            stripped_ = true;
            ends_stripped_ = ends_stripped_ || strip->right;
        } else {
            plain_ = false;
        }
    }

    void read_replace(const spec::ReplaceText& step) {
        const bool mark = step.content == kSpace;
        const auto& [pattern, regex] = step.pattern;
        if (regex && pattern == " {2,}" && (mark || step.content == " ")) joined_ = true;
        else if (!regex && pattern == " " && mark) spaces_ = true;
        else plain_ = false;
    }

    void read_split(const spec::SplitStep& step) {
        if (std::holds_alternative<spec::SplitWhitespace>(step)) {
            plain_ = plain_ && !spaces_ && !model_.rules.empty();  // otherwise a tab is no space to SentencePiece
            joined_ = ends_stripped_ = parted_ = true;
        } else if (const auto* metaspace = std::get_if<spec::SplitMetaspace>(&step)) {
            if (metaspace->replacement != kSpace)
                fail(Status::unsupported, "{}: pre_tokenizer: replacement: expected \"{}\", file has \"{}\"", file_,
                     kSpace, metaspace->replacement);
            using Prepend = spec::SplitMetaspace::Prepend;
            plain_ = plain_ && (!parted_ || metaspace->prepend == Prepend::always);
            marked_ = metaspace->prepend != Prepend::never;
            prefix_ = prefix_ || marked_;
            words_ = metaspace->split;
            spaces_ = true;
        } else {
            plain_ = false;
        }
    }

    void check_decoder(const json& step) const {
        constexpr std::string_view known[] = {"Metaspace", "Replace", "ByteFallback", "Fuse", "Strip"};
        const std::string type = text(step, "decoder", "type");
        if (std::ranges::find(known, type) == std::end(known)) refuse("decoder:", type, nullptr);
    }

    // SentencePiece looks for pieces in the whole text, this file between two spaces: pieces with a space inside are
    // never found there.
    void part_words() {
        model_.add_dummy_prefix = prefix_;
        model_.remove_extra_whitespaces = joined_;
        if (plain_ && words_) plain_ = model_.type != SentencePieceModel::Type::bpe || !has_spaces_inside();
        if (!plain_) return leave_to_steps();
        if (!words_) return;
        for (auto& piece : pieces())
            if (has_space_inside(piece)) piece.kind = PieceKind::unused;
    }

    static bool has_space_inside(const SentencePieceModel::Piece& piece) {
        return piece.kind == PieceKind::normal && piece.text.find(kSpace, 1) != std::string::npos;
    }
    bool has_spaces_inside() const { return std::ranges::any_of(model_.pieces, has_space_inside); }

    // The steps find added tokens themselves, and have the rules.
    void leave_to_steps() {
        model_.rules.clear();
        model_.rules_of_clusters = false;
        for (const AddedToken& token : added_)
            if (!token.special && token.id != unknown_) pieces()[token.id].kind = PieceKind::unused;
    }

    json json_;
    SentencePieceModel model_;
    std::vector<AddedToken> added_;
    std::size_t unknown_ = 0;
    bool prefix_ = false, joined_ = false, words_ = false, spaces_ = false;
    bool stripped_ = false, ends_stripped_ = false, parted_ = false, marked_ = false;
    bool plain_ = true;  // a SentencePiece model alone does the same
};

uint32_t read_id(const FileBytes& file, const std::string& digits) {
    const bool number = !digits.empty() && digits.size() < 9 && digits.find_first_not_of("0123456789") == digits.npos;
    if (!number || std::stoul(digits) > kMaxPieces)
        fail(Status::bad_model, "{}: added_tokens_decoder: expected an id of at most {}, file has \"{}\"", file.name,
             kMaxPieces, digits.substr(0, 60));
    return uint32_t(std::stoul(digits));
}

}  // namespace

std::vector<AddedToken> added_tokens_decoder(const FileBytes& file) {
    const json config = parse_json_object(file.name, file.text());
    std::vector<AddedToken> added;
    const auto found = config.find("added_tokens_decoder");
    if (found == config.end() || !found->is_object()) return added;
    for (const auto& [id, token] : found->items()) {
        const auto content = token.is_object() ? token.find("content") : token.end();
        if (!token.is_object() || content == token.end() || !content->is_string())
            fail(Status::bad_model, "{}: added_tokens_decoder: {}: expected a token's content, file has {}", file.name,
                 id.substr(0, 60), short_text(token));
        const auto special = token.find("special");
        added.push_back({.text = content->get<std::string>(),
                         .id = read_id(file, id),
                         .special = special != token.end() && *special == true});
    }
    return added;
}

std::optional<uint32_t> number_in(const FileBytes& file, const char* key, uint32_t most) {
    const json config = parse_json_object(file.name, file.text());
    const auto found = config.find(key);
    if (found == config.end() || found->is_null()) return std::nullopt;
    if (!found->is_number_unsigned() || found->get<uint64_t>() > most)
        fail(Status::bad_model, "{}: {}: expected a whole number up to {}, file has {}", file.name, key, most,
             short_text(*found));
    return found->get<uint32_t>();
}

std::string text_in(const FileBytes& file, const char* key) {
    const json config = parse_json_object(file.name, file.text());
    const auto found = config.find(key);
    return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

TokenizerJson read_tokenizer_json(const FileBytes& file) { return TokenizerJsonReader(file).read(); }

std::string tokenizer_model_type(const FileBytes& file) { return TokenizerJsonReader(file).model_type(); }

std::vector<AddedToken> added_tokens(const FileBytes& file) {
    const std::string list = early_part(file.text(), "added_tokens");
    if (list.empty()) return TokenizerJsonReader(file).read_added();
    return TokenizerJsonReader({.name = file.name, .bytes = std::as_bytes(std::span(list)), .owner = {}}).read_added();
}

}  // namespace dragoman::formats
