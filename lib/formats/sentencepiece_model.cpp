// SPDX-License-Identifier: Apache-2.0
#include "formats/sentencepiece_model.h"

#include <sentencepiece_processor.h>

#include <bit>
#include <memory>

#include "base/error.h"
#include "formats/sentencepiece_file.h"
#include "spec/sentencepiece_fields.h"

namespace dragoman::formats {
namespace {

// Field numbers in the messages of sentencepiece_model.proto.
constexpr uint32_t kModelPieces = 1, kModelTrainer = 2, kModelNormalizer = 3;
constexpr uint32_t kPieceText = 1, kPieceScore = 2, kPieceKind = 3;
constexpr uint32_t kTrainerType = 3, kTrainerSize = 4, kTrainerByteFallback = 35;
constexpr uint32_t kNormalizerRules = 2, kNormalizerPrefix = 3, kNormalizerExtra = 4, kNormalizerEscape = 5;

// Builds a protobuf message.
class MessageWriter {
public:
    void number(uint32_t field, uint64_t value) {
        varint(uint64_t(field) << 3);
        varint(value);
    }
    void real(uint32_t field, float value) {
        varint(uint64_t(field) << 3 | 5);
        const auto bits = std::bit_cast<uint32_t>(value);
        for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(bits >> shift & 0xff);
    }
    void text(uint32_t field, std::string_view value) {
        varint(uint64_t(field) << 3 | 2);
        varint(value.size());
        bytes_ += value;
    }
    const std::string& bytes() const { return bytes_; }

private:
    void varint(uint64_t value) {
        for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
        bytes_ += static_cast<char>(value);
    }
    std::string bytes_;
};

void add_piece(MessageWriter& model, const SentencePieceModel::Piece& piece) {
    MessageWriter message;
    message.text(kPieceText, piece.text);
    message.real(kPieceScore, piece.score);
    message.number(kPieceKind, uint64_t(piece.kind));
    model.text(kModelPieces, message.bytes());
}

FileBytes file_of(std::string name, std::string bytes) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return {.name = std::move(name), .bytes = std::as_bytes(std::span(*owner)), .owner = owner};
}

}  // namespace

FileBytes sentencepiece_file(const SentencePieceModel& model, std::string name) {
    MessageWriter trainer, normalizer, whole;
    trainer.number(kTrainerType, uint64_t(model.type));
    trainer.number(kTrainerSize, model.pieces.size());
    trainer.number(kTrainerByteFallback, model.byte_fallback);
    if (model.sums_in_double) trainer.number(spec::kSentencePieceSumsInDouble, 1);
    if (model.rules_of_clusters) trainer.number(spec::kSentencePieceRulesOfClusters, 1);
    if (!model.rules.empty()) normalizer.text(kNormalizerRules, model.rules);
    normalizer.number(kNormalizerPrefix, model.add_dummy_prefix);
    normalizer.number(kNormalizerExtra, model.remove_extra_whitespaces);
    normalizer.number(kNormalizerEscape, model.escape_whitespaces);
    for (const SentencePieceModel::Piece& piece : model.pieces) add_piece(whole, piece);
    whole.text(kModelTrainer, trainer.bytes());
    whole.text(kModelNormalizer, normalizer.bytes());
    return file_of(std::move(name), whole.bytes());
}

SentencePiecePieces sentencepiece_pieces(const FileBytes& file) {
    check_sentencepiece(file);
    sentencepiece::SentencePieceProcessor processor;
    const auto status = processor.LoadFromSerializedProto({file.text().data(), file.text().size()});
    if (!status.ok()) fail(Status::bad_model, "{}: not a SentencePiece model ({})", file.name, status.ToString());
    // Not processor.unk_id(), which is -1 where the trainer's settings name another piece.
    SentencePiecePieces pieces{.texts = {}, .control = {}, .unknown = UINT32_MAX};
    for (int id = 0; id < processor.GetPieceSize(); ++id) {
        if (processor.IsUnknown(id)) pieces.unknown = uint32_t(id);
        pieces.texts.push_back(processor.IdToPiece(id));
        pieces.control.push_back(processor.IsControl(id));
    }
    if (pieces.unknown == UINT32_MAX)
        fail(Status::bad_model, "{}: expected a piece for unknown text, none of {} is one", file.name,
             pieces.texts.size());
    return pieces;
}

std::string unused_token(uint32_t id) { return fmt::format("<unused_{}>", id); }

bool is_unused_token(std::string_view token, uint32_t id) {
    return token.starts_with("<unused_") && token == unused_token(id);
}

// Concatenated messages are one message: repeated fields continue.
FileBytes with_pieces(const FileBytes& file, const std::vector<SentencePieceModel::Piece>& more) {
    if (more.empty()) return file;
    MessageWriter message;
    for (const SentencePieceModel::Piece& piece : more) add_piece(message, piece);
    return file_of(file.name, std::string(file.text()) + message.bytes());
}

}  // namespace dragoman::formats
