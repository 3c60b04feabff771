// SPDX-License-Identifier: Apache-2.0
#pragma once

// Handles of the C API in JavaScript: an external that garbage collection ends, or close() before. Work on other
// threads holds its own reference, so that a handle lives until the last work has ended.

#include "value.h"

namespace addon {

template <class T>
struct Type;  // name and destroy of a handle
#define ADDON_HANDLE(type, word)                                      \
    template <>                                                       \
    struct Type<type> {                                               \
        static constexpr std::string_view name = word;                \
        static void destroy(type* handle) { type##_destroy(handle); } \
    };
ADDON_HANDLE(dragoman_model, "model")
ADDON_HANDLE(dragoman_translator, "translator")
ADDON_HANDLE(dragoman_result, "result")
ADDON_HANDLE(dragoman_scores, "scores")
ADDON_HANDLE(dragoman_vectors, "vectors")
ADDON_HANDLE(dragoman_glossary, "glossary")
ADDON_HANDLE(dragoman_memory, "memory")
#undef ADDON_HANDLE
template <>
struct Type<dragoman_device> {
    static constexpr std::string_view name = "device";
    static void destroy(dragoman_device* handle) { dragoman_device_close(handle); }
};

template <class T>
using Shared = std::shared_ptr<T>;

template <class T>
Shared<T> own(T* handle) {
    return Shared<T>(handle, Type<T>::destroy);
}

struct Holder {
    std::string_view name;  // says what is in it; JavaScript hands out no other externals than these
    explicit Holder(std::string_view text) : name(text) {}
    virtual ~Holder() = default;
};
template <class T>
struct HolderOf : Holder {
    Shared<T> handle;
    explicit HolderOf(Shared<T> shared) : Holder(Type<T>::name), handle(std::move(shared)) {}
};

template <class T>
napi_value external(napi_env env, Shared<T> handle) {
    std::unique_ptr<Holder> holder = std::make_unique<HolderOf<T>>(std::move(handle));
    napi_value value;
    check(env, napi_create_external(
                   env, holder.get(), [](napi_env, void* data, void*) { delete static_cast<Holder*>(data); }, nullptr,
                   &value));
    holder.release();
    return value;
}

template <class T>
Shared<T>& holder(napi_env env, napi_value value) {
    if (type_of(env, value) != napi_external) wrong_type(Type<T>::name, std::string("a ").append(Type<T>::name));
    void* data = nullptr;
    check(env, napi_get_value_external(env, value, &data));
    auto* found = static_cast<Holder*>(data);
    if (found->name != Type<T>::name) wrong_type(found->name, std::string("a ").append(Type<T>::name));
    return static_cast<HolderOf<T>*>(found)->handle;
}

template <class T>
Shared<T> handle(napi_env env, napi_value value) {
    Shared<T> found = holder<T>(env, value);
    if (!found) throw Failure{"closed", std::string("this ").append(Type<T>::name) + " is closed"};
    return found;
}

}  // namespace addon
