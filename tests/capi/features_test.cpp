// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <thread>

#include "fixture.h"
#include "support/again.h"

namespace features_test {

using namespace dragoman::test;

TEST_CASE("features have names, and unknown ones are absent") {
    std::set<std::string> names;
    for (size_t i = 0; const char* name = dragoman_feature_name(i); ++i) CHECK(names.insert(name).second);
    for (const char* name :
         {"format.ctranslate2", "format.marian", "format.huggingface", "format.argos", "format.pytorch",
          "compute.float32", "compute.float16", "compute.int8", "compute.int8_float16", "search.marian", "jobs"}) {
        CAPTURE(name);
        CHECK(names.contains(name));
        CHECK(dragoman_has_feature(name) == 1);
    }
    CHECK(names.contains("jobs.partial"));
    CHECK(names.contains("vulkan"));
    CHECK(dragoman_has_feature("vulkan") == 1);  // the other tests need it
    for (const char* name : {"", "format", "format.", "Vulkan", "cuda"}) CHECK(dragoman_has_feature(name) == 0);
    CHECK(dragoman_has_feature(nullptr) == 0);
    CHECK(dragoman_feature_name(names.size()) == nullptr);
    CHECK(dragoman_feature_name(SIZE_MAX) == nullptr);
}

// The loader is looked for once per process, so this runs in one of its own.
TEST_CASE("child: no Vulkan loader" * doctest::skip()) {
    CHECK(dragoman_has_feature("vulkan") == 0);
    CHECK(dragoman_has_feature("format.ctranslate2") == 1);
    uint32_t count = 0;
    check_error(dragoman_device_count(&count), DRAGOMAN_NO_DEVICE, {"/nonexistent/libvulkan.so"});
    dragoman_device_info device;
    dragoman_device_info_init(&device);
    check_error(dragoman_device_describe(0, &device), DRAGOMAN_NO_DEVICE, {"/nonexistent/libvulkan.so"});
    dragoman_memory_info memory;
    dragoman_memory_info_init(&memory);
    check_error(dragoman_device_memory(0, &memory), DRAGOMAN_NO_DEVICE, {"/nonexistent/libvulkan.so"});
    dragoman_model* model = nullptr;
    check_error(dragoman_model_load(kModel, nullptr, &model), DRAGOMAN_NO_DEVICE, {"/nonexistent/libvulkan.so"});
    dragoman_model_info info;
    dragoman_model_info_init(&info);
    require_ok(dragoman_model_describe(kModel, &info));
    CHECK(info.d_model == 32);
    const dragoman_string text = dragoman_str("One. Two.");
    dragoman_range_list* ranges = nullptr;
    require_ok(dragoman_split_sentences(&text, "en", 0, &ranges));
    CHECK(dragoman_range_list_count(ranges) == 2);
    dragoman_range_list_destroy(ranges);
}

TEST_CASE("without a Vulkan loader there is a status, and what needs no device works") {
    CHECK(passes_in_child("DRAGOMAN_VULKAN_LOADER=/nonexistent/libvulkan.so", "child: no Vulkan loader"));
}

TEST_CASE("memory of devices and models") {
    uint32_t count = 0;
    require_ok(dragoman_device_count(&count));
    dragoman_memory_info memory;
    for (uint32_t i = 0; i < count; ++i) {
        dragoman_device_info device;
        dragoman_device_info_init(&device);
        require_ok(dragoman_device_describe(i, &device));
        dragoman_memory_info_init(&memory);
        require_ok(dragoman_device_memory(i, &memory));
        CHECK(memory.heap_bytes == device.memory_bytes);
        CHECK(memory.budget_bytes > 0);
        CHECK(memory.budget_bytes <= memory.heap_bytes);
        CHECK((memory.measured == 1 || memory.used_bytes == 0));
        CHECK(memory.held_bytes == 0);
    }
    check_error(dragoman_device_memory(count, &memory), DRAGOMAN_NO_DEVICE, {"index"});
    check_error(dragoman_device_memory(0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"info"});

    dragoman_device_options options;
    require_ok(dragoman_device_options_init(&options));
    options.memory_limit_bytes = uint64_t(1) << 30;
    const DeviceHandle device = open_device(options);
    const ModelHandle model = load_model(device);
    dragoman_memory_info_init(&memory);
    require_ok(dragoman_model_memory(model.get(), &memory));
    const uint64_t held = memory.held_bytes;
    CHECK(held > 0);
    CHECK(memory.limit_bytes == options.memory_limit_bytes);
    CHECK(memory.heap_bytes > 0);
    const TranslatorHandle translator = create_translator(model);
    translate(translator, Sequences{kSourceA});
    require_ok(dragoman_model_memory(model.get(), &memory));
    CHECK(memory.held_bytes > held);
    CHECK(memory.peak_bytes >= memory.held_bytes);
    check_error(dragoman_model_memory(nullptr, &memory), DRAGOMAN_INVALID_ARGUMENT, {"model"});
    memory.struct_size = 5;
    check_error(dragoman_model_memory(model.get(), &memory), DRAGOMAN_INVALID_ARGUMENT, {"struct_size"});

    dragoman_stats stats;
    dragoman_stats_init(&stats);
    require_ok(dragoman_translator_stats(translator.get(), &stats));
    CHECK(stats.host_peak_bytes > (1u << 20));
}

namespace {

void count_lines(int32_t, const char*, void* user) { ++*static_cast<int*>(user); }

}  // namespace

TEST_CASE("two users of the log do not know of each other") {
    int mine = 0, yours = 0, programs = 0;
    dragoman_logger *first = nullptr, *second = nullptr;
    require_ok(dragoman_logger_create(count_lines, &mine, DRAGOMAN_LOG_DEBUG, &first));
    require_ok(dragoman_logger_create(count_lines, &yours, DRAGOMAN_LOG_ERROR, &second));
    load_model();
    CHECK(mine > 0);
    CHECK(yours == 0);
    require_ok(dragoman_set_log(count_lines, &programs, DRAGOMAN_LOG_DEBUG));
    const int before = mine;
    load_model();
    CHECK(mine == before + programs);
    CHECK(programs > 0);
    dragoman_logger_destroy(first);
    const int at_end = mine;
    load_model();
    CHECK(mine == at_end);
    require_ok(dragoman_set_log(nullptr, nullptr, 0));
    const int of_program = programs;
    load_model();
    CHECK(programs == of_program);
    dragoman_logger_destroy(second);
    dragoman_logger_destroy(nullptr);

    dragoman_logger* none = reinterpret_cast<dragoman_logger*>(1);
    check_error(dragoman_logger_create(nullptr, nullptr, 0, &none), DRAGOMAN_INVALID_ARGUMENT, {"callback"});
    CHECK(none == nullptr);
    check_error(dragoman_logger_create(count_lines, &mine, 9, &none), DRAGOMAN_INVALID_ARGUMENT, {"max_level"});
    check_error(dragoman_logger_create(count_lines, &mine, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"logger"});
}

}  // namespace features_test
