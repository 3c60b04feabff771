// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <string>

#include "serve/guard/limits.h"

namespace limits_test {
using namespace serve::guard;
using namespace std::chrono_literals;

const LimitClock::time_point start = LimitClock::time_point(std::chrono::hours(1000));
std::vector<Window> a_minute(std::int64_t most) { return {{most, 60s, "minute"}}; }

TEST_CASE("as many as a window allows, then none until the wait is over") {
    Limits limits;
    for (int i = 0; i < 20; ++i) CHECK_FALSE(limits.take("a", a_minute(20), start + i * 1s));
    const auto exceeded = limits.take("a", a_minute(20), start + 20s);
    REQUIRE(exceeded);
    CHECK(exceeded->window.most == 20);
    CHECK(std::string(exceeded->window.name) == "minute");
    CHECK(exceeded->wait > 39s);  // the first one was 20 s ago
    CHECK(exceeded->wait <= 46s);
    CHECK(limits.take("a", a_minute(20), start + 20s + exceeded->wait - 1s));
    CHECK_FALSE(limits.take("a", a_minute(20), start + 20s + exceeded->wait));
    CHECK_FALSE(limits.take("b", a_minute(20), start + 20s));  // somebody else
}

TEST_CASE("no window of any place has more requests than the limit, and who keeps to the rate gets all of it") {
    std::mt19937 random(7);
    Limits limits;
    std::deque<LimitClock::time_point> taken;
    LimitClock::time_point now = start;
    std::size_t refusals = 0;
    for (int i = 0; i < 20'000; ++i) {
        now += std::chrono::milliseconds(random() % (random() % 8 == 0 ? 20'000 : 900));
        while (!taken.empty() && now - taken.front() >= 60s) taken.pop_front();
        const auto exceeded = limits.take("a", a_minute(30), now);
        if (exceeded) {
            ++refusals;
            continue;
        }
        taken.push_back(now);
        REQUIRE(taken.size() <= 30);
    }
    CHECK(refusals > 1000);
    for (int i = 0; i < 1000; ++i) REQUIRE_FALSE(limits.take("steady", a_minute(13), start + i * 5s));
}

TEST_CASE("a wait that was told is enough, at every place of the window") {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        Limits limits;
        LimitClock::time_point now = start + std::chrono::milliseconds(random() % 60'000);
        const std::int64_t most = 1 + random() % 9;
        std::optional<Exceeded> exceeded;
        while (!(exceeded = limits.take("a", a_minute(most), now))) now += std::chrono::milliseconds(random() % 4000);
        REQUIRE(exceeded->wait <= 66s);
        REQUIRE_FALSE(limits.take("a", a_minute(most), now + exceeded->wait));
    }
}

TEST_CASE("the longest of several waits is told, and a refused request counts nowhere") {
    Limits limits;
    const std::vector<Window> windows = {{2, 60s, "minute"}, {3, 3600s, "hour"}, {-1, 86400s, "day"}};
    CHECK_FALSE(limits.take("a", windows, start));
    CHECK_FALSE(limits.take("a", windows, start));
    for (int i = 0; i < 10; ++i) CHECK(std::string(limits.take("a", windows, start + 1s)->window.name) == "minute");
    CHECK_FALSE(limits.take("a", windows, start + 70s));
    const auto exceeded = limits.take("a", windows, start + 140s);
    REQUIRE(exceeded);
    CHECK(std::string(exceeded->window.name) == "hour");
    CHECK(exceeded->wait > 3400s);
    CHECK_FALSE(limits.take("a", windows, start + 140s + exceeded->wait));
}

TEST_CASE("a limit of nothing") {
    Limits limits;
    const auto exceeded = limits.take("a", a_minute(0), start);
    REQUIRE(exceeded);
    CHECK(exceeded->wait == 60s);
}

TEST_CASE("of too many askers, those that were quiet for longest are forgotten") {
    Limits limits(1000);
    CHECK_FALSE(limits.take("first", a_minute(1), start));
    for (int i = 0; i < 999; ++i) limits.take(std::to_string(i), a_minute(1), start);
    CHECK(limits.take("first", a_minute(1), start));  // asked again: is the newest now
    for (int i = 1000; i < 1500; ++i) limits.take(std::to_string(i), a_minute(1), start);
    CHECK(limits.askers() == 1000);
    CHECK(limits.take("first", a_minute(1), start));
    CHECK_FALSE(limits.take("0", a_minute(1), start));
    CHECK(limits.askers() == 1000);
}

TEST_CASE("twenty different wrong keys are guesses, one wrong key twenty times is not") {
    Guesses guesses;
    for (int i = 0; i < 100; ++i) guesses.wrong("a", "old key", start);
    CHECK_FALSE(guesses.blocked("a", start));
    for (int i = 0; i < 20; ++i) guesses.wrong("b", "guess " + std::to_string(i), start + i * 1s);
    REQUIRE(guesses.blocked("b", start + 20s));
    CHECK(*guesses.blocked("b", start + 20s) == 599s);
    CHECK_FALSE(guesses.blocked("a", start + 20s));
    CHECK_FALSE(guesses.blocked("b", start + 19s + 600s));
    for (int i = 0; i < 60; ++i) guesses.wrong("slow", std::to_string(i), start + i * 40s);  // 15 in ten minutes
    CHECK_FALSE(guesses.blocked("slow", start + 60 * 40s));
    for (int i = 0; i < 20'000; ++i) guesses.wrong("address " + std::to_string(i), "k", start);  // memory stays bounded
    CHECK_FALSE(guesses.blocked("address 1", start));
}

}  // namespace limits_test
