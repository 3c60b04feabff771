// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"

namespace dragoman::spec {

// A tensor in memory or in a file, row-major, little-endian, not necessarily aligned. Quantised tensors (i8, i16) carry
// scales: value = stored / scale, one scale per row, or one for all.
struct HostTensor {
    DType dtype = DType::f32;
    std::vector<uint32_t> shape;  // empty: scalar
    std::span<const std::byte> bytes;
    std::vector<float> scales;  // empty, 1, or shape[0] values
    // For matrices made for integer products (intgemm): the input is rounded to int8 as well, round(x * input_scale) in
    // -127 ... 127. Empty: not made for that. One or shape[0] values; 0: 127 / max |x| over the sentence's rows.
    std::vector<float> input_scales;
    bool transposed = false;  // stored by columns, one after the other; not with a scale per row
    bool mapped = false;  // bytes are addresses in a file (files/file_map.h): take them with copy_of()
    // Replaces bytes and scales: tensors whose rows (elements, for vectors) follow one another; made by joined_rows().
    std::vector<HostTensor> parts{};
    uint64_t elements() const;
};

inline bool is_made_for_int8(const HostTensor& tensor) {
    return tensor.dtype == DType::i8 && tensor.shape.size() == 2 && !tensor.input_scales.empty();
}
inline constexpr uint32_t kMaxInt8Inputs = 1u << 17;  // ensures that no sum of products overflows an int32

// Joins matrices of one width, or vectors, as views of the parts; nothing is copied. The type is the parts' type, or
// f32 where they differ. A single tensor is returned unchanged.
HostTensor joined_rows(std::vector<HostTensor> parts);

// Elements [begin, begin + out.size()) as f32, dequantised. Safe from any thread.
void to_f32(const HostTensor& tensor, uint64_t begin, std::span<float> out);

// Bytes of a tensor without parts: `room` has as many as are copied from `begin` on. Safe from any thread.
void copy_of(const HostTensor& tensor, uint64_t begin, std::span<std::byte> room);
std::vector<std::byte> copy_of(const HostTensor& tensor);
// Whether two tensors without parts have the same bytes.
bool equal_bytes(const HostTensor& one, const HostTensor& other);

// Named tensors of a model. Lookups that fail throw bad_model with the name, what was expected and what was found.
class WeightMap {
public:
    void add(std::string name, HostTensor tensor);
    void alias(std::string name, const std::string& target);
    bool has(std::string_view name) const;
    const HostTensor& get(std::string_view name) const;
    // Checks the shape as well: "encoder/...: expected 512x512, file has 512x511".
    const HostTensor& get(std::string_view name, std::initializer_list<uint32_t> shape) const;
    const HostTensor* find(std::string_view name) const;
    // Two names that share one tensor (aliases) have one key, so that it is uploaded once.
    std::string_view key(std::string_view name) const;
    const std::map<std::string, HostTensor, std::less<>>& tensors() const { return tensors_; }
    const std::map<std::string, std::string, std::less<>>& aliases() const { return aliases_; }

private:
    std::map<std::string, HostTensor, std::less<>> tensors_;
    std::map<std::string, std::string, std::less<>> aliases_;
};

}  // namespace dragoman::spec
