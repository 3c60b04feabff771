// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace dragoman::text {

// The words of a sentence and of its translation.
struct WordPair {
    std::vector<std::string> source, target;
};

// How likely the words of each pair belong together, [target word][source word] with rows adding up to 1, learned from
// the pairs themselves (IBM's model 1 with a preference for the diagonal, as in Dyer et al. 2013, "A Simple, Fast, and
// Effective Reparameterization of IBM Model 2"). Words that begin alike count as equal. A hundred sentences are enough
// to judge other alignments by it, though few of its own links are right then.
std::vector<std::vector<float>> align_lexically(std::span<const WordPair> pairs);

}  // namespace dragoman::text
