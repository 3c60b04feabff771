// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "base/half.h"
#include "ops/cpu_kernels.h"
#include "ops/group_table.h"
#include "ops/matmul.h"
#include "ops/tensor.h"
#include "ops/weight.h"
#include "vulkan/context.h"

// Shared by the tests of single operations: random matrices, their way to the device and back, and a tolerance per
// type.
namespace dragoman::test {

using ops::BufferView;
using ops::Extent;
using ops::Tensor;
using ops::Weight;
using vulkan::Buffer;
using vulkan::Context;
using vulkan::Recorder;

// Calls f(Context&) for every Vulkan device; the contexts live as long as the test case. gpu_kernels: CPUs pass for GPUs.
template <class F>
void on_every_device(F&& f, bool gpu_kernels = false) {
    const std::vector<vulkan::Caps> devices = vulkan::list_devices();
    REQUIRE(!devices.empty());
    for (const vulkan::Caps& caps : devices) {
        CAPTURE(caps.name);
        const auto context = Context::create({.device = std::to_string(caps.index), .gpu_kernels = gpu_kernels});
        f(*context);
    }
}

// The texel kernel where x and W can be texels, else the one that takes everything and gives the same bits.
inline ops::MatmulKernel fitting(const Context& context, ops::MatmulKernel kernel, const Tensor& x, const Weight& w) {
    const bool fits = kernel != ops::MatmulKernel::texel || ops::cpu::runs_matmul(context.caps(), x, w);
    return fits ? kernel : ops::MatmulKernel::tiled;
}

// Whether the device runs this variant; prints once what it lacks if not.
inline bool runs(const Context& context, const vulkan::Shader& shader, const vulkan::VariantKey& key) {
    if (context.can_run(shader, key)) return true;
    constexpr const char* kNeeds[] = {"shaderFloat16",       "shaderInt8",       "shaderInt16",
                                      "16-bit storage",      "8-bit storage",    "subgroup basic",
                                      "subgroup arithmetic", "subgroup shuffle", "integer dot",
                                      "cooperative matrix",  "shaderInt64",      "cooperative matrix 2"};
    std::string lacks;
    for (const vulkan::ShaderVariant& variant : shader.variants) {
        if (!(variant.key == key)) continue;
        for (uint32_t bit = 0; bit < std::size(kNeeds); ++bit)
            if (variant.needs & ~context.caps().needs_met & 1u << bit) lacks += std::string(" ") + kNeeds[bit];
    }
    static std::set<std::string> said;
    const std::string line = fmt::format("skipped {} {} {} {}: {} lacks{}", shader.name, name(key.types[0]),
                                         name(key.types[1]), name(key.types[2]), context.caps().name, lacks);
    if (said.insert(line).second) std::printf("%s\n", line.c_str());
    return false;
}

struct Matrix {
    uint32_t rows = 0, cols = 0;
    std::vector<float> values;  // row-major
    float operator()(uint32_t row, uint32_t col) const { return values[size_t(row) * cols + col]; }
};

inline float rounded(float value, DType dtype) { return dtype == DType::f16 ? from_half(to_half(value)) : value; }

// Uniform in [-reach, reach], as the type stores it, so that a reference computes with the device's inputs.
inline Matrix random_matrix(uint32_t rows, uint32_t cols, uint32_t seed, DType dtype = DType::f32, float reach = 1.0f) {
    std::mt19937 engine(seed);
    Matrix m{rows, cols, std::vector<float>(size_t(rows) * cols)};
    for (float& value : m.values) value = rounded(reach * (float(engine() >> 8) * 0x1p-23f - 1.0f), dtype);
    return m;
}

template <class T>
std::shared_ptr<Buffer> upload(Context& context, const std::vector<T>& data, const char* name = "test") {
    static_assert(sizeof(T) == 4);
    auto buffer = context.buffer(std::max<size_t>(data.size(), 1) * sizeof(T), vulkan::BufferUse::device, name);
    if (!data.empty()) context.upload(*buffer, data.data(), data.size() * sizeof(T));
    return buffer;
}

template <class T>
std::vector<T> download(Context& context, const BufferView& view) {
    std::vector<T> data(view.size_bytes / sizeof(T));
    context.readback(view, data.data(), view.size_bytes);
    return data;
}

// Marks what an operation must leave alone; exact in every type.
inline constexpr float kSentinel = -77.0f;

struct DeviceTensor {
    std::shared_ptr<Buffer> buffer;
    Tensor tensor;
    operator const Tensor&() const { return tensor; }
};

// `capacity` rows of `stride` elements, the matrix in their upper left corner, sentinels elsewhere.
inline DeviceTensor upload(Context& context, const Matrix& m, DType dtype, uint32_t capacity = 0, uint32_t stride = 0) {
    capacity = std::max(capacity, m.rows);
    stride = std::max(stride, m.cols);
    const size_t elements = size_t(capacity) * stride;
    std::vector<uint32_t> words((elements * size_bytes(dtype) + 3) / 4);
    for (size_t i = 0; i < elements; ++i) {
        const uint32_t row = uint32_t(i / stride), col = uint32_t(i % stride);
        const float value = row < m.rows && col < m.cols ? m(row, col) : kSentinel;
        if (dtype == DType::f16) reinterpret_cast<uint16_t*>(words.data())[i] = to_half(value);
        else std::memcpy(&words[i], &value, sizeof(value));
    }
    auto buffer = upload(context, words);
    const Tensor tensor{.data = *buffer, .dtype = dtype, .rows = capacity, .cols = m.cols, .stride = stride};
    return {std::move(buffer), tensor};
}

// A tensor of sentinels to write into.
inline DeviceTensor blank(Context& context, uint32_t rows, uint32_t cols, DType dtype, uint32_t stride = 0) {
    return upload(context, Matrix{0, cols, {}}, dtype, rows, stride);
}

// All rows and the whole stride.
inline Matrix download(Context& context, const DeviceTensor& t) {
    const auto words = download<uint32_t>(context, *t.buffer);
    Matrix m{t.tensor.rows, t.tensor.stride, std::vector<float>(size_t(t.tensor.rows) * t.tensor.stride)};
    for (size_t i = 0; i < m.values.size(); ++i) {
        if (t.tensor.dtype == DType::f16) m.values[i] = from_half(reinterpret_cast<const uint16_t*>(words.data())[i]);
        else std::memcpy(&m.values[i], &words[i], sizeof(float));
    }
    return m;
}

struct DeviceWeight {
    std::shared_ptr<Buffer> buffer;
    Weight weight;
};

inline DeviceWeight upload_weight(Context& context, const Matrix& w, DType dtype) {
    std::vector<uint32_t> words(ops::panel_bytes(w.rows, w.cols, dtype) / 4);
    ops::pack_panels(w.values, w.cols, dtype, std::as_writable_bytes(std::span(words)));
    auto buffer = upload(context, words);
    const Weight weight{.data = *buffer, .dtype = dtype, .n = w.rows, .k = w.cols};
    return {std::move(buffer), weight};
}

// `live` rows of `capacity`; indirect: workgroups are computed on the device.
struct LiveRows {
    std::shared_ptr<Buffer> count;
    std::unique_ptr<ops::GroupTable> table;
    Extent extent;

