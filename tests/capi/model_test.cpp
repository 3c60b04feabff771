// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "fixture.h"
#include "support/environment.h"
#include "support/temp_dir.h"

namespace model_test {

using namespace dragoman::test;

namespace {

struct Language {
    std::string tag, code, name;
};

std::vector<Language> read(dragoman_language_list* list) {
    std::vector<Language> result;
    for (std::size_t i = 0; i < dragoman_language_list_count(list); ++i) {
        const dragoman_language& language = dragoman_language_list_data(list)[i];
        result.push_back({language.tag, language.code, language.name});
    }
    dragoman_language_list_destroy(list);
    return result;
}

std::vector<Language> languages_of(const char* path, int32_t side) {
    dragoman_language_list* list = nullptr;
    require_ok(dragoman_model_describe_languages(path, side, &list));
    return read(list);
}

}  // namespace

TEST_CASE("describe a model without a device") {
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(kModel, &info));
    CHECK(std::string(info.format) == "ctranslate2");
    CHECK(std::string(info.family) == "TransformerBase");
    CHECK(info.has_tokenizer == 0);
    CHECK(info.d_model == 32);
    CHECK(info.networks == 1);
    CHECK(info.heads == 8);
    CHECK(info.encoder_layers == 6);
    CHECK(info.decoder_layers == 6);
    CHECK(info.encoder_ffn == 128);
    CHECK(info.decoder_ffn == 128);
    CHECK(info.source_vocabulary == 51);
    CHECK(info.target_vocabulary == 43);
    CHECK(info.file_bytes >= 741720);
    CHECK(info.device_bytes == 0);
    CHECK(std::string(info.compute_type).empty());
    CHECK(std::string(info.path) == kModel);
    CHECK(languages_of(kModel, DRAGOMAN_SIDE_TARGET).empty());
    CHECK(std::string(info.stored_types).find("float32") != std::string::npos);
}

TEST_CASE("a loaded model knows itself and its device") {
    const ModelHandle model = load_model();
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_get_info(model.get(), &info));
    CHECK(info.d_model == 32);
    CHECK(info.device_bytes > 0);
    const std::string type = info.compute_type;
    CHECK((type == "float32" || type == "float16"));
    CHECK(std::string(info.compute_reason).starts_with("fastest on "));

    dragoman_device_info device, listed;
    dragoman_device_info_init(&device);
    dragoman_device_info_init(&listed);
    require_ok(dragoman_model_device(model.get(), &device));
    require_ok(dragoman_device_describe(device.index, &listed));
    CHECK(std::string(device.name) == listed.name);
    CHECK(std::memcmp(device.uuid, listed.uuid, sizeof device.uuid) == 0);
}

TEST_CASE("a model twice is an ensemble that translates as the model does") {
    const dragoman_string same = dragoman_str(kModel);
    const float weights[] = {0.25f, 0.75f};
    dragoman_model_options options;
    require_ok(dragoman_model_options_init(&options));
    options.compute_type = DRAGOMAN_COMPUTE_F32;
    options.more_models = &same;
    options.more_model_count = 1;
    options.weights = weights;
    options.weight_count = 2;
    for (const int32_t probabilities : {0, 1}) {
        options.average_probabilities = probabilities;
        dragoman_model* loaded = nullptr;
        require_ok(dragoman_model_load(kModel, &options, &loaded));
        const ModelHandle model(loaded);
        dragoman_model_info info;
        dragoman_model_info_init(&info);
        require_ok(dragoman_model_get_info(model.get(), &info));
        CHECK(info.networks == 2);
        const ResultHandle result = translate(create_translator(model), {kSourceA, kSourceB});
        CHECK(tokens_of(result, 0) == "a t z m o n");
        CHECK(tokens_of(result, 1) == "a z z a");
    }
}

