// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"

namespace device_test {

using namespace dragoman::test;

namespace {

dragoman_device_options device_options() {
    dragoman_device_options options;
    require_ok(dragoman_device_options_init(&options));
    return options;
}

dragoman_memory_info memory_of(const DeviceHandle& device) {
    dragoman_memory_info memory;
    dragoman_memory_info_init(&memory);
    require_ok(dragoman_device_get_memory(device.get(), &memory));
    return memory;
}

}  // namespace

TEST_CASE("an open device: description, memory, trimming") {
    dragoman_device* raw = nullptr;
    require_ok(dragoman_device_open(nullptr, &raw));
    const DeviceHandle device(raw);
    dragoman_device_info info, listed;
    dragoman_device_info_init(&info);
    dragoman_device_info_init(&listed);
    require_ok(dragoman_device_get_info(raw, &info));
    require_ok(dragoman_device_describe(info.index, &listed));
    CHECK(std::string(info.name) == listed.name);
    const dragoman_memory_info memory = memory_of(device);
    CHECK(memory.heap_bytes == info.memory_bytes);
    CHECK(memory.limit_bytes == 0);
    require_ok(dragoman_device_trim(raw));
}

TEST_CASE("several devices behind one handle: their number, what each is, memory in all, the same translations") {
    dragoman_device_options options = device_options();
    options.name = "0,0,0";
    options.memory_limit_bytes = uint64_t(1) << 32;
    dragoman_device* raw = nullptr;
    require_ok(dragoman_device_open(&options, &raw));
    const DeviceHandle several(raw);
    CHECK(dragoman_device_member_count(raw) == 3);
    CHECK(dragoman_device_member_count(nullptr) == 0);
    dragoman_device_info info;
    dragoman_device_info_init(&info);
    for (size_t i = 0; i < 3; ++i) {
        require_ok(dragoman_device_member_info(raw, i, &info));
        CHECK(info.index == 0);
    }
    check_error(dragoman_device_member_info(raw, 3, &info), DRAGOMAN_INVALID_ARGUMENT, {"index", "3"});

    options.name = "0";
    const DeviceHandle single = open_device(options);
    CHECK(dragoman_device_member_count(single.get()) == 1);
    const Sequences sources{"آ",       "ت ز",     "م و ن", "آ ت ز م و ن", "ن و م ز ت آ", "آ ز ا",
                            "ز ز ز ز", "م آ م ا", "و ن",   "ن ا ن",       "ت ا ت ا ت ا", "آ م ن ز و ت ا"};
    const auto translate_on = [&](const DeviceHandle& device) {
        const ModelHandle model = load_model(device);
        const TranslatorHandle translator = create_translator(model);
        const ResultHandle result = translate(translator, sources);
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < sources.size(); ++i) texts.push_back(tokens_of(result, i));
        return std::pair(texts, memory_of(device));
    };
    const auto [expected, one] = translate_on(single);
    const auto [found, three] = translate_on(several);
    CHECK(found == expected);
    CHECK(three.limit_bytes == 3 * one.limit_bytes);
    CHECK(three.heap_bytes == 3 * one.heap_bytes);
    CHECK(three.held_bytes > 2 * one.held_bytes);
}

TEST_CASE("devices: arguments") {
    dragoman_device* device = reinterpret_cast<dragoman_device*>(1);
    dragoman_device_options options = device_options();
    options.name = "no such device";
    check_error(dragoman_device_open(&options, &device), DRAGOMAN_NO_DEVICE, {"no such device"});
    CHECK(device == nullptr);
    options.name = "a\xff";
    check_error(dragoman_device_open(&options, &device), DRAGOMAN_INVALID_ARGUMENT, {"options.name", "UTF-8"});
    options = device_options();
    options.validation = 2;
    check_error(dragoman_device_open(&options, &device), DRAGOMAN_INVALID_ARGUMENT, {"validation", "2"});
    options = device_options();
    options.tune = DRAGOMAN_TUNE_ON + 1;
    check_error(dragoman_device_open(&options, &device), DRAGOMAN_INVALID_ARGUMENT, {"options.tune", "0 to 2", "3"});
    options.tune = -1;
    check_error(dragoman_device_open(&options, &device), DRAGOMAN_INVALID_ARGUMENT, {"options.tune", "-1"});
    options = device_options();
    options.reserved2 = 1;
    check_error(dragoman_device_open(&options, &device), DRAGOMAN_INVALID_ARGUMENT, {"options.reserved2", "1"});
    options = device_options();
    options.struct_size = 3;
    check_error(dragoman_device_open(&options, &device), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});
    check_error(dragoman_device_open(nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"device"});
    dragoman_device_info info;
    dragoman_device_info_init(&info);
    check_error(dragoman_device_get_info(nullptr, &info), DRAGOMAN_INVALID_ARGUMENT, {"device"});
    dragoman_memory_info memory;
    dragoman_memory_info_init(&memory);
    check_error(dragoman_device_get_memory(nullptr, &memory), DRAGOMAN_INVALID_ARGUMENT, {"device"});
    check_error(dragoman_device_trim(nullptr), DRAGOMAN_INVALID_ARGUMENT, {"device"});
    const DeviceHandle sound = open_device(device_options());
    check_error(dragoman_device_get_info(sound.get(), nullptr), DRAGOMAN_INVALID_ARGUMENT, {"info"});
    memory.struct_size = 3;
    check_error(dragoman_device_get_memory(sound.get(), &memory), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});
    dragoman_device_close(nullptr);
}

