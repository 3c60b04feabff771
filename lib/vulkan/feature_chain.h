// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/physical_device.h"

namespace dragoman::vulkan {

// The feature structs this library knows: filled with what the driver reports, cut down to what shaders may use,
// then handed to vkCreateDevice as they are.
struct FeatureChain {
    VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceShaderIntegerDotProductFeatures dot{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES};
    VkPhysicalDeviceCooperativeMatrixFeaturesKHR cooperative{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
    VkPhysicalDeviceCooperativeMatrix2FeaturesNV cooperative2{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};

    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};

    // `device` has its handle, caps.api_version (at least 1.2) and extensions.
    FeatureChain(const Instance& instance, const PhysicalDevice& device);
    FeatureChain(const FeatureChain&) = delete;

    // Removes what a VkDevice made with this VkPhysicalDeviceFeatures2 chain lacks; null: nothing was enabled.
    void keep_enabled(const void* features2);
    // Whether it has the parts of cooperative_matrix2 that matmul_coopmat2 uses.
    bool cooperative_matrix2() const {
        return cooperative2.cooperativeMatrixWorkgroupScope && cooperative2.cooperativeMatrixFlexibleDimensions &&
               cooperative2.cooperativeMatrixReductions && cooperative2.cooperativeMatrixPerElementOperations &&
               cooperative2.cooperativeMatrixTensorAddressing;
    }
    bool subgroup_sizes() const { return v13.subgroupSizeControl || subgroup_size.subgroupSizeControl; }
    bool full_subgroups() const { return v13.computeFullSubgroups || subgroup_size.computeFullSubgroups; }
    bool integer_dot() const { return v13.shaderIntegerDotProduct || dot.shaderIntegerDotProduct; }
};

}  // namespace dragoman::vulkan
