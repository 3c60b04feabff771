// SPDX-License-Identifier: Apache-2.0
// A lost device is opened again once, and nobody sees anything of it but time.
#include <algorithm>
#include <latch>
#include <optional>
#include <thread>

#include "engine/search_run.h"
#include "support/environment.h"
#include "support/lose_device.h"
#include "vulkan/reopen.h"

namespace reopen_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchOutput;
using engine::OpenDevice;
using engine::Replicas;
using Kind = test::SearchKind;
using Run = test::SearchRun;
using test::some_inputs;

namespace {

// A network on logical devices, all on the first physical one, which can be loaded again.
struct Fixture {
    explicit Fixture(std::size_t count = 1, std::shared_ptr<engine::Device> on = {}) : device(std::move(on)) {
        std::string names = "0";
        for (std::size_t i = 1; i < count; ++i) names += ",0";
        if (!device) device = engine::Device::open({.device = names});
        std::vector<Replicas::Member> members;
        for (std::size_t i = 0; i < count; ++i) members.push_back(load(i, member(i), member(i)->current()));
        loads = 0;
        replicas = std::make_shared<const Replicas>(std::move(members),
                                                    [this](std::size_t i, const auto& to, const auto& open) {
                                                        if (before_load) before_load();
                                                        return load(i, to, open);
                                                    });
    }
    std::shared_ptr<engine::Device> member(std::size_t i) const { return i == 0 ? device : device->others()[i - 1]; }
    Replicas::Member load(std::size_t i, const std::shared_ptr<engine::Device>& to,
                          const std::shared_ptr<OpenDevice>& open) {
        ++loads;
        auto network = std::make_unique<test::FragileModel>(open->shared_context(), test::kVocabulary, 3);
        networks.resize(std::max(networks.size(), i + 1));
        networks[i] = network.get();
        return {std::make_shared<const engine::Model>(to, std::move(network), DType::f32)};
    }
    std::size_t took_part() const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < replicas->count(); ++i)
            if (const auto model = replicas->at(i).model) count += model->stats().batches > 0;
        return count;
    }

    std::function<void()> before_load;
    std::atomic<int> loads = 0;
    std::shared_ptr<engine::Device> device;
    std::vector<test::FragileModel*> networks;
    std::shared_ptr<const Replicas> replicas;
};

engine::SearchOptions with_partials(Kind kind) {
    engine::SearchOptions options = test::options_of(kind);
    options.partial = kind == Kind::plain;
    return options;
}

std::map<std::size_t, SearchOutput> undisturbed(const std::vector<SearchInput>& inputs, Kind kind) {
    const Fixture one;
    Run run(one.replicas, with_partials(kind));
    run.search.add(inputs, true);
    run.finish();
    CHECK(!run.failure());
    CHECK(one.loads == 0);
    return std::move(run.outputs);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Loses the device in the middle of a search, which ends with this failure.
Failure lose_and_fail(const Fixture& f) {
    test::Losses::lose_at(f.device->context(), 2);
    Run run(f.replicas, with_partials(Kind::plain));
    run.search.add(some_inputs(20), true);
    run.finish();
    return run.failure();
}

void check_works(const Fixture& f, Kind kind = Kind::plain) {
    const auto inputs = some_inputs(20);
    Run run(f.replicas, with_partials(kind));
    run.search.add(inputs, true);
    run.finish();
    CAPTURE(run.failure().message);
    CHECK(!run.failure());
    test::check_same(run.outputs, undisturbed(inputs, kind));
}

}  // namespace

TEST_CASE("a search goes on where its device is lost and opened again") {
    const auto inputs = some_inputs(40);
    for (const Kind kind : {Kind::plain, Kind::alternatives, Kind::samples}) {
        CAPTURE(int(kind));
        const auto expected = undisturbed(inputs, kind);
        for (const uint64_t submission : {1u, 2u, 9u, 30u}) {
            if (kind != Kind::plain && submission != 9) continue;
            CAPTURE(submission);
            Fixture f;
            f.device->trim();
            const uint64_t held = f.device->stats_of_all().memory_bytes;
            const auto before = f.device->current();
            test::Losses::lose_at(before->context(), submission);
            Run run(f.replicas, with_partials(kind));
            run.search.add({inputs.begin(), inputs.begin() + 30});
            run.search.add({inputs.begin() + 30, inputs.end()}, true);
            run.finish();
            CAPTURE(run.failure().message);
            CHECK(!run.failure());
            test::check_same(run.outputs, expected);
            CHECK(f.device->current() != before);
            CHECK(f.loads == 1);
            CHECK(f.replicas->stats().batches > 0);
            f.device->trim();
            CHECK(f.device->stats_of_all().memory_bytes == held);
            CHECK(f.device->stats_of_all().submissions >= submission);
        }
    }
}

