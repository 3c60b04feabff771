// SPDX-License-Identifier: Apache-2.0
#include "check/check.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <thread>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "check/compilers.h"
#include "ops/matmul.h"
#include "ops/softmax.h"
#include "spv.h"
#include "support/environment.h"
#include "support/op_test.h"
#include "support/sweep.h"
#include "support/temp_dir.h"
#include "support/validation.h"
#include "vulkan/shader_code.h"
#include "vulkan/subgroup_sizes.h"

namespace dragoman::test::check_test {
namespace {

using vulkan::CheckResult;

// Before the first test makes the library load Vulkan.
const bool kLoaderIsSet = (set_environment("DRAGOMAN_VULKAN_LOADER", DRAGOMAN_BROKEN_DRIVER), true);

// Drivers made wrong on purpose (broken_driver/broken_driver.cpp), until the end of the scope. What is learned of them is
// kept in a folder of its own.
class Broken {
public:
    explicit Broken(const std::string& what) : cache_(environment("DRAGOMAN_CACHE_DIR")) {
        REQUIRE(kLoaderIsSet);
        set_environment("DRAGOMAN_BROKEN_KERNELS", what.c_str());
        set_environment("DRAGOMAN_CACHE_DIR", folder_.path().string().c_str());
    }
    ~Broken() {
        set_environment("DRAGOMAN_BROKEN_KERNELS", nullptr);
        set_environment("DRAGOMAN_CACHE_DIR", cache_.empty() ? nullptr : cache_.c_str());
    }

private:
    const TempDir folder_;
    const std::string cache_;
};

std::string described(const check::Finding& finding) { return vulkan::kernel_name(finding.use) + ": " + finding.text; }

// The findings for one shader's usual kernels.
std::vector<check::Finding> findings(Context& context, std::string_view shader, size_t most = 2) {
    std::vector<check::Finding> found;
    for (const check::Use& use : check::usual_kernels(context))
        if (use.shader->name == shader && found.size() < most) found.push_back(check::check_kernel(context, use));
    return found;
}

Matrix product(Context& context, uint32_t rows) {
    const Matrix x = random_matrix(rows, 64, 1), w = random_matrix(128, 64, 2);
    const DeviceTensor on_device = upload(context, x, DType::f32), y = blank(context, rows, 128, DType::f32);
    const DeviceWeight weight = upload_weight(context, w, DType::f32);
    const LiveRows live(context, rows, rows);
    run(context, live,
        [&](Recorder& rec) { ops::matmul(rec, {.x = on_device, .w = weight.weight, .y = y, .rows = live.extent}); });
    return download(context, y);
}

}  // namespace

TEST_CASE("every shader has its check") {
    for (const vulkan::Shader* shader : spv::all) {
        CAPTURE(std::string(shader->name));
        CHECK(check::has_check(*shader));
    }
}

TEST_CASE("every kernel of every device gives right results") {
    for (const bool gpu_kernels : {false, true})
        on_every_device(
            [&](Context& context) {
                // Most of a GPU kernel's time is its compiler's: in short runs every fourth kernel of each shader.
                const size_t stride = gpu_kernels && !full_sweep() ? 4 : 1;
                std::map<std::string_view, size_t> counts;
                check::Report report{.device = context.caps()};
                if (stride == 1) report = check::check_device(context);
                else
                    for (const check::Use& use : check::usual_kernels(context))
                        if (counts[use.shader->name]++ % stride == 0)
                            report.findings.push_back(check::check_kernel(context, use));
                counts.clear();
                for (const check::Finding& finding : report.findings) {
                    ++counts[finding.use.shader->name];
                    INFO(described(finding));
                    CHECK(finding.result == CheckResult::right);
                    CHECK(finding.difference.share <= 1);
                }
                for (const auto& [name, count] : counts)
                    std::printf("%.*s %zu\n", int(name.size()), name.data(), count);
                std::printf("%zu kernels in %.2f seconds\n", report.findings.size(), report.seconds);
                CHECK(counts.size() > 20);
                const auto json = nlohmann::json::parse(check::to_json({&report, 1}));
                CHECK(json["wrong"] == 0);
                CHECK(json["right"] == report.findings.size());
                CHECK(json["kernels"].size() == report.findings.size());
                CHECK(json["device"]["name"] == context.caps().name);
            },
            gpu_kernels);
}

// 128 is the least that Vulkan allows.
TEST_CASE("no kernel has more invocations in a workgroup than its device takes") {
    for (const uint32_t vendor : {0u, 0x1002u, 0x10deu, 0x8086u})
        for (const uint32_t most : {128u, 288u, 512u}) {
            const auto context =
                Context::create({.gpu_kernels = true, .gpu_vendor = vendor, .invocations_limit = most});
            const uint32_t limit = std::min(most, context->caps().max_workgroup_invocations);
            const std::vector<check::Use> uses = check::usual_kernels(*context);
            CHECK(uses.size() > 20);
            for (const check::Use& use : uses) {
                const auto code = vulkan::spirv(vulkan::find_variant(*use.shader, use.key)->code);
                CAPTURE(vulkan::kernel_name(use));
                CHECK(vulkan::local_size_x(code, use.constants) <= limit);
            }
        }
}

TEST_CASE("the steps of searches with terms give right results") {
    for (const bool gpu_kernels : {false, true})
        on_every_device(
            [](Context& context) {
                for (const char* shader :
                     {"beam_step_terms", "beam_step_marian_terms", "beam_step_huggingface_terms"}) {
                    const std::vector<check::Finding> found = findings(context, shader, 3);
                    CHECK(!found.empty());
                    for (const check::Finding& finding : found) {
                        INFO(described(finding));
                        CHECK(finding.result == CheckResult::right);
                    }
                }
            },
            gpu_kernels);
}

// For scripts/validate_on_device.sh, which begins with a read beyond a buffer that the layer has to see. It asks for the
// list and then for one kernel after the other (DRAGOMAN_TEST_KERNEL; also a pattern for names of kernels, which need
// not be the first of their types).
TEST_CASE("validation on the device: a kernel of every shader and types") {
    if (!environment_flag("DRAGOMAN_GPU_ASSISTED_VALIDATION")) return;
    const std::string wanted = environment("DRAGOMAN_TEST_KERNEL");
    const bool list = wanted == "list";
    const std::regex pattern(wanted);
    size_t ran = 0;
    std::set<std::string_view> seen;
    uint64_t known = vulkan::validation_message_count();
    for (const bool gpu_kernels : {true, false}) {
        on_every_device(
            [&](Context& context) {
                // The layer reports what it misses on the device when that is opened.
                expect_validation_messages(vulkan::validation_message_count() - known);
                std::set<std::pair<std::string_view, std::array<DType, 3>>> kinds;
                for (const check::Use& use : check::usual_kernels(context)) {
                    const bool first = kinds.emplace(use.shader->name, use.key.types).second;
                    seen.insert(use.shader->name);
                    const std::string name = vulkan::kernel_name(use);
                    if (list && first) std::printf("kernel\t%s\n", name.c_str());
                    if (list || !(wanted.empty() ? first : wanted == name || std::regex_match(name, pattern))) continue;
                    ++ran;
                    const uint64_t clean = vulkan::validation_message_count();
                    const check::Finding finding = check::check_kernel(context, use);
                    const uint64_t messages = vulkan::validation_message_count() - clean;
                    std::printf("kernel\t%s\t%s\t%s\t%d\t%.1f\n", context.caps().name.c_str(), name.c_str(),
                                finding.result == CheckResult::right ? "right" : "not right", int(messages),
                                finding.seconds);
                    std::fflush(stdout);
                    CHECK(finding.result == CheckResult::right);
                    CHECK(messages == 0);
                }
                known = vulkan::validation_message_count();
                CHECK(kinds.size() > 20);
            },
            gpu_kernels);
    }
    CHECK((ran > 0) != list);
    for (const vulkan::Shader* shader : spv::all)
        if (list && !seen.contains(shader->name))
            std::printf("not run\t%.*s\n", int(shader->name.size()), shader->name.data());
}

TEST_CASE("a driver that is wrong in one kernel is found out") {
    // Kernels that multiply, and kernels that shuffle or reduce in subgroups.
    const std::set<std::string> products = {"matmul_texel",
                                            "matmul_tiled",
                                            "matmul_split",
                                            "matmul_coopmat",
                                            "matmul_coopmat2",
                                            "matmul_int8_texel",
                                            "encoder_attention",
                                            "encoder_attention_subgroup",
                                            "encoder_attention_texel",
                                            "encoder_attention_coopmat",
                                            "step_self_attention",
                                            "step_self_attention_subgroup",
                                            "step_self_attention_texel",
                                            "step_cross_attention",
                                            "step_cross_attention_subgroup",
                                            "step_cross_attention_texel",
                                            "step_cross_attention_query",
                                            "layer_norm",
                                            "softmax",
                                            "blend",
                                            "embed",
                                            "ssru_step",
                                            "gru_step",
                                            "average_step",
                                            "add_log_probs",
                                            "gated_cell",
                                            "additive_attention",
                                            "start_state",
                                            "process_logits"};
    std::set<std::string> sums = products;
    sums.insert({"pool", "sentence_mean", "beam_step", "beam_step_marian", "beam_step_huggingface", "beam_step_terms",
                 "beam_step_marian_terms", "beam_step_huggingface_terms"});
    const std::set<std::string> shuffles = {"matmul_texel",
                                            "matmul_split",
                                            "matmul_int8_texel",
                                            "encoder_attention_texel",
                                            "step_self_attention_texel",
                                            "step_cross_attention_texel",
                                            "encoder_attention_subgroup",
                                            "step_self_attention_subgroup",
                                            "step_cross_attention_subgroup"};
    const std::set<std::string> subgroups = {"matmul_texel", "matmul_split", "encoder_attention_subgroup",
                                             "step_self_attention_subgroup", "step_cross_attention_subgroup"};
    const std::map<std::string, const std::set<std::string>*> all = {
        {"product", &products}, {"nan", &sums}, {"shuffle", &shuffles}, {"half", &subgroups}};
    std::set<std::string> seen;
    for (const bool gpu_kernels : {false, true})
        for (const auto& [how, shaders] : all)
            for (const std::string& shader : *shaders) {
                const Broken broken(shader + "=" + how);
                on_every_device(
                    [&](Context& context) {
                        // Some tiles of the split kernel shuffle nothing.
                        const bool some = how == "shuffle" || how == "half";
                        size_t wrong = 0;
                        const auto found = findings(context, shader, some || full_sweep() ? 2 : 1);
                        for (const check::Finding& finding : found) {
                            INFO(how << " in " << described(finding));
                            CHECK((some || finding.result == CheckResult::wrong));
                            wrong += finding.result == CheckResult::wrong;
                            seen.insert(how + " " + shader);
                        }
                        INFO(how << " in " << shader);
                        CHECK((found.empty() || wrong > 0));
                    },
                    gpu_kernels);
            }
    std::printf("%zu pairs of kernels and faults\n", seen.size());
    CHECK(seen.size() > 20);
}

TEST_CASE("what is wrong is replaced, and remembered beside the pipelines") {
    const TempDir dir;
    on_every_device([&](Context& plain) {
        const Matrix expected = product(plain, 5);
        const vulkan::ContextOptions options{.device = std::to_string(plain.caps().index),
                                             .gpu_kernels = !plain.caps().is_cpu(),
                                             .cache_dir = dir.path().string()};
        const Broken broken("matmul_texel=nan matmul_split=shuffle");
        for (const bool first : {true, false}) {
            const auto context = Context::create(options);
            uint32_t asked = 0;
            check::watch(*context);
            if (!first)  // asks nobody
                context->check_results().start([&](Context&, const vulkan::KernelUse&) {
                    ++asked;
                    return vulkan::KernelFinding{CheckResult::right, ""};
                });
            const Matrix y = product(*context, 5);
            Comparison comparison(DType::f32);
            for (uint32_t row = 0; row < 5; ++row)
                for (uint32_t col = 0; col < 128; ++col)
                    comparison.close(row, col, y(row, col), expected(row, col), 64);
            comparison.check();
            CHECK(asked == 0);
        }
    });
}

TEST_CASE("a kernel without another in its place is an error that names it") {
    const Broken broken("softmax=nan");
    on_every_device([](Context& context) {
        check::watch(context);
        const DeviceTensor x = upload(context, random_matrix(2, 9, 1), DType::f32),
                           y = blank(context, 2, 9, DType::f32);
        const LiveRows live(context, 2, 2);
        try {
            run(context, live, [&](Recorder& rec) { ops::softmax(rec, x, y, 1.0f, false, live.extent); });
            FAIL("softmax was used");
        } catch (const Error& error) {
            CHECK(error.status() == Status::unsupported);
            CHECK(std::string(error.what()).find("softmax") != std::string::npos);
        }
    });
}

TEST_CASE("other threads compile kernels before they are checked, and leave faults to the check") {
    on_every_device([](Context& context) {
        std::vector<check::Use> kernels;
        for (const check::Use& use : check::usual_kernels(context))
            if (std::string_view(use.shader->name).ends_with("softmax")) kernels.push_back(use);
        REQUIRE(kernels.size() > 1);
        std::atomic<std::size_t> compiled = 0;
        const std::thread::id here = std::this_thread::get_id();
        const uint64_t sink = add_log_sink(
            [&](LogLevel, std::string_view line) {
                compiled += line.ends_with(" was compiled") && std::this_thread::get_id() != here;
            },
            LogLevel::debug);
        {
            const check::Compilers compilers(context, kernels);
            while (compiled < kernels.size()) std::this_thread::yield();
        }
        remove_log_sink(sink);
        const uint64_t awaited = vulkan::pipelines_awaited();
        for (const check::Use& use : kernels) context.compile(use);
        CHECK(vulkan::pipelines_awaited() == awaited);
    });
    const Broken broken("softmax=noise");
    on_every_device([](Context& context) {
        const std::vector<check::Use> kernels = check::usual_kernels(context);
        const auto softmax = std::ranges::find_if(kernels, [](const check::Use& use) {
            return std::string_view(use.shader->name) == "softmax";
        });
        REQUIRE(softmax != kernels.end());
        const check::Compilers compilers(context, std::span(&*softmax, 1));
        CHECK(check::check_kernel(context, *softmax).result == CheckResult::wrong);
    });
}

TEST_CASE("the log tells kernels that a sentence waits for from those that are compiled ahead") {
    std::vector<std::string> lines;
    const uint64_t sink = add_log_sink(
        [&](LogLevel, std::string_view line) {
            if (line.find(" is new on this device") != line.npos) lines.emplace_back(line);
        },
        LogLevel::debug);
    on_every_device([&](Context& device) {
        const auto context = Context::create({.device = std::to_string(device.caps().index), .cache_dir = "-"});
        check::watch(*context);
        const auto kernels = findings(device, "softmax", 1);
        REQUIRE(kernels.size() == 1);
        const auto other = findings(device, "layer_norm", 1);
        REQUIRE(other.size() == 1);
        lines.clear();
        {
            const vulkan::CompilesAhead ahead;
            context->prepare(kernels[0].use);
        }
        context->prepare(other[0].use);
        context->prepare(kernels[0].use);
        REQUIRE(lines.size() == 2);
        CHECK(lines[0] ==
              "kernel " + vulkan::kernel_name(kernels[0].use) + " is new on this device, and compiled ahead");
        CHECK(lines[1] == "kernel " + vulkan::kernel_name(other[0].use) + " is new on this device");
    });
    remove_log_sink(sink);
}

TEST_CASE("words that name no fault are refused") {
    const Broken broken("softmax=noise");
    on_every_device([](Context& context) {
        const auto found = findings(context, "softmax", 1);
        REQUIRE(found.size() == 1);
        CHECK(found[0].text.find("vkCreateShaderModule") != std::string::npos);
    });
}

}  // namespace dragoman::test::check_test
