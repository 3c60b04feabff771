// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "base/error.h"
#include "support/again.h"
#include "support/system.h"
#include "vulkan/context.h"

namespace loader_test {

using namespace dragoman;
using namespace dragoman::vulkan;

namespace {

template <class F>
std::string no_device_message(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        CHECK(error.status() == Status::no_device);
        return error.what();
    }
    FAIL("nothing was thrown");
    return {};
}

}  // namespace

// Loading happens once per process, so these run in processes of their own.
TEST_CASE("child: no loader" * doctest::skip()) {
    for (int i = 0; i < 2; ++i) {  // the second time as well
        CHECK(no_device_message([] { list_devices(); }).find("/nonexistent/libvulkan.so") != std::string::npos);
        CHECK(no_device_message([] { Context::create({}); }).find("/nonexistent/libvulkan.so") != std::string::npos);
    }
}

TEST_CASE("child: not a loader" * doctest::skip()) {
    CHECK(no_device_message([] { list_devices(); }).find("not a Vulkan loader") != std::string::npos);
}

TEST_CASE("child: no driver" * doctest::skip()) {
    CHECK(list_devices().empty());
    CHECK(no_device_message([] { Context::create({}); }).find("no Vulkan device") != std::string::npos);
    CHECK(no_device_message([] { Context::create({.device = "0"}); }).find("no Vulkan device") != std::string::npos);
}

TEST_CASE("child: device from the environment" * doctest::skip()) {
    CHECK(no_device_message([] { Context::create({}); }).find("voodoo") != std::string::npos);
    CHECK_NOTHROW(Context::create({.device = "0"}));
}

TEST_CASE("no loader is its own error") {
    CHECK(test::passes_in_child("DRAGOMAN_VULKAN_LOADER=/nonexistent/libvulkan.so", "child: no loader"));
    CHECK(test::passes_in_child("DRAGOMAN_VULKAN_LOADER=libm.so.6", "child: not a loader"));
}

TEST_CASE("a loader without drivers lists nothing and opens nothing" * test::not_on_wine()) {
    CHECK(test::passes_in_child("VK_ICD_FILENAMES=/nonexistent.json VK_DRIVER_FILES=/nonexistent.json",
                                "child: no driver"));
}

TEST_CASE("DRAGOMAN_DEVICE chooses where the options do not") {
    CHECK(test::passes_in_child("DRAGOMAN_DEVICE=voodoo", "child: device from the environment"));
}

TEST_CASE("a child that fails is noticed") {
    CHECK_FALSE(test::passes_in_child("DRAGOMAN_VULKAN_LOADER=", "child: no loader"));
}

}  // namespace loader_test