TEST_CASE("devices: every one can be described, and named by index and UUID") {
    uint32_t count = 0;
    require_ok(dragoman_device_count(&count));
    REQUIRE(count > 0);
    for (uint32_t i = 0; i < count; ++i) {
        CAPTURE(i);
        dragoman_device_info info;
        dragoman_device_info_init(&info);
        require_ok(dragoman_device_describe(i, &info));
        CHECK(info.struct_size == sizeof info);
        CHECK(info.index == i);
        CHECK(std::strlen(info.name) > 0);
        CHECK(info.kind >= DRAGOMAN_DEVICE_DISCRETE);
        CHECK(info.kind <= DRAGOMAN_DEVICE_OTHER);
        CHECK(info.api_version >= (1u << 22));
        CHECK(info.memory_bytes > 0);
        CHECK(info.max_buffer_bytes >= (1u << 27));
        CHECK(info.subgroup_size >= 1);

        std::string uuid;
        for (uint8_t byte : info.uuid) {
            constexpr char kDigits[] = "0123456789abcdef";
            uuid += kDigits[byte >> 4];
            uuid += kDigits[byte & 15];
        }
        for (const std::string& name : {std::to_string(i), uuid}) {
            CAPTURE(name);
            dragoman_device_options options;
            require_ok(dragoman_device_options_init(&options));
            options.name = name.c_str();
            const ModelHandle model = load_model(open_device(options));
            dragoman_device_info used;
            dragoman_device_info_init(&used);
            require_ok(dragoman_model_device(model.get(), &used));
            CHECK(std::string(used.name) == info.name);
        }
    }
    dragoman_device_info info;
    dragoman_device_info_init(&info);
    check_error(dragoman_device_describe(count, &info), DRAGOMAN_NO_DEVICE, {"index"});
}

TEST_CASE("models that cannot be loaded") {
    dragoman_model* model = reinterpret_cast<dragoman_model*>(1);
    check_error(dragoman_model_load("/no/such/model", nullptr, &model), DRAGOMAN_IO_ERROR, {"/no/such/model"});
    CHECK(model == nullptr);
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    check_error(dragoman_model_describe("/no/such/model", &info), DRAGOMAN_IO_ERROR, {"/no/such/model"});

    dragoman_device_options device_options;
    require_ok(dragoman_device_options_init(&device_options));
    device_options.memory_limit_bytes = 1000;
    const DeviceHandle small = open_device(device_options);
    dragoman_model_options options;
    require_ok(dragoman_model_options_init(&options));
    options.device = small.get();
    check_error(dragoman_model_load(kModel, &options, &model), DRAGOMAN_OUT_OF_MEMORY, {});
    CHECK(model == nullptr);
}

TEST_CASE("log lines reach the callback, and a NULL callback ends that") {
    struct Lines {
        int count = 0;
        bool levels_sound = true;
    } lines;
    const auto sink = [](int32_t level, const char* line, void* user) {
        auto& seen = *static_cast<Lines*>(user);
        ++seen.count;
        seen.levels_sound &= level >= DRAGOMAN_LOG_ERROR && level <= DRAGOMAN_LOG_DEBUG && line != nullptr;
    };
    require_ok(dragoman_set_log(sink, &lines, DRAGOMAN_LOG_DEBUG));
    load_model();
    require_ok(dragoman_set_log(nullptr, nullptr, 0));
    const int count = lines.count;
    CHECK(count > 0);
    CHECK(lines.levels_sound);
    load_model();
    CHECK(lines.count == count);
}

