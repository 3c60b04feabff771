// SPDX-License-Identifier: Apache-2.0
#include "download/background_hash.h"

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/os/path_text.h"
#include "base/start_thread.h"
#include "download/digest.h"

namespace dragoman::download {
namespace {

constexpr std::size_t kMostWaiting = 8;
constexpr uint64_t kReadAtOnce = 1 << 18;

}  // namespace

BackgroundHash::BackgroundHash(std::filesystem::path file, uint64_t there, std::optional<uint64_t> git_bytes,
                               std::function<void()> moved)
    : file_(std::move(file)), there_(there), git_bytes_(git_bytes), moved_(std::move(moved)) {
    thread_ = start_thread("the checksum of a download", [this] { run(); });
}

BackgroundHash::~BackgroundHash() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

bool BackgroundHash::full() {
    const std::lock_guard lock(mutex_);
    return waiting_.size() >= kMostWaiting;
}

std::vector<std::byte> BackgroundHash::add(std::vector<std::byte> block) {
    std::vector<std::byte> empty;
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(block));
        if (!spare_.empty()) {
            empty = std::move(spare_.back());
            spare_.pop_back();
        }
    }
    changed_.notify_all();
    return empty;
}

void BackgroundHash::end() {
    {
        const std::lock_guard lock(mutex_);
        no_more_ = true;
    }
    changed_.notify_all();
}

bool BackgroundHash::ended() {
    const std::lock_guard lock(mutex_);
    return ended_;
}

BackgroundHash::Sums BackgroundHash::sums() {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    return sums_;
}

// Gives back the block that was done and waits for the next one; false: there are no more.
bool BackgroundHash::next(std::vector<std::byte>& block) {
    std::unique_lock lock(mutex_);
    if (block.capacity() > 0) {
        block.clear();
        spare_.push_back(std::move(block));
    }
    changed_.wait(lock, [this] { return stop_ || no_more_ || !waiting_.empty(); });
    if (stop_ || waiting_.empty()) return false;
    block = std::move(waiting_.front());
    waiting_.pop_front();
    return true;
}

void BackgroundHash::read(Digest& sha256, Digest* git) {
    std::ifstream in(file_, std::ios::binary);
    std::vector<std::byte> block(std::min(kReadAtOnce, there_));
    for (uint64_t left = there_; left > 0 && !stop_;) {
        const auto some = std::min<uint64_t>(left, block.size());
        if (!in.read(reinterpret_cast<char*>(block.data()), std::streamsize(some)))
            fail(Status::io_error, "cannot read {}, which had {} bytes", text_of(file_), there_);
        const std::span bytes = std::span(block).first(some);
        sha256.add(bytes);
        if (git) git->add(bytes);
        left -= some;
    }
}

void BackgroundHash::run() {
    try {
        Digest sha256(EVP_sha256());
        std::optional<Digest> git;
        if (git_bytes_) {
            git.emplace(EVP_sha1());
            const std::string head = fmt::format("blob {}", *git_bytes_);
            git->add(std::as_bytes(std::span(head.c_str(), head.size() + 1)));  // with its zero
        }
        read(sha256, git ? &*git : nullptr);
        for (std::vector<std::byte> block; next(block);) {
            sha256.add(block);
            if (git) git->add(block);
            moved_();
        }
        const std::lock_guard lock(mutex_);
        sums_.sha256 = sha256.hex();
        if (git) sums_.git_sha1 = git->hex();
        ended_ = true;
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        waiting_.clear();
        ended_ = true;
    }
    moved_();
}

}  // namespace dragoman::download
