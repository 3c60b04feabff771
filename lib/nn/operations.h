// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "nn/blocks.h"
#include "nn/recurrent.h"

namespace dragoman::nn {

// The cost of products, for splitting into submissions that a slow device ends in time (kOperationsPerList).

// Operations per row: a multiplication and an addition for every parameter.
uint64_t operations(const Linear& linear);

// The products of a block; some may be empty.
std::vector<const Linear*> products(const SelfAttention& block);
std::vector<const Linear*> products(const CrossAttention& block);  // the products of a step, without the memory's
std::vector<const Linear*> products(const FeedForward& block);
std::vector<const Linear*> products(const Ssru& block);
std::vector<const Linear*> products(const Gru& block);
std::vector<const Linear*> products(const AverageAttention& block);

// Cuts a recorder before its list becomes too long; an open pass continues in the next list.
class Cuts {
public:
    Cuts(ops::Recorder& rec, uint64_t operations_per_list) : rec_(rec), limit_(operations_per_list) {}
    void begin_pass(std::string_view name);  // the name is a literal; ends the pass before
    void before(uint64_t operations);

private:
    ops::Recorder& rec_;
    uint64_t limit_, since_cut_ = 0;
    std::string_view pass_name_;
    std::optional<ops::Recorder::Pass> pass_;
};

}  // namespace dragoman::nn
