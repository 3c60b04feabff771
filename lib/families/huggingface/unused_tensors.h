// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "formats/checkpoint.h"

namespace dragoman::families {

// Throws unsupported where a checkpoint holds a LoRA adapter: without it the model would be the one before the
// adapter's training.
void refuse_adapter_tensors(const formats::Checkpoint& file);

using TensorNames = std::set<std::string, std::less<>>;

// Warns of a checkpoint's tensors that a model did not take, with the first names and their number; not of those that
// transformers leaves aside, too: tables of positions, tied copies, causal masks, and what begins with one of `heads`,
// which are the heads of other tasks.
void report_unused_tensors(const formats::Checkpoint& file, const TensorNames& taken,
                           std::span<const std::string_view> heads);

}  // namespace dragoman::families
