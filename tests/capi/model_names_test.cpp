// SPDX-License-Identifier: Apache-2.0
// Names of models on this machine, wherever a model's path is taken.
#include <doctest/doctest.h>

#include <dragoman/dragoman.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/environment.h"
#include "fixture.h"
#include "support/environment.h"
#include "support/temp_dir.h"
#include "tool_run.h"

namespace model_names_test {

using namespace dragoman::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name), before_(dragoman::environment(name)) {
        set_environment(name, value.c_str());
    }
    ~Variable() { set_environment(name_, before_.empty() ? nullptr : before_.c_str()); }
    Variable(const Variable&) = delete;

private:
    const char* name_;
    std::string before_;
};

// A store of models in a folder of its own, and a cache of the Hub beside it.
struct Store {
    void add(const std::string& registry, const std::string& model, const std::string& files) const {
        const Path to = folder.path() / "store" / registry / model;
        fs::create_directories(to);
        fs::copy(files, to, fs::copy_options::recursive);
        std::ofstream(to / "dragoman-model.json") << json{{"format", 1}, {"name", registry + ":" + model}};
    }

    // A model of one direction; there is a tokenizer.
    void add_pair(const std::string& registry, const std::string& from, const std::string& to) const {
        add(registry, from + "-" + to, DRAGOMAN_TEST_DATA "/huggingface/separate");
        const Path file = folder.path() / "store" / registry / (from + "-" + to) / "tokenizer_config.json";
        json settings = json::parse(read_file(file));
        settings["source_lang"] = from;
        settings["target_lang"] = to;
        std::ofstream(file) << settings;
    }

    TempDir folder;
    Variable models{"DRAGOMAN_MODELS_DIR", folder.path() / "store"};
    Variable hub{"HF_HUB_CACHE", folder.path() / "hub"};
};

dragoman_model_info described(const char* path) {
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(path, &info));
    return info;
}

std::string translated(const char* path, const dragoman_model_options* options = nullptr) {
    dragoman_model* loaded = nullptr;
    require_ok(dragoman_model_load(path, options, &loaded));
    const ModelHandle model(loaded);
    return tokens_of(translate(create_translator(model), {kSourceA}), 0);
}

const char* const kExpected = "a t z m o n";

}  // namespace

TEST_CASE("a model is loaded and described by its name") {
    const Store store;
    store.add("opus", "ar-en", kModel);
    CHECK(translated("opus:ar-en") == kExpected);
    const dragoman_model_info info = described("opus:ar-en");
    CHECK(std::string(info.path) == std::string(store.folder.path() / "store" / "opus" / "ar-en"));
    CHECK(std::string(info.format) == "ctranslate2");
    store.add_pair("firefox", "en", "fr");
    dragoman_language_list* list = nullptr;
    require_ok(dragoman_model_describe_languages("firefox:en-fr", DRAGOMAN_SIDE_TARGET, &list));
    REQUIRE(dragoman_language_list_count(list) == 1);
    CHECK(std::string(dragoman_language_list_data(list)[0].tag) == "fr");
    dragoman_language_list_destroy(list);
}

TEST_CASE("the default model may be a name") {
    const Store store;
    store.add("opus", "ar-en", kModel);
    const Variable named("DRAGOMAN_MODEL", "opus:ar-en");
    CHECK(translated(nullptr) == kExpected);
}

TEST_CASE("further models of an ensemble may be names") {
    const Store store;
    store.add("opus", "ar-en", kModel);
    const dragoman_string more = dragoman_str("opus:ar-en");
    dragoman_model_options options;
    require_ok(dragoman_model_options_init(&options));
    options.more_models = &more;
    options.more_model_count = 1;
    CHECK(translated(kModel, &options) == kExpected);
}

TEST_CASE("a route over names") {
    const Store store;
    store.add_pair("opus", "de", "en");
    store.add_pair("firefox", "en", "fr");
    const char* const models[] = {"firefox:en-fr", "opus:de-en"};
    std::size_t path[2] = {}, length = 0;
    require_ok(dragoman_find_route(models, 2, "de", "fr", path, &length));
    CHECK(std::vector<std::size_t>(path, path + length) == std::vector<std::size_t>{1, 0});
}

