// SPDX-License-Identifier: Apache-2.0
#include "pipeline/model/networks.h"

#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "base/side_by_side.h"
#include "engine/replicas.h"
#include "spec/fingerprint.h"
#include "spec/model_spec.h"

namespace dragoman::pipeline {
namespace {

using engine::Replicas;

std::vector<engine::NetworkSource> network_sources(const spec::ModelSpec& spec) {
    std::vector<engine::NetworkSource> sources;
    const auto add = [&](const auto& network, const std::string& name) {
        sources.push_back({.config = network.config,
                           .weights = network.weights,
                           .name = name,
                           .recurrent = network.recurrent ? &*network.recurrent : nullptr});
    };
    add(spec, text_of(spec.path));
    for (const spec::Member& member : spec.ensemble.others) add(member, member.name);
    for (std::size_t i = 0; i < spec.ensemble.weights.size(); ++i) sources[i].weight = spec.ensemble.weights[i];
    return sources;
}

std::shared_ptr<engine::Model> load_on(const spec::ModelSpec& spec, const std::shared_ptr<engine::Device>& device,
                                       engine::ComputeType type, const std::shared_ptr<engine::OpenDevice>& on) {
    return std::make_shared<engine::Model>(device, network_sources(spec),
                                           spec.ensemble.probabilities ? nn::Combination::probabilities
                                                                       : nn::Combination::log_probabilities,
                                           type, on);
}

Replicas::Member with_embedder(const spec::ModelSpec& spec, std::shared_ptr<const engine::Model> model) {
    auto embedder = std::make_shared<const engine::Embedder>(model, spec.embedding, spec.weights);
    return {std::move(model), std::move(embedder)};
}

// All that a model is on a device, with the texts that belong to it.
Fingerprint whole(const spec::ModelSpec& spec, const engine::Model& network) {
    Fingerprint result;
    add_network(result, spec, network);
    spec::add_text(result, spec);
    return result;
}

// Of all devices, as they were loaded first. Owns neither the replicas nor the devices.
struct Again {
    std::string path;
    engine::ComputeType type;
    ReadAgain read;
    std::vector<Fingerprint> expected;  // by the number of the device

    Replicas::Member load(std::size_t replica, const std::shared_ptr<engine::Device>& device,
                          const std::shared_ptr<engine::OpenDevice>& on) const {
        if (!read) fail(Status::device_lost, "{}: its files were given by the program, which must load it again", path);
        const spec::ModelSpec spec = read();
        std::shared_ptr<engine::Model> model = load_on(spec, device, type, on);
        if (whole(spec, *model) != expected[replica])
            fail(Status::device_lost, "{}: the files are not those that were loaded before: they have changed since",
                 path);
        log(LogLevel::info, "{} was loaded again on {}", path, on->context().caps().name);
        return with_embedder(spec, std::move(model));
    }
};

// What is loaded onto one device.
struct Loaded {
    std::shared_ptr<engine::Model> model{};
    Replicas::Member member{};
    Fingerprint expected{};
};

// A device that is lost while it loads is opened again.
Loaded load_twice(const spec::ModelSpec& spec, const std::shared_ptr<engine::Device>& on, engine::ComputeType type) {
    const auto load = [&] {
        Loaded loaded{.model = load_on(spec, on, type, on->opened())};
        loaded.member = with_embedder(spec, loaded.model);
        loaded.expected = whole(spec, *loaded.model);
        return loaded;
    };
    try {
        return load();
    } catch (const Error& error) {
        if (error.status() != Status::device_lost) throw;
        log(LogLevel::debug, "{}: loading again: {}", text_of(spec.path), error.what());
    }
    return load();
}

}  // namespace

Networks load_networks(const spec::ModelSpec& spec, const std::shared_ptr<engine::Device>& device,
                       engine::ComputeType type, ReadAgain read_again) {
    std::vector<std::shared_ptr<engine::Device>> devices{device};
    devices.insert(devices.end(), device->others().begin(), device->others().end());
    std::vector<Loaded> loaded(devices.size());
    side_by_side("loading a model", devices.size(),
                 [&](std::size_t i) { loaded[i] = load_twice(spec, devices[i], type); });
    Networks networks;
    std::vector<Replicas::Member> members;
    Again again{.path = text_of(spec.path), .type = type, .read = std::move(read_again), .expected = {}};
    for (Loaded& one : loaded) {
        networks.models.push_back(std::move(one.model));
        members.push_back(std::move(one.member));
        again.expected.push_back(one.expected);
    }
    networks.replicas = std::make_shared<const Replicas>(
        std::move(members), [again = std::move(again)](std::size_t replica, const auto& on_device, const auto& on) {
            return again.load(replica, on_device, on);
        });
    return networks;
}

void add_network(Fingerprint& to, const spec::ModelSpec& spec, const engine::Model& network) {
    to.add(network.fingerprint());
    const auto add = [&](const auto& of) {
        spec::add(to, of.config);
        if (of.recurrent) spec::add(to, *of.recurrent);
    };
    add(spec);
    for (const spec::Member& member : spec.ensemble.others) add(member);
    to.add(spec.ensemble.probabilities);
    to.add(network.types().products);
    to.add(network.types().others);
}

}  // namespace dragoman::pipeline
