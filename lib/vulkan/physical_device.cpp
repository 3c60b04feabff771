// SPDX-License-Identifier: Apache-2.0
#include "vulkan/physical_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/environment.h"
#include "base/error.h"
#include "vulkan/driver_faults.h"
#include "vulkan/enumerate.h"
#include "vulkan/feature_chain.h"
#include "vulkan/memory_room.h"
#include "vulkan/result.h"
#include "vulkan/shader.h"

namespace dragoman::vulkan {
namespace {

DeviceKind kind_of(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return DeviceKind::discrete;
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return DeviceKind::integrated;
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return DeviceKind::virtual_gpu;
        case VK_PHYSICAL_DEVICE_TYPE_CPU: return DeviceKind::cpu;
        default: return DeviceKind::other;
    }
}

std::vector<std::string> useful_extensions(const Instance& instance, VkPhysicalDevice device) {
    static constexpr const char* kWanted[] = {
        VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME,
        VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME,
        VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME,
        VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
        VK_EXT_MEMORY_BUDGET_EXTENSION_NAME,
        VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME,
        VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME,
        "VK_KHR_portability_subset",
    };
    const auto list = [&](uint32_t* count, VkExtensionProperties* extensions) {
        return instance->vkEnumerateDeviceExtensionProperties(device, nullptr, count, extensions);
    };
    const auto offered = enumerate<VkExtensionProperties>("vkEnumerateDeviceExtensionProperties", list);
    std::vector<std::string> found;
    for (const char* name : kWanted)
        if (std::any_of(offered.begin(), offered.end(),
                        [&](const VkExtensionProperties& e) { return std::strcmp(e.extensionName, name) == 0; }))
            found.emplace_back(name);
    return found;
}

std::vector<VkQueueFamilyProperties> queue_families(const Instance& instance, VkPhysicalDevice device) {
    uint32_t count = 0;
    instance->vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    instance->vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    return families;
}

// Takes the first family that can compute; on desktop drivers that is the one that also does graphics and is scheduled
// best. For an app's device it is the family that the app gives.
bool find_queue(const Instance& instance, const ExternalDevice* external, PhysicalDevice& device) {
    const auto families = queue_families(instance, device.handle);
    for (uint32_t i = 0; i < families.size(); ++i) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0) continue;
        if (external && i != external->queue_family) continue;
        device.queue_family = i;
        device.timestamp_bits = families[i].timestampValidBits;
        device.caps.timestamps = families[i].timestampValidBits != 0;
        return true;
    }
    return false;
}

void read_memory(const Instance& instance, PhysicalDevice& device) {
    VkPhysicalDeviceMemoryProperties memory;
    instance->vkGetPhysicalDeviceMemoryProperties(device.handle, &memory);
    device.caps.device_memory_bytes = memory_room(device.caps.kind, memory, nullptr).heap_bytes;
    device.caps.unified_memory = is_unified(device.caps.kind, memory);
}

