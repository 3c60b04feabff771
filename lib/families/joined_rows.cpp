// SPDX-License-Identifier: Apache-2.0
#include "families/joined_rows.h"

#include <algorithm>
#include <memory>

namespace dragoman::families {

spec::HostTensor joined_rows(std::vector<spec::HostTensor> parts, spec::ModelSpec& spec) {
    if (parts.size() == 1) return std::move(parts.front());
    const DType type = parts.front().dtype;
    const bool same = std::ranges::all_of(parts, [&](const auto& part) { return part.dtype == type; });
    spec::HostTensor joined{.dtype = same ? type : DType::f32, .shape = parts.front().shape};
    joined.shape.front() = 0;
    std::vector<std::byte> bytes;
    for (const spec::HostTensor& part : parts) {
        joined.shape.front() += part.shape.front();
        if (same) {
            bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
            continue;
        }
        std::vector<float> values(part.elements());
        spec::to_f32(part, 0, values);
        const auto raw = std::as_bytes(std::span(values));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    }
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    spec.owners.push_back(owner);
    joined.bytes = *owner;
    return joined;
}

}  // namespace dragoman::families
