// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace serve::api {

// An import or export of a translation memory.
struct DeeplJob {
    std::string id, secret, owner;  // the secret stands in the address for the file, which needs no key
    std::string operation;          // "import", "export"
    std::string status;             // "awaiting_input", "processing", "completed", "failed"
    std::string error;              // of a failed one
    std::string file_name, content_type, display_name;  // of an import
    std::uint64_t content_length = 0;
    std::string memory;             // that is exported, or was made
    std::chrono::system_clock::time_point created, updated, expires;
    std::uint64_t number = 0;       // by which they came
};

// Jobs of an hour. An owner with a key has a quarter of their places. Where there is no place, the oldest one that waits
// for its file is forgotten: the owner's, or, where the owner has places left, one of whoever has most. Any thread.
class DeeplJobs {
public:
    explicit DeeplJobs(std::size_t most = 1000) : most_(most) {}
    DeeplJob add(DeeplJob job);  // fills in id, secret and times; throws Problem where there is no place
    DeeplJob get(const std::string& owner, const std::string& id);
    DeeplJob open(const std::string& id, const std::string& secret);
    // Goes from one state to another; throws Problem where the job is in none of that kind.
    DeeplJob change(const std::string& id, const std::string& from, const std::function<void(DeeplJob&)>& change);
    std::optional<DeeplJob> finished_export(const std::string& owner, const std::string& memory);

private:
    void forget_old();
    void make_room(const std::string& owner);
    DeeplJob& find(const std::string& id);
    const std::size_t most_;
    std::mutex mutex_;
    std::map<std::string, DeeplJob> jobs_;
    std::uint64_t count_ = 0;
};

}  // namespace serve::api
