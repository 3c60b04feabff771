// SPDX-License-Identifier: Apache-2.0
#include "engine/replicas.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace dragoman::engine {
namespace {

constexpr double kLeastSeconds = 0.1;  // a rate over less says little
constexpr double kMostSeconds = 20.0;  // what lies further back counts less and less

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Replicas::Replicas(std::vector<std::shared_ptr<const Model>> models)
    : models_(std::move(models)), loads_(models_.size()) {
    DRAGOMAN_ASSERT(!models_.empty());
}

bool Replicas::on_same_devices(const Replicas& other) const {
    return std::ranges::equal(models_, other.models_, {}, &Model::shared_device, &Model::shared_device);
}

std::string Replicas::device_names() const {
    std::vector<std::string> names;
    for (const auto& model : models_)
        if (const std::string& name = model->device().context().caps().name;
            std::ranges::find(names, name) == names.end())
            names.push_back(name);
    return fmt::format("{}", fmt::join(names, ", "));
}

decode::SearchStats Replicas::stats() const {
    decode::SearchStats sum;
    for (const auto& model : models_) sum += model->stats();
    return sum;
}

void Replicas::lose(std::size_t replica, const std::string& why) const {
    std::size_t left = 0;
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(loads_[replica].lost, true)) return;
        left = std::size_t(std::ranges::count(loads_, false, &Load::lost));
    }
    log(LogLevel::warning, "device {} is lost, {} of {} are left: {}", at(replica).device().context().caps().name, left,
        count(), why);
}

bool Replicas::lost(std::size_t replica) const {
    const std::lock_guard lock(mutex_);
    return loads_[replica].lost;
}

void Replicas::pass_time(Load& load) {
    const double then = std::exchange(load.since, now());
    if (load.tokens > 0) load.busy_seconds += load.since - then;
    if (load.busy_seconds <= kMostSeconds) return;
    load.busy_seconds /= 2;
    load.tokens_done /= 2;
}

void Replicas::begin(std::size_t replica, std::size_t tokens) const {
    const std::lock_guard lock(mutex_);
    pass_time(loads_[replica]);
    loads_[replica].tokens += tokens;
}

void Replicas::end(std::size_t replica, std::size_t tokens, bool done) const {
    const std::lock_guard lock(mutex_);
    pass_time(loads_[replica]);
    loads_[replica].tokens -= tokens;
    if (done) loads_[replica].tokens_done += double(tokens);
}

double Replicas::rate(const Load& load) {
    return load.busy_seconds < kLeastSeconds ? 0.0 : load.tokens_done / load.busy_seconds;
}

double Replicas::done_after(std::size_t replica, std::size_t tokens) const {
    const std::lock_guard lock(mutex_);
    double own = rate(loads_[replica]);
    if (own == 0.0) {
        double sum = 0.0;
        int shown = 0;
        for (const Load& load : loads_)
            if (rate(load) > 0.0) sum += rate(load), ++shown;
        own = shown > 0 ? sum / shown : 1.0;
    }
    return double(loads_[replica].tokens + tokens) / own;
}

}  // namespace dragoman::engine
