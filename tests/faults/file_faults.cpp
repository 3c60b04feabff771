// SPDX-License-Identifier: Apache-2.0
// Makes every call on files fail once, in each way that it may, in operations that read and write them. Whatever fails:
// the error is one of Dragoman's and names the file, or what was read is right all the same; nothing half written is
// left; and the next run works. Prints a row for each operation; tests/faults/results.md has them.
//   file_faults         every seventh call, and fewer of what reads in hundreds of parts
//   file_faults --all   every call
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "file_operations.h"
#include "file_shim.h"
#include "support/temp_dir.h"

namespace dragoman::faults {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kStride = 7, kFirstCalls = 4, kStrikes = 64, kMostCalls = 100'000;

struct Kind {
    Fault fault;
    const char* name;
    bool seen;  // whether an operation may fail of it
};
constexpr Kind kKinds[] = {{Fault::io, "EIO", true},         {Fault::full, "ENOSPC", true},
                           {Fault::full_from, "full", true}, {Fault::interrupted, "EINTR", false},
                           {Fault::part, "part", false},     {Fault::end, "cut", true}};

struct Row {
    uint64_t calls = 0, faults = 0, refused = 0, wrong = 0;
};

// The files of a folder, and their sizes.
std::map<std::string, uint64_t> files_in(const fs::path& folder) {
    std::map<std::string, uint64_t> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder).string();
        const bool log = name.ends_with("-wal") || name.ends_with("-shm") || name.ends_with("-journal");
        if (!log && entry.is_regular_file()) files.emplace(name, entry.file_size());
    }
    return files;
}

class Check {
public:
    Check(const Operation& operation, const Kind& kind) : operation_(operation), kind_(kind) {}

    // Returns false when there are no more calls.
    bool strike(uint64_t before, Row& row) {
        const test::TempDir folder;
        if (operation_.prepare) operation_.prepare(folder.path());
        const auto old = files_in(folder.path());
        std::string found, error, what;
        bool struck = false, strange = false;
        {
            const Striking striking(folder.path().string(), kind_.fault, before);
            try {
                found = operation_.run(folder.path());
            } catch (const Error& refused) {
                error = refused.what();
            } catch (const std::exception& other) {
                error = other.what();
                strange = true;
            }
            struck = striking.struck();
            what = striking.what();
        }
        const auto wrong = [&](std::string_view why) {
            ++row.wrong;
            fmt::print(stderr, "{}: {} at call {} ({}): {}\n", operation_.name, kind_.name, before, what, why);
        };
        if (!struck && !error.empty()) wrong("fails without a fault: " + error);
        if (!struck) return false;
        ++row.faults;
        row.refused += !error.empty();
        if (strange) wrong("another exception: " + error);
        if (!error.empty() && error.find(folder.path().filename().string()) == std::string::npos)
            wrong("the error names no file: " + error);
        if (!error.empty() && (operation_.quiet || !kind_.seen)) wrong("fails: " + error);
        if (error.empty() && found != expected_) wrong(fmt::format("expected {}, got {}", expected_, found));
        for (const auto& [name, size] : files_in(folder.path())) {
            const auto earlier = old.find(name);
            const auto made = std::as_const(made_).find(name);
            if (earlier == old.end() && made == made_.cend()) wrong("left behind: " + name);
            const bool is_old = earlier != old.end() && earlier->second == size;
            const bool is_new = made != made_.cend() && made->second == size;
            const bool whole = error.empty() && !operation_.quiet ? is_new : is_old || is_new;
            if (!operation_.grows && !whole) wrong(fmt::format("half written: {} of {} bytes", name, size));
        }
        try {
            if (const std::string again = operation_.run(folder.path()); again != expected_)
                wrong(fmt::format("afterwards expected {}, got {}", expected_, again));
        } catch (const std::exception& other) {
            wrong(std::string("afterwards: ") + other.what());
        }
        return true;
    }

    void learn() {
        const test::TempDir folder;
        if (operation_.prepare) operation_.prepare(folder.path());
        const Striking none(folder.path().string(), kind_.fault, kMostCalls);  // counts
        expected_ = operation_.run(folder.path());
        calls_ = none.calls();
        made_ = files_in(folder.path());
    }
    uint64_t calls() const { return calls_; }  // that may fail in this way

private:
    const Operation& operation_;
    const Kind& kind_;
    std::string expected_;
    std::map<std::string, uint64_t> made_;
    uint64_t calls_ = 0;
};

Row test(const Operation& operation, bool all) {
    Row row;
    for (const Kind& kind : kKinds) {
        Check check(operation, kind);
        check.learn();
        const uint64_t stride = all ? 1 : std::max(kStride, check.calls() / kStrikes);
        uint64_t before = 0;
        while (before < kMostCalls && check.strike(before, row)) {
            ++row.calls;
            before += before < kFirstCalls ? 1 : stride;
        }
    }
    return row;
}

int run(bool all) {
    set_log_sink([](LogLevel, std::string_view) {}, LogLevel::warning);  // refusals are told; they are expected here
    uint64_t wrong = 0;
    fmt::print("| operation | faults | refused | went on | wrong |\n|---|---|---|---|---|\n");
    for (const auto& operations : {reading_operations(), writing_operations()})
        for (const Operation& operation : operations) {
            const Row row = test(operation, all);
            fmt::print("| {} | {} | {} | {} | {} |\n", operation.name, row.faults, row.refused,
                       row.faults - row.refused, row.wrong);
            wrong += row.wrong + (row.faults == 0);
        }
    return wrong > 0;
}

}  // namespace
}  // namespace dragoman::faults

int main(int count, char** arguments) {
    return dragoman::faults::run(count > 1 && std::string_view(arguments[1]) == "--all");
}
