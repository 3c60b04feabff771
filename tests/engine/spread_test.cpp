// SPDX-License-Identifier: Apache-2.0
// Several devices together give what one gives, also when some of them are lost on the way.
#include <algorithm>
#include <set>
#include <thread>

#include "engine/search_run.h"

namespace spread_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchOutput;
using Kind = test::SearchKind;
using Run = test::SearchRun;
using test::options_of;
using test::some_inputs;

namespace {

// The same network on logical devices, all on the first physical one.
struct Fixture {
    explicit Fixture(std::size_t count, const std::vector<uint32_t>& overflowing = {}) {
        std::string names = "0";
        for (std::size_t i = 1; i < count; ++i) names += ",0";
        device = engine::Device::open({.device = names});
        CHECK(device->others().size() == count - 1);
        std::vector<std::shared_ptr<const engine::Model>> models;
        const auto load = [&](const std::shared_ptr<engine::Device>& on) {
            auto network = std::make_unique<test::FragileModel>(on->shared_context(), test::kVocabulary, 3);
            if (!overflowing.empty()) network->overflow_after(overflowing);
            networks.push_back(network.get());
            models.push_back(std::make_shared<const engine::Model>(on, std::move(network), DType::f32));
        };
        load(device);
        for (const auto& other : device->others()) load(other);
        replicas = std::make_shared<const engine::Replicas>(std::move(models));
    }
    void hold(bool held) {
        for (test::FragileModel* network : networks) held ? network->hold() : network->let_go();
    }
    // How many devices have had sentences.
    std::size_t took_part() const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < replicas->count(); ++i) count += replicas->at(i).model->stats().batches > 0;
        return count;
    }
    std::shared_ptr<engine::Device> device;
    std::vector<test::FragileModel*> networks;
    std::shared_ptr<const engine::Replicas> replicas;
};

std::map<std::size_t, SearchOutput> on_one_device(const std::vector<SearchInput>& inputs, Kind kind) {
    const Fixture one(1);
    Run run(one.replicas, options_of(kind));
    run.search.add(inputs, true);
    run.finish();
    CHECK(run.status() == Status::ok);
    return std::move(run.outputs);
}

}  // namespace

TEST_CASE("several devices take part, and the outputs are those of one") {
    const auto inputs = some_inputs(120);
    for (const Kind kind : {Kind::plain, Kind::alternatives, Kind::samples}) {
        CAPTURE(int(kind));
        const auto expected = on_one_device(inputs, kind);
        for (const std::size_t devices : {2u, 3u}) {
            Fixture several(devices);
            Run run(several.replicas, options_of(kind));
            several.hold(true);  // so that the first one cannot do it all before the others begin
            CHECK(run.search.add({inputs.begin(), inputs.begin() + 50}) == 0);
            several.hold(false);
            CHECK(run.search.add({inputs.begin() + 50, inputs.end()}, true) == 50);
            run.finish();
            CHECK(run.status() == Status::ok);
            CHECK(several.took_part() == devices);
            test::check_same(run.outputs, expected);
        }
    }
}

TEST_CASE("what overflows is searched again on any of them") {
    const auto inputs = some_inputs(60);
    const auto expected = on_one_device(inputs, Kind::plain);
    const Fixture narrow(2, {5, 11, 17});
    Run run(narrow.replicas, options_of(Kind::plain));
    run.search.add(inputs, true);
    run.finish();
    CHECK(run.status() == Status::ok);
    CHECK(narrow.replicas->stats().overflowed > 0);
    test::check_same(run.outputs, expected);
}

TEST_CASE("the sentences of a lost device go to the others") {
    const auto inputs = some_inputs(120);
    for (const Kind kind : {Kind::plain, Kind::alternatives, Kind::samples}) {
        CAPTURE(int(kind));
        const auto expected = on_one_device(inputs, kind);
        for (const std::size_t before : {0u, 1u, 30u, 100u}) {
            CAPTURE(before);
            Fixture several(3);
            Run run(several.replicas, options_of(kind));
            if (before == 0) several.networks[1]->lost = true;
            run.search.add(inputs, true);
            run.handle_until([&] { return run.search.finished() >= before; });
            several.networks[1]->lost = true;
            several.networks[2]->lost = before == 30;
            run.finish();
            CHECK(run.status() == Status::ok);
            test::check_same(run.outputs, expected);
            if (before <= 1) CHECK(several.replicas->lost(1));
            CHECK(!several.replicas->lost(0));

            Run later(several.replicas, options_of(kind));
            later.search.add(inputs, true);
            later.finish();
            CHECK(later.status() == Status::ok);
            test::check_same(later.outputs, expected);
        }
    }
}

TEST_CASE("a search fails once all devices are lost, and a new one at once") {
    Fixture several(3);
    Run run(several.replicas, options_of(Kind::plain));
    for (test::FragileModel* network : several.networks) network->lost = true;
    run.search.add(some_inputs(40), true);
    run.finish();
    CHECK(run.status() == Status::device_lost);
    Run next(several.replicas, options_of(Kind::plain));
    next.search.add(some_inputs(2), true);
    next.finish();
    CHECK(next.status() == Status::device_lost);
}

TEST_CASE("a device that is lost between two portions ends nothing") {
    Fixture several(2);
    const auto inputs = some_inputs(30);
    Run run(several.replicas, options_of(Kind::plain)), other(several.replicas, options_of(Kind::plain));
    run.search.add({inputs.begin(), inputs.begin() + 10});
    run.handle_until([&] { return run.search.finished() == 10; });
    several.networks[0]->lost = true;
    other.search.add(some_inputs(20), true);  // notices
    other.finish();
    CHECK(other.status() == Status::ok);
    run.search.add({inputs.begin() + 10, inputs.end()}, true);
    run.finish();
    CHECK(run.status() == Status::ok);
    test::check_same(run.outputs, on_one_device(inputs, Kind::plain));
}

TEST_CASE("a search on several devices ends without inputs, and when it is cancelled from another thread") {
    Fixture several(3);
    {
        Run empty(several.replicas, options_of(Kind::plain));
        empty.search.close();
        empty.finish();
        CHECK(empty.status() == Status::ok);
    }
    Run run(several.replicas, options_of(Kind::plain));
    several.hold(true);
    run.search.add(some_inputs(500), true);
    std::thread([&] { run.search.cancel(); }).join();
    several.hold(false);
    run.finish();
    CHECK(run.status() == Status::cancelled);
    {
        Run left(several.replicas, options_of(Kind::alternatives));
        left.search.add(some_inputs(500), true);
    }
    Run next(several.replicas, options_of(Kind::plain));
    next.search.add(some_inputs(5), true);
    next.finish();
    CHECK(next.outputs.size() == 5);
}

TEST_CASE("sentences go to the device that will be free first") {
    const Fixture several(2);
    const engine::Replicas& replicas = *several.replicas;
    CHECK(replicas.done_after(0, 10) == replicas.done_after(1, 10));
    replicas.begin(0, 100);
    CHECK(replicas.done_after(0, 10) > replicas.done_after(1, 10));
    replicas.begin(1, 120);
    std::this_thread::sleep_for(std::chrono::milliseconds(120));  // both have been busy that long
    replicas.end(0, 100, true);
    replicas.end(1, 30, true);
    replicas.begin(0, 90);
    // As much to do, but the first has shown that it is faster.
    CHECK(replicas.done_after(0, 10) < replicas.done_after(1, 10));
    replicas.end(0, 90, false);
    replicas.end(1, 90, false);
}

}  // namespace spread_test
