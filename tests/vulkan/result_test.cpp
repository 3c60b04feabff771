// SPDX-License-Identifier: Apache-2.0
#include "vulkan/result.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"

namespace result_test {

using namespace dragoman;
using vulkan::vk_check;

TEST_CASE("error codes become the status a caller can act on, and name the call") {
    struct Case {
        VkResult result;
        Status status;
        const char* name;
    };
    const Case cases[] = {
        {VK_ERROR_DEVICE_LOST, Status::device_lost, "VK_ERROR_DEVICE_LOST"},
        {VK_ERROR_OUT_OF_DEVICE_MEMORY, Status::out_of_memory, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
        {VK_ERROR_OUT_OF_HOST_MEMORY, Status::out_of_memory, "VK_ERROR_OUT_OF_HOST_MEMORY"},
        {VK_ERROR_OUT_OF_POOL_MEMORY, Status::out_of_memory, "VK_ERROR_OUT_OF_POOL_MEMORY"},
        {VK_ERROR_INCOMPATIBLE_DRIVER, Status::no_device, "VK_ERROR_INCOMPATIBLE_DRIVER"},
        {VK_ERROR_FEATURE_NOT_PRESENT, Status::internal, "VK_ERROR_FEATURE_NOT_PRESENT"},
        {static_cast<VkResult>(-12345), Status::internal, "-12345"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.name);
        try {
            vk_check(c.result, "vkSomeCall");
            FAIL("nothing was thrown");
        } catch (const Error& error) {
            CHECK(error.status() == c.status);
            const std::string message = error.what();
            CHECK(message.find("vkSomeCall") != std::string::npos);
            CHECK(message.find(c.name) != std::string::npos);
        }
    }
}

TEST_CASE("success codes pass through") {
    CHECK(vk_check(VK_SUCCESS, "call") == VK_SUCCESS);
    CHECK(vk_check(VK_TIMEOUT, "call") == VK_TIMEOUT);
    CHECK(vk_check(VK_INCOMPLETE, "call") == VK_INCOMPLETE);
}

}  // namespace result_test
