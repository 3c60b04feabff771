// SPDX-License-Identifier: Apache-2.0
// Converting and measuring.
#include "addon.h"
#include "watch.h"

namespace addon {
namespace {

struct WatchHolder : Holder {
    static constexpr std::string_view kName = "watch";
    std::shared_ptr<Watch> watch = std::make_shared<Watch>();
    WatchHolder() : Holder(kName) {}
};

// watch(): for one call of the functions below, which stop() ends
napi_value make_watch(napi_env env, napi_callback_info) {
    return guard(env, [&] {
        auto made = std::make_unique<WatchHolder>();
        napi_value value;
        check(env, napi_create_external(
                       env, static_cast<Holder*>(made.get()),
                       [](napi_env, void* data, void*) { delete static_cast<Holder*>(data); }, nullptr, &value));
        made.release();
        return value;
    });
}

napi_value stop(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        read_watch(env, Arguments<1>(env, info)[0])->stop();
        return undefined(env);
    });
}

// progress(watch): [done, total]
napi_value progress(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const auto [done, total] = read_watch(env, Arguments<1>(env, info)[0])->seen();
        napi_value list;
        check(env, napi_create_array_with_length(env, 2, &list));
        check(env, napi_set_element(env, list, 0, number(env, double(done))));
        check(env, napi_set_element(env, list, 1, number(env, double(total))));
        return list;
    });
}

napi_value text_value(napi_env env, std::string& text) { return string(env, text); }

// left(watch): after its promise has ended
napi_value left(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        leave(env, read_watch(env, Arguments<1>(env, info)[0]));
        return undefined(env);
    });
}

// convert(path or null, path of the file, options, watch): promise
napi_value convert(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<4> arguments(env, info);
        const std::shared_ptr<Watch> watch = read_watch(env, arguments[3]);
        auto options = std::make_shared<ConvertOptions>(env, arguments[2]);
        options->value.progress = Watch::progress;
        options->value.progress_user = watch.get();
        return watched<std::string>(
            env, watch,
            [path = read_path(env, arguments[0]), out = read_path(env, arguments[1]), options, watch] {
                check(dragoman_model_convert(c_path(path), c_path(out), &options->value));
                return std::string();
            },
            text_value);
    });
}

// bench(path or null, texts or null, sources or null, device options, model options, translate options, bench options,
// watch): promise of JSON
napi_value bench(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<8> arguments(env, info);
        struct Call {
            std::optional<std::string> path;
            Texts texts;
            Sequences sources;
            bool tokens;
            DeviceOptions device;
            ModelOptions model;
            TranslateOptions translate;
            BenchOptions bench;
            std::shared_ptr<Watch> watch;

            explicit Call(napi_env env, const Arguments<8>& arguments)
                : path(read_path(env, arguments[0])), tokens(!absent(env, arguments[2])), device(env, arguments[3]),
                  model(env, arguments[4]), translate(env, arguments[5]), bench(env, arguments[6]),
                  watch(read_watch(env, arguments[7])) {
                if (tokens) sources = Sequences(env, arguments[2], "sources");
                else texts = Texts(env, arguments[1], "texts");
                bench.value.device = &device.value;
                translate.value.progress = Watch::progress;
                translate.value.progress_user = watch.get();
            }
            std::string run() const {
                dragoman_report* made = nullptr;
                check(tokens ? dragoman_bench_tokens(c_path(path), &model.value, sources.data(), sources.size(),
                                                     &translate.value, &bench.value, &made)
                             : dragoman_bench_texts(c_path(path), &model.value, texts.data(), texts.size(),
                                                    &translate.value, &bench.value, &made));
                const std::unique_ptr<dragoman_report, void (*)(dragoman_report*)> report(made,
                                                                                          dragoman_report_destroy);
                dragoman_string json{};
                check(dragoman_report_json(report.get(), &json));
                return std::string(json.data, json.size);
            }
        };
        auto call = std::make_shared<Call>(env, arguments);
        return watched<std::string>(env, call->watch, [call] { return call->run(); }, text_value);
    });
}

}  // namespace

std::shared_ptr<Watch> read_watch(napi_env env, napi_value value) {
    void* data = nullptr;
    if (type_of(env, value) != napi_external) wrong_type("watch", "a watch");
    check(env, napi_get_value_external(env, value, &data));
    if (static_cast<Holder*>(data)->name != WatchHolder::kName) wrong_type("watch", "a watch");
    return static_cast<WatchHolder*>(static_cast<Holder*>(data))->watch;
}

void add_tools(napi_env env, napi_value exports) {
    add(env, exports, "watch", make_watch);
    add(env, exports, "stop", stop);
    add(env, exports, "progress", progress);
    add(env, exports, "left", left);
    add(env, exports, "convert", convert);
    add(env, exports, "bench", bench);
}

}  // namespace addon
