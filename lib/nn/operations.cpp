// SPDX-License-Identifier: Apache-2.0
#include "nn/operations.h"

namespace dragoman::nn {

namespace {

std::vector<const Linear*> with(std::vector<const Linear*> list, const std::vector<Linear>& more) {
    for (const Linear& linear : more) list.push_back(&linear);
    return list;
}

}  // namespace

uint64_t operations(const Linear& linear) {
    uint64_t parameters = 0;
    for (const MatrixPart& part : linear.parts) parameters += uint64_t(part.weight.n) * part.weight.k;
    return 2 * parameters;
}

std::vector<const Linear*> products(const SelfAttention& block) {
    return {&block.around.highway, &block.qkv, &block.out};
}

std::vector<const Linear*> products(const CrossAttention& block) {
    return {&block.around.highway, &block.query, &block.out};
}

std::vector<const Linear*> products(const FeedForward& block) {
    return with({&block.around.highway, &block.gate, &block.out}, block.hidden);
}

std::vector<const Linear*> products(const Ssru& block) {
    return {&block.around.highway, &block.candidate, &block.forget, &block.out};
}

std::vector<const Linear*> products(const Gru& block) {
    return {&block.around.highway, &block.input, &block.state, &block.out};
}

std::vector<const Linear*> products(const AverageAttention& block) {
    return with({&block.around.highway, &block.last, &block.input_gate, &block.forget_gate}, block.hidden);
}

void Cuts::begin_pass(std::string_view name) {
    pass_name_ = name;
    pass_.emplace(rec_, name);
}

void Cuts::before(uint64_t operations) {
    if (since_cut_ > 0 && since_cut_ + operations > limit_) {
        const bool inside = pass_.has_value();
        pass_.reset();
        rec_.cut();
        if (inside) pass_.emplace(rec_, pass_name_);
        since_cut_ = 0;
    }
    since_cut_ += operations;
}

}  // namespace dragoman::nn
