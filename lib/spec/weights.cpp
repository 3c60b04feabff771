// SPDX-License-Identifier: Apache-2.0
#include "spec/weights.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/half.h"
#include "files/file_map.h"
#include "spec/block_quantization.h"

namespace dragoman::spec {
namespace {

constexpr std::size_t kPortionElements = std::size_t(1) << 16, kGatheredBytes = std::size_t(1) << 24;

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

float bf16_to_f32(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

template <class T, class Convert>
void convert_all(const std::byte* from, std::span<float> out, Convert convert) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = convert(load<T>(from + i * sizeof(T)));
}

template <class T>
void convert_integers(const HostTensor& tensor, uint64_t begin, std::span<float> out) {
    const std::byte* from = tensor.bytes.data() + begin * sizeof(T);
    if (tensor.scales.size() <= 1) {
        const float scale = tensor.scales.empty() ? 1.0f : tensor.scales[0];
        convert_all<T>(from, out, [scale](T stored) { return static_cast<float>(stored) / scale; });
        return;
    }
    const uint64_t row_size = tensor.elements() / tensor.scales.size();
    while (!out.empty()) {
        const uint64_t row = begin / row_size;
        const uint64_t count = std::min<uint64_t>(out.size(), (row + 1) * row_size - begin);
        const float scale = tensor.scales[row];
        convert_all<T>(from, out.first(count), [scale](T stored) { return static_cast<float>(stored) / scale; });
        from += count * sizeof(T);
        begin += count;
        out = out.subspan(count);
    }
}

// Gathers rows of a matrix that is stored by columns.
void gather(const HostTensor& tensor, uint64_t begin, std::span<float> out) {
    DRAGOMAN_ASSERT(tensor.shape.size() == 2 && tensor.scales.size() <= 1);
    if (tensor.mapped && tensor.bytes.size() <= kGatheredBytes) {  // one call of the system instead of one per column
        const std::vector<std::byte> bytes = copy_of(tensor);
        HostTensor copy = tensor;
        copy.bytes = bytes;
        copy.mapped = false;
        return gather(copy, begin, out);
    }
    const uint64_t height = tensor.shape[0], width = tensor.shape[1], size = size_bytes(tensor.dtype);
    // Goes column by column in the stored order, and takes the part of each that lies in the wanted rows.
    const uint64_t first = begin / width, last = (begin + out.size() - 1) / width;
    std::vector<float> values(last - first + 1);
    HostTensor column{.dtype = tensor.dtype,
                      .shape = {static_cast<uint32_t>(values.size())},
                      .bytes = {},
                      .scales = tensor.scales,
                      .input_scales = {},
                      .mapped = tensor.mapped};
    for (uint64_t c = 0; c < width; ++c) {
        column.bytes = tensor.bytes.subspan((c * height + first) * size, values.size() * size);
        to_f32(column, 0, values);
        for (uint64_t r = first; r <= last; ++r) {
            const uint64_t at = r * width + c;
            if (at >= begin && at < begin + out.size()) out[at - begin] = values[r - first];
        }
    }
}

// Takes from each part its share of the elements.
void gather_parts(const HostTensor& tensor, uint64_t begin, std::span<float> out) {
    for (const HostTensor& part : tensor.parts) {
        const uint64_t size = part.elements(), first = std::min(begin, size);
        const uint64_t count = std::min<uint64_t>(out.size(), size - first);
        to_f32(part, first, out.first(count));
        out = out.subspan(count);
        begin -= first;
    }
}

std::string describe(std::span<const uint32_t> shape) {
    return shape.empty() ? std::string("a scalar") : fmt::format("{}", fmt::join(shape, "x"));
}

}  // namespace

uint64_t HostTensor::elements() const {
    uint64_t count = 1;
    for (const uint32_t size : shape) count *= size;
    return count;
}

HostTensor joined_rows(std::vector<HostTensor> parts) {
    DRAGOMAN_ASSERT(!parts.empty());
    if (parts.size() == 1) return std::move(parts.front());
    HostTensor joined{.dtype = parts.front().dtype, .shape = parts.front().shape};
    joined.shape.front() = 0;
    for (const HostTensor& part : parts) {
        DRAGOMAN_ASSERT(std::ranges::equal(std::span(part.shape).subspan(1), std::span(joined.shape).subspan(1)));
        joined.shape.front() += part.shape.front();
        if (part.dtype != joined.dtype) joined.dtype = DType::f32;
    }
    joined.parts = std::move(parts);
    return joined;
}

namespace {

// Elements of a tensor whose bytes are in memory.
void convert(const HostTensor& tensor, uint64_t begin, std::span<float> out) {
    if (block_bytes(tensor.dtype)) return dequantize(tensor.dtype, tensor.bytes, begin, out);
    const std::byte* from = tensor.bytes.data() + begin * size_bytes(tensor.dtype);
    switch (tensor.dtype) {
        case DType::f32: std::memcpy(out.data(), from, out.size_bytes()); break;
        case DType::f16: convert_all<uint16_t>(from, out, from_half); break;
        case DType::bf16: convert_all<uint16_t>(from, out, bf16_to_f32); break;
        case DType::i8: convert_integers<int8_t>(tensor, begin, out); break;
        case DType::i16: convert_integers<int16_t>(tensor, begin, out); break;
        case DType::i32: convert_integers<int32_t>(tensor, begin, out); break;
        case DType::u32: convert_integers<uint32_t>(tensor, begin, out); break;
        case DType::q8:
        case DType::q4: break;
    }
}

// Converts portions that a processor's cache holds. Portions of integers end with their rows of scales, or lie in one.
void convert_mapped(const HostTensor& tensor, uint64_t begin, std::span<float> out) {
    if (tensor.dtype == DType::f32) return copy_of(tensor, begin * sizeof(float), std::as_writable_bytes(out));
    std::vector<std::byte> bytes;
    HostTensor portion{.dtype = tensor.dtype, .shape = {}, .bytes = {}, .scales = tensor.scales};
    const uint64_t row = tensor.scales.size() > 1 ? tensor.elements() / tensor.scales.size() : 0;
    while (!out.empty()) {
        const uint64_t first = begin / kBlockElements * kBlockElements;  // of a block, for those types
        uint64_t count = std::min<uint64_t>(out.size(), kPortionElements);
        if (row > 0) {
            count = std::min(count, row - begin % row);
            portion.scales = {tensor.scales[begin / row]};
        }
        const uint64_t from = block_bytes(tensor.dtype) ? first : begin;
        const uint64_t last = std::min((begin + count + kBlockElements - 1) / kBlockElements * kBlockElements,
                                       tensor.elements());
        const uint64_t end = block_bytes(tensor.dtype) ? last : begin + count;
        bytes.resize(size_bytes(tensor.dtype, end - from));
        copy_of(tensor, size_bytes(tensor.dtype, from), bytes);
        portion.bytes = bytes;
        portion.shape = {uint32_t(end - from)};
        convert(portion, begin - from, out.first(count));
        out = out.subspan(count);
        begin += count;
    }
}

}  // namespace

void to_f32(const HostTensor& tensor, uint64_t begin, std::span<float> out) {
    DRAGOMAN_ASSERT(begin <= tensor.elements() && out.size() <= tensor.elements() - begin);
    if (!tensor.parts.empty()) return gather_parts(tensor, begin, out);
    DRAGOMAN_ASSERT(tensor.bytes.size() == size_bytes(tensor.dtype, tensor.elements()));
    DRAGOMAN_ASSERT(tensor.scales.size() <= 1 || (!tensor.shape.empty() && tensor.scales.size() == tensor.shape[0]));
    if (out.empty()) return;
    if (tensor.transposed) return gather(tensor, begin, out);
    if (tensor.mapped) return convert_mapped(tensor, begin, out);
    convert(tensor, begin, out);
}

void copy_of(const HostTensor& tensor, uint64_t begin, std::span<std::byte> room) {
    DRAGOMAN_ASSERT(tensor.parts.empty() && begin <= tensor.bytes.size() && room.size() <= tensor.bytes.size() - begin);
    if (room.empty()) return;
    const auto bytes = tensor.bytes.subspan(begin, room.size());
    if (tensor.mapped) copy_bytes(bytes, room.data());
    else std::memcpy(room.data(), bytes.data(), bytes.size());
}

std::vector<std::byte> copy_of(const HostTensor& tensor) {
    std::vector<std::byte> bytes(tensor.bytes.size());
    copy_of(tensor, 0, bytes);
    return bytes;
}

bool equal_bytes(const HostTensor& one, const HostTensor& other) {
    if (one.bytes.size() != other.bytes.size()) return false;
    if (one.bytes.data() == other.bytes.data()) return true;
    constexpr std::size_t kAtOnce = std::size_t(1) << 18;
    std::vector<std::byte> first, second;
    for (std::size_t at = 0; at < one.bytes.size(); at += kAtOnce) {
        const std::size_t size = std::min(kAtOnce, one.bytes.size() - at);
        first.resize(size);
        second.resize(size);
        copy_of(one, at, first);
        copy_of(other, at, second);
        if (first != second) return false;
    }
    return true;
}

void WeightMap::add(std::string name, HostTensor tensor) {
    DRAGOMAN_ASSERT(!has(name));
    tensors_.emplace(std::move(name), std::move(tensor));
}

void WeightMap::alias(std::string name, const std::string& target) {
    DRAGOMAN_ASSERT(!has(name));
    std::string owner(key(target));
    aliases_.emplace(std::move(name), std::move(owner));
}

bool WeightMap::has(std::string_view name) const { return find(name) != nullptr; }

const HostTensor* WeightMap::find(std::string_view name) const {
    if (const auto alias = aliases_.find(name); alias != aliases_.end()) name = alias->second;
    const auto tensor = tensors_.find(name);
    return tensor == tensors_.end() ? nullptr : &tensor->second;
}

const HostTensor& WeightMap::get(std::string_view name) const {
    const HostTensor* tensor = find(name);
    if (!tensor) fail(Status::bad_model, "{}: expected a tensor of this name, the model has none", name);
    return *tensor;
}

const HostTensor& WeightMap::get(std::string_view name, std::initializer_list<uint32_t> shape) const {
    const HostTensor* tensor = find(name);
    if (!tensor) fail(Status::bad_model, "{}: expected {}, the model has no such tensor", name, describe(shape));
    if (!std::equal(shape.begin(), shape.end(), tensor->shape.begin(), tensor->shape.end())) {
        fail(Status::bad_model, "{}: expected {}, file has {}", name, describe(shape), describe(tensor->shape));
    }
    return *tensor;
}

std::string_view WeightMap::key(std::string_view name) const {
    if (const auto alias = aliases_.find(name); alias != aliases_.end()) return alias->second;
    const auto tensor = tensors_.find(name);
    if (tensor == tensors_.end()) {
        fail(Status::bad_model, "{}: expected a tensor of this name, the model has none", name);
    }
    return tensor->first;
}

}  // namespace dragoman::spec