TEST_CASE("a device to adopt: arguments") {
    dragoman_device* adopted = reinterpret_cast<dragoman_device*>(1);
    dragoman_vulkan_device given;
    const auto adopt = [&] { return dragoman_device_adopt(&given, nullptr, &adopted); };
    void* const something = &given;
    check_error(dragoman_device_adopt(nullptr, nullptr, &adopted), DRAGOMAN_INVALID_ARGUMENT, {"device"});
    CHECK(adopted == nullptr);
    dragoman_vulkan_device_init(&given);
    check_error(dragoman_device_adopt(&given, nullptr, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"adopted"});
    check_error(adopt(), DRAGOMAN_INVALID_ARGUMENT, {"device.instance"});
    given.instance = something;
    check_error(adopt(), DRAGOMAN_INVALID_ARGUMENT, {"device.physical_device"});
    given.physical_device = something;
    check_error(adopt(), DRAGOMAN_INVALID_ARGUMENT, {"device.device"});
    given.device = something;
    given.lock = [](void*) {};
    check_error(adopt(), DRAGOMAN_INVALID_ARGUMENT, {"device.unlock", "device.lock"});
    given.lock = nullptr;
    given.unlock = [](void*) {};
    check_error(adopt(), DRAGOMAN_INVALID_ARGUMENT, {"device.lock"});
    given.unlock = nullptr;
    given.extension_count = 1;
    check_error(adopt(), DRAGOMAN_INVALID_ARGUMENT, {"device.extensions"});
    const char* const none = nullptr;
    given.extensions = &none;
    check_error(adopt(), DRAGOMAN_INVALID_ARGUMENT, {"device.extensions"});
    given.struct_size = 1;
    check_error(adopt(), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});
    dragoman_vulkan_device_init(&given);
    dragoman_wanted_device* wanted = reinterpret_cast<dragoman_wanted_device*>(1);
    check_error(dragoman_vulkan_wanted(&given, &wanted), DRAGOMAN_INVALID_ARGUMENT, {"device.instance"});
    CHECK(wanted == nullptr);
    check_error(dragoman_vulkan_wanted(&given, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"wanted"});
    CHECK(dragoman_wanted_extension_count(nullptr) == 0);
    CHECK(dragoman_wanted_extensions(nullptr) == nullptr);
    CHECK(dragoman_wanted_features(nullptr) == nullptr);
    dragoman_wanted_device_destroy(nullptr);
}

TEST_CASE("two models on one device share its memory limit") {
    const DeviceHandle device = open_device(device_options());
    const ModelHandle first = load_model(device);
    const uint64_t one = memory_of(device).held_bytes;
    REQUIRE(one > 0);
    const ModelHandle second = load_model(device);
    CHECK(memory_of(device).held_bytes > one);
    dragoman_memory_info of_model;
    dragoman_memory_info_init(&of_model);
    require_ok(dragoman_model_memory(first.get(), &of_model));
    CHECK(of_model.held_bytes == memory_of(device).held_bytes);

    dragoman_device_options options = device_options();
    options.memory_limit_bytes = one + one / 2;
    const DeviceHandle small = open_device(options);
    CHECK(memory_of(small).limit_bytes == options.memory_limit_bytes);
    ModelHandle fits = load_model(small);
    dragoman_model_options how;
    require_ok(dragoman_model_options_init(&how));
    how.device = small.get();
    dragoman_model* none = reinterpret_cast<dragoman_model*>(1);
    check_error(dragoman_model_load(kModel, &how, &none), DRAGOMAN_OUT_OF_MEMORY, {});
    CHECK(none == nullptr);
    CHECK(memory_of(small).held_bytes <= options.memory_limit_bytes);
    fits.reset();
    fits = load_model(small);
}

TEST_CASE("a device that is closed stays for its models") {
    DeviceHandle device = open_device(device_options());
    const ModelHandle model = load_model(device);
    device.reset();
    const TranslatorHandle translator = create_translator(model);
    CHECK(tokens_of(translate(translator, Sequences{kSourceB}), 0) == "a z z a");
}

}  // namespace device_test