SubgroupFacts subgroup_facts(const Instance& instance, const PhysicalDevice& device, const FeatureChain& features,
                             VkDriverId driver, uint32_t named) {
    SubgroupFacts facts{.driver = driver, .vendor_id = device.caps.vendor_id, .named = named};
    if (device.caps.api_version < VK_API_VERSION_1_3 && !device.has(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
        return facts;
    VkPhysicalDeviceSubgroupSizeControlProperties sizes{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &sizes};
    instance->vkGetPhysicalDeviceProperties2(device.handle, &properties);
    facts.least = sizes.minSubgroupSize;
    facts.most = sizes.maxSubgroupSize;
    facts.most_subgroups = sizes.maxComputeWorkgroupSubgroups;
    facts.full = features.full_subgroups();
    facts.required = features.subgroup_sizes() && sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT;
    return facts;
}

VkShaderStageFlags cooperative_stages(const Instance& instance, const PhysicalDevice& device) {
    if (!device.has(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME)) return 0;
    VkPhysicalDeviceCooperativeMatrixPropertiesKHR cooperative{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &cooperative};
    instance->vkGetPhysicalDeviceProperties2(device.handle, &properties);
    return cooperative.cooperativeMatrixSupportedStages;
}

void read_cooperative_shapes(const Instance& instance, PhysicalDevice& device) {
    const auto read = instance.function<PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR>(
        "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
    if (!device.cooperative_matrix || !device.memory_model || !read || device.caps.coop_subgroup_size == 0) return;
    const auto list = [&](uint32_t* count, VkCooperativeMatrixPropertiesKHR* shapes) {
        return read(device.handle, count, shapes);
    };
    for (const auto& p :
         enumerate<VkCooperativeMatrixPropertiesKHR>("vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR", list,
                                                     {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR}))
        if (p.AType == VK_COMPONENT_TYPE_FLOAT16_KHR && p.BType == VK_COMPONENT_TYPE_FLOAT16_KHR &&
            p.CType == VK_COMPONENT_TYPE_FLOAT32_KHR && p.ResultType == VK_COMPONENT_TYPE_FLOAT32_KHR &&
            p.scope == VK_SCOPE_SUBGROUP_KHR)
            device.caps.coop_shapes.push_back({p.MSize, p.NSize, p.KSize});
}

void read_flexible_matrices(const Instance& instance, PhysicalDevice& device, const FeatureChain& features) {
    constexpr const char* kName = "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV";
    const auto read = instance.function<PFN_vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV>(kName);
    if (device.caps.coop_shapes.empty() || !features.cooperative_matrix2() || !features.v13.maintenance4 || !read)
        return;
    const auto list = [&](uint32_t* count, VkCooperativeMatrixFlexibleDimensionsPropertiesNV* shapes) {
        return read(device.handle, count, shapes);
    };
    for (const auto& p : enumerate<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
             kName, list, {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV})) {
        const bool halves = p.AType == VK_COMPONENT_TYPE_FLOAT16_KHR && p.BType == VK_COMPONENT_TYPE_FLOAT16_KHR &&
                            p.CType == VK_COMPONENT_TYPE_FLOAT32_KHR && p.ResultType == VK_COMPONENT_TYPE_FLOAT32_KHR;
        if (halves && p.scope == VK_SCOPE_WORKGROUP_KHR)
            device.caps.flexible_matrices.push_back({p.MGranularity, p.NGranularity, p.KGranularity,
                                                     p.workgroupInvocations});
    }
}

uint32_t needs_met(const FeatureChain& features, const VkPhysicalDeviceSubgroupProperties& subgroup, const Caps& caps) {
    uint32_t met = 0;
    const auto add = [&met](bool present, uint32_t need) { met |= present ? need : 0; };
    add(features.v12.shaderFloat16, kNeedsFloat16);
    add(features.v12.shaderInt8, kNeedsInt8);
    add(features.core.features.shaderInt16, kNeedsInt16);
    add(features.core.features.shaderInt64, kNeedsInt64);
    add(features.v11.storageBuffer16BitAccess, kNeedsStorage16);
    add(features.v12.storageBuffer8BitAccess, kNeedsStorage8);
    add(features.integer_dot(), kNeedsIntegerDot);
    add(!caps.coop_shapes.empty(), kNeedsCooperativeMatrix);
    add(!caps.flexible_matrices.empty(), kNeedsCooperativeMatrix2);
    if (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) {
        add(subgroup.supportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT, kNeedsSubgroupBasic);
        add(subgroup.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, kNeedsSubgroupArithmetic);
        add(subgroup.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT, kNeedsSubgroupShuffle);
    }
    return met;
}

PhysicalDevice read_device(const Instance& instance, VkPhysicalDevice handle, uint32_t index,
                           const ExternalDevice* external = nullptr) {
    PhysicalDevice device;
    device.handle = handle;
    Caps& caps = device.caps;
    caps.index = index;

    VkPhysicalDeviceProperties basic;
    instance->vkGetPhysicalDeviceProperties(handle, &basic);
    caps.name = basic.deviceName;
    caps.kind = kind_of(basic.deviceType);
    caps.vendor_id = basic.vendorID;
    caps.device_id = basic.deviceID;
    caps.api_version = std::min(basic.apiVersion, instance.api_version());
    caps.driver_version = basic.driverVersion;
    caps.max_workgroup_invocations = basic.limits.maxComputeWorkGroupInvocations;
    caps.max_shared_bytes = basic.limits.maxComputeSharedMemorySize;
    caps.max_storage_range_bytes = basic.limits.maxStorageBufferRange / 16 * 16;  // whole quads
    caps.storage_alignment = static_cast<uint32_t>(basic.limits.minStorageBufferOffsetAlignment);
    if (caps.is_cpu() && basic.limits.minTexelBufferOffsetAlignment <= caps.storage_alignment)
        caps.max_texels = basic.limits.maxTexelBufferElements;
    caps.timestamp_period_ns = basic.limits.timestampPeriod;
    std::copy_n(basic.limits.maxComputeWorkGroupCount, 3, device.max_groups.begin());
    read_memory(instance, device);
    if (environment_flag("DRAGOMAN_GPU_KERNELS")) take_gpu_kernels(caps);
    const bool has_queue = find_queue(instance, external, device);
    if (caps.api_version < VK_API_VERSION_1_2) {
        device.refusal = fmt::format("Vulkan 1.2 is needed, its {} offers {}.{}",
                                     basic.apiVersion < VK_API_VERSION_1_2 ? "driver" : "instance",
                                     VK_API_VERSION_MAJOR(caps.api_version), VK_API_VERSION_MINOR(caps.api_version));
        return device;
    }

    VkPhysicalDeviceMaintenance3Properties allocation{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, &allocation};
    VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &driver};
    VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &subgroup};
    device.extensions = useful_extensions(instance, handle);
    if (external && external->device)
        std::erase_if(device.extensions, [&](const std::string& name) {
            return std::ranges::find(external->extensions, name) == external->extensions.end();
        });
    VkPhysicalDeviceShaderIntegerDotProductProperties dot{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES};
    if (caps.api_version >= VK_API_VERSION_1_3 || device.has(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME))
        allocation.pNext = &dot;
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id};
    instance->vkGetPhysicalDeviceProperties2(handle, &properties);
    caps.driver = fmt::format("{} {}", driver.driverName, driver.driverInfo);
    if (caps.driver.ends_with(' ')) caps.driver.pop_back();
    std::copy(std::begin(id.deviceUUID), std::end(id.deviceUUID), caps.uuid.begin());
    caps.max_storage_range_bytes = std::min<uint64_t>(caps.max_storage_range_bytes, allocation.maxMemoryAllocationSize);

    caps.orders_workgroups = orders_workgroups(driver.driverID);

    FeatureChain features(instance, device);
    if (external && external->device) features.keep_enabled(external->features);
    device.cooperative_matrix = features.cooperative.cooperativeMatrix;
    device.memory_model = features.v12.vulkanMemoryModel;
    device.executable_properties = features.executable.pipelineExecutableInfo;
    device.conditional_rendering = features.conditional.conditionalRendering;
    const SubgroupFacts facts = subgroup_facts(instance, device, features, driver.driverID, subgroup.subgroupSize);
    device.subgroup = subgroup_size(facts);
    caps.subgroup_size = device.subgroup.size;
    caps.subgroup_size_sure = device.subgroup.sure;
    device.full_subgroups = facts.full;
    device.cooperative_subgroup =
        cooperative_subgroup_size(facts,
                                  {.stages = cooperative_stages(instance, device),
                                   .mixed_dot = bool(dot.integerDotProduct4x8BitPackedMixedSignednessAccelerated)});
    caps.coop_subgroup_size = device.cooperative_subgroup.size;
    caps.max_workgroup_invocations = most_invocations(caps.max_workgroup_invocations,
                                                      basic.limits.maxComputeWorkGroupSize[0], facts.most_subgroups,
                                                      {device.subgroup, device.cooperative_subgroup});
    if (!environment_flag("DRAGOMAN_NO_COOPERATIVE_MATRICES")) read_cooperative_shapes(instance, device);
    read_flexible_matrices(instance, device, features);
    constexpr uint32_t kHalf = kNeedsFloat16 | kNeedsStorage16;
    caps.needs_met = needs_met(features, subgroup, caps);
    if (!compiles_halves(driver.driverID, caps.name, kArmHost)) caps.needs_met &= ~kHalf;
    caps.f16 = (caps.needs_met & kHalf) == kHalf;
    caps.integer_dot = caps.needs_met & kNeedsIntegerDot;
    caps.integer_dot_accelerated = caps.integer_dot && dot.integerDotProduct4x8BitPackedSignedAccelerated;
    if (device.caps.device_memory_bytes == 0) device.refusal = "it has no memory (a null device that only compiles)";
    else if (!has_queue) device.refusal = "it has no compute queue";
    else if (!features.v12.timelineSemaphore) device.refusal = "it lacks timeline semaphores";
    else
        device.refusal = driver_refusal(driver.driverID, basic.driverVersion,
                                        basic.limits.maxPerStageDescriptorStorageBuffers);
    return device;
}

}  // namespace

