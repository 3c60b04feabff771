// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_bytes.h"
#include "spec/weights.h"

namespace dragoman::formats {

// A parameter in the form of Marian's files: matrices are [in, out], vectors mostly [1, n]. Integers made for intgemm
// have one scale and, except for embeddings, are transposed: tensor.shape is then [out, in] and rows_are_outputs is
// set.
struct MarianParameter {
    spec::HostTensor tensor;
    bool rows_are_outputs = false;
    bool for_integer_products = false;
};

// The parameters of a model.npz or model.bin. Parameters of types that no weight has are left out.
struct MarianFile {
    std::string name;     // for messages
    std::string options;  // YAML: special:model.yml
    std::map<std::string, MarianParameter, std::less<>> parameters;
    std::vector<std::shared_ptr<const void>> owners;  // of the bytes that the tensors view

    const MarianParameter* find(std::string_view parameter) const {
        const auto found = parameters.find(parameter);
        return found == parameters.end() ? nullptr : &found->second;
    }
};

inline constexpr std::string_view kMarianOptions = "special:model.yml";

// The text up to the first NUL.
std::string marian_options_text(std::span<const std::byte> bytes);

// Both throw bad_model naming the file, the parameter and the fault, and unsupported, saying what to do, for encrypted
// files and for layouts that belong to one kind of CPU.
MarianFile read_marian_npz(const FileBytes& file);
MarianFile read_marian_bin(const FileBytes& file);

// Whether bytes begin as read_marian_bin expects.
bool looks_like_marian_bin(std::span<const std::byte> bytes);

}  // namespace dragoman::formats
