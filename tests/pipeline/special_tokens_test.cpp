// SPDX-License-Identifier: Apache-2.0
// Tokens that steer a search have to be in the vocabulary: its answer for others is the unknown token.
#include "base/error.h"
#include "families/families.h"
#include "pipeline/model/model.h"
#include "pipeline/model_fixture.h"

namespace special_tokens_test {

using namespace dragoman;

namespace {

std::string refusal(const spec::ModelSpec& spec) {
    try {
        pipeline::Model(spec, {.device = {}, .compute_type = pipeline::ComputeType::f32});
    } catch (const Error& error) {
        CHECK(error.status() == Status::bad_model);
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("special tokens that the target vocabulary lacks are refused by name") {
    const spec::ModelSpec good = families::load(test::kRealModel);
    CHECK(refusal(good).empty());
    spec::ModelSpec end = good, start = good, forced = good;
    end.eos_token = "[EOS]";
    CHECK(refusal(end).find("end token \"[EOS]\" in the target vocabulary of") != std::string::npos);
    start.decoder_start_token = "[START]";
    start.config.start_from_zero_embedding = false;
    CHECK(refusal(start).find("decoder start token \"[START]\"") != std::string::npos);
    start.config.start_from_zero_embedding = true;  // nothing reads the token
    CHECK(refusal(start).empty());
    forced.search.forced_end = "[END]";
    CHECK(refusal(forced).find("forced end token \"[END]\"") != std::string::npos);
}

}  // namespace special_tokens_test
