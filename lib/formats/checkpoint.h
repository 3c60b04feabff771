// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "spec/weights.h"

namespace dragoman::formats {

// The named tensors of a checkpoint, whatever its format. Views returned by floats() live as long as it.
class Checkpoint {
public:
    struct Tensor {
        std::string file;             // for messages
        std::string type;             // the name that safetensors files use: "F32", "BF16", "I64" ...
        std::vector<uint32_t> shape;  // empty: scalar
        std::span<const std::byte> bytes;  // empty in formats that gather the bytes on request
        bool mapped = false;          // see spec::HostTensor
    };
    using Tensors = std::map<std::string, Tensor, std::less<>>;

    virtual ~Checkpoint() = default;
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    const std::string& file() const { return file_; }
    const Tensors& tensors() const { return tensors_; }
    bool has(std::string_view name) const { return tensors_.contains(name); }
    // A tensor of F32, F16 or BF16 of this shape; throws bad_model with both shapes otherwise. One thread at a time.
    spec::HostTensor floats(std::string_view name, const std::vector<uint32_t>& shape) const;

protected:
    explicit Checkpoint(std::string file) : file_(std::move(file)) {}
    struct Content {
        std::span<const std::byte> bytes;
        bool mapped = false;
    };
    virtual Content content(const std::string& name, const Tensor& tensor) const;

    std::string file_;
    Tensors tensors_;
};

// Bytes per item of a type, by the name that safetensors files use.
std::optional<uint32_t> item_bytes(std::string_view type);

// A message's form: "2x3", or "a scalar".
std::string describe_shape(std::span<const uint32_t> shape);

// The checkpoint of a Hugging Face model, in this order of preference: model.safetensors, model.safetensors.index.json
// (several files), pytorch_model.bin, pytorch_model.bin.index.json. A chosen one goes first. Nullopt: there is none.
std::optional<std::string> find_checkpoint(const FileSet& files);
std::shared_ptr<const Checkpoint> open_checkpoint(const FileSet& files, const std::string& name);
// The same tensors without what torch.compile ("_orig_mod.") and its parallel wrappers ("module.") put before the names
// of all of them.
std::shared_ptr<const Checkpoint> without_wrappers(std::shared_ptr<const Checkpoint> checkpoint);

}  // namespace dragoman::formats
