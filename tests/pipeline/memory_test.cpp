// SPDX-License-Identifier: Apache-2.0
// Less memory: fewer sentences at a time, the same translations, and no more held than allowed.
#include <random>

#include "base/background.h"
#include "base/error.h"
#include "pipeline/model_fixture.h"
#include "support/same_results.h"

namespace memory_test {

using namespace dragoman;
using pipeline::Model;
using pipeline::Request;
using pipeline::TranslateOptions;
using pipeline::Translator;

namespace {

std::vector<Request> many_requests() {
    const auto alphabet = test::letters("آأابتثجحخدذرزسشصضطظعغفقكلمنهوي");
    std::mt19937 random(11);
    std::vector<Request> requests(150);
    for (std::size_t i = 0; i < requests.size(); ++i)
        for (std::size_t length = 1 + i * 7 % 23; length > 0; --length)
            requests[i].source.push_back(alphabet[random() % alphabet.size()]);
    return requests;
}

std::shared_ptr<const Model> load(const vulkan::ContextOptions& device) {
    return Model::load(test::kRealModel,
                       {.device = engine::Device::open(device), .compute_type = pipeline::ComputeType::f32});
}

}  // namespace

TEST_CASE("a memory limit makes fewer slots, not other results") {
    const auto requests = many_requests();
    const TranslateOptions options{.beam_size = 3, .num_hypotheses = 3, .return_scores = true};
    const auto model = load({});
    const uint64_t weights = model->context().stats().memory_bytes;
    const auto translator = Translator::create(model);
    const auto expected = translator->translate(requests, options);
    const uint64_t peak = translator->stats().device.memory_peak_bytes;
    const double live = double(translator->stats().slot_steps) / double(translator->stats().decoder_steps);
    REQUIRE(peak > weights);

    const auto alone = Translator::create(load({}));
    alone->translate(std::span(requests).first(1), options);
    const uint64_t least = alone->stats().device.memory_peak_bytes - weights;
    for (const uint64_t room : {(peak - weights) / 3, 3 * least}) {
        const uint64_t limit = weights + room;
        CAPTURE(room);
        const auto small = Translator::create(load({.memory_limit_bytes = limit}));
        const auto results = small->translate(requests, options);
        const auto stats = small->stats();
        CHECK(stats.device.memory_peak_bytes <= limit);
        CHECK(double(stats.slot_steps) / double(stats.decoder_steps) < live);
        for (std::size_t i = 0; i < results.size(); ++i) {
            CAPTURE(i);
            REQUIRE(results[i].hypotheses.size() == expected[i].hypotheses.size());
            for (std::size_t h = 0; h < results[i].hypotheses.size(); ++h) {
                CHECK(results[i].hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
                CHECK(test::same_result(model->context(), results[i].hypotheses[h].score,
                                        expected[i].hypotheses[h].score));
            }
        }
    }
}

TEST_CASE("a full heap makes fewer slots, not other results") {
    const auto requests = many_requests();
    const TranslateOptions options{.beam_size = 3};
    const auto model = load({});
    const auto translator = Translator::create(model);
    const auto expected = translator->translate(requests, options);
    const uint64_t peak = translator->stats().device.memory_peak_bytes;
    const double live = double(translator->stats().slot_steps) / double(translator->stats().decoder_steps);

    // Staging and what the host reads lie in the same heap of a device that has one; so would what checks of kernels take.
    const uint64_t heap = peak / 2 + (14u << 20);
    const auto small = Translator::create(load({.trust_kernels = true, .heap_limit_bytes = heap}));
    const auto results = small->translate(requests, options);
    const auto stats = small->stats();
    CHECK(stats.device.memory_peak_bytes <= heap);
    CHECK(double(stats.slot_steps) / double(stats.decoder_steps) < live);
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        CHECK(results[i].hypotheses[0].tokens == expected[i].hypotheses[0].tokens);
    }
}

TEST_CASE("with no room for a single sentence the status says so, and the translator lives") {
    const auto model = load({});
    const uint64_t weights = model->context().stats().memory_bytes;
    const auto translator = Translator::create(load({.memory_limit_bytes = weights + 4096}));
    const auto requests = many_requests();
    for (int i = 0; i < 2; ++i) try {
            translator->translate(requests, {});
            FAIL("no error");
        } catch (const Error& error) {
            CHECK(error.status() == Status::out_of_memory);
        }
}

TEST_CASE("idle translators give their buffers back") {
    const auto model = load({});
    const auto held = [&] {
        model->context().background().wait();  // it measures kernels, which takes buffers
        return model->context().stats().memory_bytes;
    };
    const uint64_t weights = held();
    const auto translator = Translator::create(model);
    translator->trim();  // nothing was done yet
    for (const uint32_t beam : {1u, 2u, 3u}) translator->translate(many_requests(), {.beam_size = beam});
    CHECK(held() > weights);
    translator->trim();
    CHECK(held() <= weights);
}

}  // namespace memory_test
