// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of the addon. lib/*.js is the interface for people; this is the thin layer below it.

#include "handle.h"
#include "options.h"
#include "work.h"

namespace addon {

inline void add(napi_env env, napi_value exports, const char* name, napi_callback function) {
    napi_value value;
    check(env, napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value));
    set(env, exports, name, value);
}

// close...(handle): promise. What ends the handle may wait, so a worker does it.
template <class T>
napi_value close(napi_env env, napi_callback_info info) {
    return guard(env, [&] {
        auto last = std::make_shared<Shared<T>>(std::move(holder<T>(env, Arguments<1>(env, info)[0])));
        return Work<bool>::start(
            env,
            [last] {
                last->reset();
                return true;
            },
            [](napi_env env, bool&) { return undefined(env); });
    });
}

void add_models(napi_env env, napi_value exports);
void add_translators(napi_env env, napi_value exports);
void add_results(napi_env env, napi_value exports);
void add_jobs(napi_env env, napi_value exports);
void add_texts(napi_env env, napi_value exports);
void add_memory(napi_env env, napi_value exports);
void add_tools(napi_env env, napi_value exports);
void add_documents(napi_env env, napi_value exports);

}  // namespace addon
