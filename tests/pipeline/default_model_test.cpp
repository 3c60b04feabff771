// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "pipeline/model/default_model.h"
#include "pipeline/model/model.h"
#include "pipeline/model/model_info.h"
#include "spec/prompt.h"
#include "support/environment.h"
#include "support/temp_dir.h"

namespace default_model_test {

namespace fs = std::filesystem;
using namespace dragoman;
using namespace dragoman::pipeline;

TEST_CASE("the shipped model is found from the folders below a prefix") {
    const test::TempDir dir;
    const fs::path prefix = dir.path() / "prefix", model = prefix / "share/dragoman/models/en-de";
    fs::create_directories(prefix / "lib/x86_64-linux-gnu");
    fs::create_directories(prefix / "bin");
    CHECK(shipped_model(prefix / "bin").empty());
    fs::create_directories(model);
    CHECK(shipped_model(prefix) == model);
    CHECK(shipped_model(prefix / "bin") == model);
    CHECK(shipped_model(prefix / "lib/x86_64-linux-gnu") == model);
    CHECK(shipped_model(prefix / "a/b/c/d/e/f").empty());
    CHECK(shipped_model("/").empty());
    CHECK(shipped_model("").empty());
}

TEST_CASE("the nearest shipped model wins") {
    const test::TempDir dir;
    const fs::path far = dir.path() / "share/dragoman/models/en-de",
                   near = dir.path() / "lib/share/dragoman/models/en-de";
    fs::create_directories(far);
    fs::create_directories(near);
    CHECK(shipped_model(dir.path() / "lib") == near);
    CHECK(shipped_model(dir.path() / "bin") == far);
}

TEST_CASE("the shipped model translates both ways") {
    const spec::Languages languages = Model::describe(DRAGOMAN_SHIPPED_MODEL).languages;
    for (const auto* side : {&languages.source, &languages.target}) {
        REQUIRE(side->size() == 2);
        CHECK(side->front().tag.str() == "de");
        CHECK(side->back().tag.str() == "en");
    }
}

TEST_CASE("the environment comes first") {
    test::set_environment("DRAGOMAN_MODEL", "/named/model");
    CHECK(default_model() == "/named/model");
    test::set_environment("DRAGOMAN_MODEL", nullptr);
}

}  // namespace default_model_test
