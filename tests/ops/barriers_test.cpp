// SPDX-License-Identifier: Apache-2.0
// Barriers, of memory too, are reached by all invocations of a workgroup or by none: SPIRV-Cross makes barriers of
// execution of those of memory below Metal Shading Language 3.2, and unequal numbers of them hang or race.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "ops/uniform_flow.h"
#include "spv.h"
#include "vulkan/shader_code.h"

namespace barriers_test {

using namespace dragoman;

TEST_CASE("no barrier stands where only some lanes come") {
    uint32_t examined = 0;
    for (const vulkan::Shader* shader : spv::all)
        for (const vulkan::ShaderVariant& variant : shader->variants) {
            const auto found = test::barriers_apart(vulkan::spirv(variant.code), test::Apart::invocations);
            if (!found) continue;
            ++examined;
            CAPTURE(std::string(shader->name));
            CHECK(*found == 0);
        }
    std::printf("%u modules\n", examined);
}

// So that the examination is known to see conditions, loops and returns.
TEST_CASE("barriers that only some workgroups reach are found") {
    const auto found = [](const vulkan::Shader& shader) {
        return test::barriers_apart(vulkan::spirv(shader.variants[0].code), test::Apart::workgroups);
    };
    if (!found(spv::beam_step)) return;  // not inlined
    CHECK(*found(spv::beam_step) > 0);       // a workgroup without a sentence returns
    CHECK(*found(spv::process_logits) > 0);  // one without a row does
    CHECK(*found(spv::compact) == 0);        // there is one
}

}  // namespace barriers_test
