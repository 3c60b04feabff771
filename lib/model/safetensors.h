// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_map.h"
#include "nn/weights.h"

namespace dragoman::model {

// The tensors of a safetensors file: a header length, a JSON header, and the data, which the tensors fill without
// holes. Views into the map, which must outlive it.
class Safetensors {
public:
    struct Tensor {
        std::string type;             // as the file names it: "F32", "BF16", "I64" ...
        std::vector<uint32_t> shape;  // empty: scalar
        std::span<const std::byte> bytes;
    };

    // Throws bad_model naming the file and what is wrong with it.
    explicit Safetensors(const FileMap& map);

    const std::string& file() const { return file_; }
    const std::map<std::string, Tensor, std::less<>>& tensors() const { return tensors_; }
    bool has(std::string_view name) const { return tensors_.contains(name); }
    // A tensor of F32, F16 or BF16 of this shape; else throws bad_model with both.
    nn::HostTensor floats(std::string_view name, const std::vector<uint32_t>& shape) const;

private:
    std::string file_;
    std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace dragoman::model
