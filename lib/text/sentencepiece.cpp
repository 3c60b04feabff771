// SPDX-License-Identifier: Apache-2.0
#include "text/sentencepiece.h"

#include <sentencepiece_processor.h>

#include "base/error.h"
#include "base/utf8.h"

namespace dragoman::text {

struct SentencePiece::Processor {
    sentencepiece::SentencePieceProcessor library;
};

SentencePiece::SentencePiece(const FileBytes& file) {
    auto processor = std::make_unique<Processor>();
    const auto status = processor->library.LoadFromSerializedProto(
        {file.text().data(), file.text().size()});
    if (!status.ok()) fail(Status::bad_model, "{}: not a SentencePiece model ({})", file.name, status.ToString());
    processor_ = std::move(processor);
}

SentencePiece::~SentencePiece() = default;
SentencePiece::SentencePiece(SentencePiece&&) noexcept = default;
SentencePiece& SentencePiece::operator=(SentencePiece&&) noexcept = default;

std::vector<std::string> SentencePiece::encode(std::string_view text, std::size_t begin) const {
    if (const auto bad = first_invalid_utf8(text)) {
        fail(Status::invalid_argument, "text: expected UTF-8, byte {} is 0x{:02x}", *bad,
             static_cast<unsigned char>(text[*bad]));
    }
    std::vector<std::string> pieces;
    text.remove_prefix(begin);
    const auto status = processor_->library.Encode({text.data(), text.size()}, &pieces);
    if (!status.ok()) fail(Status::internal, "SentencePiece: {}", status.ToString());
    return pieces;
}

std::string SentencePiece::decode(std::span<const std::string> pieces) const {
    std::string text;
    const auto status = processor_->library.Decode(std::vector<std::string>(pieces.begin(), pieces.end()), &text);
    if (!status.ok()) fail(Status::internal, "SentencePiece: {}", status.ToString());
    return text;
}

bool SentencePiece::has_piece(std::string_view piece) const {
    if (piece.empty()) return false;  // the library reads what its pointer points to
    return !processor_->library.IsUnknown(processor_->library.PieceToId({piece.data(), piece.size()}));
}

}  // namespace dragoman::text
