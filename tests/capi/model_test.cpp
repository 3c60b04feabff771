// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fixture.h"
#include "support/temp_dir.h"

using namespace dragoman::test;

TEST_CASE("describe a model without a device") {
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(kModel, &info));
    CHECK(std::string(info.format) == "ctranslate2");
    CHECK(std::string(info.family) == "TransformerBase");
    CHECK(info.has_tokenizer == 0);
    CHECK(info.d_model == 32);
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
    CHECK(std::string(info.target_languages).empty());
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

    dragoman_device_info device, listed;
    dragoman_device_info_init(&device);
    dragoman_device_info_init(&listed);
    require_ok(dragoman_model_device(model.get(), &device));
    require_ok(dragoman_device_describe(device.index, &listed));
    CHECK(std::string(device.name) == listed.name);
    CHECK(std::memcmp(device.uuid, listed.uuid, sizeof device.uuid) == 0);
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
            dragoman_model_options options;
            require_ok(dragoman_model_options_init(&options));
            options.device = name.c_str();
            dragoman_model* model = nullptr;
            require_ok(dragoman_model_load(kModel, &options, &model));
            const ModelHandle handle(model);
            dragoman_device_info used;
            dragoman_device_info_init(&used);
            require_ok(dragoman_model_device(model, &used));
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

    dragoman_model_options options;
    require_ok(dragoman_model_options_init(&options));
    options.device = "no such device";
    check_error(dragoman_model_load(kModel, &options, &model), DRAGOMAN_NO_DEVICE, {"no such device"});
    CHECK(model == nullptr);

    require_ok(dragoman_model_options_init(&options));
    options.memory_limit_bytes = 1000;
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

TEST_CASE("languages and licence are told where the files say them") {
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(DRAGOMAN_TEST_DATA "/huggingface/shared", &info));
    CHECK(std::string(info.target_languages).find("xx") != std::string::npos);

    // A caller compiled with an older header gets what fits.
    dragoman_model_info_init(&info);
    info.struct_size = offsetof(dragoman_model_info, source_languages);
    std::memset(info.source_languages, 'x', sizeof info.source_languages);
    require_ok(dragoman_model_describe(DRAGOMAN_TEST_DATA "/huggingface/shared", &info));
    CHECK(std::string(info.format) == "huggingface");
    CHECK(info.source_languages[0] == 'x');
}

TEST_CASE("a list of languages that does not fit ends with a whole code") {
    const TempDir folder;
    const std::filesystem::path model = folder.path() / "model";
    std::filesystem::copy(DRAGOMAN_TEST_DATA "/huggingface/shared", model);
    const nlohmann::json pieces = nlohmann::json::parse(read_file(model / "vocab.json"));
    nlohmann::json vocabulary;
    for (const auto& [piece, id] : pieces.items()) {
        const int number = id.get<int>() - 2;  // behind </s> and <unk>
        const bool becomes_code = number >= 0 && number < 72;
        vocabulary[becomes_code ? ">>language_number_" + std::to_string(100 + number) + "<<" : piece] = id;
    }
    folder.write("model/vocab.json", vocabulary.dump());
    folder.write("model/tokenizer_config.json", R"({"source_lang": ")" + std::string(300, 'x') + "\"}");
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(model.c_str(), &info));
    const std::string targets = info.target_languages;
    CHECK(targets.starts_with("language_number_100, language_number_101, "));
    CHECK(targets.ends_with(", language_number_147"));  // 48 codes of 19 bytes, 47 times ", "
    CHECK(targets.size() == 48 * 19 + 47 * 2);
    CHECK(std::string(info.source_languages).empty());
}

TEST_CASE("the model that comes with the library is found when none is named") {
    const char* named = std::getenv("DRAGOMAN_MODEL");
    const std::string before = named ? named : "";
    unsetenv("DRAGOMAN_MODEL");
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(nullptr, &info));
    CHECK(std::string(info.path).ends_with("share/dragoman/models/en-de"));
    CHECK(std::string(info.format) == "huggingface");
    CHECK(info.has_tokenizer == 1);
    CHECK(std::string(info.target_languages).find("de") != std::string::npos);
    CHECK(std::string(info.license).find("CC-BY-SA") != std::string::npos);

    setenv("DRAGOMAN_MODEL", kModel, 1);
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(nullptr, &info));
    CHECK(std::string(info.path) == kModel);
    if (named) setenv("DRAGOMAN_MODEL", before.c_str(), 1);
    else unsetenv("DRAGOMAN_MODEL");
}
