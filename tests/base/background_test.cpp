// SPDX-License-Identifier: Apache-2.0
#include "base/background.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace background_test {

using dragoman::Background;

TEST_CASE("work in the background runs in order, urgent work first and within what is long") {
    Background background;
    background.add(nullptr, [](const Background::Stop&) { FAIL("it was not started"); });
    background.start();
    CHECK(background.started());
    std::string done;
    std::atomic<bool> begun = false, go = false;
    background.add(nullptr, [&](const Background::Stop&) {
        begun = true;
        while (!go) std::this_thread::yield();
        done += 'a';
        background.do_urgent();
        done += 'b';
    });
    while (!begun) std::this_thread::yield();
    background.add(nullptr, [&](const Background::Stop&) { done += 'd'; });
    background.add_urgent(nullptr, [&](const Background::Stop&) { done += 'c'; });
    background.add_urgent(nullptr, [](const Background::Stop&) { throw std::runtime_error("the others go on"); });
    go = true;
    background.wait();
    CHECK(done == "acbd");
}

TEST_CASE("work of an owner that goes is dropped or ends") {
    Background background;
    background.start();
    const int one = 0, other = 0;
    std::atomic<int> begun = 0, ran = 0;
    background.add(&one, [&](const Background::Stop& stop) {
        ++begun;
        while (!stop) std::this_thread::yield();
        ++ran;
    });
    background.add(&one, [&](const Background::Stop&) { ran += 10; });
    background.add(&other, [&](const Background::Stop& stop) { ran += stop ? 1000 : 100; });
    while (begun == 0) std::this_thread::yield();
    background.forget(&one);
    background.wait();
    CHECK(ran == 101);
    background.forget(&one);  // nothing is left of it
}

TEST_CASE("stopping ends what runs and drops the rest") {
    std::atomic<int> ran = 0;
    {
        Background background;
        background.start();
        background.add(nullptr, [&](const Background::Stop& stop) {
            ++ran;
            while (!stop) std::this_thread::yield();
        });
        while (ran == 0) std::this_thread::yield();
        background.add(nullptr, [&](const Background::Stop&) { ++ran; });
        background.stop();
        CHECK(!background.started());
        background.add(nullptr, [&](const Background::Stop&) { ++ran; });
        background.wait();
    }
    CHECK(ran == 1);
}

}  // namespace background_test
