// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/compute_type.h"

namespace dragoman {
class Fingerprint;
}
namespace dragoman::engine {
class Device;
class Model;
class Replicas;
}  // namespace dragoman::engine
namespace dragoman::spec {
struct ModelSpec;
}

namespace dragoman::pipeline {

// Reads a model once more from where it came from; empty: it came from the caller, who may have it no more.
using ReadAgain = std::function<spec::ModelSpec()>;

struct Networks {
    std::shared_ptr<const engine::Replicas> replicas;
    std::vector<std::shared_ptr<engine::Model>> models;  // the same, while they may change
};

// The networks of a model on a device and on those that work together with it, loaded side by side. They are loaded again
// where a device is lost and opened again, if what `read_again` finds is the same.
Networks load_networks(const spec::ModelSpec& spec, const std::shared_ptr<engine::Device>& device,
                       engine::ComputeType type, ReadAgain read_again);

// Adds what answers to ids depend on, besides the device and its arithmetic.
void add_network(Fingerprint& to, const spec::ModelSpec& spec, const engine::Model& network);

}  // namespace dragoman::pipeline
