// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "base/dtype.h"
#include "base/fingerprint.h"
#include "engine/compute_type.h"
#include "engine/device.h"
#include "nn/ensemble.h"
#include "nn/number_types.h"
#include "spec/recurrent_config.h"
#include "spec/transformer_config.h"
#include "spec/weights.h"

namespace dragoman::engine {

// The description and the weights of a network.
struct NetworkSource {
    const spec::TransformerConfig& config;
    const spec::WeightMap& weights;
    std::string name;  // for messages
    float weight = 1.0f;  // in an ensemble
    const spec::RecurrentConfig* recurrent = nullptr;  // replaces config
};

// A network on a device, or several that predict together. Immutable; safe from any thread.
class Model {
public:
    // `name` is for messages. Throws unsupported, bad_model, out_of_memory (after freeing what is idle on the device).
    Model(std::shared_ptr<Device> device, const spec::TransformerConfig& config, const spec::WeightMap& weights,
          ComputeType wanted, const std::string& name);
    // Several sources make an ensemble, all of one compute type. `on`: the device as it is open now; null:
    // device->opened().
    Model(std::shared_ptr<Device> device, std::span<const NetworkSource> sources, nn::Combination combination,
          ComputeType wanted, std::shared_ptr<OpenDevice> on = {});
    // A model of a network that exists already.
    Model(std::shared_ptr<Device> device, std::unique_ptr<const nn::Seq2Seq> network, nn::NumberTypes types);
    // Does before the first sentence what takes long on a GPU: measures which kernels are fastest here
    // (vulkan::TuningMode), and compiles what a search by these rules will need, most of it in the background. Does
    // nothing on CPU devices.
    void prepare(const std::optional<decode::SearchRules>& rules);
    ~Model();  // its unfinished tasks end as cancelled
    Model(const Model&) = delete;

    const nn::Seq2SeqInfo& info() const { return network_->info(); }
    const nn::Seq2Seq& network() const { return *network_; }
    // The network with float32 activations, for inputs that overflow in float16; made at the first call. Null: it
    // cannot be made.
    const nn::Seq2Seq* wide() const;
    const nn::NumberTypes& types() const { return types_; }
    const char* type_reason() const { return type_reason_; }  // why it was chosen: "asked for"
    uint64_t device_bytes() const { return device_bytes_; }  // size of the weights
    const Fingerprint& fingerprint() const { return fingerprint_; }  // of the weights, in the form that the device has
    Device& device() const { return *device_; }
    const std::shared_ptr<Device>& shared_device() const { return device_; }
    // The device as it was open when the network came to it: the network is lost with this.
    const std::shared_ptr<OpenDevice>& on() const { return on_; }
    vulkan::Context& context() const { return on_->context(); }
    decode::SearchStats stats() const;  // counted since it was loaded

private:
    std::shared_ptr<Device> device_;
    std::shared_ptr<OpenDevice> on_;
    nn::NumberTypes types_ = DType::f32;
    const char* type_reason_ = "asked for";
    std::unique_ptr<const nn::Seq2Seq> network_;
    mutable std::mutex wide_mutex_;
    mutable std::unique_ptr<const nn::Seq2Seq> wide_;
    uint64_t device_bytes_ = 0;
    Fingerprint fingerprint_;
};

}  // namespace dragoman::engine
