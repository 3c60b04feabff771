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

using Languages = Shared<dragoman_language_list>;

// The facts about a model that dragoman_model_describe() and similar functions return.
struct Described {
    dragoman_model_info info;
    Languages sources, targets;

    // Calls `read(side, list)` for both sides.
    template <class Read>
    void read_languages(const Read& read) {
        for (const int32_t side : {DRAGOMAN_SIDE_SOURCE, DRAGOMAN_SIDE_TARGET}) {
            dragoman_language_list* list = nullptr;
            check(read(side, &list));
            (side == DRAGOMAN_SIDE_SOURCE ? sources : targets) = Languages(list, dragoman_language_list_destroy);
        }
    }
};

napi_value languages_value(napi_env env, const Languages& languages) {
    napi_value list;
    const std::size_t count = dragoman_language_list_count(languages.get());
    check(env, napi_create_array_with_length(env, count, &list));
    for (std::size_t i = 0; i < count; ++i) {
        const dragoman_language& language = dragoman_language_list_data(languages.get())[i];
        const napi_value item = object(env);
        set(env, item, "tag", string(env, std::string_view(language.tag)));
        set(env, item, "code", string(env, std::string_view(language.code)));
        set(env, item, "name", string(env, std::string_view(language.name)));
        check(env, napi_set_element(env, list, static_cast<uint32_t>(i), item));
    }
    return list;
}

napi_value info_value(napi_env env, const Described& described) {
    const napi_value value = record(env, described.info);
    set(env, value, "sourceLanguages", languages_value(env, described.sources));
    set(env, value, "targetLanguages", languages_value(env, described.targets));
    return value;
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
        return Work<Described>::start(
            env,
            [path = read_path(env, Arguments<1>(env, info)[0])] {
                Described found{};
                dragoman_model_info_init(&found.info);
                dragoman_language_list *sources = nullptr, *targets = nullptr;
                check(dragoman_model_describe_all(c_path(path), &found.info, &sources, &targets));
                found.sources = Languages(sources, dragoman_language_list_destroy);
                found.targets = Languages(targets, dragoman_language_list_destroy);
                return found;
            },
            info_value);
    });
}

// Options, and the device that they name, which is kept as long.
struct Loading {
    Shared<dragoman_device> device;
    ModelOptions options;
    Loading(napi_env env, napi_value given, napi_value on) : options(env, given) {
        if (!absent(env, on)) device = handle<dragoman_device>(env, on);
        options.value.device = device.get();
    }
};

// loadModel(path or null, options, device or null): promise of a handle
napi_value load(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<3> arguments(env, info);
        auto loading = std::make_shared<Loading>(env, arguments[1], arguments[2]);
        return Work<Shared<dragoman_model>>::start(
            env,
            [path = read_path(env, arguments[0]), loading] {
                dragoman_model* model = nullptr;
                check(dragoman_model_load(c_path(path), &loading->options.value, &model));
                return own(model);
            },
            [](napi_env env, Shared<dragoman_model>& model) { return external(env, std::move(model)); });
    });
}

// loadFiles(names, buffers, options, device or null): promise of a handle. Copies, since JavaScript may change its
// buffers meanwhile.
napi_value load_files(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<4> arguments(env, info);
        struct Files : Loading {
            std::deque<std::string> names, contents;
            std::vector<dragoman_file> list;
            using Loading::Loading;
        };
        auto files = std::make_shared<Files>(env, arguments[2], arguments[3]);
        const uint32_t count = length(env, arguments[0], "names");
        for (uint32_t i = 0; i < count; ++i) {
            const std::string& name = files->names.emplace_back(read_string(env, at(env, arguments[0], i), "name"));
            if (name.find('\0') != std::string::npos) throw Failure{"invalid_argument", "name: holds a zero byte"};
            const std::string& content = files->contents.emplace_back(read_bytes(env, at(env, arguments[1], i), name));
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

// openDevice(options): promise of a handle
napi_value open_device(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        auto options = std::make_shared<DeviceOptions>(env, Arguments<1>(env, info)[0]);
        return Work<Shared<dragoman_device>>::start(
            env,
            [options] {
                dragoman_device* device = nullptr;
                check(dragoman_device_open(&options->value, &device));
                return own(device);
            },
            [](napi_env env, Shared<dragoman_device>& device) { return external(env, std::move(device)); });
    });
}

// checkDevice(device): promise of JSON
napi_value check_device(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        return Work<std::string>::start(
            env,
            [device = handle<dragoman_device>(env, Arguments<1>(env, info)[0])] {
                dragoman_report* made = nullptr;
                check(dragoman_device_check(device.get(), &made));
                const std::unique_ptr<dragoman_report, void (*)(dragoman_report*)> report(made,
                                                                                          dragoman_report_destroy);
                dragoman_string json{};
                check(dragoman_report_json(report.get(), &json));
                return std::string(json.data, json.size);
            },
            [](napi_env env, std::string& json) { return string(env, std::string_view(json)); });
    });
}

// trimDevice(device): promise
napi_value trim_device(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        return Work<bool>::start(
            env,
            [device = handle<dragoman_device>(env, Arguments<1>(env, info)[0])] {
                check(dragoman_device_trim(device.get()));
                return true;
            },
            [](napi_env env, bool&) { return undefined(env); });
    });
}

template <class T, dragoman_status (*Function)(const T*, dragoman_memory_info*)>
napi_value memory_of(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        dragoman_memory_info found;
        dragoman_memory_info_init(&found);
        check(Function(handle<T>(env, Arguments<1>(env, info)[0]).get(), &found));
        return record(env, found);
    });
}

template <class T, dragoman_status (*Function)(const T*, dragoman_device_info*)>
napi_value device_of(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        dragoman_device_info found;
        dragoman_device_info_init(&found);
        check(Function(handle<T>(env, Arguments<1>(env, info)[0]).get(), &found));
        return device_value(env, found);
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
        const Shared<dragoman_model> model = handle<dragoman_model>(env, Arguments<1>(env, info)[0]);
        Described found{};
        dragoman_model_info_init(&found.info);
        check(dragoman_model_get_info(model.get(), &found.info));
        found.read_languages([&](int32_t side, dragoman_language_list** list) {
            return dragoman_model_languages(model.get(), side, list);
        });
        return info_value(env, found);
    });
}

}  // namespace

void add_models(napi_env env, napi_value exports) {
    add(env, exports, "devices", devices);
    add(env, exports, "deviceMemory", device_memory);
    add(env, exports, "describe", describe);
    add(env, exports, "loadModel", load);
    add(env, exports, "loadFiles", load_files);
    add(env, exports, "modelMemory", memory_of<dragoman_model, dragoman_model_memory>);
    add(env, exports, "modelInfo", model_info);
    add(env, exports, "modelDevice", device_of<dragoman_model, dragoman_model_device>);
    add(env, exports, "openDevice", open_device);
    add(env, exports, "openDeviceInfo", device_of<dragoman_device, dragoman_device_get_info>);
    add(env, exports, "openDeviceMemory", memory_of<dragoman_device, dragoman_device_get_memory>);
    add(env, exports, "checkDevice", check_device);
    add(env, exports, "trimDevice", trim_device);
    add(env, exports, "closeDevice", close<dragoman_device>);
    add(env, exports, "closeModel", close<dragoman_model>);
}

}  // namespace addon
