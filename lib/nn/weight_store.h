// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nn/weights.h"
#include "ops/tensor.h"
#include "vulkan/context.h"

namespace dragoman::nn {

// Uploads named tensors once each (aliases share one copy) and owns them on the device.
class WeightStore {
public:
    // `type`: how matrices are stored, f32 or f16. Vectors are always f32.
    WeightStore(std::shared_ptr<vulkan::Context> context, const WeightMap& weights, DType type);

    // [n, k] in panels. Throws bad_model (missing or wrong shape), unsupported (a value too large for f16),
    // out_of_memory.
    ops::Weight matrix(const std::string& name, uint32_t n, uint32_t k);
    // [n] as f32; an empty view when there is no such tensor and it is optional.
    ops::BufferView vector(const std::string& name, uint32_t n);
    ops::BufferView optional_vector(const std::string& name, uint32_t n);
    // Any f32 values computed on the host (position tables, relative bias).
    ops::BufferView values(const std::string& name, std::span<const float> data);

    bool has(const std::string& name) const { return weights_.has(name); }
    const WeightMap& host() const { return weights_; }
    vulkan::Context& context() const { return *context_; }
    const std::shared_ptr<vulkan::Context>& shared_context() const { return context_; }
    DType type() const { return type_; }
    uint64_t device_bytes() const { return device_bytes_; }

private:
    std::shared_ptr<vulkan::Buffer> allocate(uint64_t bytes, const std::string& name);
    std::shared_ptr<vulkan::Context> context_;
    const WeightMap& weights_;
    DType type_;
    std::map<std::string, ops::Weight> matrices_;
    std::map<std::string, ops::BufferView> vectors_;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers_;
    uint64_t device_bytes_ = 0;
};

}  // namespace dragoman::nn
