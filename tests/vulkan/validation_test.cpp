// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdio>

#include "base/environment.h"
#include "support/device.h"
#include "support/validation.h"
#include "test_kernels.h"
#include "vulkan/command_list.h"

namespace validation_test {

using namespace dragoman;
using namespace dragoman::vulkan;

namespace {

bool layer_installed() {
    uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    for (const VkLayerProperties& layer : layers)
        if (std::string(layer.layerName) == "VK_LAYER_KHRONOS_validation") return true;
    return false;
}

}  // namespace

TEST_CASE("the validation layer is awake and sees a missing barrier") {
    if (environment_flag("DRAGOMAN_GPU_ASSISTED_VALIDATION")) return;  // it looks for other things then
    list_devices();
    if (!layer_installed()) {
        std::printf("skipped: the validation layer is not installed\n");
        return;
    }
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            const auto buffer = context->buffer(64, BufferUse::device, "hazard");
            const Device& device = context->impl().device;
            const uint64_t before = validation_message_count();

        // The recorder would put a barrier between the two; without it the layer must speak.
            RecordedList raw(context);
            VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
            device->vkBeginCommandBuffer(raw.commands(), &info);
            const VkBuffer handle = device_buffer(*buffer).handle();
            device->vkCmdFillBuffer(raw.commands(), handle, 0, 64, 1);
            const VkBufferCopy copy{0, 32, 32};
            device->vkCmdCopyBuffer(raw.commands(), handle, handle, 1, &copy);
            device->vkEndCommandBuffer(raw.commands());
            const uint64_t seen = validation_message_count() - before;
            CHECK(seen >= 1);
            test::expect_validation_messages(seen);
        },
        {.validation = true});
}

// scripts/validate_on_device.sh begins with it: no message of the others means something only where this one comes.
TEST_CASE("validation on the device sees a read beyond a buffer") {
    if (!environment_flag("DRAGOMAN_GPU_ASSISTED_VALIDATION")) return;
    test::for_every_device(
        [](const std::shared_ptr<Context>& context) {
            const uint32_t count = 64;
            const auto x = context->buffer(count, BufferUse::device, "a quarter"),
                       y = context->buffer(4 * count, BufferUse::device, "whole");
            const uint64_t before = validation_message_count();
            Recorder recorder(context);
            recorder.dispatch(test::twice, {}, {*x, *y}, test::TwicePush{count}, {}, Groups(2));
            context->wait(context->submit(*recorder.finish()));
            const uint64_t seen = validation_message_count() - before;
            CHECK(seen >= 1);
            test::expect_validation_messages(seen);
        },
        {.validation = true});
}

}  // namespace validation_test
