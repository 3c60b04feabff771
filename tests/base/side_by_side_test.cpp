// SPDX-License-Identifier: Apache-2.0
#include "base/side_by_side.h"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <set>
#include <thread>
#include <vector>

#include "base/error.h"
#include "support/refused.h"

namespace side_by_side_test {
using namespace dragoman;

TEST_CASE("each number has a thread, the first one the caller's, and all are waited for") {
    for (const std::size_t count : {0u, 1u, 2u, 5u}) {
        CAPTURE(count);
        std::vector<std::thread::id> threads(count);
        std::barrier together{std::ptrdiff_t(count)};
        side_by_side("test", count, [&](std::size_t number) {
            together.arrive_and_wait();  // none would come here if they ran one after the other
            threads[number] = std::this_thread::get_id();
        });
        CHECK(std::set(threads.begin(), threads.end()).size() == count);
        if (count > 0) CHECK(threads[0] == std::this_thread::get_id());
    }
}

TEST_CASE("the failure of the smallest number is thrown, when all have ended") {
    std::atomic<int> ended = 0;
    test::check_refused(Status::unsupported, {"number 1"}, [&] {
        side_by_side("test", 4, [&](std::size_t number) {
            if (number == 1 || number == 3) {
                if (number == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
                ++ended;
                fail(number == 1 ? Status::unsupported : Status::io_error, "number {}", number);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(40));
            ++ended;
        });
    });
    CHECK(ended == 4);
}

}  // namespace side_by_side_test
