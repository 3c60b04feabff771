// SPDX-License-Identifier: Apache-2.0
#include "store/model_name.h"

#include <doctest/doctest.h>

#include <map>

#include "support/temp_dir.h"

namespace model_name_test {

using namespace dragoman;
using store::ModelName;

TEST_CASE("names are told from paths") {
    const auto name = ModelName::find("url:https://host/a:b.zip");
    REQUIRE(name);
    CHECK(name->registry == "url");
    CHECK(name->model == "https://host/a:b.zip");
    CHECK(name->str() == "url:https://host/a:b.zip");
    for (const char* text : {"firefox:de-en", "hf:facebook/nllb-200-distilled-600M", "a_b-c2:x", "my-registry:x:y"})
        CHECK_MESSAGE(ModelName::find(text), text);
    for (const char* text :
         {"", ":", "de-en", "firefox:", ":de-en", "C:\\models\\de-en", "c:/models", "x:y", "Firefox:de-en",
          "./firefox:de-en", "/models/firefox:de-en", "fire fox:de-en", "2go:x", "models/en:de"})
        CHECK_MESSAGE(!ModelName::find(text), text);
    CHECK(!ModelName::find(std::string_view("firefox:de\0en", 13)));
}

TEST_CASE("a file of that very name is a path") {
    const test::TempDir folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const bool named = ModelName::find("firefox:de-en").has_value();
#ifndef _WIN32  // has no such file names
    folder.write("firefox:de-en", "");
    CHECK(!ModelName::find("firefox:de-en"));
#endif
    std::filesystem::current_path(before);
    CHECK(named);
}

TEST_CASE("folders of names are one plain component, and another one for each name") {
    const auto folder = [](std::string model) { return ModelName{"hf", std::move(model)}.folder(); };
    CHECK(folder("facebook/nllb-200-distilled-600M") == "facebook--nllb-200-distilled-600M");
    CHECK(folder("de-en") == "de-en");
    CHECK(folder("de_en") == "de_en");
    CHECK(folder("a.b") == "a.b");
    CHECK(folder("..") == "%2E%2E");
    CHECK(folder("../../x") == "%2E.--..--x");
    CHECK(folder("a:b") == "a%3Ab");
    CHECK(folder("CON") == "%43ON");
    CHECK(folder("nul.txt") == "%6Eul.txt");
    CHECK(folder("com1") == "%63om1");
    CHECK(folder("x.") == "x%2E");
    CHECK(folder("\xc3\xa9") == "%C3%A9");
    std::map<std::string, std::string> seen;
    std::vector<std::string> models = {"a/b",  "a--b",  "a-/b", "a/-b", "a-b", "a%2Fb", "a%b",
                                       "a//b", "a---b", "-",    "/",    "--",  "%2D",   ".",
                                       "..",   "a.b",   ".a",   "%2Ea", "a b", "a\nb",  "a\\b"};
    const std::string long_name(500, 'x');
    models.insert(models.end(), {long_name, long_name + "y", long_name + "z", std::string(158, 'x') + "::::::"});
    for (const std::string& model : models) {
        const std::string name = folder(model);
        CHECK_MESSAGE(seen.emplace(name, model).second, name);
        CHECK(name.size() <= 200);
        CHECK(name.find_first_of("/\\:*?\"<>| \n") == name.npos);
        CHECK(name.front() != '.');
        CHECK(name.back() != '.');
    }
}

}  // namespace model_name_test
