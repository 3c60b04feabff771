// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/source_pieces.h"

#include <algorithm>
#include <iterator>

#include "text/token_ranges.h"

namespace dragoman::pipeline {
namespace {

using Tokens = std::vector<std::string>;

// The part of the prompt that the caller sees: everything but what begins and ends every source.
std::pair<Tokens, Tokens> visible(const Model& model, const spec::Prompt& prompt) {
    Tokens before(prompt.source_before.begin() + (model.add_source_bos() && !prompt.source_before.empty()),
                  prompt.source_before.end());
    Tokens after(prompt.source_after.begin(),
                 prompt.source_after.end() - (model.add_source_eos() && !prompt.source_after.empty()));
    if (model.right_to_left()) {  // which reads its source in this way, too
        std::ranges::reverse(before);
        std::ranges::reverse(after);
        std::swap(before, after);
    }
    return {std::move(before), std::move(after)};
}

// The pieces of these bytes of the text, after the prompt's words.
text::TokenizedText pieces(const Model& model, std::string_view text, text::Range bytes, const spec::Prompt& prompt,
                           std::size_t words_in_front, bool raw) {
    text::Normalized normal = normalized(model, text::part(text, bytes), raw);
    const std::size_t before = prompt.text_before.size();
    text::TokenizedText result = before ? model.tokenize(prompt.text_before + normal.text)
                                        : model.tokenize(normal.text);
    for (text::Range& range : result.ranges)
        range = {std::max(range.begin, before) - before, std::max(range.end, before) - before};
    const auto own = std::span(result.ranges).subspan(std::min(words_in_front, result.ranges.size()));
    text::to_source(normal.map, text::part(text, bytes), own);
    for (text::Range& range : result.ranges) range = {range.begin + bytes.begin, range.end + bytes.begin};
    return result;
}

std::size_t words_in_front(const Model& model, const spec::Prompt& prompt) {
    if (prompt.text_before.empty()) return 0;
    return model.tokenize(prompt.text_before).tokens.size() - model.tokenize({}).tokens.size();
}

}  // namespace

text::Normalized normalized(const Model& model, std::string_view text, bool raw) {
    if (raw || model.encoder_alone() || model.continues()) return {std::string(text), {}};
    return text::normalize(text);
}

SourcePieces source_pieces(const Model& model, std::string_view text, text::Range body, const spec::Prompt& prompt,
                           bool raw) {
    const std::size_t words = words_in_front(model, prompt);
    text::TokenizedText own = pieces(model, text, body, prompt, words, raw);
    auto [before, after] = visible(model, prompt);
    SourcePieces result{.tokens = {}, .ranges = {}, .before = before.size() + words, .after = after.size()};
    result.ranges.assign(before.size(), {body.begin, body.begin});
    result.ranges.insert(result.ranges.end(), own.ranges.begin(), own.ranges.end());
    result.ranges.resize(result.ranges.size() + after.size(), {body.end, body.end});
    result.tokens = std::move(before);
    std::ranges::move(own.tokens, std::back_inserter(result.tokens));
    std::ranges::move(after, std::back_inserter(result.tokens));
    return result;
}

}  // namespace dragoman::pipeline
