// SPDX-License-Identifier: Apache-2.0
#include "formats/word_piece_file.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "formats/tokenizer_file.h"
#include "formats/tokenizer_steps.h"

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
        read_steps(result);
        return result;
    }

private:
    std::string text_or(const json& object, const char* key, const std::string& absent) const {
        return find(object, key) ? text(object, "model", key) : absent;
    }

    void read_model(const json& model, spec::WordPieceSpec& to) const {
        const json* type = find(model, "type");
        if (type && *type != "WordPiece") refuse("model: type", "WordPiece", type);
        to.unk_token = text_or(model, "unk_token", to.unk_token);
        to.continuation = text_or(model, "continuing_subword_prefix", to.continuation);
        const json* most = find(model, "max_input_chars_per_word");
        if (!most) return;
        if (!most->is_number_unsigned() || most->get<uint64_t>() > kMaxCharacters)
            wrong("model: max_input_chars_per_word", fmt::format("0 to {}", kMaxCharacters), most);
        to.most_characters = most->get<uint32_t>();
    }

    // BERT's cleaning and parting is what the model does by itself; anything else takes the steps.
    void read_steps(WordPieceFile& to) const {
        auto steps = read_tokenizer_steps(file_, json_);
        const bool one = steps.normalizers.size() == 1 && steps.splits.size() == 1 && steps.words.empty();
        const auto* clean = one ? std::get_if<spec::BertCleaning>(steps.normalizers.data()) : nullptr;
        if (!clean || !std::holds_alternative<spec::SplitBert>(steps.splits[0])) {
            const auto lower = [](const auto& step) {
                const auto* bert = std::get_if<spec::BertCleaning>(&step);
                return bert ? bert->lower_case : std::holds_alternative<spec::Lowercase>(step);
            };
            to.word_piece.lower_case = std::ranges::any_of(steps.normalizers, lower);
            to.steps = std::move(steps);
            return;
        }
        to.word_piece.clean = clean->clean;
        to.word_piece.chinese_characters = clean->chinese_characters;
        to.word_piece.lower_case = clean->lower_case;
        to.word_piece.strip_accents = clean->strip_accents;
    }
};

}  // namespace

WordPieceFile read_word_piece_json(const FileBytes& file) { return Reader(file).read(); }

}  // namespace dragoman::formats
