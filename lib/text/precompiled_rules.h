// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spec/double_array.h"

namespace dragoman::text {

// SentencePiece's normalisation rules as Hugging Face's tokenizers apply them. Immutable: any number of threads may use
// one.
class PrecompiledCharacters {
public:
    // A double array with its size in bytes before it, and the texts that it leads to, each with a NUL. Throws bad_model.
    explicit PrecompiledCharacters(std::string_view map);

    // What the shortest rule for the beginning of `text` makes of it; nullopt: there is none.
    std::optional<std::string_view> replacement(std::string_view text) const;

private:
    spec::DoubleArray rules_;
    std::string texts_;
};

}  // namespace dragoman::text