DeviceMemory read_device_memory(const Instance& instance, const PhysicalDevice& device) {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    const bool measured = device.has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (measured) memory.pNext = &budget;
    if (device.caps.api_version >= VK_API_VERSION_1_1)
        instance->vkGetPhysicalDeviceMemoryProperties2(device.handle, &memory);
    return memory_room(device.caps.kind, memory.memoryProperties, measured ? &budget : nullptr);
}

void take_gpu_kernels(Caps& caps) {
    if (!caps.is_cpu()) return;
    caps.kind = DeviceKind::other;
    caps.max_texels = 0;
    caps.unified_memory = false;
}

bool PhysicalDevice::has(const char* extension) const {
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

namespace {

// VK_ERROR_INITIALIZATION_FAILED: drivers are installed, but none finds its device.
std::vector<VkPhysicalDevice> physical_handles(const Instance& instance) {
    const auto list = [&](uint32_t* count, VkPhysicalDevice* handles) {
        const VkResult result = instance->vkEnumeratePhysicalDevices(instance.handle(), count, handles);
        if (result != VK_ERROR_INITIALIZATION_FAILED) return result;
        *count = 0;
        return VK_SUCCESS;
    };
    return enumerate<VkPhysicalDevice>("vkEnumeratePhysicalDevices", list);
}

}  // namespace

std::vector<PhysicalDevice> physical_devices(const Instance& instance) {
    const auto handles = physical_handles(instance);
    std::vector<PhysicalDevice> devices;
    for (uint32_t i = 0; i < handles.size(); ++i) devices.push_back(read_device(instance, handles[i], i));
    return devices;
}

PhysicalDevice external_physical_device(const Instance& instance, const ExternalDevice& external) {
    const auto handles = physical_handles(instance);
    const auto at = std::ranges::find(handles, static_cast<VkPhysicalDevice>(external.physical_device));
    if (at == handles.end())
        fail(Status::invalid_argument, "physical_device: expected one of the instance's {} devices", handles.size());
    PhysicalDevice device = read_device(instance, *at, uint32_t(at - handles.begin()), &external);
    if (!device.refusal.empty())
        fail(Status::no_device, "{}, as the app opened it, is not usable: {}", device.caps.name, device.refusal);
    return device;
}

}  // namespace dragoman::vulkan
