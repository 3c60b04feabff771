// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "registry/entry.h"
#include "spec/language_tag.h"
#include "store/installed.h"

namespace dragoman::registry {

using Tags = std::vector<spec::LanguageTag>;

// A quality below which texts are hard to understand: 0.6 of comet22, 35 of chrf, 10 of bleu.
bool is_poor(const std::string& metric, double quality);

// What the rule of choice.h looks at, in its order.
struct Merit {
    bool poor = false;           // measured, and of little use: see is_poor()
    bool too_large = false;      // its files are larger than the memory that they are for
    bool of_many = false;        // translates more than one pair
    bool of_others = false;      // its languages are not the very ones: "pt" for "pt-BR"
    bool restricted = false;     // no commercial use, or not stated
    int unhashed = 0;            // 0 all files have a hash, 1 some, 2 none
    int metric = 0;              // 0 comet22, 1 chrf, 2 bleu, 3 another, 4 none
    double loss = 0;             // minus the quality
    uint64_t bytes = 0;
    std::string name;

    auto operator<=>(const Merit&) const = default;
};

// A model, for the choice: where it comes from is its index.
struct Candidate {
    Tags from, to;
    Merit merit;  // without what depends on the languages that are asked for
    std::size_t index = 0;

    // Null: it does not translate between these. A language that is not known stands for any.
    std::optional<Merit> between(const spec::LanguageTag& wanted_from, const spec::LanguageTag& wanted_to) const;
};

// memory: of the device that is to hold the model; 0: not known.
Candidate candidate_of(const Entry& entry, std::size_t index, uint64_t memory = 0);
Candidate candidate_of(const store::Installed& model, std::size_t index, uint64_t memory = 0);

// Throws invalid_argument for what is no language; "" is an unknown one.
spec::LanguageTag wanted_language(const std::string& text);

}  // namespace dragoman::registry
