// SPDX-License-Identifier: Apache-2.0
// A step takes as long as its dispatches wait for each other, so there are to be few.
#include "nn/transformer.h"
#include "ops/matmul.h"
#include "spec/random_model.h"
#include "support/blocking_search.h"
#include "support/device.h"

namespace dispatches_test {

using namespace dragoman;

namespace {

constexpr uint32_t kLayers = 6, kEnd = 2, kNvidia = 0x10de;

// The base shape except for the widths; the output layer is wide enough to decide about kernels.
spec::TransformerConfig base_like() {
    spec::TransformerConfig config{.d_model = 64,
                                   .encoder_ffn = 64,
                                   .decoder_ffn = 128,
                                   .source_vocabulary = 40,
                                   .target_vocabulary = 8300,
                                   .encoder = {.layers = 1, .heads = 4, .head_dim = 16},
                                   .decoder = {.layers = kLayers, .heads = 4, .head_dim = 16, .final_norm = true}};
    return config;
}

uint64_t dispatches_per_step(const std::shared_ptr<vulkan::Context>& context, const nn::Transformer& model,
                             uint32_t sentences, uint32_t beam) {
    test::BlockingSearch search(context, model);
    const decode::SearchInput input{.source = {5, 6, 7}, .start_id = 1, .max_length = 3};
    const std::vector<decode::SearchInput> inputs(sentences, input);
    search.run(inputs, {.beam_size = beam, .end_ids = {kEnd}}, {.slots = sentences});
    return search.stats().dispatches_per_step;
}

}  // namespace

// The embedding; of each layer two attentions and five products; the output layer and the search. With many rows a
// product makes the queries.
TEST_CASE("dispatches of a step on a large GPU") {
    test::for_every_device(
        [](const std::shared_ptr<vulkan::Context>& context) {
            const test::RandomModel random(base_like(), {});
            const nn::Transformer model(context, random.config, random.weights, DType::f32);
            constexpr uint32_t kPlain = 1 + 7 * kLayers + 2;
            CHECK(dispatches_per_step(context, model, 1, 1) == kPlain);
            CHECK(dispatches_per_step(context, model, 1, 4) == kPlain);
            CHECK(dispatches_per_step(context, model, 32, 4) ==
                  kPlain + kLayers + 1);  // a norm before the output layer
        },
        {.gpu_kernels = true, .gpu_vendor = kNvidia});
}

// There, too, products normalise their inputs.
TEST_CASE("dispatches of a step on cooperative matrices") {
    test::for_every_device(
        [](const std::shared_ptr<vulkan::Context>& context) {
            if (!ops::has_coopmat(context->caps())) {
                MESSAGE("skipped: ", context->caps().name, " has no cooperative matrices");
                return;
            }
            const test::RandomModel random(base_like(), {});
            const nn::Transformer model(context, random.config, random.weights, DType::f16);
            CHECK(dispatches_per_step(context, model, 32, 4) == 1 + 8 * kLayers + 3);
        },
        {.gpu_kernels = true, .gpu_vendor = kNvidia});
}

}  // namespace dispatches_test
