// SPDX-License-Identifier: Apache-2.0
#include "text/tokenizer.h"

#include "text/sentencepiece.h"

namespace dragoman::text {
namespace {

class SentencePieceTokenizer : public Tokenizer {
public:
    explicit SentencePieceTokenizer(const TokenizerFiles& files)
        : source_(std::make_shared<SentencePiece>(files.source_sentencepiece)),
          target_(files.target_sentencepiece == files.source_sentencepiece
                      ? source_
                      : std::make_shared<SentencePiece>(files.target_sentencepiece)) {}

    std::vector<std::string> tokenize(std::string_view text) const override { return source_->encode(text); }
    std::string detokenize(std::span<const std::string> tokens) const override { return target_->decode(tokens); }

private:
    std::shared_ptr<const SentencePiece> source_, target_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_tokenizer(const TokenizerFiles& files) {
    if (files.source_sentencepiece.empty() || files.target_sentencepiece.empty()) return nullptr;
    return std::make_unique<SentencePieceTokenizer>(files);
}

}  // namespace dragoman::text
