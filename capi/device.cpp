// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <algorithm>
#include <memory>
#include <string>

#include "arguments.h"
#include "device.h"
#include "guard.h"
#include "handles.h"

struct dragoman_wanted_device {
    dragoman::vulkan::WantedDevice wanted;
    std::vector<const char*> names;
};

namespace dragoman::capi {
namespace {

static_assert(DRAGOMAN_DEVICE_OTHER == static_cast<int>(vulkan::DeviceKind::other));

dragoman_device_options default_device_options() {
    dragoman_device_options options{};
    options.struct_size = sizeof options;
    return options;
}

vulkan::TuningMode tuning_mode(int32_t tune) {
    constexpr vulkan::TuningMode modes[] = {vulkan::TuningMode::automatic, vulkan::TuningMode::off,
                                            vulkan::TuningMode::at_load};
    return modes[enumerator(tune, DRAGOMAN_TUNE_ON, "options.tune")];
}

void need(const void* handle, const char* name) {
    if (!handle) fail(Status::invalid_argument, "{}: is NULL", name);
}

vulkan::ExternalDevice external_device(const dragoman_vulkan_device* given) {
    const dragoman_vulkan_device from = read_options(&required(given, "device"), "device", dragoman_vulkan_device{});
    need(from.instance, "device.instance");
    need(from.physical_device, "device.physical_device");
    vulkan::ExternalDevice to{.get_instance_proc_addr = from.get_instance_proc_addr,
                              .instance = from.instance,
                              .api_version = from.api_version,
                              .physical_device = from.physical_device,
                              .device = from.device,
                              .queue_family = from.queue_family,
                              .queue_index = from.queue_index,
                              .features = from.features};
    if (!from.lock != !from.unlock)
        fail(Status::invalid_argument, "device.{}: is NULL, device.{} is not", from.lock ? "unlock" : "lock",
             from.lock ? "lock" : "unlock");
    if (from.lock) {
        to.lock = [call = from.lock, user = from.user] { call(user); };
        to.unlock = [call = from.unlock, user = from.user] { call(user); };
    }
    if (from.extension_count > 0) required(from.extensions, "device.extensions");
    for (size_t i = 0; i < from.extension_count; ++i)
        to.extensions.emplace_back(&required(from.extensions[i], "device.extensions[]"));
    return to;
}

}  // namespace

vulkan::ContextOptions device_options(const dragoman_device_options* given) {
    const dragoman_device_options options = read_options(given, "options", default_device_options());
    const auto name = [](const char* value, const char* argument) {
        return std::string(text(dragoman_str(value), {argument}));
    };
    vulkan::ContextOptions result;
    result.device = name(options.name, "options.name");
    result.cache_dir = path_text(options.cache_dir, {"options.cache_dir"});
    result.memory_limit_bytes = options.memory_limit_bytes;
    result.validation = flag(options.validation, "options.validation");
    result.trust_kernels = flag(options.trust_kernels, "options.trust_kernels");
    result.tuning = tuning_mode(options.tune);
    if (options.reserved2 != 0)
        fail(Status::invalid_argument, "options.reserved2: expected 0, got {}", options.reserved2);
    return result;
}

void write_device_info(const vulkan::Caps& caps, dragoman_device_info* target) {
    dragoman_device_info result{};
    result.index = caps.index;
    result.kind = static_cast<int32_t>(caps.kind);
    result.vendor_id = caps.vendor_id;
    result.device_id = caps.device_id;
    result.api_version = caps.api_version;
    result.driver_version = caps.driver_version;
    result.subgroup_size = caps.subgroup_size;
    result.f16 = caps.f16;
    result.cooperative_matrix = !caps.coop_shapes.empty();
    result.integer_dot_product = caps.integer_dot;
    result.unified_memory = caps.unified_memory;
    result.memory_bytes = caps.device_memory_bytes;
    result.max_buffer_bytes = caps.max_storage_range_bytes;
    std::copy(caps.uuid.begin(), caps.uuid.end(), result.uuid);
    copy_name(result.name, caps.name);
    copy_name(result.driver, caps.driver);
    write_struct(target, target->struct_size, result, "info");
}

namespace {

void write_memory_info(const vulkan::DeviceMemory& memory, dragoman_memory_info result, dragoman_memory_info* target) {
    result.measured = memory.measured;
    result.heap_bytes = memory.heap_bytes;
    result.budget_bytes = memory.budget_bytes;
    result.used_bytes = memory.used_bytes;
    write_struct(target, target->struct_size, result, "info");
}

}  // namespace

void write_memory_info(const engine::Device& device, dragoman_memory_info* target) {
    const vulkan::ContextStats stats = device.stats_of_all();
    dragoman_memory_info held{};
    held.held_bytes = stats.memory_bytes;
    held.peak_bytes = stats.memory_peak_bytes;
    const auto context = device.shared_context();
    held.limit_bytes = context->memory_limit_bytes() * (device.others().size() + 1);
    vulkan::DeviceMemory memory = context->memory();
    for (const auto& other : device.others()) {
        const vulkan::DeviceMemory more = other->shared_context()->memory();
        memory.heap_bytes += more.heap_bytes;
        memory.budget_bytes += more.budget_bytes;
        memory.used_bytes += more.used_bytes;
        memory.measured = memory.measured && more.measured;
    }
    write_memory_info(memory, held, target);
}

const engine::Device& member(const engine::Device& device, size_t index) {
    const size_t count = device.others().size() + 1;
    if (index >= count) fail(Status::invalid_argument, "index: {}, there are {} devices", index, count);
    return index == 0 ? device : *device.others()[index - 1];
}

}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_device_count(uint32_t* count) {
    return guard([&] {
        required(count, "count");
        *count = static_cast<uint32_t>(vulkan::list_devices().size());
    });
}

