// SPDX-License-Identifier: Apache-2.0
// Devices and models.
#include "addon.h"

namespace addon {
namespace {

napi_value device_value(napi_env env, const dragoman_device_info& info) {
    std::string uuid;
    for (std::size_t i = 0; i < sizeof info.uuid; ++i) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", info.uuid[i]);
        if (i == 4 || i == 6 || i == 8 || i == 10) uuid += '-';
        uuid += digits;
    }
    const std::string version = std::to_string(info.api_version >> 22) + "." +
                                std::to_string(info.api_version >> 12 & 0x3ff) + "." +
                                std::to_string(info.api_version & 0xfff);
    const napi_value value = record(env, info);
    set(env, value, "uuid", string(env, uuid));
    set(env, value, "apiVersion", string(env, version));
    return value;
}

napi_value codes(napi_env env, std::string_view list) {
    napi_value value;
    check(env, napi_create_array(env, &value));
    uint32_t count = 0;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(", "), list.size());
        check(env, napi_set_element(env, value, count++, string(env, list.substr(0, end))));
        list.remove_prefix(std::min(end + 2, list.size()));
    }
    return value;
}

napi_value info_value(napi_env env, const dragoman_model_info& info) {
    const napi_value value = record(env, info);
    set(env, value, "sourceLanguages", codes(env, info.source_languages));
    set(env, value, "targetLanguages", codes(env, info.target_languages));
    return value;
}

// The bytes of a Uint8Array.
std::string bytes(napi_env env, napi_value value, std::string_view what) {
    bool is_array = false;
    napi_typedarray_type type;
    std::size_t size = 0;
    void* data = nullptr;
    check(env, napi_is_typedarray(env, value, &is_array));
    if (is_array) check(env, napi_get_typedarray_info(env, value, &type, &size, &data, nullptr, nullptr));
    if (!is_array || type != napi_uint8_array) wrong_type(what, "a Uint8Array");
    return size ? std::string(static_cast<const char*>(data), size) : std::string();
}

// devices(): promise of a list
napi_value devices(napi_env env, napi_callback_info) {
    using Infos = std::vector<dragoman_device_info>;
    return guard(env, [&] {
        return Work<Infos>::start(
            env,
            [] {
                uint32_t count = 0;
                check(dragoman_device_count(&count));
                Infos found(count);
                for (uint32_t i = 0; i < count; ++i) {
                    dragoman_device_info_init(&found[i]);
                    check(dragoman_device_describe(i, &found[i]));
                }
                return found;
            },
            [](napi_env env, Infos& found) {
                napi_value list;
                check(env, napi_create_array_with_length(env, found.size(), &list));
                for (std::size_t i = 0; i < found.size(); ++i)
                    check(env, napi_set_element(env, list, static_cast<uint32_t>(i), device_value(env, found[i])));
                return list;
            });
    });
}

// describe(path or null): promise
napi_value describe(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        return Work<dragoman_model_info>::start(
            env,
            [path = read_path(env, Arguments<1>(env, info)[0])] {
                dragoman_model_info found;
                dragoman_model_info_init(&found);
                check(dragoman_model_describe(c_path(path), &found));
                return found;
            },
            info_value);
    });
}

// loadModel(path or null, options): promise of a handle
napi_value load(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<2> arguments(env, info);
        auto options = std::make_shared<ModelOptions>(env, arguments[1]);
        return Work<Shared<dragoman_model>>::start(
            env,
            [path = read_path(env, arguments[0]), options] {
                dragoman_model* model = nullptr;
                check(dragoman_model_load(c_path(path), &options->value, &model));
                return own(model);
            },
            [](napi_env env, Shared<dragoman_model>& model) { return external(env, std::move(model)); });
    });
}

// loadFiles(names, buffers, options): promise of a handle. Copies, since JavaScript may change its buffers meanwhile.
napi_value load_files(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        struct Files {
            ModelOptions options;
            std::deque<std::string> names, contents;
            std::vector<dragoman_file> list;
            Files(napi_env env, napi_value given) : options(env, given) {}
        };
        auto files = std::make_shared<Files>(env, arguments[2]);
        const uint32_t count = length(env, arguments[0], "names");
        for (uint32_t i = 0; i < count; ++i) {
            const std::string& name = files->names.emplace_back(read_string(env, at(env, arguments[0], i), "name"));
            if (name.find('\0') != std::string::npos) throw Failure{"invalid_argument", "name: holds a zero byte"};
            const std::string& content = files->contents.emplace_back(bytes(env, at(env, arguments[1], i), name));
            files->list.push_back({name.c_str(), content.data(), content.size(), nullptr, nullptr});
        }
        return Work<Shared<dragoman_model>>::start(
            env,
            [files] {
                dragoman_model* model = nullptr;
                check(dragoman_model_load_files(files->list.data(), files->list.size(), &files->options.value, &model));
                return own(model);
            },
            [](napi_env env, Shared<dragoman_model>& model) { return external(env, std::move(model)); });
    });
}

napi_value model_memory(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        dragoman_memory_info found;
        dragoman_memory_info_init(&found);
        check(dragoman_model_memory(handle<dragoman_model>(env, Arguments<1>(env, info)[0]).get(), &found));
        return record(env, found);
    });
}

// deviceMemory(index): promise
napi_value device_memory(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const std::size_t index = read_index(env, Arguments<1>(env, info)[0], "index");
        if (index > UINT32_MAX) throw Failure{"no_device", "index: " + std::to_string(index) + " is too large"};
        return Work<dragoman_memory_info>::start(
            env,
            [index] {
                dragoman_memory_info found;
                dragoman_memory_info_init(&found);
                check(dragoman_device_memory(static_cast<uint32_t>(index), &found));
                return found;
            },
            [](napi_env env, dragoman_memory_info& found) { return record(env, found); });
    });
}

napi_value model_info(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        dragoman_model_info found;
        dragoman_model_info_init(&found);
        check(dragoman_model_get_info(handle<dragoman_model>(env, Arguments<1>(env, info)[0]).get(), &found));
        return info_value(env, found);
    });
}

napi_value model_device(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        dragoman_device_info found;
        dragoman_device_info_init(&found);
        check(dragoman_model_device(handle<dragoman_model>(env, Arguments<1>(env, info)[0]).get(), &found));
        return device_value(env, found);
    });
}

}  // namespace

void add_models(napi_env env, napi_value exports) {
    add(env, exports, "devices", devices);
    add(env, exports, "deviceMemory", device_memory);
    add(env, exports, "describe", describe);
    add(env, exports, "loadModel", load);
    add(env, exports, "loadFiles", load_files);
    add(env, exports, "modelMemory", model_memory);
    add(env, exports, "modelInfo", model_info);
    add(env, exports, "modelDevice", model_device);
    add(env, exports, "closeModel", close<dragoman_model>);
}

}  // namespace addon
