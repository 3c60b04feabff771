// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "formats/checkpoint.h"

namespace dragoman::formats {

// The tensors of a safetensors file: a header length, a JSON header, and the data, which the tensors fill without
// holes.
class Safetensors final : public Checkpoint {
public:
    // Throws bad_model naming the file and the fault.
    explicit Safetensors(const FileBytes& file);

private:
    std::shared_ptr<const void> owner_;
};

}  // namespace dragoman::formats
