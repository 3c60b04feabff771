// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "files/file_bytes.h"
#include "spec/weights.h"

namespace dragoman::formats {

// The content of a CTranslate2 model.bin, binary versions 1 to 6, with the names the file uses.
struct Ct2Container {
    struct Variable {
        spec::HostTensor tensor;  // a view into the file, without scales
        std::string stored_as;  // the name under which the file holds the data; aliases differ from their own name
    };

    uint32_t binary_version = 0;
    std::string spec;       // "" in version 1
    uint32_t revision = 1;
    std::map<std::string, Variable, std::less<>> variables;  // aliases included

    const Variable* find(std::string_view name) const;
};

// The result's views live as long as the file's owner. Throws bad_model for anything that contradicts the format,
// including trailing bytes and repeated names, and unsupported for a version above 6.
Ct2Container read_ct2_container(const FileBytes& file);

}  // namespace dragoman::formats
