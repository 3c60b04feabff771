// SPDX-License-Identifier: Apache-2.0
#include "convert/find_alignment.h"

#include <doctest/doctest.h>

#include <fstream>

#include "convert/convert.h"
#include "pipeline/run/translator.h"
#include "support/temp_dir.h"

namespace find_alignment_test {

using namespace dragoman;
using ModelPtr = std::shared_ptr<const pipeline::Model>;

namespace {

ModelPtr load(const std::string& path) {
    return pipeline::Model::load(path, {.device = {}, .compute_type = pipeline::ComputeType::f32});
}

ModelPtr shipped() {
    static const ModelPtr model = load(DRAGOMAN_SHIPPED_MODEL);
    return model;
}

text::WordAlignment alignment(const ModelPtr& model) {
    const pipeline::Text text{"My brother wants to buy a new car.", {}};
    const auto results =
        pipeline::Translator::create(model)->translate_texts({&text, 1},
                                                             {.target_language = "de", .return_alignment = true}, {});
    return results.at(0).hypotheses.at(0).sentences.at(0).alignment;
}

}  // namespace

TEST_CASE("the heads that align words are found, and a converted model names them") {
    convert::FindAlignment by{.target_language = "de"};
    std::ifstream file(DRAGOMAN_TEST_DATA "/en-de/expected.tsv");
    std::size_t lines = 0;
    for (std::string line; lines < 60 && std::getline(file, line);) {
        if (!line.starts_with(">>de<< ")) continue;
        by.text += line.substr(7, line.find('\t') - 7) + "\n";
        ++lines;
    }
    const auto found = convert::find_alignment(shipped(), by);
    REQUIRE(found.size() == 2 * 2 * 5);  // layers, steps, heads and their mean
    for (std::size_t i = 1; i < found.size(); ++i) CHECK(found[i - 1].agreement >= found[i].agreement);
    CHECK(found.front().layer == 0);
    CHECK(found.front().head == 2);
    CHECK(found.front().next_step);
    CHECK_FALSE(found.front().all_heads);
    CHECK(found.front().agreement > found[1].agreement + 0.02f);

    const test::TempDir folder;
    const std::string out = folder.path() / "aligned.gguf";
    convert::convert(DRAGOMAN_SHIPPED_MODEL, out, {.alignment = by});
    CHECK(alignment(load(out)) == alignment(shipped()));

    by.text = " \n";
    CHECK_THROWS_WITH(convert::find_alignment(shipped(), by), doctest::Contains("alignment text"));
}

}  // namespace find_alignment_test
