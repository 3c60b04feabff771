// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/fingerprint.h"
#include "nn/number_types.h"
#include "ops/tensor.h"
#include "spec/weights.h"
#include "vulkan/context.h"

namespace dragoman::nn {

// Some outputs of a linear map, [n, k], from output `begin` on. Most matrices are one part. A matrix too large for one
// buffer is several parts of whole panels. An int8 matrix whose rows have several input scales is one part if these
// change only from panel to panel; otherwise it has one part for each run of equal scales.
struct MatrixPart {
    ops::Weight weight;
    uint32_t begin = 0;
    ops::BufferView units{};         // i8: see ops::MatmulInt8Args
    float input_scale = 0.0f;        // i8; 0: dynamic, or
    ops::BufferView panel_scales{};  // one per panel
    bool scale_per_row = false;      // i8, dynamic: for each row of the input by itself, not for a sentence
};

// Whether a store of these types rounds matrices to int8 itself (see WeightStore).
bool rounds_matrices(const spec::WeightMap& weights, NumberTypes types);

// Uploads named tensors once each (aliases share one copy) and owns them on the device.
class WeightStore {
public:
    // Matrices are stored as f32 or f16; those in blocks (q8, q4) stay as they are, vectors are always f32. With int8
    // products, if any matrix is made for them (HostTensor::input_scales) and the rest is f32, such matrices are stored
    // as they are, and the others as without. Else all are rounded: each row by a scale of its own, 127 / max |w|, as
    // CTranslate2 has it; int8 numbers that have one scale or one for each row stay as they are.
    WeightStore(std::shared_ptr<vulkan::Context> context, const spec::WeightMap& weights, NumberTypes types);

    // [n, k] in panels, never i8. Throws bad_model (missing or wrong shape), unsupported (a value too large for f16),
    // out_of_memory.
    const std::vector<MatrixPart>& matrix(const std::string& name, uint32_t n, uint32_t k);
    // The same for lookups: i8, shared with products, where the store rounds matrices.
    const std::vector<MatrixPart>& table(const std::string& name, uint32_t n, uint32_t k);
    // The same for products: also i8 where the tensor is made for it. Also throws bad_model for scales that are not
    // positive numbers, and unsupported for too many inputs.
    const std::vector<MatrixPart>& parts(const std::string& name, uint32_t n, uint32_t k);
    // Several matrices [n, k] of one input, their outputs one after the other.
    const std::vector<MatrixPart>& joined_parts(const std::vector<std::string>& names, uint32_t n, uint32_t k);
    bool is_int8(const std::string& name) const;
    // [n] as f32; an empty view where the tensor is missing and optional.
    ops::BufferView vector(const std::string& name, uint32_t n);
    ops::BufferView optional_vector(const std::string& name, uint32_t n);
    // Uploads any f32 values computed on the host (position tables, relative bias).
    ops::BufferView values(const std::string& name, std::span<const float> data);

    // The products of all parts loaded so far.
    std::vector<ops::Weight> products() const;

    bool has(const std::string& name) const { return weights_.has(name); }
    const spec::WeightMap& host() const { return weights_; }
    vulkan::Context& context() const { return *context_; }
    const std::shared_ptr<vulkan::Context>& shared_context() const { return context_; }
    DType type() const { return types_.others; }  // type of activations, and of matrices that are not i8
    bool holds_int8() const { return types_.products == DType::i8; }
    bool rounds_rows() const { return rounds_; }  // whether every int8 product has a scale for each row of its input
    uint64_t device_bytes() const { return device_bytes_; }
    const Fingerprint& fingerprint() const { return fingerprint_; }  // of everything uploaded so far

private:
    // Rows of one matrix, or of several one after the other.
    struct Rows {
        const spec::HostTensor* tensor;
        uint32_t count;
    };
    std::shared_ptr<vulkan::Buffer> allocate(uint64_t bytes, const std::string& name);
    void send(const vulkan::BufferView& to, std::span<const std::byte> bytes);
    uint32_t part_outputs(uint32_t n, uint32_t k, DType dtype) const;
    static void add_rows(const spec::HostTensor& tensor, std::vector<Rows>& rows);
    std::vector<MatrixPart> upload(const std::string& key, std::span<const Rows> rows, uint32_t k);
    std::vector<MatrixPart> upload_rounded(const std::string& key, std::span<const Rows> rows, uint32_t k);
    std::vector<MatrixPart> upload_int8(const std::string& key, std::span<const Rows> rows, uint32_t k);
    MatrixPart upload_int8(const std::string& key, std::span<const Rows> rows, uint32_t k, uint32_t begin,
                           uint32_t end);
    ops::Weight upload_floats(const std::string& key, std::span<const Rows> rows, uint32_t k, uint32_t begin,
                              uint32_t end);
    ops::Weight upload_blocks(const std::string& key, std::span<const Rows> rows, uint32_t k, uint32_t begin,
                              uint32_t end);
    std::shared_ptr<vulkan::Context> context_;
    const spec::WeightMap& weights_;
    NumberTypes types_;
    bool rounds_;
    std::map<std::string, std::vector<MatrixPart>> matrices_, parts_;
    std::map<std::string, ops::BufferView> vectors_;
    std::vector<std::shared_ptr<vulkan::Buffer>> buffers_;
    uint64_t device_bytes_ = 0;
    Fingerprint fingerprint_;
};

}  // namespace dragoman::nn