TEST_CASE("languages are told where the files say them") {
    const char* path = DRAGOMAN_TEST_DATA "/huggingface/shared";
    const auto targets = languages_of(path, DRAGOMAN_SIDE_TARGET);
    REQUIRE(targets.size() == 2);
    CHECK(targets[1].code == "yy");
    CHECK(targets[0].code == "xx");
    CHECK(targets[0].tag == "und");
    CHECK(targets[0].name == "xx");

    dragoman_model* raw = nullptr;
    require_ok(dragoman_model_load(path, nullptr, &raw));
    const ModelHandle model(raw);
    for (const int32_t side : {DRAGOMAN_SIDE_SOURCE, DRAGOMAN_SIDE_TARGET}) {
        dragoman_language_list* list = nullptr;
        require_ok(dragoman_model_languages(raw, side, &list));
        const auto loaded = read(list), described = languages_of(path, side);
        REQUIRE(loaded.size() == described.size());
        for (std::size_t i = 0; i < loaded.size(); ++i) CHECK(loaded[i].code == described[i].code);
    }

    dragoman_language_list* list = reinterpret_cast<dragoman_language_list*>(1);
    check_error(dragoman_model_languages(raw, 2, &list), DRAGOMAN_INVALID_ARGUMENT, {"side", "2"});
    CHECK(list == nullptr);
    check_error(dragoman_model_languages(nullptr, 0, &list), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    check_error(dragoman_model_languages(raw, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"languages"});
    check_error(dragoman_model_describe_languages("/no/such/model", 0, &list), DRAGOMAN_IO_ERROR, {"/no/such/model"});
    check_error(dragoman_model_describe_languages_files(nullptr, 1, 0, &list), DRAGOMAN_INVALID_ARGUMENT, {"files"});
    CHECK(dragoman_language_list_count(nullptr) == 0);
    CHECK(dragoman_language_list_data(nullptr) == nullptr);
    dragoman_language_list_destroy(nullptr);
}

TEST_CASE("a caller compiled with an older header gets what fits") {
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    info.struct_size = offsetof(dragoman_model_info, version);
    std::memset(info.version, 'x', sizeof info.version);
    require_ok(dragoman_model_describe(DRAGOMAN_TEST_DATA "/huggingface/shared", &info));
    CHECK(std::string(info.format) == "huggingface");
    CHECK(info.version[0] == 'x');
}

TEST_CASE("a list of languages has all of them, in the order of the files") {
    const TempDir folder;
    const Path model = folder.path() / "model";
    std::filesystem::copy(DRAGOMAN_TEST_DATA "/huggingface/shared", model);
    const auto code = [](int number) {
        return "language_number_" + std::to_string(100 + number) + (number == 71 ? std::string(300, 'x') : "");
    };
    const nlohmann::json pieces = nlohmann::json::parse(read_file(model / "vocab.json"));
    nlohmann::json vocabulary;
    for (const auto& [piece, id] : pieces.items()) {
        const int number = id.get<int>() - 2;  // behind </s> and <unk>
        const bool becomes_code = number >= 0 && number < 72;
        vocabulary[becomes_code ? ">>" + code(number) + "<<" : piece] = id;
    }
    folder.write("model/vocab.json", vocabulary.dump());
    folder.write("model/tokenizer_config.json", R"({"source_lang": "gem"})");
    const auto targets = languages_of(std::string(model).c_str(), DRAGOMAN_SIDE_TARGET);
    REQUIRE(targets.size() >= 72);
    for (int i = 0; i < 72; ++i) CHECK(targets[std::size_t(i)].code == code(i));
    const auto sources = languages_of(std::string(model).c_str(), DRAGOMAN_SIDE_SOURCE);
    REQUIRE(sources.size() == 1);
    CHECK(sources[0].code == "gem");
}

TEST_CASE("the model that comes with the library is found when none is named") {
    const char* named = std::getenv("DRAGOMAN_MODEL");
    const std::string before = named ? named : "";
    set_environment("DRAGOMAN_MODEL", nullptr);
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(nullptr, &info));
    CHECK(std::string(info.path).ends_with("share/dragoman/models/en-de"));
    CHECK(std::string(info.format) == "huggingface");
    CHECK(info.has_tokenizer == 1);
    const auto targets = languages_of(nullptr, DRAGOMAN_SIDE_TARGET);
    const auto german = std::find_if(targets.begin(), targets.end(), [](const Language& l) { return l.tag == "de"; });
    REQUIRE(german != targets.end());
    CHECK(german->name == "German");
    CHECK(std::string(info.license) == "CC-BY-SA-4.0");

    set_environment("DRAGOMAN_MODEL", kModel);
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(nullptr, &info));
    CHECK(std::string(info.path) == kModel);
    set_environment("DRAGOMAN_MODEL", named ? before.c_str() : nullptr);
}

