// SPDX-License-Identifier: Apache-2.0
// Published models by their names: an addon of its own, so that a program that brings its model links no network.
#include <dragoman/models.h>

#include <map>

#include "background.h"
#include "fields.h"

namespace addon {
namespace {

// The arguments of one call, and what comes of it.
struct Call {
    std::vector<std::optional<std::string>> texts;
    dragoman_models_options options;
    std::deque<std::string> kept;  // what `options` points to
    double days = 0;
    std::shared_ptr<dragoman_model_list> models;
    std::shared_ptr<dragoman_registry_list> registries;
    uint64_t bytes = 0;

    Call(napi_env env, napi_value list, napi_value given) {
        const uint32_t count = length(env, list, "texts");
        for (uint32_t i = 0; i < count; ++i) texts.push_back(read_path(env, at(env, list, i)));
        dragoman_models_options_init(&options);
        fill(env, given, fields<dragoman_models_options>(), &options, kept);
        if (const napi_value value = get(env, given, "days"); !absent(env, value))
            days = read_number(env, value, "days");
    }
    const char* text(std::size_t place) const { return place < texts.size() ? c_path(texts[place]) : nullptr; }
};

int32_t on_progress(const dragoman_download* at, void* user) {
    auto& call = *static_cast<Background*>(user);
    call.tell({at->model, at->file, at->note, static_cast<double>(at->done_bytes),
               static_cast<double>(at->total_bytes)});
    return call.stopped();
}

template <class Read>
dragoman_status listed(Call& call, Read&& read) {
    dragoman_model_list* made = nullptr;
    const dragoman_status status = read(&made);
    call.models.reset(made, dragoman_model_list_destroy);
    return status;
}

dragoman_status registries(Call& call) {
    dragoman_registry_list* made = nullptr;
    const dragoman_status status = dragoman_registries(&made);
    call.registries.reset(made, dragoman_registry_list_destroy);
    return status;
}

using Function = dragoman_status (*)(Call&);
const std::map<std::string, Function> functions = {
    {"list", [](Call& c) { return listed(c, dragoman_models_installed); }},
    {"search",
     [](Call& c) {
         return listed(c, [&](auto l) { return dragoman_models_search(c.text(0), c.text(1), &c.options, l); });
     }},
    {"installedRoute",
     [](Call& c) {
         return listed(c, [&](auto l) { return dragoman_models_installed_route(c.text(0), c.text(1), l); });
     }},
    {"route",
     [](Call& c) {
         return listed(c, [&](auto l) { return dragoman_models_route(c.text(0), c.text(1), &c.options, l); });
     }},
    {"show", [](Call& c) { return listed(c, [&](auto l) { return dragoman_models_show(c.text(0), &c.options, l); }); }},
    {"download",
     [](Call& c) { return listed(c, [&](auto l) { return dragoman_models_download(c.text(0), &c.options, l); }); }},
    {"verify", [](Call& c) { return dragoman_models_verify(c.text(0), &c.options); }},
    {"keepFile", [](Call& c) { return dragoman_models_keep_file(c.text(0), c.text(1), &c.options); }},
    {"remove", [](Call& c) { return dragoman_models_remove(c.text(0)); }},
    {"clean", [](Call& c) { return dragoman_models_clean(c.days, &c.bytes); }},
    {"registries", registries},
};

template <class Make>
napi_value array_of(napi_env env, std::size_t count, Make&& make) {
    napi_value list;
    check(env, napi_create_array_with_length(env, count, &list));
    for (std::size_t i = 0; i < count; ++i) check(env, napi_set_element(env, list, static_cast<uint32_t>(i), make(i)));
    return list;
}

napi_value model_value(napi_env env, const dragoman_model_list* list, std::size_t index) {
    const dragoman_published_model& model = *dragoman_model_list_get(list, index);
    const napi_value value = record(env, model);
    set(env, value, "from", string(env, std::string_view(model.from)));
    set(env, value, "to", string(env, std::string_view(model.to)));
    set(env, value, "files", array_of(env, model.file_count, [&](std::size_t file) {
            return record(env, *dragoman_model_list_file(list, index, file));
        }));
    return value;
}

// {models, problems}, [registry], or {bytes}
napi_value value_of(napi_env env, const Call& call) {
    if (call.registries)
        return array_of(env, dragoman_registry_list_count(call.registries.get()), [&](std::size_t place) {
            return record(env, *dragoman_registry_list_get(call.registries.get(), place));
        });
    const napi_value value = object(env);
    if (!call.models) {
        set(env, value, "bytes", number(env, static_cast<double>(call.bytes)));
        return value;
    }
    const dragoman_model_list* list = call.models.get();
    set(env, value, "models", array_of(env, dragoman_model_list_count(list), [&](std::size_t place) {
            return model_value(env, list, place);
        }));
    set(env, value, "problems", string(env, std::string_view(dragoman_model_list_problems(list))));
    return value;
}

// start(function's name, texts, options, function for progress or undefined): [promise, handle for stop()]
napi_value start(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<4> arguments(env, info);
        const Function function = functions.at(read_string(env, arguments[0], "name"));
        const auto call = std::make_shared<Call>(env, arguments[1], arguments[2]);
        return Background::start(
            env, arguments[3],
            [call, function](Background& background) {
                call->options.progress = on_progress;
                call->options.user = &background;
                const dragoman_status status = function(*call);
                if (status != DRAGOMAN_OK) throw Failure{dragoman_status_name(status), dragoman_models_error()};
            },
            [call](napi_env env) { return value_of(env, *call); });
    });
}

// folder(): where downloaded models lie
napi_value folder(napi_env env, napi_callback_info) {
    return guard(env, [&] { return string(env, std::string_view(dragoman_models_folder())); });
}

napi_value init(napi_env env, napi_value exports) {
    const auto add = [&](const char* name, napi_callback function) {
        napi_value value;
        check(env, napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value));
        set(env, exports, name, value);
    };
    return guard(env, [&] {
        init_background(env);
        add("start", start);
        add("stop", stop_background);
        add("leave", leave_background);
        add("folder", folder);
        const Fields options = fields<dragoman_models_options>();
        set(env, exports, "optionNames",
            array_of(env, options.size(), [&](std::size_t place) { return string(env, options[place].name); }));
        return exports;
    });
}

}  // namespace
}  // namespace addon

NAPI_MODULE_INIT() { return addon::init(env, exports); }
