// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace serve::http {

// Bytes that all clients hold: heads, bodies and unsent answers in memory, or bodies in files. Any thread.
class Memory {
public:
    explicit Memory(std::uint64_t most) : most_(most) {}
    std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
    std::uint64_t most() const { return most_; }
    bool is_full() const { return used() >= most_; }
    void add(std::uint64_t bytes) { used_.fetch_add(bytes, std::memory_order_relaxed); }
    void take_away(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

private:
    std::uint64_t most_;
    std::atomic<std::uint64_t> used_{0};
};

// What one owner holds of it; given back with the object.
class MemoryShare {
public:
    explicit MemoryShare(Memory& memory) : memory_(memory) {}
    ~MemoryShare() { memory_.take_away(bytes_); }
    MemoryShare(const MemoryShare&) = delete;
    MemoryShare& operator=(const MemoryShare&) = delete;
    std::uint64_t bytes() const { return bytes_; }
    void set(std::uint64_t bytes) {
        // In one step: a reader never sees the old and the new bytes together.
        if (bytes >= bytes_) memory_.add(bytes - bytes_);
        else memory_.take_away(bytes_ - bytes);
        bytes_ = bytes;
    }

private:
    Memory& memory_;
    std::uint64_t bytes_ = 0;
};

}  // namespace serve::http
