// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/embed.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/utf8.h"
#include "engine/embed.h"
#include "pipeline/model/model_info.h"
#include "pipeline/model/source_pieces.h"
#include "text/vocabulary.h"

namespace dragoman::pipeline {
namespace {

constexpr std::size_t kPortion = 1u << 14;  // texts that are tokens at a time

// A vector of zeros is unchanged.
void normalize(std::span<float> vector) {
    double squares = 0;
    for (const float value : vector) squares += double(value) * value;
    const double length = std::max(std::sqrt(squares), 1e-12);
    for (float& value : vector) value = float(value / length);
}

// On a device that is there, if one is.
engine::Replicas::Member any_member(const engine::Replicas& replicas) {
    for (std::size_t i = 0; i < replicas.count(); ++i)
        if (auto member = replicas.at(i); member.model) return member;
    return replicas.ready(0);
}

class TextReader {
public:
    TextReader(const Model& model, const EmbedOptions& options)
        : model_(model), options_(options),
          prompt_(model.encoder_prompt(options.source_language, options.target_language)) {
        const uint32_t own = model.embedding().max_tokens, positions = model.replicas()->info().max_source_positions;
        most_ = own ? std::min(own, positions) : positions;
        if (options.max_tokens) most_ = std::min<std::size_t>(most_, options.max_tokens);
    }

    // The ids of a text, and its tokens.
    std::vector<uint32_t> read(std::string_view text, std::size_t index, Embedding& to) const {
        if (const auto bad = first_invalid_utf8(text))
            fail(Status::invalid_argument, "text {}: expected UTF-8, byte {} is 0x{:02x}", index, *bad,
                 static_cast<unsigned char>(text[*bad]));
        SourcePieces pieces = source_pieces_of(text);
        cut(pieces, index);
        to.tokens = std::move(pieces.tokens);
        to.ranges = std::move(pieces.ranges);
        if (model_.right_to_left()) {
            std::ranges::reverse(to.tokens);
            std::ranges::reverse(to.ranges);
        }
        if (model_.add_source_bos()) {
            to.tokens.insert(to.tokens.begin(), model_.bos_token());
            to.ranges.insert(to.ranges.begin(), {0, 0});
        }
        if (model_.add_source_eos()) {
            to.tokens.push_back(model_.eos_token());
            to.ranges.push_back({text.size(), text.size()});
        }
        return model_.source().ids(to.tokens);
    }

private:
    SourcePieces source_pieces_of(std::string_view text) const {
        const auto own = model_.leading_language(text);  // ">>de<< How are you?"
        if (!own) return source_pieces(model_, text, {0, text.size()}, prompt_);
        const spec::Prompt prompt = model_.encoder_prompt(options_.source_language, own->language->code);
        SourcePieces pieces = source_pieces(model_, text, text::trim(text, {own->bytes, text.size()}), prompt);
        if (pieces.before > 0) pieces.ranges.front() = {0, own->bytes};
        return pieces;
    }

    // Cuts the last tokens of the text itself where it is too long.
    void cut(SourcePieces& pieces, std::size_t index) const {
        const std::size_t special = std::size_t(model_.add_source_bos()) + model_.add_source_eos();
        const std::size_t all = pieces.tokens.size() + special;
        if (all <= most_) return;
        const std::size_t around = pieces.before + pieces.after + special;
        if (!options_.truncate || around > most_)
            fail(Status::invalid_argument, "text {}: expected at most {} tokens, it has {} with the {} around it{}",
                 index, most_, all, around, around > most_ ? "" : "; the option truncate cuts it");
        const auto drop = [&](auto& list) {
            const auto end = list.end() - std::ptrdiff_t(pieces.after);
            list.erase(end - std::ptrdiff_t(all - most_), end);
        };
        drop(pieces.tokens);
        drop(pieces.ranges);
    }

    const Model& model_;
    const EmbedOptions& options_;
    spec::Prompt prompt_;
    std::size_t most_ = 0;
};

}  // namespace

Embeddings embed_texts(const Model& model, std::span<const std::string_view> texts, const EmbedOptions& options,
                       const Progress& progress) {
    if (!model.info().has_tokenizer)
        fail(Status::unsupported, "{}: the model has no tokenizer, so there are no vectors of texts",
             model.info().path);
    engine::Embedder::Wanted wanted;
    uint32_t width = 0;
    {
        const engine::Replicas::Member member = any_member(*model.replicas());
        wanted = member.embedder->wanted(options.pooling);
        width = member.embedder->width(wanted);
    }
    const bool normalized = options.normalize.value_or(model.embedding().normalize);
    const TextReader reader(model, options);
    Embeddings result{.width = width,
                      .of_tokens = wanted.pooling == spec::Pooling::tokens,
                      .texts = std::vector<Embedding>(texts.size())};
    std::size_t done = 0;
    for (std::size_t begin = 0; begin < texts.size(); begin += kPortion) {
        const std::size_t count = std::min(kPortion, texts.size() - begin);
        std::vector<std::vector<uint32_t>> inputs;
        for (std::size_t i = begin; i < begin + count; ++i) inputs.push_back(reader.read(texts[i], i, result.texts[i]));
        engine::embed(*model.replicas(), inputs, wanted, [&](std::size_t input, std::span<const float> values) {
            std::vector<float>& to = result.texts[begin + input].values;
            to.assign(values.begin(), values.end());
            for (std::size_t at = 0; normalized && at < to.size(); at += result.width)
                normalize(std::span(to).subspan(at, result.width));
            if (progress && !progress(++done, texts.size()))
                fail(Status::cancelled, "vectors: cancelled by the progress callback");
        });
    }
    return result;
}

}  // namespace dragoman::pipeline
