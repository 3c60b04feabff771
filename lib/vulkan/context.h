// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vulkan/buffer.h"
#include "vulkan/caps.h"
#include "vulkan/external_device.h"
#include "vulkan/recorder.h"

namespace dragoman {
class Background;
}

namespace dragoman::vulkan {

class Spills;
class Tuning;
class CheckResults;
struct KernelUse;

// automatic: background on GPUs, off on CPU devices. at_load: a load waits for all of it.
enum class TuningMode : uint8_t { automatic = 0, off = 1, background = 2, at_load = 3 };

struct ContextOptions {
    // "" = DRAGOMAN_DEVICE from the environment, otherwise the best one (discrete, integrated, virtual, other, CPU). A
    // number is an index into list_devices(); 32 hex digits (dashes allowed) are a UUID; anything else is part of a
    // name, case-insensitive. Throws no_device naming the request and the devices. create_all() also takes lists of these,
    // separated by commas, and "all": every GPU, or the best device where there is none.
    std::string device;
    bool validation = false;  // also set by DRAGOMAN_VALIDATION=1; includes synchronisation validation
    bool debug_names = false;  // on with validation
    // Timestamps around every named pass. Every run of a list is then submitted and waited for on its own, which shows
    // in the statistics: do not count waits while profiling.
    bool profiling = false;
    bool dispatch_times = false;  // with profiling: timestamps around every dispatch as well
    uint64_t memory_limit_bytes = 0;  // device memory this context may hold; 0 = no limit
    bool trust_kernels = false;  // also set by DRAGOMAN_CHECK_KERNELS=0: no kernel is checked before its first use
    bool gpu_kernels = false;  // also set by DRAGOMAN_GPU_KERNELS=1: a CPU gets the kernels of a GPU
    // with gpu_kernels: the PCI vendor id of the GPU whose sizes it gets; 0: no particular one
    uint32_t gpu_vendor = 0;
    bool unordered_workgroups = false;  // pretends that caps().orders_workgroups is false; for tests
    // pretends that device-local heaps are no larger; for tests of full ones. 0: no limit
    uint64_t heap_limit_bytes = 0;
    uint64_t buffer_limit_bytes = 0;  // lowers caps().max_storage_range_bytes to this; 0: leaves it
    uint32_t invocations_limit = 0;  // lowers caps().max_workgroup_invocations to this; for tests. 0: leaves it
    // Whether to measure which kernels are fastest at a model's shapes (docs/devices.md); also set by
    // DRAGOMAN_AUTOTUNE.
    TuningMode tuning = TuningMode::automatic;
    double tuning_seconds = 2;  // the most per load; includes compilers
    std::string cache_dir;  // "" = DRAGOMAN_CACHE_DIR, otherwise the user's cache folder; "-" = none
};

// A pass, or, where kernel is not empty, the dispatches of that kernel in it.
struct PassTime {
    std::string name;
    uint64_t count = 0;
    double total_ns = 0;
    uint64_t dispatches = 0;
    Work work{};
    std::string kernel{};
    bool waits = false;  // a barrier before it waits for earlier commands
    double groups = 0;  // workgroups of all dispatches
};

struct ContextStats {
    uint64_t submissions = 0;  // vkQueueSubmit calls
    uint64_t host_waits = 0;  // times the host blocked on the device
    uint64_t dispatches = 0;  // recorded dispatches times submissions of their list
    uint64_t memory_bytes = 0;  // device memory held now
    uint64_t memory_peak_bytes = 0;

    ContextStats& operator+=(const ContextStats& other);
};

// The memory of a device of list_devices(). Throws no_device.
DeviceMemory device_memory(uint32_t index);

// Every device that Vulkan reports, in the driver's order. Empty where there is a loader but no driver; throws
// no_device where there is no Vulkan loader. DRAGOMAN_VULKAN_LOADER=path names one that is not installed.
std::vector<Caps> list_devices();

// Validation messages (warnings and errors) seen in this process; tests expect zero at their end.
uint64_t validation_message_count();

// How often this thread had to wait for a pipeline that was not compiled yet.
uint64_t pipelines_awaited();

// A device with its queue, memory, pipelines and caches. All methods may be called from any thread.
// Buffers, recorders and command lists hold a reference to it through shared_ptr<Context>.
class Context : public std::enable_shared_from_this<Context> {
public:
    // Of several devices that the options name, the first.
    static std::shared_ptr<Context> create(const ContextOptions& options);
    // One for each device that the options name; not empty.
    static std::vector<std::shared_ptr<Context>> create_all(const ContextOptions& options);
    // A context on a VkDevice of the app's, which must outlive it. The options `device`, `validation` and `debug_names`
    // are ignored. Throws no_device naming what the device lacks, invalid_argument for missing handles.
    static std::shared_ptr<Context> adopt(const ExternalDevice& device, const ContextOptions& options);
    ~Context();

    const Caps& caps() const;
    bool can_run(const Shader& shader, VariantKey key) const;

    // Contents are undefined until written. size_bytes > 0; throws out_of_memory, or unsupported when size_bytes
    // exceeds max_storage_range_bytes.
    std::shared_ptr<Buffer> buffer(uint64_t size_bytes, BufferUse use, std::string name);

    // Copies through the staging ring; returns when `source` may be reused. Ordered before later submissions.
    void upload(const BufferView& target, const void* source, uint64_t size_bytes);
    // Waits for all earlier submissions, then copies to `target`.
    void readback(const BufferView& source, void* target, uint64_t size_bytes);

    Tuning& tuning();
    const Tuning& tuning() const;
    Spills& spills();
    CheckResults& check_results();
    // For work that no sentence waits for; the owner of the context starts and stops it.
    Background& background();
    // Compiles the kernel and checks it (CheckResults), so that recording it takes no time later.
    void prepare(const KernelUse& use);
    // Compiles the kernel unless it is compiled; other threads may compile others meanwhile.
    void compile(const KernelUse& use);
    // Seconds that the device takes for `times` runs of the list in a row, with nothing else running. Waits for them.
    double seconds(const CommandList& list, uint32_t times);

    // Submits in order, in one vkQueueSubmit; returns the timeline value that marks their completion.
    // A list may be submitted again while it is still pending.
    uint64_t submit(std::span<const CommandList* const> lists);
    uint64_t submit(const CommandList& list, uint32_t times = 1);
    bool finished(uint64_t timeline_value) const;  // does not block
    void wait(uint64_t timeline_value);  // throws device_lost, or device_lost after a long time-out
    void wait_idle();

    ContextStats stats() const;
    TuningMode tuning_mode() const;  // not automatic
    double tuning_seconds() const;
    DeviceMemory memory() const;
    uint64_t memory_limit_bytes() const;  // 0: none
    void reset_stats();
    std::vector<PassTime> pass_times();  // profiling only; waits for the device
    void reset_pass_times();
    void save_pipeline_cache();  // also done by the destructor
    void save();  // saves that cache, and what was measured and found out about kernels
    // Bytes that buffers of this context may still take, as far as the driver and the limit tell.
    uint64_t available_bytes() const;
    // Frees what nobody uses any more, once the device is done with it. Waits for that.
    void settle() noexcept;
    void trim();  // gives staging memory and free pages back to the system

    struct Impl;
    Impl& impl() { return *impl_; }  // for lib/vulkan only
    const Impl& impl() const { return *impl_; }

private:
    explicit Context(std::unique_ptr<Impl> impl);
    static std::vector<std::shared_ptr<Context>> create_some(const ContextOptions& options, std::size_t most);
    std::unique_ptr<Impl> impl_;
};

}  // namespace dragoman::vulkan
