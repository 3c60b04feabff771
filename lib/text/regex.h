// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// A regular expression of a tokenizer.json, in Oniguruma's syntax without look-behind, references and negated or intersected sets in sets.
// Immutable: any number of threads may use one.
class Regex {
public:
    // Throws unsupported, naming what is not known; bad_model for an expression that is none.
    explicit Regex(std::string_view expression);
    ~Regex();
    Regex(Regex&&) noexcept;

    // The places of all matches, in order, which do not overlap; one may be empty, unless it touches the one before it.
    // Throws unsupported where finding them takes too many steps.
    std::vector<Range> find_all(std::span<const int32_t> characters) const;

private:
    struct Program;
    std::unique_ptr<const Program> program_;
};

}  // namespace dragoman::text
