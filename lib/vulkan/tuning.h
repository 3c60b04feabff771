// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace dragoman::vulkan {

// Choices that were measured on a device, kept in a file next to its pipeline cache. A key names everything that was
// measured, including the code, so that another build measures again. Safe from any thread.
class Tuning {
public:
    // An empty path means no file. A broken file is ignored.
    explicit Tuning(std::filesystem::path path);

    std::optional<uint32_t> find(const std::string& key) const;
    void set(const std::string& key, uint32_t choice);
    bool empty() const;
    void take(const Tuning& other);  // all that the other knows
    void save() noexcept;  // saves new choices; a failure is only logged

    // While one lives on a thread, choices made on that thread are drafts: nobody else finds them before it ends, so
    // that the kernels they need can be compiled first. One at a time.
    class Draft {
    public:
        explicit Draft(Tuning& tuning);
        ~Draft();  // publishes the drafts
        Draft(const Draft&) = delete;

    private:
        Tuning& tuning_;
    };

private:
    bool drafting() const;

    const std::filesystem::path path_;
    mutable std::mutex mutex_;
    std::map<std::string, uint32_t> choices_, drafts_;
    bool changed_ = false;
};

}  // namespace dragoman::vulkan
