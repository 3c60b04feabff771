// SPDX-License-Identifier: Apache-2.0
// Logistic regression, and fitting it to translations.
#include "convert/fit_quality.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "base/error.h"
#include "convert/convert.h"
#include "pipeline/run/translator.h"
#include "pipeline/value/quality_scores.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace fit_quality_test {

using namespace dragoman;
using convert::Examples;

namespace {

// Steps down the gradient of the features as they are, until it is gone. Plain, and slow.
std::vector<double> descend(const Examples& examples) {
    std::vector<double> weights(examples.width, 0.0);
    for (int step = 0; step < 20000; ++step) {
        std::vector<double> gradient(examples.width, 0.0);
        for (std::size_t i = 0; i < examples.count(); ++i) {
            double sum = 0;
            for (std::size_t f = 0; f < examples.width; ++f)
                sum += weights[f] * double(examples.features[i * examples.width + f]);
            const double error = double(examples.wanted[i]) - 1 / (1 + std::exp(-sum));
            for (std::size_t f = 0; f < examples.width; ++f)
                gradient[f] += error * double(examples.features[i * examples.width + f]);
        }
        for (std::size_t f = 0; f < examples.width; ++f) weights[f] += gradient[f] / double(examples.count());
    }
    return weights;
}

std::string lines(const std::string& source, const std::string& target, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i)
        all += source + " " + std::to_string(i) + ".\t" + target + " " + std::to_string(i) + ".\n";
    return all;
}

std::shared_ptr<const pipeline::Model> shipped() {
    static const auto model = pipeline::Model::load(DRAGOMAN_SHIPPED_MODEL,
                                                    {.device = {}, .compute_type = pipeline::ComputeType::f32});
    return model;
}

}  // namespace

TEST_CASE("weights are those that plain gradient descent ends at") {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> uniform;
    Examples examples{.width = 4};
    for (int i = 0; i < 3000; ++i) {
        const float a = normal(random), b = 0.5f + 0.5f * normal(random),
                    score = 1 / (1 + std::exp(-(0.5f - a + 2 * b)));
        // Some say yes or no, others how much; the last feature never changes.
        examples.add(std::vector<float>{1, a, b, 0.25f}, i % 2 ? score : uniform(random) < score ? 1.0f : 0.0f);
    }
    const std::vector<float> found = convert::fit_logistic(examples);
    REQUIRE(found.size() == 4);
    Examples three{.width = 3};
    for (std::size_t i = 0; i < examples.count(); ++i)
        three.add(std::span(examples.features).subspan(i * 4, 3), examples.wanted[i]);
    const std::vector<double> wanted = descend(three);
    for (std::size_t f = 0; f < 3; ++f) CHECK(double(found[f]) == doctest::Approx(wanted[f]).epsilon(2e-3));
    CHECK(found[3] == 0);
    CHECK(found[1] == doctest::Approx(-1).epsilon(0.1));
    CHECK(found[2] == doctest::Approx(2).epsilon(0.1));
}

TEST_CASE("lines that are no pairs, and too few") {
    const auto fit = [](const std::string& pairs) {
        return convert::fit_quality(shipped(), {.pairs = pairs, .source_language = {}, .target_language = "de"});
    };
    test::check_refused(Status::invalid_argument, {"at least 200 lines, got 3"}, [&] { fit(lines("a", "b", 3)); });
    test::check_refused(Status::invalid_argument, {"line 2: expected a source, a tab and a translation, got \"x\""},
                        [&] { fit("a\tb\nx\n"); });
    test::check_refused(Status::invalid_argument, {"invalid UTF-8 at byte 2"}, [&] { fit("a\t\xff\n"); });
    test::check_refused(Status::invalid_argument, {"target"}, [&] { fit(lines("a", "b\txx", 200)); });
}

TEST_CASE("a converted model has weights of its own, which tell right words from wrong ones") {
    const test::TempDir folder;
    // Half of the model's words are in the references.
    const std::string pairs = lines("The house is big", "Das Haus ist groß", 100) +
                              lines("I have a dog", "Mein Kater schläft viel", 100);
    convert::convert(DRAGOMAN_SHIPPED_MODEL, folder.path() / "model.gguf",
                     {.quality = {.pairs = pairs, .source_language = {}, .target_language = "de"}});
    const auto model = pipeline::Model::load(folder.path() / "model.gguf",
                                             {.device = {}, .compute_type = pipeline::ComputeType::f32});
    CHECK(model->quality_weights() != shipped()->quality_weights());
    CHECK(shipped()->quality_weights() == spec::QualityWeights());
    const auto translator = pipeline::Translator::create(model);
    const std::vector<pipeline::Text> texts{{"The house is big 7.", {}}, {"I have a dog 7.", {}}};
    const auto results = translator->translate_texts(texts, {.target_language = "de", .return_quality = true},
                                                     {.beam_size = 1});
    CHECK(results[0].hypotheses[0].quality > 0.8f);
    CHECK(results[1].hypotheses[0].quality < 0.6f);
    CHECK(results[1].hypotheses[0].quality > 0.0f);
}

}  // namespace fit_quality_test
