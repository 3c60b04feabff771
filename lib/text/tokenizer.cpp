// SPDX-License-Identifier: Apache-2.0
#include "text/tokenizer.h"

#include <algorithm>

#include "text/sentencepiece.h"

namespace dragoman::text {
namespace {

constexpr std::string_view kSpace = "\xe2\x96\x81";  // U+2581, in pieces
constexpr std::string_view kCodeBegin = ">>", kCodeEnd = "<<";

class SentencePieceTokenizer : public Tokenizer {
public:
    SentencePieceTokenizer(const TokenizerFiles& files, std::vector<std::string> language_codes, bool codes_in_text)
        : source_(std::make_shared<SentencePiece>(files.source_sentencepiece)),
          target_(files.target_sentencepiece.bytes.data() == files.source_sentencepiece.bytes.data()
                      ? source_
                      : std::make_shared<SentencePiece>(files.target_sentencepiece)),
          language_codes_(std::move(language_codes)), codes_in_text_(codes_in_text) {}

    std::vector<std::string> tokenize(std::string_view text, Side side) const override {
        if (side == Side::target) return target_->encode(text);
        const std::string_view code = leading_code(text);
        if (codes_in_text_ && source_->has_piece(code))
            return source_->encode(std::string(code) + " " + std::string(text.substr(code.size())));
        std::vector<std::string> tokens = source_->encode(text, code.size());
        if (!code.empty()) tokens.emplace(tokens.begin(), code);
        return tokens;
    }

    // SentencePiece leaves pieces as they are that its model does not know: copied source words, or all of them in
    // packages whose model was made from the source side.
    std::string detokenize(std::span<const std::string> tokens, Side side) const override {
        std::string text = (side == Side::target ? target_ : source_)->decode(tokens);
        if (text.starts_with(kSpace)) text.erase(0, kSpace.size());
        for (std::size_t at = 0; (at = text.find(kSpace, at)) != std::string::npos; ++at)
            text.replace(at, kSpace.size(), 1, ' ');
        return text;
    }

private:
    std::string_view leading_code(std::string_view text) const {
        if (!text.starts_with(kCodeBegin)) return {};
        const auto end = text.find(kCodeEnd);
        if (end == std::string_view::npos) return {};
        const std::string_view code = text.substr(0, end + kCodeEnd.size());
        return std::ranges::find(language_codes_, code) == language_codes_.end() ? std::string_view() : code;
    }

    std::shared_ptr<const SentencePiece> source_, target_;
    std::vector<std::string> language_codes_;
    bool codes_in_text_;
};

}  // namespace

bool is_language_code(std::string_view token) {
    return token.size() > kCodeBegin.size() + kCodeEnd.size() && token.starts_with(kCodeBegin) &&
           token.find(kCodeEnd) == token.size() - kCodeEnd.size();
}

std::unique_ptr<const Tokenizer> make_tokenizer(const TokenizerFiles& files, std::vector<std::string> language_codes,
                                                bool codes_in_text) {
    if (files.source_sentencepiece.empty() || files.target_sentencepiece.empty()) return nullptr;
    return std::make_unique<SentencePieceTokenizer>(files, std::move(language_codes), codes_in_text);
}

}  // namespace dragoman::text
