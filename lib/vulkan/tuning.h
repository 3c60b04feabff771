// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace dragoman::vulkan {

// Choices that were measured on a device, in a file beside its pipeline cache. Keys say what was measured, the code
// included, so that another build measures anew. Safe from any thread.
class Tuning {
public:
    // An empty path: no file. One that is broken is ignored.
    explicit Tuning(std::filesystem::path path);

    std::optional<uint32_t> find(const std::string& key) const;
    void set(const std::string& key, uint32_t choice);
    bool empty() const;
    void save() noexcept;  // what is new; a failure is logged only

    // While one lives on a thread, choices made there are drafts: nobody else finds them before it ends, so that what
    // they need can be compiled first. One at a time.
    class Draft {
    public:
        explicit Draft(Tuning& tuning);
        ~Draft();  // publishes
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
