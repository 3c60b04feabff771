// SPDX-License-Identifier: Apache-2.0
#include "store/installed.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/log.h"
#include "store/model_name.h"
#include "store/places.h"
#include "support/refused.h"
#include "support/system.h"
#include "store/user.h"

namespace installed_test {

using namespace dragoman;
using store::Installed;
namespace fs = std::filesystem;

namespace {

fs::path folder_of(const store::ModelName& name) {
    return store::models_folder() / path_of(name.registry) / path_of(name.folder());
}

// A model of one file in the own store.
fs::path add(const std::string& text) {
    const auto name = store::ModelName::find(text);
    REQUIRE(name);
    const fs::path folder = folder_of(*name);
    fs::create_directories(folder);
    std::ofstream(folder / "model.bin") << "12345";
    Installed model;
    model.name = text;
    model.path = folder;
    model.files = {{.name = "model.bin", .bytes = 5, .sha256 = "", .url = "", .proof = ""}};
    store::write_metadata(folder, model);
    return folder;
}

std::string refusal(std::string_view name) {
    try {
        store::path_of_model(name);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("places follow the environment") {
    test::User user;
#ifndef _WIN32
    CHECK(store::models_folder() == user.home() / ".local/share/dragoman/models");
    CHECK(store::partial_folder() == user.home() / ".cache/dragoman/downloads");
    CHECK(store::lists_folder() == user.home() / ".cache/dragoman/registries");
    user.set("XDG_DATA_HOME", "/data");
    user.set("XDG_CACHE_HOME", "/cache");
    CHECK(store::models_folder() == "/data/dragoman/models");
    CHECK(store::partial_folder() == "/cache/dragoman/downloads");
    CHECK(store::lists_folder() == "/cache/dragoman/registries");
#endif
    user.set("DRAGOMAN_MODELS_DIR", "/models");
    CHECK(store::models_folder() == "/models");
}

TEST_CASE("where the system names no folder there are no models" * test::only_posix()) {
    test::User user;
    user.set("HOME", nullptr);
    CHECK(store::models_folder().empty());
    CHECK(store::partial_folder().empty());
    CHECK(store::installed().empty());
    CHECK(!store::find_installed("firefox:de-en"));
}

TEST_CASE("models of the store are found by their names") {
    test::User user;
    CHECK(store::installed().empty());
    const fs::path nllb = add("hf:facebook/nllb-200"), firefox = add("firefox:de-en");
    std::vector<std::string> problems;
    CHECK(test::names_of(store::installed(&problems)) ==
          std::vector<std::string>{"firefox:de-en", "hf:facebook/nllb-200"});
    CHECK(problems.empty());
    const auto found = store::find_installed("hf:facebook/nllb-200");
    REQUIRE(found);
    CHECK(found->path == nllb);
    CHECK(found->own());
    CHECK(!store::find_installed("hf:facebook/nllb"));
    CHECK(!store::find_installed("firefox"));
    CHECK(store::path_of_model("firefox:de-en") == firefox);
}

TEST_CASE("languages in a name may be spelt in another way") {
    test::User user;
    const fs::path german = add("firefox:de-en"), chinese = add("opus:en-zh-Hant");
    add("firefox:de-en@2.0-tiny");
    add("hf:someone/de-en");
    for (const char* name : {"firefox:de_en", "firefox:deu-eng", "firefox:ger_eng"})
        CHECK(store::path_of_model(name) == german);
    CHECK(store::path_of_model("opus:eng_zho-Hant") == chinese);
    for (const char* name : {"firefox:en_de", "firefox:de_en@3.0-tiny", "firefox:de-fr", "argos:de_en", "opus:de_en",
                             "opus:en-zh", "hf:deu-eng"})
        CHECK(!store::find_installed(name));
}

TEST_CASE("paths stay as they are") {
    test::User user;
    for (const char* path : {"", "models/de-en", "/nowhere/model.gguf", "C:\\models\\de-en", "x:y"})
        CHECK(text_of(store::path_of_model(path)) == path);
}

TEST_CASE("a name that is not here is refused with the command, and with near ones") {
    test::User user;
    CHECK(refusal("firefox:de-en") ==
          "firefox:de-en is not on this machine; `dragoman models download firefox:de-en` brings it");
    add("firefox:de-en");
    add("argos:de-fr");
    add("hf:facebook/nllb-200-distilled-600M");
    CHECK(refusal("firefox:de-fr") ==
          "firefox:de-fr is not on this machine; `dragoman models download firefox:de-fr` brings "
          "it; here are: firefox:de-en, argos:de-fr");
    CHECK(refusal("hf:facebook/nllb-200-distiled-600M").ends_with("here are: hf:facebook/nllb-200-distilled-600M"));
    CHECK(refusal("opus:something-else").find("here are") == std::string::npos);
    CHECK(refusal("ollama:gemma3:4b") == "ollama:gemma3:4b is not on this machine; `ollama pull gemma3:4b` brings it");
    test::check_refused(Status::io_error, {"url:https://host/x.zip"},
                        [] { store::path_of_model("url:https://host/x.zip"); });
}

TEST_CASE("what is no model is left out, and told") {
    test::User user;
    const fs::path good = add("firefox:de-en"), broken = add("firefox:de-fr"), moved = add("firefox:de-it"),
                   cut = add("firefox:de-es"), newer = add("firefox:de-pl");
    fs::remove(folder_of({"firefox", "de-fr"}) / store::kMetadataFile);
    fs::rename(moved, moved.parent_path() / "another");
    fs::resize_file(cut / "model.bin", 4);
    std::ofstream(newer / store::kMetadataFile) << R"({"format": 7, "name": "firefox:de-pl"})";
    fs::create_directories(good.parent_path() / ".being-written");
    std::ofstream(good.parent_path() / "a-file") << "x";
    std::ofstream(store::models_folder() / "another-file") << "x";
    std::vector<std::string> problems;
    // one whose file has changed is a model still, so that it can be verified and removed
    CHECK(test::names_of(store::installed(&problems)) == std::vector<std::string>{"firefox:de-en", "firefox:de-es"});
    REQUIRE(problems.size() == 4);
    const auto told = [&](std::initializer_list<const char*> parts) {
        return std::ranges::any_of(problems, [&](const std::string& problem) {
            return std::ranges::all_of(parts, [&](const char* part) { return problem.find(part) != problem.npos; });
        });
    };
    CHECK(told({"de-fr", "there is no dragoman-model.json"}));
    CHECK(told({"another", "firefox:de-it", "another folder"}));
    CHECK(told({"firefox:de-es: model.bin: expected 5 bytes, it has 4"}));
    CHECK(told({"de-pl", "format", "7"}));
    CHECK(!store::find_installed("firefox:de-fr"));
    const auto incomplete = store::find_installed("firefox:de-es");
    REQUIRE(incomplete);
    CHECK(store::what_is_missing(*incomplete) == "firefox:de-es: model.bin: expected 5 bytes, it has 4");
    fs::remove(cut / "model.bin");
    CHECK(store::what_is_missing(*incomplete).starts_with("firefox:de-es: model.bin: "));
    CHECK(store::what_is_missing(*store::find_installed("firefox:de-en")).empty());
    test::check_refused(Status::unsupported, {"de-pl", "up to 1", "has 7"},
                        [] { store::find_installed("firefox:de-pl"); });
}

TEST_CASE("metadata in the wrong folder leads to no model") {
    test::User user;
    const fs::path folder = add("firefox:de-en");
    std::ofstream(folder / store::kMetadataFile) << R"({"format": 1, "name": "hf:de-en"})";
    std::vector<std::string> lines;
    const uint64_t sink = add_log_sink([&](LogLevel, std::string_view line) { lines.emplace_back(line); },
                                       LogLevel::warning);
    CHECK(!store::find_installed("firefox:de-en"));
    std::ofstream(folder / store::kMetadataFile) << R"({"format": 1, "name": "f"})";
    CHECK(!store::find_installed("firefox:de-en"));
    std::ofstream(folder / store::kMetadataFile) << R"({"format": 1, )";
    CHECK(!store::find_installed("firefox:de-en"));
    remove_log_sink(sink);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].find("\"hf:de-en\", which belongs in another folder") != std::string::npos);
    CHECK(lines[1].find("\"f\"") != std::string::npos);
    CHECK(lines[2].find("JSON") != std::string::npos);
    test::check_refused(Status::io_error, {"firefox:de-en is not on this machine"},
                        [] { store::path_of_model("firefox:de-en"); });
}

TEST_CASE("links in the store, also round in a circle" * test::only_posix()) {
    test::User user;
    const fs::path real = add("firefox:de-en");
    fs::create_directories(user.home() / "disk");
    fs::rename(real, user.home() / "disk/model");
    fs::create_symlink(user.home() / "disk/model", real);  // a user may move a large model to another disk
    fs::create_symlink("circle", real.parent_path() / "circle");
    fs::create_symlink("..", store::models_folder() / "up");
    fs::create_symlink("nowhere", store::models_folder() / "dangling");
    CHECK(test::names_of(store::installed()) == std::vector<std::string>{"firefox:de-en"});
    CHECK(store::path_of_model("firefox:de-en") == real);
}

TEST_CASE("the own store goes before others") {
    test::User user;
    const std::string hub = std::string(".cache/huggingface/hub/models--org--model/");
    user.write(hub + "refs/main", "abc");
    user.write(hub + "snapshots/abc/config.json", R"({"model_type": "marian"})");
    user.write(hub + "snapshots/abc/model.safetensors", "weights");
    user.write(hub + "snapshots/abc/vocab.json", "{}");
    const auto other = store::find_installed("hf:org/model");
    REQUIRE(other);
    CHECK(other->owner == "huggingface");
    CHECK(!other->own());
    const fs::path own = add("hf:org/model");
    CHECK(store::find_installed("hf:org/model")->path == own);
    const auto all = store::installed();
    REQUIRE(all.size() == 2);
    CHECK(all[0].own());
    CHECK(all[1].owner == "huggingface");
}

}  // namespace installed_test
