// SPDX-License-Identifier: Apache-2.0
#include "nn/weight_store.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file_map.h"
#include "ops/weight.h"

namespace dragoman::nn {

namespace {
constexpr uint64_t kChunkBytes = 4u << 20;  // host memory for packing, whatever the size of the tensor
constexpr float kMaxF16 = 65504.0f;

float of_row(const std::vector<float>& scales, uint32_t row) { return scales[scales.size() == 1 ? 0 : row]; }

// Rows that have gone to the device.
void forget_rows(const HostTensor& tensor, uint64_t begin, uint64_t count) {
    if (!tensor.mapped || tensor.transposed) return;
    const uint64_t k = tensor.shape[1];
    forget_pages(tensor.bytes.subspan(size_bytes(tensor.dtype, begin * k), size_bytes(tensor.dtype, count * k)));
}

void check_scales(const std::string& name, const char* what, const std::vector<float>& scales, uint32_t n,
                  bool zero_allowed) {
    if (scales.size() != 1 && scales.size() != n)
        fail(Status::bad_model, "{}: expected 1 or {} {}, found {}", name, n, what, scales.size());
    for (const float scale : scales)
        if (!std::isfinite(scale) || scale < 0.0f || (scale == 0.0f && !zero_allowed))
            fail(Status::bad_model, "{}: expected {} above 0, found {}", name, what, scale);
}
}  // namespace

WeightStore::WeightStore(std::shared_ptr<vulkan::Context> context, const WeightMap& weights, DType type)
    : context_(std::move(context)),
      weights_(weights),
      int8_(type == DType::i8),
      type_(int8_ ? DType::f32 : type) {}

std::shared_ptr<vulkan::Buffer> WeightStore::allocate(uint64_t bytes, const std::string& name) {
    auto buffer = context_->buffer(bytes, vulkan::BufferUse::device, name);
    buffers_.push_back(buffer);
    device_bytes_ += bytes;
    return buffer;
}

ops::Weight WeightStore::matrix(const std::string& name, uint32_t n, uint32_t k) {
    const HostTensor& tensor = weights_.get(name, {n, k});
    const std::string key(weights_.key(name));
    if (auto found = matrices_.find(key); found != matrices_.end()) return found->second;

    if (block_bytes(tensor.dtype)) return matrices_[key] = upload_blocks(key, tensor);
    auto buffer = allocate(ops::panel_bytes(n, k, type_), key);
    const uint64_t panel_floats = uint64_t(ops::kPanel) * k;
    const uint32_t step = ops::kPanel * uint32_t(std::max<uint64_t>(1, kChunkBytes / (panel_floats * 4)));
    std::vector<float> rows;
    std::vector<std::byte> packed;
    for (uint32_t begin = 0; begin < n; begin += step) {
        const uint32_t count = std::min(step, n - begin);
        rows.resize(uint64_t(count) * k);
        to_f32(tensor, uint64_t(begin) * k, rows);
        packed.resize(ops::panel_bytes(count, k, type_));
        const float largest = ops::pack_panels(rows, k, type_, packed);
        if (type_ == DType::f16 && !(largest <= kMaxF16))
            fail(Status::unsupported, "{}: holds {}, which float16 cannot (limit {}); use float32", name, largest,
                 kMaxF16);
        context_->upload({*buffer, ops::panel_bytes(begin, k, type_), packed.size()}, packed.data(), packed.size());
        forget_rows(tensor, begin, count);
    }
    return matrices_[key] = {.data = *buffer, .dtype = type_, .n = n, .k = k};
}

ops::Weight WeightStore::upload_blocks(const std::string& name, const HostTensor& tensor) {
    const uint32_t n = tensor.shape[0], k = tensor.shape[1];
    auto buffer = allocate(ops::panel_bytes(n, k, tensor.dtype), name);
    const uint64_t row_bytes = dragoman::size_bytes(tensor.dtype, k);
    const uint32_t step = ops::kPanel * uint32_t(std::max<uint64_t>(1, kChunkBytes / (ops::kPanel * row_bytes)));
    std::vector<std::byte> packed;
    for (uint32_t begin = 0; begin < n; begin += step) {
        const uint32_t count = std::min(step, n - begin);
        packed.resize(ops::panel_bytes(count, k, tensor.dtype));
        ops::pack_block_panels(tensor.dtype, tensor.bytes.subspan(begin * row_bytes, count * row_bytes), k, packed);
        context_->upload({*buffer, ops::panel_bytes(begin, k, tensor.dtype), packed.size()}, packed.data(),
                         packed.size());
        forget_rows(tensor, begin, count);
    }
    return {.data = *buffer, .dtype = tensor.dtype, .n = n, .k = k};
}

bool WeightStore::is_int8(const std::string& name) const {
    const HostTensor* tensor = weights_.find(name);
    return int8_ && tensor && is_made_for_int8(*tensor);
}

const std::vector<MatrixPart>& WeightStore::parts(const std::string& name, uint32_t n, uint32_t k) {
    const HostTensor& tensor = weights_.get(name, {n, k});
    const std::string key(weights_.key(name));
    if (auto found = parts_.find(key); found != parts_.end()) return found->second;
    std::vector<MatrixPart> parts;
    if (!is_int8(name)) {
        parts.push_back({.weight = matrix(name, n, k)});
        return parts_[key] = std::move(parts);
    }
    check_scales(name, "scales", tensor.scales, n, false);
    check_scales(name, "input scales", tensor.input_scales, n, true);
    if (k > kMaxInt8Inputs)
        fail(Status::unsupported, "{}: has {} inputs, int8 products take {}; use float32", name, k, kMaxInt8Inputs);
    for (uint32_t begin = 0, end = 0; begin < n; begin = end) {
        const float scale = of_row(tensor.input_scales, begin);
        while (end < n && of_row(tensor.input_scales, end) == scale) ++end;
        parts.push_back(upload_int8(key, tensor, begin, end));
    }
    return parts_[key] = std::move(parts);
}

MatrixPart WeightStore::upload_int8(const std::string& name, const HostTensor& tensor, uint32_t begin, uint32_t end) {
    const uint32_t n = end - begin, k = tensor.shape[1];
    auto buffer = allocate(ops::panel_bytes(n, k, DType::i8), name);
    const uint32_t step = ops::kPanel * uint32_t(std::max<uint64_t>(1, kChunkBytes / (uint64_t(ops::kPanel) * k)));
    std::vector<std::byte> packed;
    for (uint32_t at = 0; at < n; at += step) {
        const uint32_t count = std::min(step, n - at);
        const auto* rows = reinterpret_cast<const int8_t*>(tensor.bytes.data()) + (uint64_t(begin) + at) * k;
        packed.resize(ops::panel_bytes(count, k, DType::i8));
        ops::pack_int8_panels({rows, std::size_t(count) * k}, k, packed);
        context_->upload({*buffer, ops::panel_bytes(at, k, DType::i8), packed.size()}, packed.data(), packed.size());
        forget_rows(tensor, begin + at, count);
    }
    const float input_scale = of_row(tensor.input_scales, begin);
    std::vector<float> units(n);
    for (uint32_t o = 0; o < n; ++o) {
        const float scale = of_row(tensor.scales, begin + o);
        units[o] = 1.0f / (input_scale > 0.0f ? scale * input_scale : scale);
    }
    return {.weight = {.data = *buffer, .dtype = DType::i8, .n = n, .k = k},
            .begin = begin,
            .units = values(fmt::format("{}/units_{}", name, begin), units),
            .input_scale = input_scale};
}

ops::BufferView WeightStore::vector(const std::string& name, uint32_t n) {
    const HostTensor& tensor = weights_.get(name, {n});
    const std::string key(weights_.key(name));
    if (auto found = vectors_.find(key); found != vectors_.end()) return found->second;
    std::vector<float> data(n);
    to_f32(tensor, 0, data);
    return values(key, data);
}

ops::BufferView WeightStore::optional_vector(const std::string& name, uint32_t n) {
    return has(name) ? vector(name, n) : ops::BufferView();
}

ops::BufferView WeightStore::values(const std::string& name, std::span<const float> data) {
    auto buffer = allocate(data.size_bytes(), name);
    context_->upload(*buffer, data.data(), data.size_bytes());
    return vectors_[name] = *buffer;
}

}  // namespace dragoman::nn
