// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// Checks of what callers pass. All throw Error{invalid_argument} that names the argument.
namespace dragoman::capi {

inline constexpr std::size_t kMaxStructBytes = 4096;

template <class T>
T& required(T* pointer, const char* name) {
    if (!pointer) fail(Status::invalid_argument, "{}: is NULL", name);
    return *pointer;
}

// Sizes come from sizeof, so they are whole multiples of the alignment, and with it fields are never cut.
template <class T>
void check_struct_size(std::size_t size, const char* name) {
    if (size < alignof(T) || size > kMaxStructBytes || size % alignof(T) != 0) {
        fail(Status::invalid_argument,
             "{}.struct_size: {} is not the size of any version (here: {}); call the struct's init function", name,
             size, sizeof(T));
    }
}

// The caller's options, whatever their version, as this library's.
template <class T>
T read_options(const T* options, const char* name, const T& defaults) {
    T result = defaults;
    if (!options) return result;
    const std::size_t size = options->struct_size;
    check_struct_size<T>(size, name);
    const auto* bytes = reinterpret_cast<const unsigned char*>(options);
    if (size > sizeof(T) && std::any_of(bytes + sizeof(T), bytes + size, [](unsigned char b) { return b != 0; })) {
        fail(Status::invalid_argument, "{}: sets fields that this version of the library does not know", name);
    }
    std::memcpy(&result, bytes, std::min(size, sizeof(T)));
    result.struct_size = sizeof(T);
    return result;
}

// As much of `value` as the caller's struct holds; zeros in what this library does not know.
template <class T>
void write_struct(T* target, std::size_t size, const T& value, const char* name) {
    required(target, name);
    check_struct_size<T>(size, name);
    std::memset(static_cast<void*>(target), 0, size);
    std::memcpy(static_cast<void*>(target), &value, std::min(size, sizeof(T)));
    target->struct_size = static_cast<uint32_t>(size);
}

// Before the work, so that a bad struct costs nothing.
template <class Info>
void check_info(const Info* info) {
    check_struct_size<Info>(required(info, "info").struct_size, "info");
}

inline bool flag(int32_t value, const char* name) {
    if (value != 0 && value != 1) fail(Status::invalid_argument, "{}: expected 0 or 1, got {}", name, value);
    return value == 1;
}

inline float finite(float value, const char* name) {
    if (!std::isfinite(value)) fail(Status::invalid_argument, "{}: expected a finite number, got {}", name, value);
    return value;
}

inline float fraction(float value, const char* name) {
    if (!(value >= 0 && value <= 1)) fail(Status::invalid_argument, "{}: expected 0 to 1, got {}", name, value);
    return value;
}

inline int32_t enumerator(int32_t value, int32_t last, const char* name) {
    if (value < 0 || value > last) {
        fail(Status::invalid_argument, "{}: expected 0 to {}, got {}", name, last, value);
    }
    return value;
}

// 1 to DRAGOMAN_MAX_INPUTS.
void check_count(std::size_t count, const char* name);

// An array of `count` inputs; of none it may be NULL.
template <class T>
void check_inputs(const T* inputs, std::size_t count, const char* name) {
    if (count == 0) return;
    required(inputs, name);
    check_count(count, "count");
}

// The argument for messages: texts[3], sources[3][0].
struct Argument {
    static constexpr std::size_t kNone = ~std::size_t{0};
    const char* name;
    std::size_t index = kNone;
    std::size_t token = kNone;
    std::string text() const;
};

std::string_view text(const dragoman_string& value, const Argument& place);
// A path as the system has them: UTF-8 where its paths are no bytes. NULL is an empty one.
std::string path_text(const char* path, const Argument& place);
std::vector<std::string> tokens(const dragoman_tokens& value, Argument place);

// Cuts at a character and ends with a zero byte.
void copy_name(char* target, std::size_t capacity, std::string_view value);

template <std::size_t N>
void copy_name(char (&target)[N], std::string_view value) {
    copy_name(target, N, value);
}

}  // namespace dragoman::capi
