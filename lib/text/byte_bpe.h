// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/model_spec.h"
#include "text/token_ranges.h"

namespace dragoman::text {

// Byte pair encoding of bytes (Radford et al. 2019), as in GPT-2 and BART. A text is split into words with the space
// before them; neighbours in a word are joined, the best merge first. Tokens spell each byte as a printable character
// ("Ġ" is a space). Immutable: any number of threads may use one.
class ByteBpe {
public:
    // `words`: tokens that no merge makes and that texts show as they are.
    explicit ByteBpe(const spec::ByteBpeSpec& spec, std::span<const spec::AddedWord> words = {});
    ~ByteBpe();
    ByteBpe(ByteBpe&&) noexcept;

    // Throws invalid_argument for text that is not UTF-8, naming the byte offset.
    TokenizedText encode(std::string_view text) const;
    // Tokens of one word that is spelled as tokens are, with their places in it.
    TokenizedText encode_word(std::string_view spelled) const;
    // Other tokens that no merge makes ("<s>") vanish; bytes that are not UTF-8 become U+FFFD.
    DetokenizedText decode(std::span<const std::string> tokens) const;

private:
    struct Tables;
    std::unique_ptr<const Tables> tables_;
    bool space_before_;
};

}  // namespace dragoman::text
