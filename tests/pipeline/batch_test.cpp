// SPDX-License-Identifier: Apache-2.0
// A sentence has the same tokens, scores and attention alone, in any batch, in any order.
#include <algorithm>
#include <limits>
#include <random>

#include "base/error.h"
#include "pipeline/model_fixture.h"
#include "support/same_results.h"

namespace batch_test {

using namespace dragoman;
using test::real_model;
using pipeline::Request;
using pipeline::TranslateOptions;
using pipeline::Translator;

namespace {

std::vector<Request> some_requests(std::size_t count) {
    const auto alphabet = test::letters("آأابتثجحخدذرزسشصضطظعغفقكلمنهوي");
    std::mt19937 random(7);
    std::vector<Request> requests(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t length = i % 17; length > 0; --length)
            requests[i].source.push_back(alphabet[random() % alphabet.size()]);
    return requests;
}

void check_equal(const pipeline::Result& a, const pipeline::Result& b) {
    REQUIRE(a.hypotheses.size() == b.hypotheses.size());
    for (std::size_t h = 0; h < a.hypotheses.size(); ++h) {
        CHECK(a.hypotheses[h].tokens == b.hypotheses[h].tokens);
        const vulkan::Context& context = real_model()->context();
        CHECK(test::same_result(context, a.hypotheses[h].score, b.hypotheses[h].score));
        REQUIRE(a.hypotheses[h].attention.rows == b.hypotheses[h].attention.rows);
        for (std::size_t t = 0; t < a.hypotheses[h].attention.rows; ++t)
            CHECK(test::same_results(context, a.hypotheses[h].attention[t], b.hypotheses[h].attention[t]));
    }
}

}  // namespace

TEST_CASE("alone, together, shuffled and in batches of any size") {
    const auto requests = some_requests(40);
    const auto translator = Translator::create(real_model());
    for (const uint32_t beam : {1u, 3u}) {
        CAPTURE(beam);
        const TranslateOptions options{
            .beam_size = beam, .num_hypotheses = beam, .return_scores = true, .return_attention = true};
        const auto together = translator->translate(requests, options);
        for (const std::size_t i : {0u, 1u, 2u, 16u, 33u, 39u}) {
            CAPTURE(i);
            check_equal(translator->translate(std::span(&requests[i], 1), options)[0], together[i]);
        }
        for (const uint32_t size : {1u, 3u, 7u}) {
            CAPTURE(size);
            TranslateOptions small = options;
            small.max_batch_size = size;
            const auto results = translator->translate(std::span(requests).first(20), small);
            for (std::size_t i = 0; i < results.size(); ++i) check_equal(results[i], together[i]);
        }
        std::vector<std::size_t> order(requests.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::shuffle(order, std::mt19937(3));
        std::vector<Request> shuffled;
        for (const std::size_t i : order) shuffled.push_back(requests[i]);
        TranslateOptions few_tokens = options;
        few_tokens.max_batch_tokens = 50;
        const auto results = translator->translate(shuffled, few_tokens);
        for (std::size_t i = 0; i < results.size(); ++i) check_equal(results[i], together[order[i]]);
        TranslateOptions any = options;
        any.max_batch_tokens = any.max_batch_size = std::numeric_limits<uint32_t>::max();
        const auto same = translator->translate(requests, any);
        for (std::size_t i = 0; i < same.size(); ++i) check_equal(same[i], together[i]);
    }
}

TEST_CASE("a batch waits for the device once, not once per token") {
    const auto requests = some_requests(8);
    const auto translator = Translator::create(real_model());
    const TranslateOptions options{.beam_size = 4};
    translator->translate(requests, options);  // pipelines and buffers
    translator->reset_stats();
    translator->translate(requests, options);
    const auto stats = translator->stats();
    CHECK(stats.batches == 1);
    CHECK(stats.sentences == 8);
    CHECK(stats.decoder_steps >= 5);
    CHECK(stats.device.host_waits == 1);
    CHECK(stats.padding_tokens == 0);
    CHECK(stats.dispatches_per_step > 0);
}

TEST_CASE("progress is told and can cancel") {
    const auto requests = some_requests(30);
    const auto translator = Translator::create(real_model());
    TranslateOptions options{.beam_size = 2, .max_batch_size = 5};
    std::size_t last = 0, calls = 0;
    translator->translate(requests, options, [&](std::size_t done, std::size_t total) {
        CHECK(done >= last);
        CHECK(total == 30);
        last = done;
        ++calls;
        return true;
    });
    CHECK(last == 30);
    CHECK(calls >= 6);
    try {
        translator->translate(requests, options, [&](std::size_t done, std::size_t) { return done < 10; });
        FAIL("not cancelled");
    } catch (const Error& error) {
        CHECK(error.status() == Status::cancelled);
    }
    CHECK(translator->translate(std::span(requests).first(3), options).size() == 3);  // still usable
}

TEST_CASE("trim gives memory back and changes nothing") {
    const auto requests = some_requests(10);
    const auto translator = Translator::create(real_model());
    translator->trim();  // what is kept for the model's other translators
    const auto before = real_model()->context().stats().memory_bytes;
    const auto first = translator->translate(requests, {.return_scores = true});
    CHECK(real_model()->context().stats().memory_bytes > before);
    translator->trim();
    CHECK(real_model()->context().stats().memory_bytes <= before);
    const auto second = translator->translate(requests, {.return_scores = true});
    for (std::size_t i = 0; i < first.size(); ++i) check_equal(first[i], second[i]);
}

}  // namespace batch_test
