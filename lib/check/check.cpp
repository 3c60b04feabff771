// SPDX-License-Identifier: Apache-2.0
#include "check/check.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "check/compilers.h"
#include "check/kernel_check.h"
#include "spv.h"
#include "vulkan/shader_needs.h"

namespace dragoman::check {
namespace {

using vulkan::CheckResult;

Run run_of(const vulkan::Shader& shader) {
    for (const auto rows : {product_rows(), int8_rows(), attention_rows(), vector_rows(), search_rows(),
                            recurrence_rows(), cell_rows(), step_rows()})
        for (const Row& row : rows)
            if (row.shader == &shader) return row.run;
    return nullptr;
}

void judge(Finding& finding, const Difference& difference) {
    finding.difference = difference;
    finding.result = difference.wrong ? CheckResult::wrong : CheckResult::right;
    if (difference.wrong)
        finding.text = fmt::format("{} values are wrong, the worst in row {}, column {}: {}, expected {}",
                                   difference.wrong, difference.row, difference.column, difference.got,
                                   difference.expected);
}

const char* name(CheckResult result) {
    switch (result) {
        case CheckResult::right: return "right";
        case CheckResult::wrong: return "wrong";
        case CheckResult::unknown: break;
    }
    return "skipped";
}

// All usual ones, or those of the shaders that DRAGOMAN_CHECK_ONLY names.
std::vector<Use> kernels_to_check(vulkan::Context& context) {
    std::vector<Use> kernels = usual_kernels(context);
    std::istringstream list(environment("DRAGOMAN_CHECK_ONLY"));
    std::set<std::string, std::less<>> wanted;
    for (std::string name; std::getline(list, name, ',');) {
        const auto is_named = [&](const vulkan::Shader* shader) { return shader->name == name; };
        if (std::ranges::none_of(spv::all, is_named))
            fail(Status::invalid_argument, "DRAGOMAN_CHECK_ONLY: expected names of kernels, got \"{}\"", name);
        wanted.insert(name);
    }
    if (!wanted.empty())
        std::erase_if(kernels, [&](const Use& use) { return !wanted.contains(std::string_view(use.shader->name)); });
    return kernels;
}

}  // namespace

bool has_check(const vulkan::Shader& shader) { return run_of(shader) != nullptr; }

Finding check_kernel(vulkan::Context& context, const Use& use) {
    Finding finding{.use = use, .result = CheckResult::unknown, .difference = {}, .text = {}, .seconds = 0};
    const Run run = run_of(*use.shader);
    if (!run) return finding;
    const auto start = std::chrono::steady_clock::now();
    try {
        Case c(context);
        run(c, use);
        judge(finding, c.difference());
    } catch (const Error& error) {
        if (error.status() == Status::device_lost) throw;
        // A kernel that the driver does not compile is as bad as one it compiles wrongly; but memory may be there
        // later.
        finding.result = error.status() == Status::out_of_memory ? CheckResult::unknown : CheckResult::wrong;
        finding.text = error.what();
    }
    finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return finding;
}

void watch(vulkan::Context& context) {
    context.check_results().start([](vulkan::Context& on, const vulkan::KernelUse& use) -> vulkan::KernelFinding {
        const Finding found = check_kernel(on, {use.shader, use.key, {use.constants.begin(), use.constants.end()}});
        return {found.result, found.text};
    });
}

uint32_t Report::count(CheckResult result) const {
    return uint32_t(std::ranges::count(findings, result, &Finding::result));
}

Report check_device(vulkan::Context& context) {
    const auto start = std::chrono::steady_clock::now();
    Report report{.device = context.caps(), .findings = {}, .seconds = 0};
    const std::vector<Use> kernels = kernels_to_check(context);
    const Compilers ahead(context, kernels);
    for (const Use& use : kernels) {
        report.findings.push_back(check_kernel(context, use));
        context.check_results().remember(use, report.findings.back().result);
        // tools/cli/check.cpp shows it
        log(LogLevel::debug, "{} of {} kernels are checked", report.findings.size(), kernels.size());
    }
    context.check_results().save();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Report& report) {
    const vulkan::Caps& caps = report.device;
    Json json;
    json["device"] = {{"name", caps.name},
                      {"driver", caps.driver},
                      {"vendor_id", caps.vendor_id},
                      {"device_id", caps.device_id},
                      {"driver_version", caps.driver_version},
                      {"api_version", caps.api_version},
                      {"subgroup_size", caps.subgroup_size}};
    json["right"] = report.count(CheckResult::right);
    json["wrong"] = report.count(CheckResult::wrong);
    json["skipped"] = report.count(CheckResult::unknown);
    json["seconds"] = report.seconds;
    json["kernels"] = Json::array();
    for (const Finding& finding : report.findings) {
        Json kernel;
        kernel["kernel"] = vulkan::variant_name(*finding.use.shader, finding.use.key);
        kernel["constants"] = finding.use.constants;
        kernel["result"] = name(finding.result);
        // The difference of the value that is furthest off, relative to what rounding explains.
        kernel["difference"] = finding.difference.share;
        if (!finding.text.empty()) kernel["text"] = finding.text;
        kernel["seconds"] = finding.seconds;
        json["kernels"].push_back(std::move(kernel));
    }
    return json;
}

}  // namespace

std::string to_json(std::span<const Report> reports) {
    Json json = json_of(reports.front());
    for (const Report& other : reports.subspan(1)) json["others"].push_back(json_of(other));
    return json.dump();
}

}  // namespace dragoman::check
