// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/os/environment.h"
#include "base/os/terminal.h"
#include "commands.h"

namespace cli {
namespace {

using Found = nlohmann::ordered_json;

// One line for the variants of a kernel: how many are wrong, and how far the results are off at most.
void print_check(const Found& report) {
    const Found& device = report["device"];
    fmt::print("{}, {}\n\n", device["name"].get<std::string>(), device["driver"].get<std::string>());
    struct Line {
        std::size_t checked = 0, wrong = 0;
        double difference = 0;
    };
    std::map<std::string, Line> lines;
    for (const Found& kernel : report["kernels"]) {
        Line& line = lines[kernel["kernel"]];
        const bool wrong = kernel["result"] == "wrong";
        line.checked += kernel["result"] != "skipped";
        line.wrong += wrong;
        if (!wrong && kernel["difference"].is_number())
            line.difference = std::max(line.difference, kernel["difference"].get<double>());
    }
    fmt::print("{:<42} {:>8} {:>6} {:>20}\n", "kernel", "variants", "wrong", "of what is allowed");
    for (const auto& [name, line] : lines)
        fmt::print("{:<42} {:>8} {:>6} {:>19.1f}%\n", name, line.checked, line.wrong, 100 * line.difference);
    fmt::print("\n{} right, {} wrong, {} skipped, {:.1f} seconds\n", report["right"].get<int>(),
               report["wrong"].get<int>(), report["skipped"].get<int>(), report["seconds"].get<double>());
    for (const Found& kernel : report["kernels"]) {
        if (!kernel.contains("text")) continue;
        fmt::print("{}: {} {}: {}\n", kernel["result"].get<std::string>(), kernel["kernel"].get<std::string>(),
                   kernel["constants"].dump(), kernel["text"].get<std::string>());
    }
}

// How many kernels are done, on a terminal and while it lasts: drivers may take half a second for each.
class KernelsDone {
public:
    KernelsDone() {
        if (!dragoman::os::is_terminal(stderr)) return;
        logger_.emplace(
            [](int32_t, const char* line) {
                if (std::string_view(line).ends_with(" kernels are checked")) fmt::print(stderr, "\r\033[K{}", line);
            },
            DRAGOMAN_LOG_DEBUG);
    }
    ~KernelsDone() {
        if (logger_) fmt::print(stderr, "\r\033[K");
    }
    KernelsDone(const KernelsDone&) = delete;

private:
    std::optional<dragoman::Logger> logger_;
};

}  // namespace

bool check_kernels(Machine& machine, bool json) {
    if (machine.device.empty() && dragoman::os::environment("DRAGOMAN_DEVICE").empty()) machine.device = "all";
    const dragoman::Device device(machine.where());
    const dragoman::Report checked = [&] {
        const KernelsDone done;
        return dragoman::check_kernels(device);
    }();
    const Found report = Found::parse(checked.json());
    const Found others = report.value("others", Found::array());
    bool right = report["wrong"] == 0;
    for (const Found& other : others) right = other["wrong"] == 0 && right;
    if (json) {
        fmt::print("{}\n", report.dump(2));
        return right;
    }
    print_check(report);
    for (const Found& other : others) {
        fmt::print("\n");
        print_check(other);
    }
    return right;
}

}  // namespace cli
