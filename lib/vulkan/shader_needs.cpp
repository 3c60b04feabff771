// SPDX-License-Identifier: Apache-2.0
#include "vulkan/shader_needs.h"

namespace dragoman::vulkan {

std::string lacking_needs(const Caps& caps, uint32_t needs) {
    struct Name {
        uint32_t bit;
        const char* text;
    };
    static constexpr Name kNames[] = {
        {kNeedsFloat16, "shaderFloat16"},
        {kNeedsInt8, "shaderInt8"},
        {kNeedsInt16, "shaderInt16"},
        {kNeedsInt64, "shaderInt64"},
        {kNeedsStorage16, "16-bit storage"},
        {kNeedsStorage8, "8-bit storage"},
        {kNeedsSubgroupBasic, "subgroups"},
        {kNeedsSubgroupArithmetic, "subgroup arithmetic"},
        {kNeedsSubgroupShuffle, "subgroup shuffle"},
        {kNeedsIntegerDot, "integer dot product"},
        {kNeedsCooperativeMatrix, "cooperative matrices"},
        {kNeedsCooperativeMatrix2, "VK_NV_cooperative_matrix2"},
        {kNeedsUnknown, "a capability this library does not know"},
    };
    std::string text;
    for (const Name& name : kNames) {
        if (!(needs & name.bit & ~caps.needs_met)) continue;
        if (!text.empty()) text += ", ";
        text += name.text;
    }
    return text;
}

std::string variant_name(const Shader& shader, VariantKey key) {
    size_t named = key.types.size();
    while (named > 0 && key.types[named - 1] == DType::f32) --named;
    std::string text(shader.name);
    for (size_t i = 0; i < named; ++i) {
        text += i ? ',' : '(';
        text += name(key.types[i]);
    }
    return named ? text + ')' : text;
}

}  // namespace dragoman::vulkan
