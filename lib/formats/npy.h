// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/file_bytes.h"

namespace dragoman::formats {

// An array of NumPy's .npy format, versions 1 to 3, in C order.
struct NpyArray {
    std::string type;             // as in the header, without byte order: "f4", "i1" ...
    std::vector<uint32_t> shape;  // empty: scalar
    uint64_t elements = 1;
    std::span<const std::byte> bytes;
};

// Returns a view into the file. Throws bad_model, and unsupported for big-endian and for Fortran order.
NpyArray read_npy(const FileBytes& file);

}  // namespace dragoman::formats
