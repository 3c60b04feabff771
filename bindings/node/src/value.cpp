// SPDX-License-Identifier: Apache-2.0
#include "value.h"

#include <cstring>

namespace addon {

napi_value array(napi_env env, dragoman_ranges ranges) {
    napi_value list;
    check(env, napi_create_array_with_length(env, 2 * ranges.count, &list));
    for (std::size_t i = 0; i < ranges.count; ++i) {
        const auto place = static_cast<uint32_t>(2 * i);
        check(env, napi_set_element(env, list, place, number(env, static_cast<double>(ranges.data[i].begin))));
        check(env, napi_set_element(env, list, place + 1, number(env, static_cast<double>(ranges.data[i].end))));
    }
    return list;
}

napi_value matrix(napi_env env, dragoman_matrix matrix) {
    const std::size_t count = matrix.rows * matrix.cols;
    void* memory = nullptr;
    napi_value buffer, data, value = object(env);
    check(env, napi_create_arraybuffer(env, count * sizeof(float), &memory, &buffer));
    if (count > 0) std::memcpy(memory, matrix.data, count * sizeof(float));
    check(env, napi_create_typedarray(env, napi_float32_array, count, buffer, 0, &data));
    set(env, value, "data", data);
    set(env, value, "rows", number(env, static_cast<double>(matrix.rows)));
    set(env, value, "cols", number(env, static_cast<double>(matrix.cols)));
    return value;
}

std::string read_bytes(napi_env env, napi_value value, std::string_view what) {
    bool is_array = false;
    napi_typedarray_type type;
    std::size_t size = 0;
    void* data = nullptr;
    check(env, napi_is_typedarray(env, value, &is_array));
    if (is_array) check(env, napi_get_typedarray_info(env, value, &type, &size, &data, nullptr, nullptr));
    if (!is_array || type != napi_uint8_array) wrong_type(what, "a Uint8Array");
    return size ? std::string(static_cast<const char*>(data), size) : std::string();
}

std::optional<std::string> read_path(napi_env env, napi_value value) {
    if (absent(env, value)) return std::nullopt;
    std::string path = read_string(env, value, "path");
    if (path.find('\0') != std::string::npos) throw Failure{"invalid_argument", "path: holds a zero byte"};
    return path;
}

napi_value error(napi_env env, const Failure& failure) {
    napi_value value;
    const napi_value code = string(env, failure.code), message = string(env, failure.message);
    check(env, failure.code == "type_error" ? napi_create_type_error(env, code, message, &value)
                                            : napi_create_error(env, code, message, &value));
    return value;
}

void raise(napi_env env, const Failure& failure) {
    try {
        napi_throw(env, error(env, failure));
    } catch (...) {  // nothing more can be said
        napi_throw_error(env, "internal", "out of memory");
    }
}

}  // namespace addon
