// SPDX-License-Identifier: Apache-2.0
// Drivers that are wrong on purpose: translations stay right, the log names the kernel, `devices --check` says so.
#include <doctest/doctest.h>

#include <dragoman/dragoman.hpp>
#include <nlohmann/json.hpp>

#include "fixture.h"
#include "support/environment.h"
#include "support/run_program.h"
#include "support/sweep.h"

namespace check_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

// A folder for each call, so that nothing is remembered from another.
Run tool(const std::vector<std::string>& arguments, const std::string& input, const std::string& environment) {
    const TempDir cache;
    return run(DRAGOMAN_CLI, arguments, input, "DRAGOMAN_CACHE_DIR='" + cache.path().string() + "' " + environment);
}

Run translate(const std::string& environment) {
    const std::string lines = std::string(kSourceA) + "\n" + kSourceB + "\n";
    return tool({"translate", "--model", kModel, "--tokens", "--beam", "4"}, lines, environment);
}

// Uses broken_driver/broken_driver.cpp.
std::string broken(const std::string& kernels) {
    return "DRAGOMAN_VULKAN_LOADER='" DRAGOMAN_BROKEN_DRIVER "' DRAGOMAN_BROKEN_KERNELS='" + kernels + "' ";
}

}  // namespace

TEST_CASE("translations stay right where a driver is wrong, and the log names the kernel") {
    const Run right = translate("");
    REQUIRE(right.exit_code == 0);
    CHECK(right.err.find("is not used") == std::string::npos);
    const std::string gpu = "DRAGOMAN_GPU_KERNELS=1 ";
    // On the CPU, then with the kernels that GPUs get. Each fault is a kernel that no run has compiled yet.
    const std::pair<std::string, std::vector<std::string>> cases[] = {
        {"", sweep<std::string>({"matmul_texel=product", "encoder_attention_texel=nan",
                                 "step_cross_attention_texel=shuffle",
                                 "step_self_attention_texel=nan step_self_attention_subgroup=half", "matmul_texel=nan",
                                 "matmul_texel=shuffle", "step_self_attention_texel=product"},
                                4)},
        {gpu, sweep<std::string>({"matmul_split=half", "encoder_attention=nan", "step_self_attention=product",
                                  "matmul_split=product", "matmul_split=shuffle", "matmul_tiled=nan",
                                  "step_cross_attention=nan"},
                                 3)}};
    for (const auto& [environment, faults] : cases)
        for (const std::string& fault : faults) {
            CAPTURE(fault);
            const Run found = translate(environment + broken(fault));
            CAPTURE(found.err);
            CHECK(found.exit_code == 0);
            CHECK(found.out == right.out);
            const std::string kernel = fault.substr(0, fault.find('='));
            CHECK(found.err.find("kernel " + kernel) != std::string::npos);
            CHECK(found.err.find("is not used") != std::string::npos);
        }
}

TEST_CASE("what has no other is an error that names the kernel") {
    const Run found = translate(broken("layer_norm=nan"));
    CHECK(found.exit_code == 1);
    CHECK(found.out.empty());
    CHECK(found.err.find("kernel layer_norm") != std::string::npos);
    CHECK(found.err.find("there is no other for its work") != std::string::npos);
}

TEST_CASE("check_results are kept beside the pipelines") {
    const TempDir cache;
    const std::string environment = "DRAGOMAN_CACHE_DIR='" + cache.path().string() + "' " +
                                    broken("matmul_texel=product");
    for (const char* words : {"expected", "when it was checked"}) {
        const Run found = run(DRAGOMAN_CLI, {"translate", "--model", kModel, "--tokens", kSourceA}, "", environment);
        CAPTURE(found.err);
        CHECK(found.exit_code == 0);
        CHECK(found.err.find(words) != std::string::npos);
    }
}

// A sweep of all kernels takes seconds of each core, where none is compiled a minute and more; check.check does them all.
const std::string kSome = "DRAGOMAN_CHECK_ONLY=softmax,layer_norm,embed ";

TEST_CASE("devices --check prints a table of each device that is named") {
    const Run both = tool({"devices", "--check", "--device", "0,0"}, "", kSome);
    CAPTURE(both.err);
    CAPTURE(both.out);
    CHECK(both.exit_code == 0);
    const std::size_t first = both.out.find(" 0 wrong");
    REQUIRE(first != std::string::npos);
    CHECK(both.out.find("embed") < first);
    const std::string second = both.out.substr(first + 1);
    CHECK(second.find(" 0 wrong") != std::string::npos);
    CHECK(second.find("embed") != std::string::npos);
    CHECK(tool({"devices", "--check", "--device", "no such device"}, "", "").exit_code == 1);
    const Run unknown = tool({"devices", "--check"}, "", "DRAGOMAN_CHECK_ONLY=softmax,softmix ");
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.err.find("DRAGOMAN_CHECK_ONLY: expected names of kernels, got \"softmix\"") != std::string::npos);
}

TEST_CASE("devices --check --json ends with 1 where a kernel is wrong, and names it") {
    const Run wrong = tool({"devices", "--check", "--json"}, "", kSome + broken("softmax=product"));
    CAPTURE(wrong.err);
    CHECK(wrong.exit_code == 1);
    const json report = json::parse(wrong.out);
    CHECK(report["wrong"] > 0);
    CHECK(report["right"] > 0);
    for (const json& kernel : report["kernels"]) {
        const bool softmax = kernel["kernel"].get<std::string>().starts_with("softmax");
        CHECK((kernel["result"] == "wrong") == softmax);
        CHECK(kernel.contains("text") == softmax);
    }
}

TEST_CASE("the C API checks devices that are open, with a report of each") {
    dragoman::DeviceOptions options;
    options.name = "0,0";
    const dragoman::Device device(options);
    set_environment("DRAGOMAN_CHECK_ONLY", "softmax,layer_norm,embed");
    const dragoman::Report checked = dragoman::check_kernels(device);
    set_environment("DRAGOMAN_CHECK_ONLY", nullptr);
    const json report = json::parse(checked.json());
    CHECK(report["wrong"] == 0);
    CHECK(report["right"] == report["kernels"].size());
    CHECK(report["device"]["name"] == std::string(device.info().name));
    REQUIRE(report["others"].size() == 1);
    const json& other = report["others"][0];
    CHECK(other["wrong"] == 0);
    CHECK(other["right"] == report["right"]);
    CHECK(other["device"]["name"] == report["device"]["name"]);
    CHECK(other["kernels"].size() == report["kernels"].size());
    CHECK(!other.contains("others"));
    check_error(dragoman_device_check(device.get(), nullptr), DRAGOMAN_INVALID_ARGUMENT, {"report"});
    dragoman_report* none = nullptr;
    check_error(dragoman_device_check(nullptr, &none), DRAGOMAN_INVALID_ARGUMENT, {"device"});
}

}  // namespace check_test
