// SPDX-License-Identifier: Apache-2.0
#include "text/make_tokenizer.h"

#include <algorithm>

#include "text/byte_bpe.h"
#include "text/sentencepiece.h"
#include "text/word_piece.h"

namespace dragoman::text {
namespace {

constexpr std::string_view kCodeBegin = ">>", kCodeEnd = "<<";

class SentencePieceTokenizer : public Tokenizer {
public:
    SentencePieceTokenizer(const TokenizerFiles& files, std::vector<std::string> language_codes, bool codes_in_text)
        : source_(std::make_shared<SentencePiece>(files.source_sentencepiece)),
          target_(files.target_sentencepiece.bytes.data() == files.source_sentencepiece.bytes.data()
                      ? source_
                      : std::make_shared<SentencePiece>(files.target_sentencepiece)),
          language_codes_(std::move(language_codes)), codes_in_text_(codes_in_text) {}

    TokenizedText tokenize(std::string_view text, Side side) const override {
        if (side == Side::target) return target_->encode(text);
        const std::string_view code = leading_code(text);
        if (codes_in_text_ && source_->has_piece(code)) return with_code_as_word(text, code.size());
        TokenizedText result = source_->encode(text, code.size());
        if (!code.empty()) {
            result.tokens.emplace(result.tokens.begin(), code);
            result.ranges.insert(result.ranges.begin(), {0, code.size()});
            cover_dropped(text, result.ranges);
        }
        return result;
    }

    // SentencePiece leaves pieces that its model does not know as they are: copied source words, or all pieces in
    // packages whose model was made from the source side.
    DetokenizedText detokenize(std::span<const std::string> tokens, Side side) const override {
        DetokenizedText result = (side == Side::target ? target_ : source_)->decode(tokens);
        if (result.text.find(kWordBegin) != std::string::npos) replace_spaces(result);
        cover_dropped(result.text, result.ranges);
        return result;
    }

    std::optional<double> score(std::string_view text) const override { return source_->score(text); }

private:
    TokenizedText with_code_as_word(std::string_view text, std::size_t code_size) const {
        const auto code = text.substr(0, code_size), rest = text.substr(code_size);
        TokenizedText result = source_->encode(std::string(code) + " " + std::string(rest));
        for (Range& range : result.ranges)
            for (std::size_t* at : {&range.begin, &range.end}) *at -= *at > code_size;
        return result;
    }

    static void replace_spaces(DetokenizedText& result) {
        std::string text;
        OffsetMap map;  // from the text as it was to what comes out
        for (std::size_t at = 0; at < result.text.size();) {
            const std::size_t found = std::min(result.text.find(kWordBegin, at), result.text.size());
            map.copy({text.size(), text.size() + found - at});
            text.append(result.text, at, found - at);
            if (found == result.text.size()) break;
            const std::size_t begin = text.size();
            if (found > 0) text += ' ';
            map.replace(kWordBegin.size(), {begin, text.size()});
            at = found + kWordBegin.size();
        }
        map.to_source(result.ranges);
        trim_spaces(text, result.ranges);
        result.text = std::move(text);
    }

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

class ByteBpeTokenizer : public Tokenizer {
public:
    explicit ByteBpeTokenizer(const spec::ByteBpeSpec& spec) : bpe_(spec) {}

    TokenizedText tokenize(std::string_view text, Side) const override { return bpe_.encode(text); }
    DetokenizedText detokenize(std::span<const std::string> tokens, Side) const override { return bpe_.decode(tokens); }

private:
    ByteBpe bpe_;
};

class WordPieceTokenizer : public Tokenizer {
public:
    explicit WordPieceTokenizer(const TokenizerFiles& files) : pieces_(files.word_piece, files.source_tokens) {}

    TokenizedText tokenize(std::string_view text, Side) const override { return pieces_.encode(text); }
    DetokenizedText detokenize(std::span<const std::string> tokens, Side) const override {
        return pieces_.decode(tokens);
    }

private:
    WordPiece pieces_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_tokenizer(const TokenizerFiles& files, std::vector<std::string> language_codes,
                                                bool codes_in_text) {
    if (files.word_piece.used) return std::make_unique<WordPieceTokenizer>(files);
    if (!files.byte_bpe.merges.empty()) return std::make_unique<ByteBpeTokenizer>(files.byte_bpe);
    if (files.source_sentencepiece.empty() || files.target_sentencepiece.empty()) return nullptr;
    return std::make_unique<SentencePieceTokenizer>(files, std::move(language_codes), codes_in_text);
}

}  // namespace dragoman::text