TEST_CASE("a model is converted by its name") {
    const Store store;
    store.add("opus", "ar-en", kModel);
    const std::string out = store.folder.path() / "m.gguf";
    dragoman::convert_model("opus:ar-en", out, {});
    CHECK(translated(out.c_str()) == kExpected);
}

TEST_CASE("texts become vectors, and speed is measured, by a name") {
    const Store store;
    store.add_pair("opus", "de", "en");
    dragoman_model* loaded = nullptr;
    require_ok(dragoman_model_load("opus:de-en", nullptr, &loaded));
    const ModelHandle model(loaded);
    const dragoman_string text = dragoman_str("Gakui");
    dragoman_vectors* vectors = nullptr;
    require_ok(dragoman_embed_texts(model.get(), &text, 1, nullptr, &vectors));
    dragoman_vectors_destroy(vectors);
    dragoman_report* report = nullptr;
    const Sequences sources{kSourceA};
    store.add("opus", "ar-en", kModel);
    require_ok(dragoman_bench_tokens("opus:ar-en", nullptr, sources.data(), sources.size(), nullptr, nullptr, &report));
    dragoman_report_destroy(report);
}

TEST_CASE("a model in the Hub's cache") {
    const Store store;
    const Path repository = store.folder.path() / "hub/models--org--ar-en";
    fs::create_directories(repository / "refs");
    std::ofstream(repository / "refs/main") << "0123abc";
    fs::create_directories(repository / "snapshots/0123abc");
    fs::copy(DRAGOMAN_TEST_DATA "/huggingface/separate", repository / "snapshots/0123abc");
    CHECK(std::string(described("hf:org/ar-en").path) == std::string(repository / "snapshots/0123abc"));
}

TEST_CASE("a name that is not on this machine") {
    const Store store;
    store.add("opus", "ar-en", kModel);
    dragoman_model* model = nullptr;
    check_error(dragoman_model_load("opus:ar-de", nullptr, &model), DRAGOMAN_IO_ERROR,
                {"opus:ar-de is not on this machine", "`dragoman models download opus:ar-de`", "opus:ar-en"});
    CHECK(model == nullptr);
    std::ofstream(store.folder.path() / "store/opus/ar-en/dragoman-model.json")
        << R"({"format": 2, "name": "opus:ar-en"})";
    check_error(dragoman_model_load("opus:ar-en", nullptr, &model), DRAGOMAN_UNSUPPORTED, {"ar-en", "format", "2"});
}

TEST_CASE("the tool takes names as they are") {
    const Store store;
    store.add("opus", "ar-en", kModel);
    CHECK(output(run(DRAGOMAN_CLI, {"translate", "--model", "opus:ar-en", "--tokens", kSourceA})) ==
          std::string(kExpected) + "\n");
    CHECK(output(run(DRAGOMAN_CLI, {"translate", "--tokens", kSourceA}, "", "DRAGOMAN_MODEL=opus:ar-en")) ==
          std::string(kExpected) + "\n");
    CHECK(output(run(DRAGOMAN_CLI, {"info", "opus:ar-en"})).find("ctranslate2") != std::string::npos);
    const Run missing = run(DRAGOMAN_CLI, {"info", "opus:ar-fr"});
    check_refused(missing, "opus:ar-fr");
}

TEST_CASE("dragoman models: mistakes of the command line, and paths in JSON") {
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{"show"},
                                                                                       {"download"},
                                                                                       {"verify"},
                                                                                       {"remove"},
                                                                                       {"list", "extra"},
                                                                                       {"clean", "extra"},
                                                                                       {"search", "a", "b", "c"}}) {
        std::vector<std::string> arguments{"models", "--offline"};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const Run mistake = run(DRAGOMAN_CLI, arguments);
        CHECK(mistake.exit_code == 2);
        CHECK(mistake.out.empty());
        CHECK_MESSAGE(mistake.err.find("models " + wrong.front()) != std::string::npos, mistake.err);
    }
    const std::string path = json::parse(output(run(DRAGOMAN_CLI, {"models", "path", "--json"}))).at("path");
    CHECK(output(run(DRAGOMAN_CLI, {"models", "path"})) == path + "\n");
}

}  // namespace model_names_test
