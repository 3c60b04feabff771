// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/side.h"
#include "text/token_ranges.h"

namespace dragoman::text {

// Text to tokens of a model and back, with the bytes that each token stands for. Immutable: any number of threads may
// use one.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    // Throws invalid_argument for text that is not UTF-8, naming the byte offset.
    virtual TokenizedText tokenize(std::string_view text, Side side = Side::source) const = 0;
    virtual DetokenizedText detokenize(std::span<const std::string> tokens, Side side = Side::target) const = 0;
    // How well the source side knows a text: of two ways to write it, the one with the higher score is more usual.
    // Nothing where pieces have no likelihoods.
    virtual std::optional<double> score(std::string_view) const { return std::nullopt; }
};

}  // namespace dragoman::text
