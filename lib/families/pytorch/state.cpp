// SPDX-License-Identifier: Apache-2.0
#include "families/pytorch/state.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"

namespace dragoman::families {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::string_view kFirstLayer = "layers.0.", kWeight = ".weight";

bool any_begins_with(const formats::Checkpoint& file, const std::string& prefix) {
    const auto first = file.tensors().lower_bound(prefix);
    return first != file.tensors().end() && first->first.starts_with(prefix);
}

// The prefixes of "layers.0." in the file's names.
std::vector<std::string> stacks_in(const formats::Checkpoint& file) {
    std::set<std::string> found;
    for (const auto& [name, tensor] : file.tensors())
        if (const auto at = name.find(kFirstLayer); at != std::string::npos) found.insert(name.substr(0, at));
    return {found.begin(), found.end()};
}

}  // namespace

std::vector<std::string> PyTorchState::names() const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : file_->tensors()) names.push_back(name);
    return names;
}

void PyTorchState::missing(const std::string& name) const {
    fail(Status::bad_model, "{}: expected {}, the file has no such tensor; the nearest are {}", file(), name,
         fmt::join(nearest_names(name, names(), kNamed), ", "));
}

const std::vector<uint32_t>& PyTorchState::shape(const std::string& name) const {
    const auto found = file_->tensors().find(name);
    if (found == file_->tensors().end()) missing(name);
    return found->second.shape;
}

const std::vector<uint32_t>& PyTorchState::matrix_shape(const std::string& name) const {
    const auto& found = shape(name);
    if (found.size() != 2 || found[0] == 0 || found[1] == 0)
        fail(Status::bad_model, "{}: {}: expected a matrix, file has {}", file(), name, formats::describe_shape(found));
    return found;
}

spec::HostTensor PyTorchState::take(const std::string& name, const std::vector<uint32_t>& expected) const {
    shape(name);
    taken_.insert(name);
    return file_->floats(name, expected);
}

std::string PyTorchState::weight_name(const std::string& name, const std::string& key) const {
    if (has(name)) return name;
    std::string weight = name + std::string(kWeight);
    if (has(weight)) return weight;
    fail(Status::bad_model, "{}: expected {} or {} in {}, file has neither; the nearest are {}", key, name, weight,
         file(), fmt::join(nearest_names(weight, names(), kNamed), ", "));
}

uint32_t PyTorchState::count_layers(const std::string& prefix, const std::string& key) const {
    uint32_t layers = 0;
    while (any_begins_with(*file_, fmt::format("{}layers.{}.", prefix, layers))) ++layers;
    if (layers > 0) return layers;
    const auto found = nearest_names(prefix, stacks_in(*file_), kNamed);
    fail(Status::bad_model, "{}: expected tensors in {} whose names begin with {}{}, file has {}", key, file(), prefix,
         kFirstLayer, found.empty() ? "no layers" : fmt::format("layers of {}", fmt::join(found, ", ")));
}

void PyTorchState::finish(const std::vector<std::string>& ignored, const std::string& description) const {
    for (const auto& [name, tensor] : file_->tensors()) {
        const auto begins = [&](const std::string& beginning) { return name.starts_with(beginning); };
        if (taken_.contains(name) || std::ranges::any_of(ignored, begins)) continue;
        if (name.ends_with(".bias_k") || name.ends_with(".bias_v"))
            fail(Status::unsupported, "{}: {}: attention with add_bias_kv is not supported", file(), name);
        fail(Status::unsupported,
             "{}: {}: expected the tensors of the network in {} and no others; what it does not "
             "use can be named under ignore",
             file(), name, description);
    }
}

}  // namespace dragoman::families
