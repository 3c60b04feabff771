// SPDX-License-Identifier: Apache-2.0
// Searches that are fed while they run give what they give in one go.
#include "engine/search_run.h"

namespace search_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchOutput;
using engine::Search;
using Run = test::SearchRun;

namespace {

struct Fixture {
    // The model overflows after these tokens.
    explicit Fixture(const std::vector<uint32_t>& overflowing = {}) {
        auto network = std::make_unique<test::FragileModel>(device->shared_context(), test::kVocabulary, 3);
        if (!overflowing.empty()) network->overflow_after(overflowing);
        fragile = network.get();
        model = std::make_shared<engine::Model>(device, std::move(network), DType::f32);
        replicas = std::make_shared<engine::Replicas>(std::vector{model});
    }
    std::shared_ptr<engine::Device> device = engine::Device::open({});
    std::shared_ptr<const engine::Model> model;
    std::shared_ptr<const engine::Replicas> replicas;
    test::FragileModel* fragile = nullptr;  // the model's network
};

engine::SearchOptions options_of(uint32_t beam, bool alternatives) {
    engine::SearchOptions options{.rules = test::rules_of(beam), .length_penalty = 0.7f, .num_hypotheses = beam};
    options.rules.num_hypotheses = beam;
    options.alternatives = alternatives;
    return options;
}

std::vector<SearchInput> some_inputs(std::size_t count) {
    std::vector<SearchInput> inputs = test::task_of(count).inputs;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 3 == 0) inputs[i].prefix = {uint32_t(5 + i % 7), 9};
        if (i % 11 == 5) inputs[i].max_length = 2;
    }
    return inputs;
}

}  // namespace

TEST_CASE("in portions, while others are at work, or in one go: the same outputs under the same numbers") {
    const Fixture f;
    const auto inputs = some_inputs(60);
    for (const bool alternatives : {false, true}) {
        CAPTURE(alternatives);
        Run whole(f.replicas, options_of(3, alternatives)), fed(f.replicas, options_of(3, alternatives));
        CHECK(whole.search.add(inputs, true) == 0);
        whole.finish();
        CHECK(!whole.search.error());
        CHECK(whole.outputs.size() == inputs.size());
        for (const auto& [i, output] : whole.outputs) CHECK(output.hypotheses.size() <= 3);

        std::size_t added = 0;
        for (const std::size_t portion : {1u, 0u, 20u, 7u, 32u}) {
            const auto begin = inputs.begin() + std::ptrdiff_t(added);
            CHECK(fed.search.add({begin, begin + std::ptrdiff_t(portion)}) == added);
            added += portion;
            // All of it, then nothing is at work and more comes; or some of it.
            const std::size_t wanted = portion == 20 ? added : added - portion / 2;
            fed.handle_until([&] { return fed.search.finished() >= wanted; });
        }
        REQUIRE(added == inputs.size());
        CHECK(!fed.search.over());
        fed.search.close();
        fed.finish();
        CHECK(!fed.search.error());
        test::check_same(fed.outputs, whole.outputs);
    }
}

TEST_CASE("what overflows is searched again by the wider network, and counted") {
    const Fixture right, narrow({5, 11, 17});
    const auto inputs = some_inputs(60);
    for (const uint32_t beam : {1u, 3u})
        for (const bool alternatives : {false, true}) {
            CAPTURE(beam);
            CAPTURE(alternatives);
            const uint64_t before = narrow.model->stats().overflowed;
            Run expected(right.replicas, options_of(beam, alternatives)),
                run(narrow.replicas, options_of(beam, alternatives));
            expected.search.add(inputs, true);
            expected.finish();
            run.search.add(inputs, true);
            run.finish();
            CHECK(!run.search.error());
            CHECK(run.search.finished() == inputs.size());
            test::check_same(run.outputs, expected.outputs);
            const uint64_t overflowed = narrow.model->stats().overflowed - before;
            CHECK(overflowed > 0);
            if (!alternatives) CHECK(overflowed < inputs.size());
        }
    CHECK(right.model->stats().overflowed == 0);
}

TEST_CASE("a search whose repeated inputs are at work can be cancelled") {
    const Fixture narrow({5, 11, 17});
    Run run(narrow.replicas, options_of(2, false));
    run.search.add(some_inputs(60), true);
    run.handle_until([&] { return narrow.model->stats().overflowed > 0; });
    run.search.cancel();
    run.finish();
    if (run.search.error()) CHECK_THROWS_AS(std::rethrow_exception(run.search.error()), Error);
    else CHECK(run.search.finished() == 60);
}

TEST_CASE("a search without inputs is over when it is closed") {
    const Fixture f;
    for (const bool alternatives : {false, true})
        for (const bool at_once : {false, true}) {
            Run run(f.replicas, options_of(2, alternatives));
            if (at_once) run.search.add({}, true);
            else run.search.close();
            run.finish();
            CHECK(!run.search.error());
            CHECK(run.outputs.empty());
        }
}

TEST_CASE("a cancelled search ends, whether it was closed or not") {
    const Fixture f;
    for (const bool alternatives : {false, true})
        for (const bool closed : {false, true}) {
            Run run(f.replicas, options_of(2, alternatives));
            f.fragile->hold();  // however late this thread goes on
            run.search.add(some_inputs(500), closed);
            run.search.cancel();
            f.fragile->let_go();
            run.finish();
            REQUIRE(run.search.error());
            CHECK(Failure::of(run.search.error()).status == Status::cancelled);
        }
    {
        Run left(f.replicas, options_of(2, true));
        left.search.add(some_inputs(500), true);
    }
    Run next(f.replicas, options_of(2, false));
    next.search.add(some_inputs(5), true);
    next.finish();
    CHECK(next.outputs.size() == 5);
}

TEST_CASE("outputs are told before the last input is added, and partial ones before those") {
    const Fixture f;
    engine::SearchOptions options = options_of(1, false);
    options.partial = true;
    Run run(f.replicas, std::move(options));
    std::vector<SearchInput> inputs = some_inputs(3);
    for (SearchInput& input : inputs) input.min_length = input.max_length = 60;
    run.search.add(inputs);
    run.handle_until([&] { return run.outputs.size() == 3; });
    CHECK(run.partials > 0);
    // The last chunk's progress, which may come late.
    const std::size_t told = run.mailbox->try_take().size();
    CHECK(told + run.mailbox->take(std::chrono::milliseconds(1)).size() <= 1);
    run.search.add(inputs, true);
    run.finish();
    CHECK(run.outputs.size() == 6);
}

TEST_CASE("the shared device is one, and gone with its last user") {
    std::weak_ptr<engine::Device> gone;
    {
        const auto device = engine::Device::shared();
        CHECK(device == engine::Device::shared());
        gone = device;
    }
    CHECK(gone.expired());
    CHECK(engine::Device::shared() != nullptr);
}

}  // namespace search_test