TEST_CASE("facts and languages together, while the files are read once") {
    const TempDir folder;
    const std::filesystem::path path = folder.path() / "model";
    std::filesystem::copy(DRAGOMAN_TEST_DATA "/huggingface/shared", path, std::filesystem::copy_options::recursive);
    std::string config = read_file(path / "config.json");
    config.insert(config.find('{') + 1, "\"nobody_knows_this\": 1, ");  // each reading warns of it
    std::ofstream(path / "config.json", std::ios::binary) << config;
    const std::string name = path.string();
    int warnings = 0;
    require_ok(dragoman_set_log([](int32_t, const char*, void* user) { ++*static_cast<int*>(user); }, &warnings,
                                DRAGOMAN_LOG_WARNING));
    dragoman_model_info info, alone;
    dragoman_model_info_init(&info);
    dragoman_model_info_init(&alone);
    dragoman_language_list *sources = nullptr, *targets = nullptr;
    require_ok(dragoman_model_describe(name.c_str(), &alone));
    const int of_one = std::exchange(warnings, 0);
    require_ok(dragoman_model_describe_all(name.c_str(), &info, &sources, &targets));
    const int of_all = warnings;
    require_ok(dragoman_set_log(nullptr, nullptr, 0));
    CHECK(of_one > 0);
    CHECK(of_all == of_one);
    CHECK(std::memcmp(&info, &alone, sizeof info) == 0);
    for (auto [list, side] : {std::pair(sources, DRAGOMAN_SIDE_SOURCE), {targets, DRAGOMAN_SIDE_TARGET}}) {
        const auto together = read(list), apart = languages_of(name.c_str(), side);
        REQUIRE(together.size() == apart.size());
        for (std::size_t i = 0; i < apart.size(); ++i) CHECK(together[i].code == apart[i].code);
    }
    check_error(dragoman_model_describe_all("/no/such/model", &info, &sources, &targets), DRAGOMAN_IO_ERROR,
                {"/no/such/model"});
    CHECK(sources == nullptr);
    CHECK(targets == nullptr);
    check_error(dragoman_model_describe_all(name.c_str(), &info, nullptr, &targets), DRAGOMAN_INVALID_ARGUMENT,
                {"sources"});
    check_error(dragoman_model_describe_all(name.c_str(), nullptr, &sources, &targets), DRAGOMAN_INVALID_ARGUMENT,
                {"info"});
}

TEST_CASE("a model knows the tokens of its vocabularies") {
    const ModelHandle model = load_model();
    const auto known = [&](int32_t side, const char* token) {
        int32_t has = -1;
        require_ok(dragoman_model_has_token(model.get(), side, token, &has));
        return has;
    };
    CHECK(known(DRAGOMAN_SIDE_TARGET, "m") == 1);
    CHECK(known(DRAGOMAN_SIDE_TARGET, "<unk>") == 1);
    CHECK(known(DRAGOMAN_SIDE_TARGET, "no such token") == 0);
    CHECK(known(DRAGOMAN_SIDE_TARGET, "") == 0);
    CHECK(known(DRAGOMAN_SIDE_SOURCE, "m") == 0);
    CHECK(known(DRAGOMAN_SIDE_SOURCE, "ت") == 1);
    int32_t has = 0;
    check_error(dragoman_model_has_token(nullptr, 0, "m", &has), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    check_error(dragoman_model_has_token(model.get(), 2, "m", &has), DRAGOMAN_INVALID_ARGUMENT, {"side", "2"});
    check_error(dragoman_model_has_token(model.get(), 0, nullptr, &has), DRAGOMAN_INVALID_ARGUMENT, {"token"});
    check_error(dragoman_model_has_token(model.get(), 0, "m", nullptr), DRAGOMAN_INVALID_ARGUMENT, {"known"});
}

}  // namespace model_test
