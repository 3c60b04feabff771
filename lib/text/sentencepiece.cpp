// SPDX-License-Identifier: Apache-2.0
#include "text/sentencepiece.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include "base/error.h"
#include "base/utf8.h"
#include "text/bpe_pieces.h"
#include "text/split_pieces.h"
#include "text/unigram.h"

namespace dragoman::text {

namespace {

// After a model: no normalisation rules, no space before a text, spaces neither joined nor escaped. Messages of protobuf
// one after the other are one message, in which the later values count.
constexpr std::string_view kNoNormalizer("\x1a\x08\x12\x00\x18\x00\x20\x00\x28\x00", 10);

// After a unigram model, which the library does not encode with: its type is words. Then the library makes no trie of its
// pieces, which takes longer than all else about them, and decodes as before.
constexpr std::string_view kNoTrie("\x12\x02\x18\x03", 4);

// Scores that are no logarithms: whole numbers.
bool has_ranks(const sentencepiece::SentencePieceProcessor& library) {
    for (int id = 0; id < library.GetPieceSize(); ++id)
        if (const float score = library.GetScore(id); score != std::trunc(score)) return false;
    return true;
}

void check(const sentencepiece::util::Status& status) {
    if (!status.ok()) fail(Status::internal, "SentencePiece: {}", status.ToString());
}

bool says_something(std::string_view piece) {
    for (std::size_t at = 0; at < piece.size();)
        if (const int32_t c = next_character(piece, at); c != 0x2581 && !is_space(c)) return true;
    return false;
}

// Where several pieces stand for one character (its bytes, or the letters of a ligature), the library gives the
// character to the last one, and an empty range to the others. Here they share it.
void share_characters(std::string_view text, std::span<Range> ranges, const auto& stands_for_something) {
    std::size_t next_end = text.size();
    for (std::size_t i = ranges.size(); i-- > 0;) {
        Range& range = ranges[i];
        if (range.size() == 0 && range.begin < next_end && stands_for_something(i))
            range.end = std::min(cluster_end(text, range.begin), next_end);
        if (range.size() > 0) next_end = range.end;
    }
}

TokenizedText pieces_of(const PieceModel& model, std::string_view text) {
    TokenizedText result;
    std::vector<Piece> pieces = model.encode(text);
    result.tokens.reserve(pieces.size());
    result.ranges.reserve(pieces.size());
    for (Piece& piece : pieces) {
        result.tokens.push_back(std::move(piece.text));
        result.ranges.push_back(piece.range);
    }
    return result;
}

std::unique_ptr<const PieceModel> make_model(PieceTable table) {
    switch (table.type) {
        case PieceTable::kUnigram: return std::make_unique<Unigram>(std::move(table));
        case PieceTable::kBpe: return std::make_unique<BpePieces>(std::move(table));
        default: return std::make_unique<SplitPieces>(std::move(table));
    }
}

}  // namespace

struct SentencePiece::Processor {
    sentencepiece::SentencePieceProcessor library;  // decodes
    std::unique_ptr<const PieceModel> model{};  // encodes
};

SentencePiece::SentencePiece(const FileBytes& file, bool words) {
    auto processor = std::make_unique<Processor>();
    FileBytes model = file;
    std::string bytes;
    if (words) {
        bytes = std::string(file.text()) += kNoNormalizer;
        model.bytes = std::as_bytes(std::span(bytes));
    }
    std::exception_ptr broken;
    bool unigram = false;
    try {
        PieceTable table = PieceTable::read(model);
        unigram = table.type == PieceTable::kUnigram;
        processor->model = make_model(std::move(table));
    } catch (const Error&) {
        broken = std::current_exception();  // what the library says comes first
    }
    const auto load = [&](std::string_view proto) {
        return processor->library.LoadFromSerializedProto({proto.data(), proto.size()});
    };
    // A model may have tests of its own, which words do not pass.
    if (!unigram || !load(std::string(model.text()) += kNoTrie).ok())
        if (const auto status = load(model.text()); !status.ok())
            fail(Status::bad_model, "{}: not a SentencePiece model ({})", file.name, status.ToString());
    if (broken) std::rethrow_exception(broken);
    has_likelihoods_ = unigram && !has_ranks(processor->library);
    processor_ = std::move(processor);
}

SentencePiece::~SentencePiece() = default;
SentencePiece::SentencePiece(SentencePiece&&) noexcept = default;
SentencePiece& SentencePiece::operator=(SentencePiece&&) noexcept = default;

TokenizedText SentencePiece::encode(std::string_view text, std::size_t begin) const {
    if (const auto bad = first_invalid_utf8(text)) {
        fail(Status::invalid_argument, "text: expected UTF-8, byte {} is 0x{:02x}", *bad,
             static_cast<unsigned char>(text[*bad]));
    }
    text.remove_prefix(begin);
    TokenizedText result = pieces_of(*processor_->model, text);
    trim_spaces(text, result.ranges);
    share_characters(text, result.ranges, [&](std::size_t i) { return says_something(result.tokens[i]); });
    cover_dropped(text, result.ranges);
    for (Range& range : result.ranges) range = {range.begin + begin, range.end + begin};
    return result;
}

DetokenizedText SentencePiece::decode(std::span<const std::string> pieces) const {
    sentencepiece::ImmutableSentencePieceText found;
    check(processor_->library.Decode(std::vector<absl::string_view>(pieces.begin(), pieces.end()),
                                     found.mutable_proto()));
    DetokenizedText result{found.text(), {}};
    result.ranges.reserve(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto piece = found.pieces(int(i));
        result.ranges.push_back({piece.begin(), piece.end()});
    }
    trim_spaces(result.text, result.ranges);
    share_characters(result.text, result.ranges,
                     [&](std::size_t i) { return processor_->library.IsByte(int(found.pieces(int(i)).id())); });
    return result;
}

bool SentencePiece::has_piece(std::string_view piece) const {
    if (piece.empty()) return false;  // the library reads what the pointer points to, even for an empty text
    return !processor_->library.IsUnknown(processor_->library.PieceToId({piece.data(), piece.size()}));
}

std::optional<double> SentencePiece::score(std::string_view text) const {
    if (!has_likelihoods_) return std::nullopt;
    constexpr double kUnknown = -30.0;  // less than any piece
    double sum = 0.0;
    for (const Piece& piece : processor_->model->encode(text)) sum += piece.known ? piece.score : kUnknown;
    return sum;
}

}  // namespace dragoman::text
