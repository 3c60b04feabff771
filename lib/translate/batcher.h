// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "decode/search.h"

namespace dragoman::translate {

struct BatchLimits {
    uint32_t sentences = 32;  // per batch
    uint32_t tokens = 4096;   // source tokens per batch
};

// Runs any number of inputs through a search in batches of similar length, longest first. A batch that does not fit
// into memory is halved.
class Batcher {
public:
    Batcher(decode::Search& search, BatchLimits limits) : search_(search), limits_(limits) {}

    // One output per input, in order. `poll` gets the number of inputs finished so far.
    std::vector<decode::SearchOutput> run(std::vector<decode::SearchInput> inputs, const decode::SearchRules& rules,
                                          const decode::Poll& poll);

private:
    std::size_t batch_end(std::span<const decode::SearchInput> sorted, const decode::SearchRules& rules) const;
    decode::Search& search_;
    BatchLimits limits_;
};

}  // namespace dragoman::translate
