// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "serve/http/memory.h"

namespace memory_test {

using serve::http::Memory;
using serve::http::MemoryShare;

TEST_CASE("a share is in the sum once while it grows and shrinks") {
    Memory memory(1 << 20);
    std::atomic<bool> done{false};
    std::thread owner([&] {
        MemoryShare share(memory);
        for (int i = 0; i < 5'000'000; ++i) share.set(i % 2 ? 900'000 : 900'001);
        done = true;
    });
    bool full = false;
    while (!done) full = full || memory.is_full();
    owner.join();
    CHECK_FALSE(full);
    CHECK(memory.used() == 0);
}

TEST_CASE("a share gives back what it holds when it ends") {
    Memory memory(100);
    {
        MemoryShare one(memory), other(memory);
        one.set(60);
        other.set(40);
        CHECK(memory.is_full());
        one.set(0);
        CHECK(memory.used() == 40);
    }
    CHECK(memory.used() == 0);
}

}  // namespace memory_test
