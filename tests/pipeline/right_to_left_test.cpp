// SPDX-License-Identifier: Apache-2.0
// What comes out of a model that reads and writes right to left is in reading order.
#include <algorithm>

#include "families/families.h"
#include "pipeline/model/model.h"
#include "pipeline/model_fixture.h"
#include "pipeline/run/translator.h"

namespace right_to_left_test {

using namespace dragoman;
using namespace dragoman::pipeline;
using test::letters;

namespace {

std::shared_ptr<Translator> reversed_translator() {
    spec::ModelSpec spec = families::load(test::kRealModel);
    spec.right_to_left = true;
    return Translator::create(std::make_shared<Model>(spec,
                                                      ModelOptions{.device = {}, .compute_type = ComputeType::f32}));
}

Tokens reversed(Tokens tokens) {
    std::ranges::reverse(tokens);
    return tokens;
}

}  // namespace

TEST_CASE("translations, and attention to what the model has read of a long source") {
    const auto right = reversed_translator();
    const auto left = Translator::create(test::real_model());
    const Tokens source = letters("آتزموننمزتآ");
    const TranslateOptions options{.return_attention = true};
    TranslateOptions cut = options;
    const Request whole{source, {}}, mirrored{reversed(source), {}};
    const auto expected = left->translate({&mirrored, 1}, options).at(0).hypotheses.at(0);
    const auto found = right->translate({&whole, 1}, options).at(0).hypotheses.at(0);
    CHECK(found.tokens == reversed(expected.tokens));
    REQUIRE(found.attention.rows == expected.attention.rows);
    for (std::size_t t = 0; t < found.attention.rows; ++t) {
        const auto row = expected.attention[expected.attention.rows - 1 - t];
        const std::vector<float> mirrored_row(row.rbegin(), row.rend());
        CHECK(std::ranges::equal(found.attention[t], mirrored_row));
    }

    cut.max_input_length = 6;
    const auto last = right->translate({&whole, 1}, cut).at(0).hypotheses.at(0);
    REQUIRE(!last.attention.empty());
    REQUIRE(last.attention.cols == source.size());
    for (std::size_t t = 0; t < last.attention.rows; ++t) {
        const auto row = last.attention[t];
        const std::size_t read = std::size_t(std::ranges::count_if(row, [](float x) { return x > 0; }));
        CHECK(read >= 5);  // with or without an end token
        CHECK(read <= 6);
        CHECK(std::all_of(row.begin(), row.end() - std::ptrdiff_t(read), [](float x) { return x == 0; }));
    }
}

TEST_CASE("partial results are the end of the translation") {
    const auto translator = reversed_translator();
    std::vector<Tokens> partial;
    JobOptions how;
    how.partials = true;
    how.on_event = [&](const JobEvent& event) {
        if (event.kind == JobEvent::Kind::partial) partial.emplace_back(event.tokens.begin(), event.tokens.end());
    };
    JobInput input{.documents = {{.text = {}, .source = letters("آتزموننمزتآ")}}, .texts = false};
    input.options.beam_size = 1;
    const Tokens tokens = translator->submit(std::move(input), how)->take().results.at(0).hypotheses.at(0).tokens;
    REQUIRE(tokens.size() >= 4);
    bool several = false;
    for (const Tokens& seen : partial) {
        several |= seen.size() >= 2;
        REQUIRE(seen.size() <= tokens.size());
        CHECK(std::equal(seen.begin(), seen.end(), tokens.end() - std::ptrdiff_t(seen.size())));
    }
    CHECK(several);
}

}  // namespace right_to_left_test
