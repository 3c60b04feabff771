// SPDX-License-Identifier: Apache-2.0
// Caches that start too small grow while a search is under way, without changing its results.
#include "decode/search.h"
#include "families/families.h"
#include "nn/transformer.h"
#include "pipeline/model_fixture.h"
#include "support/blocking_search.h"
#include "support/device.h"
#include "support/same_results.h"

namespace growth_test {

using namespace dragoman;

namespace {

std::vector<decode::SearchInput> some_inputs() {
    std::vector<decode::SearchInput> inputs;
    for (uint32_t i = 1; i <= 5; ++i) {
        decode::SearchInput input{
            .source = {}, .start_id = 1, .context = {}, .prefix = {}, .max_length = 40, .min_length = 4 * i};
        for (uint32_t j = 0; j < 2 * i; ++j) input.source.push_back(5 + (7 * i + 11 * j) % 40);
        if (i == 3) input.context = {4, 5};
        if (i == 4) input.prefix = {6, 7, 8};
        inputs.push_back(input);
    }
    return inputs;
}

}  // namespace

TEST_CASE("caches grow") {
    const auto spec = families::load(test::kRealModel);
    test::for_every_device([&](const std::shared_ptr<vulkan::Context>& context) {
        const nn::Transformer network(context, spec.config, spec.weights, DType::f32);
        const auto inputs = some_inputs();
        for (const uint32_t beam : {1u, 3u}) {
            CAPTURE(beam);
            decode::SearchRules rules{.beam_size = beam, .attention = true};
            rules.end_ids = {2};
            test::BlockingSearch roomy(context, network), tight(context, network);
            roomy.set_initial_steps(41);
            tight.set_initial_steps(4);
            const auto expected = roomy.run(inputs, rules);
            const auto results = tight.run(inputs, rules);
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                CAPTURE(i);
                REQUIRE(results[i].hypotheses.size() == expected[i].hypotheses.size());
                REQUIRE(!results[i].hypotheses.empty());
                for (std::size_t h = 0; h < results[i].hypotheses.size(); ++h) {
                    CHECK(results[i].hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
                    CHECK(results[i].hypotheses[h].tokens.size() >= 4);
                    CHECK(test::same_result(*context, results[i].hypotheses[h].score, expected[i].hypotheses[h].score));
                    CHECK(test::same_results(*context, results[i].hypotheses[h].attention,
                                             expected[i].hypotheses[h].attention));
                }
            }
        }
    });
}

}  // namespace growth_test
