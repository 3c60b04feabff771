// SPDX-License-Identifier: Apache-2.0
#include "formats/word_piece_file.h"

#include "base/error.h"
#include "formats/tokenizer_file.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;

constexpr uint32_t kMaxCharacters = 1u << 16;  // per word: no tokenizer comes near

class Reader : public TokenizerFile {
public:
    using TokenizerFile::TokenizerFile;

    WordPieceFile read() {
        WordPieceFile result;
        result.word_piece.used = true;
        const json* model = find(json_, "model");
        if (!model || !model->is_object()) wrong("model", "an object", model);
        read_model(*model, result.word_piece);
        result.tokens = tokens(*model);
        read_normalizer(result.word_piece);
        check_type("pre_tokenizer", "BertPreTokenizer");
        return result;
    }

private:
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
        if (!most->is_number_unsigned() || most->get<uint64_t>() > kMaxCharacters)
            wrong("model: max_input_chars_per_word", fmt::format("0 to {}", kMaxCharacters), most);
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
};

}  // namespace

WordPieceFile read_word_piece_json(const FileBytes& file) { return Reader(file).read(); }

}  // namespace dragoman::formats
