// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace dragoman::text {

// A sentence's words and its translation's.
struct WordPair {
    std::vector<std::string> source, target;
};

// For each pair [target word][source word] how likely the words belong together, rows adding up to 1: what the pairs
// themselves tell (IBM's model 1 with a preference for the diagonal, as in Dyer et al. 2013, "A Simple, Fast, and
// Effective Reparameterization of IBM Model 2"). Words count as equal that begin alike. A hundred sentences are enough to
// judge other alignments by it, though few of its own are right then.
std::vector<std::vector<float>> align_lexically(std::span<const WordPair> pairs);

}  // namespace dragoman::text