dragoman_status dragoman_device_describe(uint32_t index, dragoman_device_info* info) {
    return guard([&] {
        check_info(info);
        const std::vector<vulkan::Caps> devices = vulkan::list_devices();
        if (index >= devices.size()) {
            fail(Status::no_device, "index: {} is not a device, there are {}", index, devices.size());
        }
        write_device_info(devices[index], info);
    });
}

dragoman_status dragoman_device_memory(uint32_t index, dragoman_memory_info* info) {
    return guard([&] {
        check_info(info);
        write_memory_info(vulkan::device_memory(index), {}, info);
    });
}

dragoman_status dragoman_device_options_init_sized(dragoman_device_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_device_options(), "options"); });
}

dragoman_status dragoman_device_open(const dragoman_device_options* options, dragoman_device** device) {
    return guard([&] {
        required(device, "device") = nullptr;
        *device = new dragoman_device{engine::Device::open(device_options(options))};
    });
}

dragoman_status dragoman_device_adopt(const dragoman_vulkan_device* device, const dragoman_device_options* options,
                                      dragoman_device** adopted) {
    return guard([&] {
        required(adopted, "adopted") = nullptr;
        const vulkan::ExternalDevice external = external_device(device);
        need(external.device, "device.device");
        *adopted = new dragoman_device{engine::Device::adopt(external, device_options(options))};
    });
}

dragoman_status dragoman_vulkan_wanted(const dragoman_vulkan_device* device, dragoman_wanted_device** wanted) {
    return guard([&] {
        required(wanted, "wanted") = nullptr;
        auto out = std::make_unique<dragoman_wanted_device>();
        out->wanted = vulkan::wanted_device(external_device(device));
        for (const std::string& name : out->wanted.extensions) out->names.push_back(name.c_str());
        *wanted = out.release();
    });
}

size_t dragoman_wanted_extension_count(const dragoman_wanted_device* wanted) {
    return wanted ? wanted->names.size() : 0;
}

const char* const* dragoman_wanted_extensions(const dragoman_wanted_device* wanted) {
    return wanted && !wanted->names.empty() ? wanted->names.data() : nullptr;
}

const void* dragoman_wanted_features(const dragoman_wanted_device* wanted) {
    return wanted ? wanted->wanted.features.get() : nullptr;
}

void dragoman_wanted_device_destroy(dragoman_wanted_device* wanted) { delete wanted; }

void dragoman_device_close(dragoman_device* device) { destroy(device); }

dragoman_status dragoman_device_get_info(const dragoman_device* device, dragoman_device_info* info) {
    return guard([&] {
        check_info(info);
        write_device_info(required(device, "device").device->shared_context()->caps(), info);
    });
}

dragoman_status dragoman_device_get_memory(const dragoman_device* device, dragoman_memory_info* info) {
    return guard([&] {
        check_info(info);
        write_memory_info(*at_home(device, "device").device, info);
    });
}

size_t dragoman_device_member_count(const dragoman_device* device) {
    return device ? device->device->others().size() + 1 : 0;
}

dragoman_status dragoman_device_member_info(const dragoman_device* device, size_t index, dragoman_device_info* info) {
    return guard([&] {
        check_info(info);
        write_device_info(member(*required(device, "device").device, index).shared_context()->caps(), info);
    });
}

dragoman_status dragoman_device_trim(dragoman_device* device) {
    return guard([&] { at_home(device, "device").device->trim(); });
}
