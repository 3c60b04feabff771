// SPDX-License-Identifier: Apache-2.0
#include "nn/weight_store.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ops/weight.h"

namespace dragoman::nn {

namespace {
constexpr uint64_t kChunkBytes = 4u << 20;  // host memory for packing, whatever the size of the tensor
constexpr float kMaxF16 = 65504.0f;
}  // namespace

WeightStore::WeightStore(std::shared_ptr<vulkan::Context> context, const WeightMap& weights, DType type)
    : context_(std::move(context)), weights_(weights), type_(type) {}

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
    }
    return matrices_[key] = {.data = *buffer, .dtype = type_, .n = n, .k = k};
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
