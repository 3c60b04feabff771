// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "text/characters.h"

struct URegularExpression;

namespace dragoman::text {

// A regular expression of a tokenizer.json, in Oniguruma's syntax, which ICU matches. Immutable: any number of threads
// may use one.
class Regex {
public:
    // Throws unsupported, naming what is not known; bad_model for an expression that is none.
    explicit Regex(std::string_view expression);

    // The places of all matches, in order, which do not overlap; one may be empty, unless it touches the one before it.
    // Throws unsupported where finding them takes too many steps or too much memory.
    std::vector<Range> find_all(std::span<const int32_t> characters) const;

private:
    struct Close {
        void operator()(URegularExpression* expression) const;
    };
    std::unique_ptr<URegularExpression, Close> compiled_;
};

}  // namespace dragoman::text
