// SPDX-License-Identifier: Apache-2.0
#include "pipeline/value/sentence.h"

#include <algorithm>

namespace dragoman::pipeline {
namespace {

struct AnyField {
    template <class T>
    operator T() const;
};

// A field that stands in no group would be lost in parts.
template <class T>
concept OnlyGroups = requires { T{SentenceFacts(), ModelCall(), Outcome(), Retry()}; } &&
                     !requires { T{SentenceFacts(), ModelCall(), Outcome(), Retry(), AnyField()}; };
static_assert(OnlyGroups<Sentence>);

}  // namespace

Sentence part_of(const Sentence& whole, text::Range body, bool first) {
    Sentence part{whole, {}, {}, {}};
    part.range = {first ? whole.range.begin : body.begin, body.end};
    part.body = body;
    std::erase_if(part.protected_terms,
                  [&](const WantedTerm& term) { return term.range.begin < body.begin || body.end < term.range.end; });
    if (first) return part;
    part.continues = true;
    part.target_prefix = {};
    part.matches = {};
    return part;
}

}  // namespace dragoman::pipeline
