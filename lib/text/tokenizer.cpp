// SPDX-License-Identifier: Apache-2.0
#include "text/make_tokenizer.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/utf8.h"
#include "text/byte_bpe.h"
#include "text/clean_up.h"
#include "text/offset_map.h"
#include "text/sentencepiece.h"
#include "text/step_words.h"
#include "text/word_piece.h"

namespace dragoman::text {
namespace {

constexpr std::string_view kCodeBegin = ">>", kCodeEnd = "<<";

void check_utf8(std::string_view text) {
    if (const auto bad = first_invalid_utf8(text)) {
        fail(Status::invalid_argument, "text: expected UTF-8, byte {} is 0x{:02x}", *bad,
             static_cast<unsigned char>(text[*bad]));
    }
}

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
    ByteBpeTokenizer(const spec::ByteBpeSpec& spec, std::span<const spec::AddedWord> words) : bpe_(spec, words) {}

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

// Prepares texts as a tokenizer.json says, and gives the words to its model.
class StepTokenizer : public Tokenizer {
public:
    explicit StepTokenizer(const TokenizerFiles& files) : steps_(files.steps), detokenizer_(make_detokenizer(files)) {
        if (files.word_piece.used) {
            const auto pieces = std::make_shared<const WordPiece>(files.word_piece, files.source_tokens);
            encode_word_ = [pieces](std::string_view word) { return pieces->encode_word(word); };
        } else if (!files.byte_bpe.merges.empty()) {
            const auto bpe = std::make_shared<const ByteBpe>(files.byte_bpe);
            encode_word_ = [bpe](std::string_view word) { return bpe->encode_word(word); };
        } else {
            pieces_ = std::make_shared<const SentencePiece>(SentencePiece::of_words(files.source_sentencepiece));
            encode_word_ = [pieces = pieces_](std::string_view word) { return pieces->encode(word); };
        }
    }

    TokenizedText tokenize(std::string_view text, Side) const override {
        check_utf8(text);
        TokenizedText result;
        for (const PreparedWord& word : steps_.words(text)) {
            TokenizedText found = word.added ? TokenizedText{{word.text}, {{0, word.text.size()}}}
                                             : encode_word_(word.text);
            for (std::size_t i = 0; i < found.tokens.size(); ++i) {
                const Range range = found.ranges[i];
                const std::size_t first = std::min(range.begin, word.sources.size() - 1);
                Range source = word.sources[first];
                for (std::size_t at = range.begin; at < range.end; ++at)
                    source.end = std::max(source.end, word.sources[at].end);
                if (!result.ranges.empty()) {  // marks in another order
                    source.begin = std::max(source.begin, result.ranges.back().begin);
                    source.end = std::max(source.end, result.ranges.back().end);
                }
                result.tokens.push_back(std::move(found.tokens[i]));
                result.ranges.push_back(source);
            }
        }
        trim_spaces(text, result.ranges);
        cover_dropped(text, result.ranges);
        return result;
    }

    DetokenizedText detokenize(std::span<const std::string> tokens, Side side) const override {
        return detokenizer_->detokenize(tokens, side);
    }

    std::optional<double> score(std::string_view text) const override {
        if (!pieces_) return std::nullopt;
        double sum = 0.0;
        for (const PreparedWord& word : steps_.words(text)) {
            const auto one = pieces_->score(word.text);
            if (!one) return std::nullopt;
            sum += *one;
        }
        return sum;
    }

private:
    using EncodeWord = std::function<TokenizedText(std::string_view)>;

    static std::unique_ptr<const Tokenizer> make_detokenizer(TokenizerFiles files) {
        files.steps.json.clear();
        return make_tokenizer(files);
    }

    StepWords steps_;
    std::unique_ptr<const Tokenizer> detokenizer_;
    EncodeWord encode_word_;
    std::shared_ptr<const SentencePiece> pieces_;  // null: another model
};

// Takes blanks out of the texts of another tokenizer.
class CleanTokenizer : public Tokenizer {
public:
    explicit CleanTokenizer(std::unique_ptr<const Tokenizer> plain) : plain_(std::move(plain)) {}

    TokenizedText tokenize(std::string_view text, Side side) const override { return plain_->tokenize(text, side); }
    DetokenizedText detokenize(std::span<const std::string> tokens, Side side) const override {
        DetokenizedText result = plain_->detokenize(tokens, side);
        clean_up_spaces(result);
        return result;
    }
    std::optional<double> score(std::string_view text) const override { return plain_->score(text); }

private:
    std::unique_ptr<const Tokenizer> plain_;
};

bool has_model(const TokenizerFiles& files) {
    return files.word_piece.used || !files.byte_bpe.merges.empty() ||
           !(files.source_sentencepiece.empty() || files.target_sentencepiece.empty());
}

}  // namespace

std::unique_ptr<const Tokenizer> make_tokenizer(const TokenizerFiles& files, std::vector<std::string> language_codes,
                                                bool codes_in_text) {
    if (files.clean_up_spaces && has_model(files)) {
        TokenizerFiles plain = files;
        plain.clean_up_spaces = false;
        return std::make_unique<CleanTokenizer>(make_tokenizer(plain, std::move(language_codes), codes_in_text));
    }
    if (files.steps.used() && has_model(files)) return std::make_unique<StepTokenizer>(files);
    if (files.word_piece.used) return std::make_unique<WordPieceTokenizer>(files);
    if (!files.byte_bpe.merges.empty()) return std::make_unique<ByteBpeTokenizer>(files.byte_bpe, files.steps.words);
    if (files.source_sentencepiece.empty() || files.target_sentencepiece.empty()) return nullptr;
    return std::make_unique<SentencePieceTokenizer>(files, std::move(language_codes), codes_in_text);
}

}  // namespace dragoman::text
