// SPDX-License-Identifier: Apache-2.0
#pragma once

// Structs of the C API as JavaScript objects, in both directions, by one list of their fields: beam_size is beamSize.

#include <deque>
#include <span>

#include "value.h"

namespace addon {

struct Field {
    enum class Kind { u32, i32, u64, i64, size, f32, f64, flag, word, text, chars };
    std::string name;  // in camelCase
    Kind kind;
    std::size_t offset;
    std::span<const char* const> words = {};  // of a Kind::word, by its number
};
using Fields = std::span<const Field>;

// Fields that need no other treatment; without struct_size and reserved ones. fields_table.cpp and published_table.cpp have them.
template <class Struct>
Fields fields();

// {name: value}
napi_value record(napi_env env, Fields fields, const void* from);

template <class Struct>
napi_value record(napi_env env, const Struct& from) {
    return record(env, fields<Struct>(), &from);
}

// A whole number from `low` to `high`, or a flag as 0 or 1.
double integer(napi_env env, napi_value value, const std::string& name, double low, double high);

// Sets the fields that `from` has, if it is an object; `texts` keeps what they point to.
void fill(napi_env env, napi_value from, Fields fields, void* to, std::deque<std::string>& texts);

}  // namespace addon
