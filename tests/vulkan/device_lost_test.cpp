// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "base/error.h"
#include "support/device.h"
#include "test_kernels.h"
#include "vulkan/context_impl.h"

namespace device_lost_test {

using namespace dragoman;
using namespace dragoman::vulkan;

namespace {

// A driver that fails: one entry of a context's function table, replaced.
VolkDeviceTable& functions(Context& context) {
    return const_cast<VolkDeviceTable&>(*context.impl().device.operator->());
}

VKAPI_ATTR VkResult VKAPI_CALL lose_on_submit(VkQueue, uint32_t, const VkSubmitInfo*, VkFence) {
    return VK_ERROR_DEVICE_LOST;
}
VKAPI_ATTR VkResult VKAPI_CALL lose_on_wait(VkDevice, const VkSemaphoreWaitInfo*, uint64_t) {
    return VK_ERROR_DEVICE_LOST;
}
VKAPI_ATTR VkResult VKAPI_CALL never_finished(VkDevice, VkSemaphore, uint64_t* value) {
    *value = 0;
    return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL no_memory_to_submit(VkQueue, uint32_t, const VkSubmitInfo*, VkFence) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}
VKAPI_ATTR VkResult VKAPI_CALL no_memory_to_compile(VkDevice, VkPipelineCache, uint32_t,
                                                    const VkComputePipelineCreateInfo*, const VkAllocationCallbacks*,
                                                    VkPipeline*) {
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

template <class F>
void check_status(Status status, F&& f) {
    try {
        f();
        FAIL("nothing was thrown");
    } catch (const Error& error) {
        CHECK(error.status() == status);
    }
}

// A context with buffers and a list on their way.
struct Replay {
    std::shared_ptr<Context> context;
    std::shared_ptr<Buffer> x, y;
    std::unique_ptr<CommandList> list;

    explicit Replay(std::shared_ptr<Context> owner)
        : context(std::move(owner)), x(test::words(*context, {1, 2})), y(test::words(*context, {0, 0})) {
        Recorder recorder(context);
        test::record_mix(recorder, *x, *y, 1);
        list = recorder.finish();
    }
    void check_everything_is_lost() {
        uint32_t word = 0;
        check_status(Status::device_lost, [&] { context->submit(*list); });
        check_status(Status::device_lost, [&] { context->wait(1); });
        check_status(Status::device_lost, [&] { context->wait_idle(); });
        check_status(Status::device_lost, [&] { context->upload(*x, &word, 4); });
        check_status(Status::device_lost, [&] { context->readback(*x, &word, 4); });
        check_status(Status::device_lost, [&] { context->buffer(4, BufferUse::device, "late"); });
    }
};

}  // namespace

TEST_CASE("a device lost at a submission stays lost, and everything is still freed") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        Replay work(context);
        const auto submit = functions(*context).vkQueueSubmit;
        functions(*context).vkQueueSubmit = lose_on_submit;
        check_status(Status::device_lost, [&] { context->submit(*work.list); });
        functions(*context).vkQueueSubmit = submit;
        work.check_everything_is_lost();
    });
}

TEST_CASE("a device lost while the host waits") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        Replay work(context);
        const auto wait = functions(*context).vkWaitSemaphores;
        const auto counter = functions(*context).vkGetSemaphoreCounterValue;
        functions(*context).vkWaitSemaphores = lose_on_wait;
        functions(*context).vkGetSemaphoreCounterValue = never_finished;
        const uint64_t value = context->submit(*work.list, 3);
        check_status(Status::device_lost, [&] { context->wait(value); });
        functions(*context).vkWaitSemaphores = wait;
        functions(*context).vkGetSemaphoreCounterValue = counter;
        work.check_everything_is_lost();
    });
}

TEST_CASE("a submission without memory says so, and the context is lost afterwards") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        Replay work(context);
        functions(*context).vkQueueSubmit = no_memory_to_submit;
        check_status(Status::out_of_memory, [&] { context->submit(*work.list); });
        work.check_everything_is_lost();
    });
}

TEST_CASE("a pipeline that fails to compile names its kernel and can be tried again") {
    test::for_every_device([](const std::shared_ptr<Context>& context) {
        const auto compile = functions(*context).vkCreateComputePipelines;
        functions(*context).vkCreateComputePipelines = no_memory_to_compile;
        const auto x = test::words(*context, {0}), y = test::words(*context, {0});
        const auto record = [&] { Recorder(context).dispatch(test::twice, DType::f32, {*x, *y}, {1}, {}, Groups(1)); };
        try {
            record();
            FAIL("nothing was thrown");
        } catch (const Error& error) {
            CHECK(error.status() == Status::out_of_memory);
            CHECK(std::string(error.what()).find("twice") != std::string::npos);
        }
        functions(*context).vkCreateComputePipelines = compile;
        CHECK_NOTHROW(record());
    });
}

}  // namespace device_lost_test
