// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "download/lock.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace lock_test {
using namespace dragoman;
using namespace dragoman::test;

TEST_CASE("one thread at a time has it") {
    const TempDir folder;
    std::atomic<int> inside = 0, most = 0, waited = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 3; ++k) {
                const download::Lock lock(folder.path() / "lock", [&] { return ++waited > 0; });
                most = std::max(most.load(), ++inside);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                --inside;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(most == 1);
    CHECK(waited > 0);
}

TEST_CASE("giving up, and places without locks") {
    const TempDir folder;
    const download::Lock lock(folder.path() / "lock", {});
    check_refused(Status::cancelled, {"another process"},
                  [&] { const download::Lock other(folder.path() / "lock", [] { return false; }); });
    check_refused(Status::io_error, {"cannot lock", "none"},
                  [&] { const download::Lock other(folder.path() / "none" / "lock", {}); });
}

}  // namespace lock_test