    LiveRows(Context& context, uint32_t live, uint32_t capacity, bool indirect = false)
        : count(upload(context, std::vector<uint32_t>{live}, "count")) {
        if (indirect) table = std::make_unique<ops::GroupTable>(context, *count);
        extent = {.count = *count, .capacity = capacity, .table = table.get()};
    }
};

// Records, submits and waits.
template <class F>
void run(Context& context, const LiveRows& live, F&& record) {
    Recorder recorder(context.shared_from_this());
    if (live.table) live.table->record_update(recorder);
    record(recorder);
    const auto lists = recorder.finish_parts();
    if (live.table) live.table->upload(context);
    for (const auto& list : lists) context.submit(*list);
    context.wait_idle();
}

// Allowed error: `sum` times the magnitude of what was added up in f32 (at least 1), plus `result` times the
// result's own size, which is half a unit in the last place of the type it is stored in.
struct Tolerance {
    double sum, result;
};
inline Tolerance tolerance(DType dtype) { return dtype == DType::f16 ? Tolerance{2e-6, 4.9e-4} : Tolerance{2e-6, 0}; }

// Counts differences so that a broken kernel prints its first wrong element, not all of them.
class Comparison {
public:
    explicit Comparison(DType dtype) : tolerance_(tolerance(dtype)) {}
    void close(uint32_t row, uint32_t col, float actual, double expected, double magnitude) {
        const double allowed = tolerance_.sum * std::max(magnitude, 1.0) + tolerance_.result * std::abs(expected);
        if (!(std::abs(actual - expected) <= allowed)) report(row, col, actual, expected);
    }
    void equal(uint32_t row, uint32_t col, float actual, float expected) {
        if (!(actual == expected)) report(row, col, actual, expected);
    }
    // Everything of `m` outside its first `rows` x `cols` is untouched.
    void untouched(const Matrix& m, uint32_t rows, uint32_t cols) {
        for (uint32_t r = 0; r < m.rows; ++r)
            for (uint32_t c = r < rows ? cols : 0; c < m.cols; ++c) equal(r, c, m(r, c), kSentinel);
    }
    bool right() const { return wrong_ == 0; }
    void check() const {
        INFO(first_);
        CHECK(wrong_ == 0);
    }

private:
    void report(uint32_t row, uint32_t col, double actual, double expected) {
        if (wrong_++ == 0) first_ = fmt::format("at ({}, {}): {}, expected {}", row, col, actual, expected);
    }
    Tolerance tolerance_;
    uint64_t wrong_ = 0;
    std::string first_;
};

}  // namespace dragoman::test
