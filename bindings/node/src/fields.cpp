// SPDX-License-Identifier: Apache-2.0
#include "fields.h"

#include <cmath>
#include <cstring>

namespace addon {
namespace {

constexpr double kSafe = 9007199254740991.0;  // JavaScript's largest safe integer

template <class T>
T load(const void* from, std::size_t offset) {
    T value;
    std::memcpy(&value, static_cast<const char*>(from) + offset, sizeof value);
    return value;
}

template <class T>
void store(void* to, std::size_t offset, T value) {
    std::memcpy(static_cast<char*>(to) + offset, &value, sizeof value);
}

// A newer library may know more words.
napi_value word(napi_env env, const Field& field, int32_t number) {
    const bool known = number >= 0 && static_cast<std::size_t>(number) < field.words.size();
    return string(env, std::string_view(known ? field.words[static_cast<std::size_t>(number)] : "other"));
}

napi_value to_javascript(napi_env env, const Field& field, const void* from) {
    switch (field.kind) {
        case Field::Kind::u32: return number(env, load<uint32_t>(from, field.offset));
        case Field::Kind::i32: return number(env, load<int32_t>(from, field.offset));
        case Field::Kind::flag: return boolean(env, load<int32_t>(from, field.offset) != 0);
        case Field::Kind::word: return word(env, field, load<int32_t>(from, field.offset));
        case Field::Kind::u64: return number(env, static_cast<double>(load<uint64_t>(from, field.offset)));
        case Field::Kind::i64: return number(env, static_cast<double>(load<int64_t>(from, field.offset)));
        case Field::Kind::size: return number(env, static_cast<double>(load<std::size_t>(from, field.offset)));
        case Field::Kind::f32: return number(env, load<float>(from, field.offset));
        case Field::Kind::f64: return number(env, load<double>(from, field.offset));
        case Field::Kind::text: return string(env, std::string_view(load<const char*>(from, field.offset)));
        case Field::Kind::chars: break;
    }
    return string(env, std::string_view(static_cast<const char*>(from) + field.offset));
}

}  // namespace

double integer(napi_env env, napi_value value, const std::string& name, double low, double high) {
    if (type_of(env, value) == napi_boolean) {
        bool flag = false;
        check(env, napi_get_value_bool(env, value, &flag));
        return flag;
    }
    const double number = read_number(env, value, name);
    if (!(number >= low && number <= high) || number != std::floor(number)) {
        char text[96];
        std::snprintf(text, sizeof text, ": %.17g is not allowed; expected a whole number, %.0f to %.0f", number, low,
                      high);
        throw Failure{"invalid_argument", name + text};
    }
    return number;
}

napi_value record(napi_env env, Fields fields, const void* from) {
    const napi_value value = object(env);
    for (const Field& field : fields) set(env, value, field.name.c_str(), to_javascript(env, field, from));
    return value;
}

void fill(napi_env env, napi_value from, Fields fields, void* to, std::deque<std::string>& texts) {
    if (absent(env, from)) return;
    for (const Field& field : fields) {
        const napi_value value = get(env, from, field.name.c_str());
        if (absent(env, value)) continue;
        switch (field.kind) {
            case Field::Kind::u32:
                store(to, field.offset, static_cast<uint32_t>(integer(env, value, field.name, 0, UINT32_MAX)));
                break;
            case Field::Kind::i32:
            case Field::Kind::flag:
                store(to, field.offset, static_cast<int32_t>(integer(env, value, field.name, INT32_MIN, INT32_MAX)));
                break;
            case Field::Kind::u64:
                store(to, field.offset, static_cast<uint64_t>(integer(env, value, field.name, 0, kSafe)));
                break;
            case Field::Kind::i64:
                store(to, field.offset, static_cast<int64_t>(integer(env, value, field.name, -kSafe, kSafe)));
                break;
            case Field::Kind::size:
                store(to, field.offset, static_cast<std::size_t>(integer(env, value, field.name, 0, kSafe)));
                break;
            case Field::Kind::f32:
                store(to, field.offset, static_cast<float>(read_number(env, value, field.name)));
                break;
            case Field::Kind::f64: store(to, field.offset, read_number(env, value, field.name)); break;
            case Field::Kind::text: {
                const std::string& text = texts.emplace_back(read_string(env, value, field.name));
                if (text.find('\0') != std::string::npos)
                    throw Failure{"invalid_argument", field.name + ": holds a zero byte"};
                store(to, field.offset, text.c_str());
                break;
            }
            case Field::Kind::word:
            case Field::Kind::chars: break;  // of information
        }
    }
}

}  // namespace addon