TEST_CASE("inputs that come while the device is opened again, and after it") {
    const auto inputs = some_inputs(40);
    const auto expected = undisturbed(inputs, Kind::plain);
    Fixture f;
    std::latch reached(1), go(1);
    f.before_load = [&] {
        reached.count_down();
        go.wait();
    };
    test::Losses::lose_at(f.device->context(), 3);
    Run run(f.replicas, with_partials(Kind::plain));
    run.search.add({inputs.begin(), inputs.begin() + 20});
    std::jthread handler([&] {
        run.handle_until([&] { return run.search.finished() >= 20; });
        run.search.add({inputs.begin() + 30, inputs.end()}, true);
        run.finish();
    });
    reached.wait();
    // A search that begins now waits as well.
    Run other(f.replicas, with_partials(Kind::plain));
    other.search.add({inputs.begin(), inputs.begin() + 10});
    other.search.add({inputs.begin() + 10, inputs.begin() + 20});
    other.search.close();
    go.count_down();
    other.finish();
    handler.join();
    CHECK(!other.failure());
    CHECK(other.outputs.size() == 20);
    CHECK(!run.failure());
    CHECK(run.outputs.size() == 30);
    CHECK(f.loads == 1);
    for (auto& [i, output] : run.outputs)
        CHECK(output.hypotheses[0].tokens == expected.at(i < 20 ? i : i + 10).hypotheses[0].tokens);
}

TEST_CASE("a device that is lost again within a minute stays lost, until the minute is over") {
    Fixture f;
    engine::Device::Clock::time_point now{};
    std::atomic<int> opened = 0;
    f.device->set_open_again(
        [&](const vulkan::Context& lost) {
            auto context = vulkan::open_again(lost);
            if (++opened == 1) test::Losses::lose_at(*context, 3);
            return context;
        },
        [&] { return now; });
    const Failure failure = lose_and_fail(f);
    CHECK(failure.status == Status::device_lost);
    CAPTURE(failure.message);
    CHECK(has(failure.message, "VK_ERROR_DEVICE_LOST"));
    CHECK(has(failure.message, "not opened again"));
    now += std::chrono::seconds(59);
    Run soon(f.replicas, with_partials(Kind::plain));
    soon.search.add(some_inputs(2), true);
    soon.finish();
    CHECK(soon.failure().status == Status::device_lost);
    CHECK(has(soon.failure().message, "59 s ago"));
    CHECK(opened == 1);
    now += std::chrono::seconds(1);
    check_works(f);
    CHECK(opened == 2);
}

TEST_CASE("a device that cannot be opened again") {
    Fixture f;
    engine::Device::Clock::time_point now{};
    bool gone = true;
    f.device->set_open_again(
        [&](const vulkan::Context& lost) {
            if (gone) fail(Status::no_device, "somebody pulled it out");
            return vulkan::open_again(lost);
        },
        [&] { return now; });
    const Failure failure = lose_and_fail(f);
    CHECK(failure.status == Status::device_lost);
    CHECK(has(failure.message, "somebody pulled it out"));
    CHECK(f.loads == 0);
    gone = false;
    now += std::chrono::minutes(1);
    check_works(f);
    CHECK(f.loads == 1);
}

TEST_CASE("a model whose source is gone stays lost until it is back") {
    Fixture f;
    bool gone = true;
    f.before_load = [&] {
        if (gone) fail(Status::io_error, "model.bin: no such file");
    };
    const Failure failure = lose_and_fail(f);
    CHECK(failure.status == Status::device_lost);
    CAPTURE(failure.message);
    CHECK(has(failure.message, "model.bin: no such file"));
    CHECK(has(failure.message, "VK_ERROR_DEVICE_LOST"));
    gone = false;
    check_works(f);  // the device itself is open
}

