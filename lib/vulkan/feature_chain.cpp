// SPDX-License-Identifier: Apache-2.0
#include "vulkan/feature_chain.h"

namespace dragoman::vulkan {

FeatureChain::FeatureChain(VkPhysicalDevice handle, const PhysicalDevice& device) {
    core.pNext = &v11;
    v11.pNext = &v12;
    void** tail = &v12.pNext;
    const auto append = [&tail](auto& next) {
        *tail = &next;
        tail = &next.pNext;
    };
    if (device.caps.api_version >= VK_API_VERSION_1_3) append(v13);
    else if (device.has(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME)) append(dot);
    if (device.has(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME)) append(cooperative);
    if (device.has(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) append(executable);
    vkGetPhysicalDeviceFeatures2(handle, &core);

    VkPhysicalDeviceFeatures features{};
    features.shaderInt16 = core.features.shaderInt16;
    features.shaderInt64 = core.features.shaderInt64;
    core.features = features;

    VkPhysicalDeviceVulkan11Features kept11{v11.sType, v11.pNext};
    kept11.storageBuffer16BitAccess = v11.storageBuffer16BitAccess;
    kept11.uniformAndStorageBuffer16BitAccess = v11.uniformAndStorageBuffer16BitAccess;
    v11 = kept11;

    VkPhysicalDeviceVulkan12Features kept12{v12.sType, v12.pNext};
    kept12.storageBuffer8BitAccess = v12.storageBuffer8BitAccess;
    kept12.uniformAndStorageBuffer8BitAccess = v12.uniformAndStorageBuffer8BitAccess;
    kept12.shaderFloat16 = v12.shaderFloat16;
    kept12.shaderInt8 = v12.shaderInt8;
    kept12.timelineSemaphore = v12.timelineSemaphore;
    kept12.vulkanMemoryModel = v12.vulkanMemoryModel;
    kept12.vulkanMemoryModelDeviceScope = v12.vulkanMemoryModelDeviceScope;
    kept12.shaderSubgroupExtendedTypes = v12.shaderSubgroupExtendedTypes;
    v12 = kept12;

    VkPhysicalDeviceVulkan13Features kept13{v13.sType, v13.pNext};
    kept13.shaderIntegerDotProduct = v13.shaderIntegerDotProduct;
    kept13.maintenance4 = v13.maintenance4;  // LocalSizeId
    kept13.subgroupSizeControl = v13.subgroupSizeControl;
    kept13.computeFullSubgroups = v13.computeFullSubgroups;
    v13 = kept13;

    cooperative.cooperativeMatrixRobustBufferAccess = VK_FALSE;
}

}  // namespace dragoman::vulkan
