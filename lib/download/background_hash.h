// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace dragoman::download {

// Hashes of a file that is growing, on a thread of their own: the one that receives does not wait for them.
class BackgroundHash {
public:
    struct Sums {
        std::string sha256, git_sha1;  // git_sha1 "" where it was not wanted
    };
    // Begins with the first `there` bytes of the file. `git_bytes`: the size of the whole file, if git's hash of it as a
    // blob is wanted, which begins with that. `moved` is called on the other thread when there is room or all is done.
    BackgroundHash(std::filesystem::path file, uint64_t there, std::optional<uint64_t> git_bytes,
                   std::function<void()> moved);
    ~BackgroundHash();
    BackgroundHash(const BackgroundHash&) = delete;
    BackgroundHash& operator=(const BackgroundHash&) = delete;

    bool full();  // add() would take more memory than it should
    // Takes the block, and gives one that is empty for the next bytes.
    std::vector<std::byte> add(std::vector<std::byte> block);
    void end();  // there are no more blocks
    bool ended();  // all is hashed, or failed
    Sums sums();  // once ended; throws what failed

private:
    void run();
    void read(class Digest& sha256, class Digest* git);
    bool next(std::vector<std::byte>& block);

    const std::filesystem::path file_;
    const uint64_t there_;
    const std::optional<uint64_t> git_bytes_;
    const std::function<void()> moved_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::vector<std::byte>> waiting_;
    std::vector<std::vector<std::byte>> spare_;
    bool no_more_ = false, ended_ = false;
    std::atomic<bool> stop_ = false;
    Sums sums_;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace dragoman::download
