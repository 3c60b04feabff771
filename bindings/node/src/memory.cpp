// SPDX-License-Identifier: Apache-2.0
#include "addon.h"
#include "options.h"
#include "work.h"

namespace addon {
namespace {

// createMemory(options): promise of a handle
napi_value create(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<1> arguments(env, info);
        return Work<Shared<dragoman_memory>>::start(
            env,
            [options = std::make_shared<MemoryOptions>(env, arguments[0])] {
                dragoman_memory* memory = nullptr;
                check(dragoman_memory_create(&options->value, &memory));
                return own(memory);
            },
            [](napi_env env, Shared<dragoman_memory>& made) { return external(env, std::move(made)); });
    });
}

// loadTmx(handle, path), readTmx(handle, content): promise of the number of units
template <bool File>
napi_value take_tmx(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<2> arguments(env, info);
        return Work<std::size_t>::start(
            env,
            [memory = handle<dragoman_memory>(env, arguments[0]),
             text = read_string(env, arguments[1], File ? "path" : "content")] {
                std::size_t count = 0;
                const dragoman_string content{text.data(), text.size()};
                if constexpr (File) check(dragoman_memory_load_tmx(memory.get(), text.c_str(), &count));
                else check(dragoman_memory_read_tmx(memory.get(), &content, &count));
                return count;
            },
            [](napi_env env, std::size_t& count) { return number(env, static_cast<double>(count)); });
    });
}

// addToMemory(handle, from, to, source, target)
napi_value add_segment(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<5> arguments(env, info);
        const auto memory = handle<dragoman_memory>(env, arguments[0]);
        const std::string from = read_string(env, arguments[1], "sourceLanguage"),
                          to = read_string(env, arguments[2], "targetLanguage"),
                          source = read_string(env, arguments[3], "source"),
                          target = read_string(env, arguments[4], "target");
        const dragoman_string given{source.data(), source.size()}, became{target.data(), target.size()};
        check(dragoman_memory_add(memory.get(), from.c_str(), to.c_str(), &given, &became));
        return undefined(env);
    });
}

// writeTmx(handle, path), clearMemory(handle): promise
napi_value change(napi_env env, std::function<void()> execute) {
    return Work<bool>::start(
        env,
        [execute = std::move(execute)] {
            execute();
            return true;
        },
        [](napi_env env, bool&) { return undefined(env); });
}

napi_value write_tmx(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const Arguments<2> arguments(env, info);
        return change(env, [memory = handle<dragoman_memory>(env, arguments[0]),
                            path = read_string(env, arguments[1], "path")] {
            check(dragoman_memory_write_tmx(memory.get(), path.c_str()));
        });
    });
}

napi_value clear(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        return change(env, [memory = handle<dragoman_memory>(env, Arguments<1>(env, info)[0])] {
            check(dragoman_memory_clear(memory.get()));
        });
    });
}

napi_value counts(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        const auto memory = handle<dragoman_memory>(env, Arguments<1>(env, info)[0]);
        dragoman_memory_counts counts;
        dragoman_memory_counts_init(&counts);
        check(dragoman_memory_stats(memory.get(), &counts));
        return record(env, counts);
    });
}

}  // namespace

void add_memory(napi_env env, napi_value exports) {
    add(env, exports, "createMemory", create);
    add(env, exports, "loadTmx", take_tmx<true>);
    add(env, exports, "readTmx", take_tmx<false>);
    add(env, exports, "addToMemory", add_segment);
    add(env, exports, "writeTmx", write_tmx);
    add(env, exports, "clearMemory", clear);
    add(env, exports, "memoryCounts", counts);
    add(env, exports, "closeMemory", close<dragoman_memory>);
}

}  // namespace addon
