// SPDX-License-Identifier: Apache-2.0
#include "nn/scratch.h"

#include <algorithm>

#include "spec/operation_order.h"

namespace dragoman::nn {

namespace {

ScratchWidths widths_of(const spec::StackConfig& stack, uint32_t d_model, uint32_t ffn) {
    const std::string after_stack = spec::operation_order(stack).after_stack;
    ScratchWidths widths{.x = d_model, .wide = d_model, .context = stack.heads * stack.head_dim};
    if (stack.ffn_depth > 1) widths.wide = std::max(widths.wide, ffn);
    if (stack.ffn_depth > 2) widths.second = ffn;
    if (stack.gated_ffn) widths.gate = ffn;
    if (spec::has_letter(after_stack, 'a') || spec::has_letter(after_stack, 'h')) widths.start = d_model;
    return widths;
}

}  // namespace

uint64_t ScratchWidths::bytes_per_row(DType type) const {
    return size_bytes(type) * (2ull * x + wide + second + gate + context + start);
}

ScratchWidths encoder_widths(const spec::TransformerConfig& config) {
    ScratchWidths widths = widths_of(config.encoder, config.source_width(), config.encoder_ffn);
    widths.wide = std::max(widths.wide, 3 * widths.context);
    return widths;
}

ScratchWidths decoder_widths(const spec::TransformerConfig& config) {
    ScratchWidths widths = widths_of(config.decoder, config.d_model, config.decoder_ffn);
    const auto need = [&](uint32_t wide, uint32_t second) {
        widths.wide = std::max(widths.wide, wide);
        widths.second = std::max(widths.second, second);
    };
    need(widths.context, 0);  // for cross-attention
    switch (config.autoregression) {
        case spec::Autoregression::self_attention: need(3 * widths.context, 0); break;
        case spec::Autoregression::ssru: need(2 * config.d_model, config.recurrence_norm ? config.d_model : 0); break;
        case spec::Autoregression::gru: need(3 * config.d_model, 3 * config.d_model); break;
        case spec::Autoregression::average_attention:
            if (config.average_ffn_depth > 1) need(config.average_ffn, 0);
            if (config.average_ffn_depth > 2) need(0, config.average_ffn);
            break;
    }
    return widths;
}

Scratch::Scratch(vulkan::Context& context, const ScratchWidths& widths, uint32_t rows, DType type, const char* name)
    : context_(context), name_(name), rows_(rows), type_(type) {
    const std::string prefix(name);
    activations_.x = add(context, widths.x, prefix + "/x");
    activations_.normed = add(context, widths.x, prefix + "/normed");
    activations_.wide = add(context, widths.wide, prefix + "/wide");
    activations_.context = add(context, widths.context, prefix + "/context");
    if (widths.second) activations_.second = add(context, widths.second, prefix + "/second");
    if (widths.gate) activations_.gate = add(context, widths.gate, prefix + "/gate");
    if (widths.start) activations_.start = add(context, widths.start, prefix + "/start");
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

}  // namespace dragoman::nn
