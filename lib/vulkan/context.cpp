// SPDX-License-Identifier: Apache-2.0
#include "vulkan/context.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "base/os/process.h"
#include "vulkan/command_list.h"
#include "vulkan/context_impl.h"
#include "vulkan/device_buffer.h"
#include "vulkan/device_choice.h"
#include "vulkan/feature_chain.h"
#include "vulkan/stall.h"
#include "vulkan/stopwatch.h"

namespace dragoman::vulkan {

std::vector<Caps> list_devices() {
    const auto instance = Instance::shared(environment_flag("DRAGOMAN_VALIDATION"));
    std::vector<Caps> caps;
    if (!instance) return caps;
    for (PhysicalDevice& device : physical_devices(*instance)) caps.push_back(std::move(device.caps));
    return caps;
}

DeviceMemory device_memory(uint32_t index) {
    const auto instance = Instance::shared(environment_flag("DRAGOMAN_VALIDATION"));
    const auto devices = instance ? physical_devices(*instance) : std::vector<PhysicalDevice>();
    if (index >= devices.size())
        fail(Status::no_device, "index: {} is not a device, there are {}", index, devices.size());
    return read_device_memory(*instance, devices[index]);
}

WantedDevice wanted_device(const ExternalDevice& external) {
    ExternalDevice unmade = external;
    unmade.device = nullptr;
    const auto instance = Instance::adopt(external);
    const PhysicalDevice physical = external_physical_device(*instance, unmade);
    const auto features = std::make_shared<FeatureChain>(*instance, physical);
    return {.extensions = physical.extensions, .features = {features, &features->core}};
}

namespace {

// The device with the limits that options set.
PhysicalDevice limited(PhysicalDevice device, const ContextOptions& options) {
    if (options.profiling && !device.caps.timestamps)
        log(LogLevel::warning, "{} has no timestamps: passes are not timed", device.caps.name);
    if (options.gpu_kernels) take_gpu_kernels(device.caps);
    if (options.gpu_kernels && options.gpu_vendor) device.caps.vendor_id = options.gpu_vendor;
    if (options.unordered_workgroups) device.caps.orders_workgroups = false;
    if (options.invocations_limit)
        device.caps.max_workgroup_invocations = std::min(device.caps.max_workgroup_invocations,
                                                         options.invocations_limit);
    if (options.buffer_limit_bytes)
        device.caps.max_storage_range_bytes = std::min(device.caps.max_storage_range_bytes, options.buffer_limit_bytes);
    return device;
}

// "<what>-<device, driver>.txt" in the folder of "pipelines-<device, driver>.bin".
std::filesystem::path beside(const std::filesystem::path& cache, const std::string& what) {
    if (cache.empty()) return {};
    const std::string name = text_of(cache.stem());
    return cache.parent_path() / path_of(what + name.substr(std::min(name.find('-'), name.size())) + ".txt");
}
}  // namespace

namespace {

// The option; if it is automatic, the environment's; otherwise what suits the device.
TuningMode wanted_tuning(TuningMode option, const Caps& caps) {
    if (option != TuningMode::automatic) return option;
    const std::string wanted = environment("DRAGOMAN_AUTOTUNE");
    if (caps.is_cpu() || wanted == "0") return TuningMode::off;
    return wanted == "1" ? TuningMode::at_load : TuningMode::background;
}

}  // namespace

template <class... DeviceArguments>
Context::Impl::Impl(std::in_place_t, const ContextOptions& given, DeviceArguments&&... arguments)
    : options(given), device(std::forward<DeviceArguments>(arguments)...),
      memory(device, {.held_bytes = options.memory_limit_bytes, .heap_bytes = options.heap_limit_bytes}),
      cache(device, options.cache_dir), pipelines(device, cache, !device.caps().is_cpu()),
      spills(beside(cache.path(), "spills"), pipelines,
             device.physical().executable_properties && !device.caps().is_cpu()),
      tuning(beside(cache.path(), "tuning")),
      check_results(beside(cache.path(), "checks"),
                    options.trust_kernels || environment("DRAGOMAN_CHECK_KERNELS") == "0"),
      timeline(device, hang_limit(device.caps())), staging(device, memory, timeline),
      profiling(options.profiling && device.caps().timestamps), dispatch_times(profiling && options.dispatch_times),
      tuning_mode(wanted_tuning(options.tuning, device.caps())), tuning_seconds(options.tuning_seconds) {}

Context::Impl::Impl(std::shared_ptr<Instance> instance, const PhysicalDevice& physical, const ContextOptions& options)
    : Impl(std::in_place, options, std::move(instance), physical, options.debug_names || options.validation) {}

Context::Impl::Impl(std::shared_ptr<Instance> instance, const PhysicalDevice& physical, const ExternalDevice& external,
                    const ContextOptions& options)
    : Impl(std::in_place, options, std::move(instance), physical, external) {}

void Context::Impl::bury(std::unique_ptr<Timeline::Buried> buried) noexcept {
    timeline.bury(staging.safe_value(), std::move(buried));
}

namespace {

// Keeps what a hung device may still write to, for ever. Leak checkers find it here.
void leave(std::unique_ptr<Context::Impl> impl) noexcept {
    static std::mutex mutex;
    static Context::Impl* left = nullptr;
    const std::lock_guard lock(mutex);
    impl->left_before = left;
    left = impl.release();
}

struct BuriedStopwatch final : Timeline::Buried {
    explicit BuriedStopwatch(const Device& device) : stopwatch(device) {}
    Stopwatch stopwatch;
};

}  // namespace

Context::Context(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Context::~Context() {
    if (!impl_->timeline.hung()) impl_->timeline.wait_for_device();
    if (impl_->timeline.hung()) leave(std::move(impl_));
    else save();
}

ContextStats& ContextStats::operator+=(const ContextStats& other) {
    submissions += other.submissions;
    host_waits += other.host_waits;
    dispatches += other.dispatches;
    memory_bytes += other.memory_bytes;
    memory_peak_bytes += other.memory_peak_bytes;
    return *this;
}

std::vector<std::shared_ptr<Context>> Context::create_some(const ContextOptions& requested, std::size_t most) {
    ContextOptions options = requested;
    options.validation |= environment_flag("DRAGOMAN_VALIDATION");
    if (options.device.empty()) options.device = environment("DRAGOMAN_DEVICE");
    const auto instance = Instance::shared(options.validation);
    const auto devices = instance ? physical_devices(*instance) : std::vector<PhysicalDevice>();
    std::vector<std::shared_ptr<Context>> contexts;
    for (const PhysicalDevice* chosen : choose_devices(devices, options.device)) {
        if (contexts.size() == most) break;
        log(LogLevel::debug, "device [{}] {}, {}", chosen->caps.index, chosen->caps.name, chosen->caps.driver);
        contexts.emplace_back(new Context(std::make_unique<Impl>(instance, limited(*chosen, options), options)));
    }
    return contexts;
}

std::shared_ptr<Context> Context::create(const ContextOptions& options) { return create_some(options, 1).front(); }

std::vector<std::shared_ptr<Context>> Context::create_all(const ContextOptions& options) {
    return create_some(options, std::numeric_limits<std::size_t>::max());
}

std::shared_ptr<Context> Context::adopt(const ExternalDevice& external, const ContextOptions& options) {
    if (!external.device) fail(Status::invalid_argument, "device: expected the app's VkDevice, got null");
    const auto instance = Instance::adopt(external);
    const PhysicalDevice physical = limited(external_physical_device(*instance, external), options);
    log(LogLevel::debug, "an app's device, {}, {}", physical.caps.name, physical.caps.driver);
    return std::shared_ptr<Context>(new Context(std::make_unique<Impl>(instance, physical, external, options)));
}

const Caps& Context::caps() const { return impl_->device.caps(); }

Tuning& Context::tuning() { return impl_->tuning; }
const Tuning& Context::tuning() const { return impl_->tuning; }

Spills& Context::spills() { return impl_->spills; }

CheckResults& Context::check_results() { return impl_->check_results; }

Background& Context::background() { return impl_->background; }

TuningMode Context::tuning_mode() const { return impl_->tuning_mode; }

double Context::tuning_seconds() const { return impl_->tuning_seconds; }

void Context::prepare(const KernelUse& use) {
    if (!can_run(*use.shader, use.key) || !impl_->check_results.is_usable(*this, use)) return;
    compile(use);
}

void Context::compile(const KernelUse& use) { impl_->pipelines.get(*use.shader, use.key, use.constants); }

double Context::seconds(const CommandList& list, uint32_t times) {
    const RecordedList& run = recorded(list);
    DRAGOMAN_ASSERT(&run.context() == this);
    auto owned = std::make_unique<BuriedStopwatch>(impl_->device);
    const Stopwatch& stopwatch = owned->stopwatch;
    std::vector<VkCommandBuffer> commands(times + 2, run.commands());
    commands.front() = stopwatch.start();
    commands.back() = stopwatch.stop();
    const auto begin = std::chrono::steady_clock::now();
    const uint64_t value = impl_->staging.submit(commands);
    try {
        impl_->timeline.wait(value);
    } catch (...) {  // it may still run
        impl_->bury(std::move(owned));
        throw;
    }
    const std::chrono::duration<double> on_host = std::chrono::steady_clock::now() - begin;
    return stopwatch.seconds().value_or(on_host.count());
}

bool Context::can_run(const Shader& shader, VariantKey key) const {
    const ShaderVariant* variant = find_variant(shader, key);
    return variant && (variant->needs & ~caps().needs_met) == 0;
}

std::shared_ptr<Buffer> Context::buffer(uint64_t size_bytes, BufferUse use, std::string name) {
    DRAGOMAN_ASSERT(size_bytes > 0);
    impl_->timeline.throw_if_lost();
    if (size_bytes > caps().max_storage_range_bytes)
        fail(Status::unsupported, "buffer \"{}\" of {} bytes: {} binds at most {} bytes", name, size_bytes, caps().name,
             caps().max_storage_range_bytes);
    return std::make_shared<DeviceBuffer>(shared_from_this(), size_bytes, use, std::move(name));
}

void Context::upload(const BufferView& target, const void* source, uint64_t size_bytes) {
    check_view(target, *this);
    DRAGOMAN_ASSERT(size_bytes <= target.size_bytes);
    impl_->staging.upload(target, source, size_bytes);
}

void Context::readback(const BufferView& source, void* target, uint64_t size_bytes) {
    check_view(source, *this);
    DRAGOMAN_ASSERT(size_bytes <= source.size_bytes);
    impl_->staging.readback(source, target, size_bytes);
}

uint64_t Context::submit(std::span<const CommandList* const> lists) {
    std::vector<VkCommandBuffer> commands;
    for (const CommandList* list : lists) {
        DRAGOMAN_ASSERT(&recorded(*list).context() == this);
        impl_->dispatches += list->dispatches();
        commands.push_back(recorded(*list).commands());
    }
    if (!impl_->profiling) return impl_->staging.submit(commands);

    // Every run of a list overwrites its timestamps, so lists run one by one and each is collected before the next. The
    // amounts of work are read from the device before the run.
    const std::lock_guard lock(impl_->profiling_mutex);
    uint64_t value = impl_->staging.submit({});
    for (const CommandList* list : lists) {
        const RecordedList& run = recorded(*list);
        const VkCommandBuffer command = run.commands();
        std::map<std::tuple<const Buffer*, uint64_t, uint64_t>, std::vector<uint32_t>> known;
        const auto read = [&](const BufferView& view) -> std::span<const uint32_t> {
            std::vector<uint32_t>& words = known[{view.buffer, view.offset, view.size_bytes}];
            if (words.empty()) {
                words.resize(view.size_bytes / 4);
                impl_->staging.readback(view, words.data(), words.size() * 4);
            }
            return words;
        };
        const std::vector<Work> work = run.queries().work(read);
        value = impl_->staging.submit({&command, 1});
        if (run.queries().empty()) continue;
        impl_->timeline.wait(value);
        known.clear();
        run.queries().collect(impl_->pass_times, work, read);
    }
    return value;
}

uint64_t Context::submit(const CommandList& list, uint32_t times) {
    const std::vector<const CommandList*> lists(times, &list);
    return submit(lists);
}

bool Context::finished(uint64_t timeline_value) const { return impl_->timeline.finished(timeline_value); }

void Context::wait(uint64_t timeline_value) { impl_->timeline.wait(timeline_value); }

void Context::wait_idle() { impl_->timeline.wait(impl_->staging.submit({})); }

ContextStats Context::stats() const {
    impl_->timeline.collect();
    return {.submissions = impl_->timeline.submissions(),
            .host_waits = impl_->timeline.waits(),
            .dispatches = impl_->dispatches,
            .memory_bytes = impl_->memory.held_bytes(),
            .memory_peak_bytes = impl_->memory.peak_bytes()};
}

DeviceMemory Context::memory() const { return read_device_memory(impl_->device.instance(), impl_->device.physical()); }

uint64_t Context::memory_limit_bytes() const { return impl_->memory.limit_bytes(); }

void Context::reset_stats() {
    impl_->timeline.reset_counters();
    impl_->dispatches = 0;
    impl_->memory.reset_peak();
}

std::vector<PassTime> Context::pass_times() {
    wait_idle();
    return impl_->pass_times.get();
}

void Context::reset_pass_times() { impl_->pass_times.reset(); }

void Context::save_pipeline_cache() { impl_->cache.save(); }

void Context::save() {
    if (!impl_->timeline.lost()) impl_->cache.save();
    impl_->spills.save();
    impl_->tuning.save();
    impl_->check_results.save();
}

uint64_t Context::available_bytes() const {
    const DeviceMemory memory = this->memory();
    const uint64_t held = impl_->memory.held_bytes(), limit = impl_->memory.limit_bytes();
    const auto rest = [](uint64_t all, uint64_t used) { return all - std::min(all, used); };
    uint64_t available = rest(memory.budget_bytes, memory.measured ? memory.used_bytes : held);
    // The heap of a CPU device may be a figure that its driver made up; 2 GiB in old versions of lavapipe.
    if (const auto host = os::free_memory_bytes(); host && caps().is_cpu()) available = *host;
    if (const uint64_t heap = impl_->memory.heap_limit_bytes()) available = std::min(available, rest(heap, held));
    return limit > 0 ? std::min(available, rest(limit, held)) : available;
}

void Context::trim() { impl_->staging.release(); }

void Context::settle() noexcept try {
    if (impl_->timeline.lost() || !impl_->timeline.has_buried()) return;
    impl_->timeline.settle(impl_->staging.submit({}));
} catch (const std::exception& error) {
    log(LogLevel::debug, "what the device is done with is freed later: {}", error.what());
}

}  // namespace dragoman::vulkan
