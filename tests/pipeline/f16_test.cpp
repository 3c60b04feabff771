// SPDX-License-Identifier: Apache-2.0
// float16 storage against float32: the same letters for nearly all of the real model's inputs, scores close by.
#include <cmath>
#include <iostream>

#include "base/error.h"
#include "pipeline/model_fixture.h"
#include "pipeline/recorded.h"

namespace f16_test {

using namespace dragoman;

TEST_CASE("float16 stays close to float32") {
    if (!test::real_model()->context().caps().f16) {
        std::cout << "skipped: no f16 on " << test::real_model()->context().caps().name << "\n";
        CHECK_THROWS_AS(pipeline::Model::load(test::kRealModel, {.compute_type = pipeline::ComputeType::f16}), Error);
        return;
    }
    const auto model = pipeline::Model::load(test::kRealModel,
                                             {.device = {}, .compute_type = pipeline::ComputeType::f16});
    CHECK(model->info().compute_type == "float16");
    CHECK(model->info().device_bytes < test::real_model()->info().device_bytes);
    const auto half = pipeline::Translator::create(model);
    std::size_t compared = 0, same = 0;
    for (const auto& recorded : test::read_recorded(test::kRealModel).cases) {
        if (recorded.name != "greedy" && recorded.name != "beam4") continue;
        const auto results = half->translate(recorded.requests, recorded.options);
        for (std::size_t i = 0; i < results.size(); ++i, ++compared) {
            const auto& best = results[i].hypotheses.at(0);
            if (best.tokens != recorded.expected[i].tokens[0]) continue;
            ++same;
            CHECK(std::abs(best.score - recorded.expected[i].scores[0]) < 0.02f);
        }
    }
    REQUIRE(compared >= 20);
    CHECK(same * 20 >= compared * 19);
}

}  // namespace f16_test
