// SPDX-License-Identifier: Apache-2.0
#include "nn/weight_store.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "nn/finite.h"
#include "ops/weight.h"

namespace dragoman::nn {

namespace {
constexpr uint64_t kChunkBytes = 4u << 20;  // host memory for packing, whatever the size of the tensor
constexpr float kMaxF16 = 65504.0f;

uint32_t total(auto rows) {
    uint32_t n = 0;
    for (const auto& [tensor, count] : rows) n += count;
    return n;
}

// Calls f(tensor, its first row, which is row `at` of all, number of rows) for the rows begin ... end of all.
void for_each_run(auto rows, uint32_t begin, uint32_t end, auto f) {
    for (uint32_t before = 0; const auto& [tensor, count] : rows) {
        const uint32_t first = std::max(begin, before), last = std::min(end, before + count);
        if (first < last) f(*tensor, first - before, first, last - first);
        before += count;
    }
}

float of_row(const std::vector<float>& scales, uint32_t row) { return scales[scales.size() == 1 ? 0 : row]; }

void check_scales(const std::string& name, const char* what, const std::vector<float>& scales, uint32_t n,
                  bool zero_allowed) {
    if (scales.size() != 1 && scales.size() != n)
        fail(Status::bad_model, "{}: expected 1 or {} {}, found {}", name, n, what, scales.size());
    for (const float scale : scales)
        if (!std::isfinite(scale) || scale < 0.0f || (scale == 0.0f && !zero_allowed))
            fail(Status::bad_model, "{}: expected {} above 0, found {}", name, what, scale);
}

void check_inputs(const std::string& key, uint32_t k) {
    if (k > spec::kMaxInt8Inputs)
        fail(Status::unsupported, "{}: has {} inputs, int8 products take {}; use float32", key, k,
             spec::kMaxInt8Inputs);
}

// Whether the numbers are int8 already, so that they and their scales stay.
bool is_rounded(const spec::HostTensor& tensor) {
    return tensor.dtype == DType::i8 && !tensor.transposed && !tensor.scales.empty();
}

void copy_rounded(const std::string& key, const spec::HostTensor& tensor, uint32_t first, std::span<int8_t> whole,
                  std::span<float> units) {
    check_scales(key, "scales", tensor.scales, tensor.shape[0], false);
    const uint64_t k = whole.size() / units.size();
    spec::copy_of(tensor, first * k, std::as_writable_bytes(whole));
    for (uint32_t i = 0; i < units.size(); ++i) units[i] = 1.0f / of_row(tensor.scales, first + i);
}

// Rounds each row by its own scale, to even; a row of zeros, and of what is next to nothing, has the scale 1. Overwrites
// the rows.
void round_rows(std::span<float> rows, uint32_t k, std::span<int8_t> whole, std::span<float> units) {
    constexpr float kNoFraction = 12582912.0f;  // 1.5 * 2^23: a sum with it is a whole number
    for (std::size_t r = 0; r < units.size(); ++r) {
        float* row = rows.data() + r * k;
        float largest = 0.0f;
        for (uint32_t i = 0; i < k; ++i) largest = std::max(largest, std::abs(row[i]));
        float scale = 127.0f / largest;
        if (!std::isfinite(scale)) scale = 1.0f;
        for (uint32_t i = 0; i < k; ++i) row[i] *= scale;  // apart from the sum: both are rounded
        for (uint32_t i = 0; i < k; ++i) whole[r * k + i] = int8_t(int32_t(row[i] + kNoFraction - kNoFraction));
        units[r] = 1.0f / scale;
    }
}

// Whether the rows are blocks of one type; rows of different types are dequantised.
bool are_blocks(auto rows) {
    const DType dtype = rows.front().tensor->dtype;
    return block_bytes(dtype) &&
           std::ranges::all_of(rows, [&](const auto& part) { return part.tensor->dtype == dtype; });
}
}  // namespace

bool rounds_matrices(const spec::WeightMap& weights, NumberTypes types) {
    const auto made = [](const auto& entry) { return spec::is_made_for_int8(entry.second); };
    return types.products == DType::i8 && (types.others != DType::f32 || std::ranges::none_of(weights.tensors(), made));
}

WeightStore::WeightStore(std::shared_ptr<vulkan::Context> context, const spec::WeightMap& weights, NumberTypes types)
    : context_(std::move(context)), weights_(weights), types_(types), rounds_(rounds_matrices(weights, types)) {}

std::shared_ptr<vulkan::Buffer> WeightStore::allocate(uint64_t bytes, const std::string& name) {
    auto buffer = context_->buffer(bytes, vulkan::BufferUse::device, name);
    buffers_.push_back(buffer);
    device_bytes_ += bytes;
    fingerprint_.add(name);
    return buffer;
}

void WeightStore::send(const vulkan::BufferView& to, std::span<const std::byte> bytes) {
    fingerprint_.add(bytes);
    context_->upload(to, bytes.data(), bytes.size());
}

const std::vector<MatrixPart>& WeightStore::matrix(const std::string& name, uint32_t n, uint32_t k) {
    const spec::HostTensor& tensor = weights_.get(name, {n, k});
    const std::string key(weights_.key(name));
    if (auto found = matrices_.find(key); found != matrices_.end()) return found->second;
    std::vector<Rows> rows;
    add_rows(tensor, rows);
    return matrices_[key] = upload(key, rows, k);
}

void WeightStore::add_rows(const spec::HostTensor& tensor, std::vector<Rows>& rows) {
    if (tensor.parts.empty()) rows.push_back({&tensor, tensor.shape[0]});
    for (const spec::HostTensor& part : tensor.parts) add_rows(part, rows);
}

// Outputs per part of a matrix: all, or as many as a buffer can hold.
uint32_t WeightStore::part_outputs(uint32_t n, uint32_t k, DType dtype) const {
    const uint64_t most = context_->caps().max_storage_range_bytes;
    if (ops::panel_bytes(n, k, dtype) <= most) return n;
    return ops::kPartColumns * uint32_t(std::max<uint64_t>(most / ops::panel_bytes(ops::kPartColumns, k, dtype), 1));
}

std::vector<MatrixPart> WeightStore::upload(const std::string& key, std::span<const Rows> rows, uint32_t k) {
    const bool blocks = are_blocks(rows);
    const uint32_t n = total(rows), step = part_outputs(n, k, blocks ? rows.front().tensor->dtype : type());
    std::vector<MatrixPart> parts;
    for (uint32_t begin = 0; begin < n; begin += step) {
        const std::string name = step < n ? fmt::format("{} from output {}", key, begin) : key;
        const uint32_t end = std::min(begin + step, n);
        parts.push_back({.weight = blocks ? upload_blocks(name, rows, k, begin, end)
                                          : upload_floats(name, rows, k, begin, end),
                         .begin = begin});
    }
    return parts;
}

ops::Weight WeightStore::upload_floats(const std::string& key, std::span<const Rows> rows, uint32_t k, uint32_t from,
                                       uint32_t end) {
    auto buffer = allocate(ops::panel_bytes(end - from, k, type()), key);
    const uint64_t panel_floats = uint64_t(ops::kPanel) * k;
    const uint32_t step = ops::kPanel * uint32_t(std::max<uint64_t>(1, kChunkBytes / (panel_floats * 4)));
    std::vector<float> values;
    std::vector<std::byte> packed;
    for (uint32_t begin = from; begin < end; begin += step) {
        const uint32_t count = std::min(step, end - begin);
        values.resize(uint64_t(count) * k);
        for_each_run(rows, begin, begin + count,
                     [&](const spec::HostTensor& tensor, uint32_t first, uint32_t at, uint32_t run) {
                         spec::to_f32(tensor, uint64_t(first) * k,
                                      std::span(values).subspan(uint64_t(at - begin) * k, uint64_t(run) * k));
                     });
        packed.resize(ops::panel_bytes(count, k, type()));
        const float largest = ops::pack_panels(values, k, type(), packed);
        if (!std::isfinite(largest)) check_finite(key, values, uint64_t(begin) * k);
        if (type() == DType::f16 && !(largest <= kMaxF16))
            fail(Status::unsupported, "{}: holds {}, which float16 cannot (limit {}); use float32", key, largest,
                 kMaxF16);
        send({*buffer, ops::panel_bytes(begin - from, k, type()), packed.size()}, packed);
    }
    return {.data = *buffer, .dtype = type(), .n = end - from, .k = k};
}

ops::Weight WeightStore::upload_blocks(const std::string& key, std::span<const Rows> rows, uint32_t k, uint32_t from,
                                       uint32_t end) {
    const DType dtype = rows.front().tensor->dtype;
    auto buffer = allocate(ops::panel_bytes(end - from, k, dtype), key);
    const uint64_t row_bytes = dragoman::size_bytes(dtype, k);
    const uint32_t step = ops::kPanel * uint32_t(std::max<uint64_t>(1, kChunkBytes / (ops::kPanel * row_bytes)));
    std::vector<std::byte> bytes, packed;
    for (uint32_t begin = from; begin < end; begin += step) {
        const uint32_t count = std::min(step, end - begin);
        bytes.clear();
        for_each_run(rows, begin, begin + count,
                     [&](const spec::HostTensor& tensor, uint32_t first, uint32_t, uint32_t run) {
                         const std::size_t at = bytes.size();
                         bytes.resize(at + run * row_bytes);
                         spec::copy_of(tensor, first * row_bytes, std::span(bytes).subspan(at));
                     });
        check_finite_blocks(key, dtype, bytes, uint64_t(begin) * k);
        packed.resize(ops::panel_bytes(count, k, dtype));
        ops::pack_block_panels(dtype, bytes, k, packed);
        send({*buffer, ops::panel_bytes(begin - from, k, dtype), packed.size()}, packed);
    }
    return {.data = *buffer, .dtype = dtype, .n = end - from, .k = k};
}

std::vector<ops::Weight> WeightStore::products() const {
    std::vector<ops::Weight> weights;
    for (const auto& [name, parts] : parts_)
        for (const MatrixPart& part : parts) weights.push_back(part.weight);
    return weights;
}

bool WeightStore::is_int8(const std::string& name) const {
    const spec::HostTensor* tensor = weights_.find(name);
    return holds_int8() && tensor && (rounds_ || spec::is_made_for_int8(*tensor));
}

const std::vector<MatrixPart>& WeightStore::table(const std::string& name, uint32_t n, uint32_t k) {
    return rounds_ ? parts(name, n, k) : matrix(name, n, k);
}

const std::vector<MatrixPart>& WeightStore::parts(const std::string& name, uint32_t n, uint32_t k) {
    const spec::HostTensor& tensor = weights_.get(name, {n, k});
    const std::string key(weights_.key(name));
    if (auto found = parts_.find(key); found != parts_.end()) return found->second;
    if (!is_int8(name)) return parts_[key] = matrix(name, n, k);
    std::vector<Rows> rows;
    add_rows(tensor, rows);
    return parts_[key] = rounds_ ? upload_rounded(key, rows, k) : upload_int8(key, rows, k);
}

const std::vector<MatrixPart>& WeightStore::joined_parts(const std::vector<std::string>& names, uint32_t n,
                                                         uint32_t k) {
    std::vector<Rows> rows;
    std::string key;
    std::size_t integers = 0;
    for (const std::string& name : names) {
        add_rows(weights_.get(name, {n, k}), rows);
        key += (key.empty() ? "" : " + ") + std::string(weights_.key(name));
        integers += is_int8(name);
    }
    if (auto found = parts_.find(key); found != parts_.end()) return found->second;
    std::vector<MatrixPart> parts;
    if (rounds_) parts = upload_rounded(key, rows, k);
    else if (integers == names.size()) parts = upload_int8(key, rows, k);
    else parts = upload(key, rows, k);  // mixed types are dequantised
    return parts_[key] = std::move(parts);
}

std::vector<MatrixPart> WeightStore::upload_rounded(const std::string& key, std::span<const Rows> rows, uint32_t k) {
    check_inputs(key, k);
    const uint32_t n = total(rows), step = part_outputs(n, k, DType::i8);
    const uint32_t portion = ops::kPanel * uint32_t(std::max<uint64_t>(1, kChunkBytes / (4ull * ops::kPanel * k)));
    std::vector<float> floats;
    std::vector<int8_t> whole;
    std::vector<std::byte> packed;
    std::vector<MatrixPart> parts;
    for (uint32_t from = 0; from < n; from += step) {
        const uint32_t end = std::min(from + step, n);
        auto buffer = allocate(ops::panel_bytes(end - from, k, DType::i8), key);
        std::vector<float> units(end - from);
        for (uint32_t begin = from; begin < end; begin += portion) {
            const uint32_t count = std::min(portion, end - begin);
            whole.resize(uint64_t(count) * k);
            for_each_run(rows, begin, begin + count,
                         [&](const spec::HostTensor& tensor, uint32_t first, uint32_t at, uint32_t run) {
                             const auto to = std::span(whole).subspan(uint64_t(at - begin) * k, uint64_t(run) * k);
                             const auto scales = std::span(units).subspan(at - from, run);
                             if (is_rounded(tensor)) return copy_rounded(key, tensor, first, to, scales);
                             floats.resize(to.size());
                             spec::to_f32(tensor, uint64_t(first) * k, floats);
                             check_finite(key, floats, uint64_t(at) * k);
                             round_rows(floats, k, to, scales);
                         });
            packed.resize(ops::panel_bytes(count, k, DType::i8));
            ops::pack_int8_panels(whole, k, packed);
            send({*buffer, ops::panel_bytes(begin - from, k, DType::i8), packed.size()}, packed);
        }
        parts.push_back({.weight = {.data = *buffer, .dtype = DType::i8, .n = end - from, .k = k},
                         .begin = from,
                         .units = values(fmt::format("{}/units_{}", key, from), units),
                         .scale_per_row = true});
    }
    return parts;
}

std::vector<MatrixPart> WeightStore::upload_int8(const std::string& key, std::span<const Rows> rows, uint32_t k) {
    check_inputs(key, k);
    std::vector<float> scales;  // scale of the input, per output
    for (const auto& [tensor, count] : rows) {
        check_scales(key, "scales", tensor->scales, count, false);
        check_scales(key, "input scales", tensor->input_scales, count, true);
        for (uint32_t row = 0; row < count; ++row) scales.push_back(of_row(tensor->input_scales, row));
    }
    const auto n = uint32_t(scales.size()), step = part_outputs(uint32_t(scales.size()), k, DType::i8);
    std::vector<uint32_t> ends;  // ends of runs of equal scales
    bool in_panels = true;  // whether each panel has one known scale
    for (uint32_t row = 0; row < n; ++row) {
        in_panels = in_panels && scales[row] > 0.0f;
        if (row + 1 < n && scales[row + 1] == scales[row]) continue;
        ends.push_back(row + 1);
        in_panels = in_panels && (row + 1 == n || (row + 1) % ops::kPanel == 0);
    }
    in_panels = in_panels && ends.size() > 1;
    if (in_panels) ends = {n};
    std::vector<MatrixPart> parts;
    for (uint32_t begin = 0; const uint32_t end : ends) {
        for (; begin < end; begin = std::min(begin + step, end)) {
            MatrixPart& part = parts.emplace_back(upload_int8(key, rows, k, begin, std::min(begin + step, end)));
            if (!in_panels) continue;
            std::vector<float> of_panels;
            for (uint32_t row = begin; row < std::min(begin + step, end); row += ops::kPanel)
                of_panels.push_back(scales[row]);
            part.input_scale = 0.0f;
            part.panel_scales = values(fmt::format("{}/panel_scales_{}", key, begin), of_panels);
        }
    }
    return parts;
}

MatrixPart WeightStore::upload_int8(const std::string& key, std::span<const Rows> rows, uint32_t k, uint32_t begin,
                                    uint32_t end) {
    const uint32_t n = end - begin;
    auto buffer = allocate(ops::panel_bytes(n, k, DType::i8), key);
    const uint32_t step = ops::kPanel * uint32_t(std::max<uint64_t>(1, kChunkBytes / (uint64_t(ops::kPanel) * k)));
    std::vector<int8_t> bytes;
    std::vector<std::byte> packed;
    std::vector<float> units(n);
    float input_scale = 0.0f;
    for (uint32_t at = 0; at < n; at += step) {
        const uint32_t count = std::min(step, n - at);
        bytes.resize(std::size_t(count) * k);
        for_each_run(rows, begin + at, begin + at + count,
                     [&](const spec::HostTensor& tensor, uint32_t first, uint32_t row, uint32_t run) {
                         const auto room = std::span(bytes).subspan(uint64_t(row - begin - at) * k, uint64_t(run) * k);
                         spec::copy_of(tensor, uint64_t(first) * k, std::as_writable_bytes(room));
                         for (uint32_t i = 0; i < run; ++i) {
                             const float scale = of_row(tensor.scales, first + i);
                             input_scale = of_row(tensor.input_scales, first + i);
                             units[row - begin + i] = 1.0f / (input_scale > 0.0f ? scale * input_scale : scale);
                         }
                     });
        packed.resize(ops::panel_bytes(count, k, DType::i8));
        ops::pack_int8_panels(bytes, k, packed);
        send({*buffer, ops::panel_bytes(at, k, DType::i8), packed.size()}, packed);
    }
    return {.weight = {.data = *buffer, .dtype = DType::i8, .n = n, .k = k},
            .begin = begin,
            .units = values(fmt::format("{}/units_{}", key, begin), units),
            .input_scale = input_scale};
}

ops::BufferView WeightStore::vector(const std::string& name, uint32_t n) {
    const spec::HostTensor& tensor = weights_.get(name, {n});
    const std::string key(weights_.key(name));
    if (auto found = vectors_.find(key); found != vectors_.end()) return found->second;
    std::vector<float> data(n);
    spec::to_f32(tensor, 0, data);
    return values(key, data);
}

ops::BufferView WeightStore::optional_vector(const std::string& name, uint32_t n) {
    return has(name) ? vector(name, n) : ops::BufferView();
}

ops::BufferView WeightStore::values(const std::string& name, std::span<const float> data) {
    if (name.ends_with("projection/bias")) check_finite_logit_bias(name, data);
    else check_finite(name, data);
    auto buffer = allocate(data.size_bytes(), name);
    send(*buffer, std::as_bytes(data));
    return vectors_[name] = *buffer;
}

}  // namespace dragoman::nn
