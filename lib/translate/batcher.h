// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/search.h"
#include "model/shortlist.h"

namespace dragoman::translate {

struct BatchLimits {
    uint32_t sentences = 32;  // per batch
    uint32_t tokens = 4096;   // source tokens per batch
};

// Runs any number of inputs through a search in batches of similar length, longest first. A batch that does not fit
// into memory is halved.
class Batcher {
public:
    // shortlist: optional; it decides which tokens may come in each batch.
    Batcher(decode::Search& search, BatchLimits limits, const model::Shortlist* shortlist = nullptr)
        : search_(search), limits_(limits), shortlist_(shortlist) {}

    // One output per input, in order. `poll` gets the number of inputs finished so far.
    std::vector<decode::SearchOutput> run(std::vector<decode::SearchInput> inputs, const decode::SearchRules& rules,
                                          const decode::Poll& poll);

private:
    decode::SearchRules rules_for(std::span<const decode::SearchInput> batch, const decode::SearchRules& rules) const;
    std::size_t batch_end(std::span<const decode::SearchInput> sorted, const decode::SearchRules& rules) const;
    decode::Search& search_;
    BatchLimits limits_;
    const model::Shortlist* shortlist_;
};

}  // namespace dragoman::translate
