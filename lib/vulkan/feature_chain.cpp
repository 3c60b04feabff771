// SPDX-License-Identifier: Apache-2.0
#include "vulkan/feature_chain.h"

namespace dragoman::vulkan {

FeatureChain::FeatureChain(const Instance& instance, const PhysicalDevice& device) {
    core.pNext = &v11;
    v11.pNext = &v12;
    void** tail = &v12.pNext;
    const auto append = [&tail](auto& next) {
        *tail = &next;
        tail = &next.pNext;
    };
    if (device.caps.api_version >= VK_API_VERSION_1_3) append(v13);
    else if (device.has(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME)) append(dot);
    if (device.caps.api_version < VK_API_VERSION_1_3 && device.has(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
        append(subgroup_size);
    if (device.has(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME)) append(cooperative);
    if (device.has(VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME)) append(cooperative2);
    if (device.has(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) append(executable);
    if (device.has(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME)) append(conditional);
    instance->vkGetPhysicalDeviceFeatures2(device.handle, &core);

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
    conditional.inheritedConditionalRendering = VK_FALSE;
}

namespace {

// The struct of that type in a chain, or null.
template <class Struct>
const Struct* find(const void* chain, VkStructureType type) {
    for (auto at = static_cast<const VkBaseInStructure*>(chain); at; at = at->pNext)
        if (at->sType == type) return reinterpret_cast<const Struct*>(at);
    return nullptr;
}

}  // namespace

// A feature may be in the struct of a version of Vulkan or in that of the extension that it was before.
void FeatureChain::keep_enabled(const void* chain) {
#define DRAGOMAN_IN(Struct, TYPE, field)                                                   \
    [&] {                                                                                  \
        const auto* found = find<Struct>(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE); \
        return found && found->field;                                                      \
    }()
#define DRAGOMAN_IN_11(field) DRAGOMAN_IN(VkPhysicalDeviceVulkan11Features, VULKAN_1_1_FEATURES, field)
#define DRAGOMAN_IN_12(field) DRAGOMAN_IN(VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES, field)
#define DRAGOMAN_IN_13(field) DRAGOMAN_IN(VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES, field)
    const auto keep = [](VkBool32& feature, bool enabled) { feature = feature && enabled; };
    const auto* enabled = find<VkPhysicalDeviceFeatures2>(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    keep(core.features.shaderInt16, enabled && enabled->features.shaderInt16);
    keep(core.features.shaderInt64, enabled && enabled->features.shaderInt64);

#define DRAGOMAN_IN_16(field) \
    (DRAGOMAN_IN_11(field) || DRAGOMAN_IN(VkPhysicalDevice16BitStorageFeatures, 16BIT_STORAGE_FEATURES, field))
    keep(v11.storageBuffer16BitAccess, DRAGOMAN_IN_16(storageBuffer16BitAccess));
    keep(v11.uniformAndStorageBuffer16BitAccess, DRAGOMAN_IN_16(uniformAndStorageBuffer16BitAccess));

#define DRAGOMAN_KEEP_12(field, Struct, TYPE) keep(v12.field, DRAGOMAN_IN_12(field) || DRAGOMAN_IN(Struct, TYPE, field))
    DRAGOMAN_KEEP_12(storageBuffer8BitAccess, VkPhysicalDevice8BitStorageFeatures, 8BIT_STORAGE_FEATURES);
    DRAGOMAN_KEEP_12(uniformAndStorageBuffer8BitAccess, VkPhysicalDevice8BitStorageFeatures, 8BIT_STORAGE_FEATURES);
    DRAGOMAN_KEEP_12(shaderFloat16, VkPhysicalDeviceShaderFloat16Int8Features, SHADER_FLOAT16_INT8_FEATURES);
    DRAGOMAN_KEEP_12(shaderInt8, VkPhysicalDeviceShaderFloat16Int8Features, SHADER_FLOAT16_INT8_FEATURES);
    DRAGOMAN_KEEP_12(timelineSemaphore, VkPhysicalDeviceTimelineSemaphoreFeatures, TIMELINE_SEMAPHORE_FEATURES);
    DRAGOMAN_KEEP_12(vulkanMemoryModel, VkPhysicalDeviceVulkanMemoryModelFeatures, VULKAN_MEMORY_MODEL_FEATURES);
    DRAGOMAN_KEEP_12(vulkanMemoryModelDeviceScope, VkPhysicalDeviceVulkanMemoryModelFeatures,
                     VULKAN_MEMORY_MODEL_FEATURES);
    DRAGOMAN_KEEP_12(shaderSubgroupExtendedTypes, VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures,
                     SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES);

#define DRAGOMAN_KEEP_13(field, Struct, TYPE) keep(v13.field, DRAGOMAN_IN_13(field) || DRAGOMAN_IN(Struct, TYPE, field))
    DRAGOMAN_KEEP_13(shaderIntegerDotProduct, VkPhysicalDeviceShaderIntegerDotProductFeatures,
                     SHADER_INTEGER_DOT_PRODUCT_FEATURES);
    DRAGOMAN_KEEP_13(maintenance4, VkPhysicalDeviceMaintenance4Features, MAINTENANCE_4_FEATURES);
    DRAGOMAN_KEEP_13(subgroupSizeControl, VkPhysicalDeviceSubgroupSizeControlFeatures, SUBGROUP_SIZE_CONTROL_FEATURES);
    DRAGOMAN_KEEP_13(computeFullSubgroups, VkPhysicalDeviceSubgroupSizeControlFeatures, SUBGROUP_SIZE_CONTROL_FEATURES);

    keep(dot.shaderIntegerDotProduct, DRAGOMAN_IN(VkPhysicalDeviceShaderIntegerDotProductFeatures,
                                                  SHADER_INTEGER_DOT_PRODUCT_FEATURES, shaderIntegerDotProduct));
    keep(subgroup_size.subgroupSizeControl,
         DRAGOMAN_IN(VkPhysicalDeviceSubgroupSizeControlFeatures, SUBGROUP_SIZE_CONTROL_FEATURES, subgroupSizeControl));
    keep(subgroup_size.computeFullSubgroups, DRAGOMAN_IN(VkPhysicalDeviceSubgroupSizeControlFeatures,
                                                         SUBGROUP_SIZE_CONTROL_FEATURES, computeFullSubgroups));
    keep(cooperative.cooperativeMatrix,
         DRAGOMAN_IN(VkPhysicalDeviceCooperativeMatrixFeaturesKHR, COOPERATIVE_MATRIX_FEATURES_KHR, cooperativeMatrix));
#define DRAGOMAN_KEEP_2(field) \
    keep(cooperative2.field,   \
         DRAGOMAN_IN(VkPhysicalDeviceCooperativeMatrix2FeaturesNV, COOPERATIVE_MATRIX_2_FEATURES_NV, field))
    DRAGOMAN_KEEP_2(cooperativeMatrixWorkgroupScope);
    DRAGOMAN_KEEP_2(cooperativeMatrixFlexibleDimensions);
    DRAGOMAN_KEEP_2(cooperativeMatrixReductions);
    DRAGOMAN_KEEP_2(cooperativeMatrixConversions);
    DRAGOMAN_KEEP_2(cooperativeMatrixPerElementOperations);
    DRAGOMAN_KEEP_2(cooperativeMatrixTensorAddressing);
    DRAGOMAN_KEEP_2(cooperativeMatrixBlockLoads);
    keep(executable.pipelineExecutableInfo,
         DRAGOMAN_IN(VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR,
                     PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, pipelineExecutableInfo));
    keep(conditional.conditionalRendering, DRAGOMAN_IN(VkPhysicalDeviceConditionalRenderingFeaturesEXT,
                                                       CONDITIONAL_RENDERING_FEATURES_EXT, conditionalRendering));
#undef DRAGOMAN_KEEP_2
#undef DRAGOMAN_KEEP_13
#undef DRAGOMAN_KEEP_12
#undef DRAGOMAN_IN_16
#undef DRAGOMAN_IN_13
#undef DRAGOMAN_IN_12
#undef DRAGOMAN_IN_11
#undef DRAGOMAN_IN
}

}  // namespace dragoman::vulkan
