// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/checkpoint.h"

namespace dragoman::families {

// The tensors of a state dict, with a note of those that were taken. Messages about a name that is not there list the
// nearest ones that are. All functions throw bad_model.
class PyTorchState {
public:
    explicit PyTorchState(std::shared_ptr<const formats::Checkpoint> file) : file_(std::move(file)) {}

    const std::string& file() const { return file_->file(); }
    bool has(std::string_view name) const { return file_->has(name); }
    const std::vector<uint32_t>& shape(const std::string& name) const;
    const std::vector<uint32_t>& matrix_shape(const std::string& name) const;
    spec::HostTensor take(const std::string& name, const std::vector<uint32_t>& shape) const;

    // The tensor of this name, or the weight of the module of this name. `key` says who asks for it.
    std::string weight_name(const std::string& name, const std::string& key) const;
    // How many layers there are of the stack whose tensors' names begin with `prefix`; at least one.
    uint32_t count_layers(const std::string& prefix, const std::string& key) const;

    // Refuses tensors that were not taken, unless their name begins with one of `ignored`.
    void finish(const std::vector<std::string>& ignored, const std::string& description) const;

private:
    [[noreturn]] void missing(const std::string& name) const;
    std::vector<std::string> names() const;

    std::shared_ptr<const formats::Checkpoint> file_;
    mutable std::set<std::string> taken_;
};

}  // namespace dragoman::families
