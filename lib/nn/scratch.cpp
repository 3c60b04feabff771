// SPDX-License-Identifier: Apache-2.0
#include "nn/scratch.h"

#include <algorithm>

namespace dragoman::nn {

namespace {
uint32_t wide_cols(const StackConfig& stack, uint32_t ffn) {
    return std::max(3 * stack.heads * stack.head_dim, ffn);
}
}  // namespace

Scratch::Scratch(vulkan::Context& context, const StackConfig& stack, uint32_t d_model, uint32_t ffn, uint32_t rows,
                 DType type, const char* name)
    : context_(context), name_(name), rows_(rows), type_(type) {
    const std::string prefix(name);
    activations_.x = add(context, d_model, prefix + "/x");
    activations_.normed = add(context, d_model, prefix + "/normed");
    activations_.wide = add(context, wide_cols(stack, ffn), prefix + "/wide");
    activations_.context = add(context, stack.heads * stack.head_dim, prefix + "/context");
    if (stack.gated_ffn) activations_.gate = add(context, ffn, prefix + "/gate");
}

ops::Tensor Scratch::add(vulkan::Context& context, uint32_t cols, const std::string& name) {
    buffers_.push_back(context.buffer(uint64_t(rows_) * cols * size_bytes(type_), vulkan::BufferUse::device, name));
    return {.data = *buffers_.back(), .dtype = type_, .rows = rows_, .cols = cols, .stride = cols};
}

Activations Scratch::activations(const ops::Extent& rows) const {
    Activations a = activations_;
    a.rows = rows;
    return a;
}

void Scratch::group_rows(Activations& a, const ops::RowGroups& row_groups, uint32_t groups) {
    const uint64_t bytes = uint64_t(std::max(groups, 1u)) * sizeof(float);
    if (!maxima_ || maxima_->size_bytes() < bytes)
        maxima_ = context_.buffer(bytes, vulkan::BufferUse::device, name_ + "/maxima");
    a.sentences = row_groups;
    a.maxima = *maxima_;
}

uint64_t Scratch::bytes_per_row(const StackConfig& stack, uint32_t d_model, uint32_t ffn, DType type) {
    return size_bytes(type) * (2ull * d_model + wide_cols(stack, ffn) + stack.heads * stack.head_dim +
                               (stack.gated_ffn ? ffn : 0));
}

}  // namespace dragoman::nn