TEST_CASE("models of a device are loaded again one by one, and it is opened once for all of them") {
    const auto inputs = some_inputs(40);
    const auto expected = undisturbed(inputs, Kind::plain);
    const auto device = engine::Device::open({.device = "0"});
    std::vector<std::unique_ptr<Fixture>> models;
    for (int i = 0; i < 3; ++i) models.push_back(std::make_unique<Fixture>(1, device));
    std::atomic<int> opened = 0;
    device->set_open_again([&](const vulkan::Context& lost) {
        ++opened;
        return vulkan::open_again(lost);
    });
    test::Losses::lose_at(device->context(), 20);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (std::size_t i = 0; i < 6; ++i)
        threads.emplace_back([&, i] {
            Run run(models[i % 3]->replicas, with_partials(Kind::plain));
            run.search.add(inputs, true);
            run.finish();
            bool same = !run.failure() && run.outputs.size() == expected.size();
            for (const auto& [n, output] : run.outputs)
                same = same && output.hypotheses[0].tokens == expected.at(n).hypotheses[0].tokens &&
                       output.hypotheses[0].score == expected.at(n).hypotheses[0].score;
            right += same;
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(right == 6);
    CHECK(opened == 1);
    for (const auto& model : models) CHECK(model->loads <= 1);
}

TEST_CASE("a search that is cancelled while its device is opened again ends at once") {
    for (const std::size_t devices : {1u, 2u}) {
        CAPTURE(devices);
        Fixture f(devices);
        std::latch reached{std::ptrdiff_t(devices)}, go{1};
        f.before_load = [&] {
            reached.count_down();
            go.wait();
        };
        Run run(f.replicas, with_partials(Kind::plain));
        for (std::size_t i = 0; i < devices; ++i) test::Losses::lose_at(f.member(i)->context(), 1);
        run.search.add(some_inputs(30), true);
        std::jthread canceller([&] {
            reached.wait();
            run.search.cancel();
        });
        run.finish();
        CHECK(run.failure().status == Status::cancelled);
        canceller.join();
        CHECK(f.loads == 0);  // it still waits
        go.count_down();
        check_works(f);
    }
}

TEST_CASE("a model that is unloaded and a device that is closed while it is opened again") {
    std::latch reached(1), go(1);
    Fixture f;
    f.before_load = [&] {
        reached.count_down();
        go.wait();
    };
    std::optional<Run> run(std::in_place, f.replicas, with_partials(Kind::plain));
    test::Losses::lose_at(f.device->context(), 1);
    run->search.add(some_inputs(30), true);
    std::jthread handler([&] { run->handle_until([&] { return reached.try_wait(); }); });
    reached.wait();
    run->mailbox->wake();
    handler.join();
    f.device.reset();
    run.reset();
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        go.count_down();
    });
    f.replicas.reset();  // waits for what is under way
    CHECK(go.try_wait());
}

TEST_CASE("a device that hangs is opened again as well, and left as it is") {
    test::set_environment("DRAGOMAN_HANG_SECONDS", "1");
    Fixture f;
    test::set_environment("DRAGOMAN_HANG_SECONDS", nullptr);
    const auto before = f.device->current();
    test::hang(before->context());
    check_works(f);
    CHECK(f.device->current() != before);
    CHECK(vulkan::is_lost(before->context()));
}

TEST_CASE("memory is given back while a device is lost") {
    Fixture f;
    test::Losses::lose_at(f.device->context(), 1);
    Run run(f.replicas, with_partials(Kind::plain));
    run.search.add(some_inputs(10), true);
    f.device->trim();
    run.finish();
    CHECK(!run.failure());
    CHECK(run.outputs.size() == 10);
}

TEST_CASE("of several devices, a lost one comes back") {
    const auto inputs = some_inputs(50);
    for (const Kind kind : {Kind::plain, Kind::alternatives, Kind::samples}) {
        CAPTURE(int(kind));
        const auto expected = undisturbed(inputs, kind);
        for (const bool all : {false, true}) {
            if (all != (kind != Kind::samples)) continue;
            CAPTURE(all);
            Fixture f(2);
            test::Losses::lose_at(f.device->others()[0]->context(), 4);
            if (all) test::Losses::lose_at(f.device->context(), 6);
            Run run(f.replicas, with_partials(kind));
            run.search.add(inputs, true);
            run.finish();
            CAPTURE(run.failure().message);
            CHECK(!run.failure());
            test::check_same(run.outputs, expected);
            f.replicas->ready(1);  // the others may have been faster
            CHECK(f.loads >= 1);
            Run later(f.replicas, with_partials(kind));
            for (auto* network : f.networks) network->hold();
            later.search.add({inputs.begin(), inputs.begin() + 30});
            for (auto* network : f.networks) network->let_go();
            later.search.add({inputs.begin() + 30, inputs.end()}, true);
            later.finish();
            CHECK(!later.failure());
            test::check_same(later.outputs, expected);
            CHECK(f.took_part() == 2);
        }
    }
}

TEST_CASE("of several devices, one that cannot be opened again is left out") {
    const auto inputs = some_inputs(60);
    Fixture f(2);
    f.device->others()[0]->set_open_again([](const vulkan::Context&) -> std::shared_ptr<vulkan::Context> {
        fail(Status::no_device, "it is gone");
    });
    test::Losses::lose_at(f.device->others()[0]->context(), 2);
    for (int round = 0; round < 2; ++round) {
        Run run(f.replicas, with_partials(Kind::plain));
        run.search.add(inputs, true);
        run.finish();
        CHECK(!run.failure());
        test::check_same(run.outputs, undisturbed(inputs, Kind::plain));
    }
    CHECK(f.replicas->lost(1));
}

}  // namespace reopen_test
