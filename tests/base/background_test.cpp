// SPDX-License-Identifier: Apache-2.0
#include "base/background.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "support/again.h"

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

TEST_CASE("two threads may stop it at the same time") {
    for (int i = 0; i < 200; ++i) {
        Background background;
        background.start();
        std::atomic<bool> ran = false;
        background.add(nullptr, [&](const Background::Stop& stop) {
            ran = true;
            while (!stop) std::this_thread::yield();
        });
        while (!ran) std::this_thread::yield();
        std::thread other([&] { background.stop(); });
        background.stop();
        CHECK(!background.started());
        other.join();
    }
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

// A driver whose compiler was loaded late, with an exit handler that takes down what its threads use. The handler gives
// work that still runs the time to see it.
namespace driver {

std::atomic<bool> at_work = false, gone = false;

void load_compiler() {
    std::atexit([] {
        gone = true;
        while (at_work) std::this_thread::yield();
    });
}

void compile(const Background::Stop& stop) {
    at_work = true;
    while (!stop)
        if (gone) std::abort();
    at_work = false;
}

// Work of a program that ends without closing anything.
Background& left_open() {
    static Background& background = *new Background;
    background.start();
    return background;
}

}  // namespace driver

TEST_CASE("child: the compiler comes with an earlier piece" * doctest::skip()) {
    Background& background = driver::left_open();
    background.add(nullptr, [](const Background::Stop&) { driver::load_compiler(); });
    background.add(nullptr, driver::compile);
    while (!driver::at_work) std::this_thread::yield();
}

TEST_CASE("child: the compiler comes with the piece that uses it" * doctest::skip()) {
    driver::left_open().add(nullptr, [](const Background::Stop& stop) {
        driver::load_compiler();
        driver::compile(stop);
    });
    while (!driver::at_work) std::this_thread::yield();
}

TEST_CASE("child: another thread ends the program" * doctest::skip()) {
    Background& background = driver::left_open();
    background.add(nullptr, [](const Background::Stop&) { driver::load_compiler(); });
    background.add(nullptr, [](const Background::Stop&) { driver::load_compiler(); });
    background.add(nullptr, driver::compile);
    while (!driver::at_work) std::this_thread::yield();
    std::thread([] { std::exit(EXIT_SUCCESS); }).join();
}

TEST_CASE("child: more pieces than register the handler" * doctest::skip()) {
    Background& background = driver::left_open();
    for (int i = 0; i < 1000; ++i) background.add(nullptr, [](const Background::Stop&) {});
    background.wait();
    driver::load_compiler();
    background.add(nullptr, driver::compile);
    while (!driver::at_work) std::this_thread::yield();
}

TEST_CASE("child: a thread that ends leaves the work of others" * doctest::skip()) {
    std::thread([] { driver::left_open(); }).join();
    std::atomic<bool> done = false;
    driver::left_open().add(nullptr, [&](const Background::Stop&) { done = true; });
    driver::left_open().wait();
    CHECK(done);
}

TEST_CASE("when a program ends, work ends before what a driver loaded meanwhile is taken down") {
    for (const std::string name :
         {"child: the compiler comes with an earlier piece", "child: the compiler comes with the piece that uses it",
          "child: another thread ends the program", "child: more pieces than register the handler",
          "child: a thread that ends leaves the work of others"}) {
        CAPTURE(name);
        CHECK(dragoman::test::passes_in_child("", name));
    }
}

}  // namespace background_test
