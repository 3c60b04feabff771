// SPDX-License-Identifier: Apache-2.0
#pragma once

// JavaScript's values as C++ ones and back, for Node-API's C functions.

#include <dragoman/dragoman.h>
#include <node_api.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace addon {

// An error of a call; becomes an Error whose `code` is the name of the status.
struct Failure {
    std::string code, message;
};

// A JavaScript exception is on its way already.
struct Pending {};

inline void check(napi_env env, napi_status status) {
    if (status == napi_ok) return;
    bool pending = false;
    if (napi_is_exception_pending(env, &pending) == napi_ok && pending) throw Pending{};
    const napi_extended_error_info* info = nullptr;
    napi_get_last_error_info(env, &info);
    throw Failure{"internal", std::string("Node-API: ") + (info && info->error_message ? info->error_message : "?")};
}

inline Failure failure(dragoman_status status) { return {dragoman_status_name(status), dragoman_last_error()}; }
inline void check(dragoman_status status) {
    if (status != DRAGOMAN_OK) throw failure(status);
}

inline napi_value string(napi_env env, std::string_view text) {
    napi_value value;
    check(env, napi_create_string_utf8(env, text.data(), text.size(), &value));
    return value;
}
inline napi_value string(napi_env env, dragoman_string text) {
    return string(env, std::string_view(text.size ? text.data : "", text.size));
}
inline napi_value number(napi_env env, double number) {
    napi_value value;
    check(env, napi_create_double(env, number, &value));
    return value;
}
inline napi_value boolean(napi_env env, bool flag) {
    napi_value value;
    check(env, napi_get_boolean(env, flag, &value));
    return value;
}
inline napi_value undefined(napi_env env) {
    napi_value value;
    check(env, napi_get_undefined(env, &value));
    return value;
}
inline napi_value object(napi_env env) {
    napi_value value;
    check(env, napi_create_object(env, &value));
    return value;
}
inline void set(napi_env env, napi_value object, const char* name, napi_value value) {
    check(env, napi_set_named_property(env, object, name, value));
}
inline napi_value get(napi_env env, napi_value object, const char* name) {
    napi_value value;
    check(env, napi_get_named_property(env, object, name, &value));
    return value;
}
inline napi_value at(napi_env env, napi_value array, uint32_t index) {
    napi_value value;
    check(env, napi_get_element(env, array, index, &value));
    return value;
}

inline napi_valuetype type_of(napi_env env, napi_value value) {
    napi_valuetype type;
    check(env, napi_typeof(env, value, &type));
    return type;
}
inline bool absent(napi_env env, napi_value value) {
    const napi_valuetype type = type_of(env, value);
    return type == napi_undefined || type == napi_null;
}

[[noreturn]] inline void wrong_type(std::string_view what, std::string_view expected) {
    throw Failure{"type_error", std::string(what) + ": expected " + std::string(expected)};
}

inline std::string read_string(napi_env env, napi_value value, std::string_view what) {
    if (type_of(env, value) != napi_string) wrong_type(what, "a string");
    std::size_t size = 0;
    check(env, napi_get_value_string_utf8(env, value, nullptr, 0, &size));
    std::string text(size + 1, '\0');
    check(env, napi_get_value_string_utf8(env, value, text.data(), text.size(), &size));
    text.resize(size);
    return text;
}
inline double read_number(napi_env env, napi_value value, std::string_view what) {
    if (type_of(env, value) != napi_number) wrong_type(what, "a number");
    double number = 0;
    check(env, napi_get_value_double(env, value, &number));
    return number;
}
inline std::size_t read_index(napi_env env, napi_value value, std::string_view what) {
    const double number = read_number(env, value, what);
    if (!(number >= 0 && number <= 9007199254740991.0)) wrong_type(what, "a count");
    return static_cast<std::size_t>(number);
}
inline uint32_t length(napi_env env, napi_value value, std::string_view what) {
    bool is_array = false;
    check(env, napi_is_array(env, value, &is_array));
    if (!is_array) wrong_type(what, "an array");
    uint32_t count = 0;
    check(env, napi_get_array_length(env, value, &count));
    return count;
}

// The bytes of a Uint8Array.
std::string read_bytes(napi_env env, napi_value value, std::string_view what);

// Empty for undefined and null.
std::optional<std::string> read_path(napi_env env, napi_value value);
inline const char* c_path(const std::optional<std::string>& path) { return path ? path->c_str() : nullptr; }

// An array of strings in the shape of the C API.
class Texts {
public:
    Texts() = default;
    Texts(napi_env env, napi_value array, std::string_view what) {
        const uint32_t count = length(env, array, what);
        texts_.reserve(count);
        for (uint32_t i = 0; i < count; ++i) texts_.push_back(read_string(env, at(env, array, i), what));
        for (const std::string& text : texts_) views_.push_back({text.data(), text.size()});
    }
    Texts(Texts&&) = default;  // vectors keep their memory
    Texts& operator=(Texts&&) = default;
    const dragoman_string* data() const { return views_.data(); }
    std::size_t size() const { return views_.size(); }

private:
    std::vector<std::string> texts_;
    std::vector<dragoman_string> views_;
};

// An array of arrays of strings.
class Sequences {
public:
    Sequences() = default;
    Sequences(napi_env env, napi_value array, std::string_view what) {
        const uint32_t count = length(env, array, what);
        for (uint32_t i = 0; i < count; ++i) lists_.emplace_back(env, at(env, array, i), what);
        for (const Texts& list : lists_) views_.push_back({list.data(), list.size()});
    }
    const dragoman_tokens* data() const { return views_.empty() ? nullptr : views_.data(); }
    std::size_t size() const { return views_.size(); }

private:
    std::vector<Texts> lists_;
    std::vector<dragoman_tokens> views_;
};

inline napi_value array(napi_env env, dragoman_tokens tokens) {
    napi_value value;
    check(env, napi_create_array_with_length(env, tokens.count, &value));
    for (std::size_t i = 0; i < tokens.count; ++i)
        check(env, napi_set_element(env, value, static_cast<uint32_t>(i), string(env, tokens.data[i])));
    return value;
}

// [begin, end, begin, end, ...] in bytes; lib/results.js makes them places in strings.
napi_value array(napi_env env, dragoman_ranges ranges);

// {data: Float32Array, rows, cols}; a copy.
napi_value matrix(napi_env env, dragoman_matrix matrix);

// Raises the pending exception of a Failure.
void raise(napi_env env, const Failure& failure);
napi_value error(napi_env env, const Failure& failure);

template <class Body>
napi_value guard(napi_env env, Body&& body) {
    try {
        return body();
    } catch (const Failure& failure) {
        raise(env, failure);
    } catch (const Pending&) {
    } catch (const std::exception& error) {
        raise(env, {"internal", error.what()});
    }
    return nullptr;
}

// The arguments of a call; the missing ones are undefined.
template <std::size_t Count>
struct Arguments {
    napi_value values[Count];
    Arguments(napi_env env, napi_callback_info info) {
        std::size_t count = Count;
        check(env, napi_get_cb_info(env, info, &count, values, nullptr, nullptr));
    }
    napi_value operator[](std::size_t place) const { return values[place]; }
};

}  // namespace addon
