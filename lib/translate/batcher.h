// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/search.h"
#include "model/shortlist.h"

namespace dragoman::translate {

// Runs any number of inputs through a search, longest first.
class Batcher {
public:
    // shortlist: optional; it decides which tokens may come for each input.
    Batcher(decode::Search& search, const decode::StreamLimits& limits, const model::Shortlist* shortlist = nullptr)
        : search_(search), limits_(limits), shortlist_(shortlist) {}

    // One output per input, in order. `poll` gets the number of inputs finished so far.
    std::vector<decode::SearchOutput> run(std::vector<decode::SearchInput> inputs, const decode::SearchRules& rules,
                                          const decode::Poll& poll);

private:
    void limit(decode::SearchInput& input, const decode::SearchRules& rules) const;
    decode::Search& search_;
    decode::StreamLimits limits_;
    const model::Shortlist* shortlist_;
};

}  // namespace dragoman::translate
