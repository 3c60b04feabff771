// SPDX-License-Identifier: Apache-2.0
#include "formats/word_piece_file.h"

#include "base/error.h"
#include "formats/json_object.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTokens = std::size_t(1) << 24;
constexpr uint32_t kMostCharacters = 1u << 16;  // of a word: no tokenizer comes near

class Reader {
public:
    explicit Reader(const FileBytes& file) : file_(file.name), json_(parse_json_object(file.name, file.text())) {}

    WordPieceFile read() {
        WordPieceFile result;
        result.word_piece.used = true;
        const json* model = find(json_, "model");
        if (!model || !model->is_object()) wrong("model", "an object", model);
        read_model(*model, result.word_piece);
        read_tokens(*model, result.tokens);
        read_normalizer(result.word_piece);
        check_type("pre_tokenizer", "BertPreTokenizer");
        return result;
    }

private:
    [[noreturn]] void wrong(std::string_view where, std::string_view expected, const json* found) const {
        fail(Status::bad_model, "{}: {}: expected {}, file has {}", file_, where, expected,
             found ? short_text(*found) : std::string("none"));
    }

    [[noreturn]] void refuse(std::string_view where, std::string_view expected, const json* found) const {
        fail(Status::unsupported, "{}: {}: expected {}, file has {}", file_, where, expected,
             found ? short_text(*found) : std::string("none"));
    }

    static const json* find(const json& object, const char* key) {
        if (!object.is_object()) return nullptr;
        const auto found = object.find(key);
        return found == object.end() || found->is_null() ? nullptr : &*found;
    }

    const json& check_type(const char* key, std::string_view type) const {
        const json* step = find(json_, key);
        const json* name = step ? find(*step, "type") : nullptr;
        if (!name || *name != type) refuse(key, type, step);
        return *step;
    }

    bool flag(const json& object, std::string_view where, const char* key, bool absent) const {
        const json* value = find(object, key);
        if (value && !value->is_boolean()) wrong(fmt::format("{}: {}", where, key), "true or false", value);
        return value ? value->get<bool>() : absent;
    }

    std::string text(const json& object, std::string_view where, const char* key, const std::string& absent) const {
        const json* value = find(object, key);
        if (value && !value->is_string()) wrong(fmt::format("{}: {}", where, key), "a string", value);
        return value ? value->get<std::string>() : absent;
    }

    void read_model(const json& model, spec::WordPieceSpec& to) const {
        const json* type = find(model, "type");
        if (type && *type != "WordPiece") refuse("model: type", "WordPiece", type);
        to.unk_token = text(model, "model", "unk_token", to.unk_token);
        to.continuation = text(model, "model", "continuing_subword_prefix", to.continuation);
        const json* most = find(model, "max_input_chars_per_word");
        if (!most) return;
        if (!most->is_number_unsigned() || most->get<uint64_t>() > kMostCharacters)
            wrong("model: max_input_chars_per_word", fmt::format("0 to {}", kMostCharacters), most);
        to.most_characters = most->get<uint32_t>();
    }

    void read_normalizer(spec::WordPieceSpec& to) const {
        const json& step = check_type("normalizer", "BertNormalizer");
        const char* where = "normalizer";
        to.clean = flag(step, where, "clean_text", true);
        to.chinese_characters = flag(step, where, "handle_chinese_chars", true);
        to.lower_case = flag(step, where, "lowercase", true);
        to.strip_accents = flag(step, where, "strip_accents", to.lower_case);
    }

    void read_tokens(const json& model, std::vector<std::string>& tokens) const {
        const json* vocabulary = find(model, "vocab");
        if (!vocabulary || !vocabulary->is_object() || vocabulary->size() > kMostTokens)
            wrong("model: vocab", "an object", vocabulary);
        for (const auto& [token, id] : vocabulary->items()) put(token, id, vocabulary->size(), tokens);
        const json* added = find(json_, "added_tokens");
        if (!added) return;
        if (!added->is_array()) wrong("added_tokens", "a list", added);
        const std::size_t most = vocabulary->size() + added->size();
        for (const json& token : *added) {
            const json *content = find(token, "content"), *id = find(token, "id");
            if (!content || !content->is_string() || !id) wrong("added_tokens", "an id and its content", &token);
            put(content->get<std::string>(), *id, most, tokens);
        }
    }

    void put(const std::string& token, const json& id, std::size_t most, std::vector<std::string>& tokens) const {
        if (!id.is_number_unsigned() || id.get<uint64_t>() >= most || token.empty())
            wrong(fmt::format("\"{}\"", token), fmt::format("an id from 0 to {}", most - 1), &id);
        const auto at = id.get<std::size_t>();
        if (tokens.size() <= at) tokens.resize(at + 1);
        if (!tokens[at].empty() && tokens[at] != token)
            fail(Status::bad_model, "{}: id {}: expected one token, file has \"{}\" and \"{}\"", file_, at,
                 tokens[at], token);
        tokens[at] = token;
    }

    std::string file_;
    json json_;
};

}  // namespace

WordPieceFile read_word_piece_json(const FileBytes& file) { return Reader(file).read(); }

}  // namespace dragoman::formats
