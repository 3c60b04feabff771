// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "base/dtype.h"
#include "formats/gguf_key_writer.h"
#include "spec/weights.h"

namespace dragoman::formats {

// A tensor to be written into a GGUF file: `tensor` is converted to `type`.
struct GgufTensor {
    std::string name;
    DType type{};
    spec::HostTensor tensor;
};

// Writes keys and tensors into one file. `progress`, if set, is called now and then with the bytes of tensors written;
// it returns false to stop with Status::cancelled. Throws io_error, unsupported (a value that the type cannot hold),
// cancelled; there is no file then.
void write_gguf_file(const std::filesystem::path& path, bool replace, const gguf::KeyWriter& keys,
                     std::span<const GgufTensor> tensors,
                     const std::function<bool(uint64_t done, uint64_t total)>& progress);

}  // namespace dragoman::formats
