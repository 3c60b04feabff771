// SPDX-License-Identifier: Apache-2.0
// Time and host memory of loading one model: the files into tensors, the tensors onto the device. Memory is sampled;
// it is what the process holds beyond what it held before, without mapped files (which can be dropped at any time). A
// Vulkan device that is a CPU keeps its buffers there, too: subtract them to get the host memory.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/os/process.h"
#include "engine/device.h"
#include "families/families.h"
#include "pipeline/model/model.h"
#include "pipeline/model/model_info.h"

namespace {

using namespace dragoman;
using Clock = std::chrono::steady_clock;

// The most memory without mapped files while this lives, beyond what there was before.
class Sampler {
public:
    Sampler() : before_(os::unbacked_bytes()), peak_(before_), thread_([this] { sample(); }) {}
    ~Sampler() {
        done_ = true;
        thread_.join();
    }
    uint64_t above() const { return peak_ - before_; }
    uint64_t peak() const { return peak_; }

private:
    void sample() {
        while (!done_) {
            peak_ = std::max<uint64_t>(peak_, os::unbacked_bytes());
            std::this_thread::sleep_for(std::chrono::microseconds(300));
        }
    }
    const uint64_t before_;
    std::atomic<uint64_t> peak_;
    std::atomic<bool> done_ = false;
    std::thread thread_;
};

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

pipeline::ComputeType compute_type(const std::string& name) {
    if (name == "float32") return pipeline::ComputeType::f32;
    if (name == "float16") return pipeline::ComputeType::f16;
    if (name == "int8_float16") return pipeline::ComputeType::int8_f16;
    return name == "int8" ? pipeline::ComputeType::int8 : pipeline::ComputeType::automatic;
}

void run(const std::string& path, const std::string& type) {
    const pipeline::ModelOptions options{.device = engine::Device::shared(), .compute_type = compute_type(type)};
    // The device wakes up with another model, so that its own memory and time are left out.
    pipeline::Model::load("", {.device = options.device, .compute_type = pipeline::ComputeType::f32});
    nlohmann::json result = {{"path", path}};
    {
        const Sampler sampler;
        const auto start = Clock::now();
        const spec::ModelSpec spec = families::load(path);
        result["read_seconds"] = since(start);
        result["read_bytes"] = sampler.above();
        result["file_bytes"] = spec.file_bytes;
    }
    {
        const Sampler sampler;
        const auto start = Clock::now();
        const auto model = pipeline::Model::load(path, options);
        result["load_seconds"] = since(start);
        result["peak_bytes"] = sampler.above();
        result["process_bytes"] = sampler.peak();
        result["resident_bytes"] = os::peak_resident_bytes();
        result["device_bytes"] = model->info().device_bytes;
        result["compute_type"] = model->info().compute_type;
        result["device_is_cpu"] = model->context().caps().is_cpu();
    }
    fmt::print("{}\n", result.dump());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        fmt::print(stderr, "usage: bench_load MODEL [float32 | float16 | int8 | int8_float16]\n");
        return 2;
    }
    try {
        run(argv[1], argc > 2 ? argv[2] : "");
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
