// SPDX-License-Identifier: Apache-2.0
// Folder "convert": writes models, and what is learned from a model's own translations before that (alignment heads,
// weights of quality). It stands on the pipeline; nothing that translates may include it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/dtype.h"
#include "convert/find_alignment.h"
#include "convert/fit_quality.h"

namespace dragoman::engine {
class Device;
}

namespace dragoman::convert {

struct ConvertOptions {
    std::optional<DType> type;  // type of the matrices: f32, f16, q8, q4; nullopt: as they are
    bool replace = false;       // replaces an old file of this name
    FindAlignment alignment{};  // with a text: the file names the heads that find_alignment() finds
    FitQuality quality{};       // with pairs: the file has the weights that fit_quality() finds
    std::shared_ptr<engine::Device> device{};  // for these two; null: engine::Device::shared()
    std::function<bool(uint64_t done, uint64_t total)> progress{};  // called with bytes; returns false to stop
};

// Writes the model at `path` (empty: the default model), of any format, as one GGUF file. Needs a device only with a
// text to align or pairs to fit. Throws what loading, find_alignment() and fit_quality() throw, and io_error,
// unsupported (a value that the type cannot hold), cancelled.
void convert(const std::string& path, const std::string& out, const ConvertOptions& options);

}  // namespace dragoman::convert
