// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dragoman {
class Fingerprint;
}
namespace dragoman::text {
class Glossary;
}
namespace dragoman::tm {
class Memory;
}

namespace dragoman::pipeline {

// The values of options as a translation's key has them, each in one line.
std::string key_value(std::string_view text);
std::string key_value(const Fingerprint& print);
std::string key_value(const std::vector<std::string>& tokens);
std::string key_value(const std::vector<std::vector<std::string>>& sequences);
std::string key_value(const std::shared_ptr<const text::Glossary>& glossary);
// A memory stands for its segments, since answers of searches are equal with and without one.
std::string key_value(const std::shared_ptr<tm::Memory>& memory);
inline std::string key_value(const std::string& text) { return key_value(std::string_view(text)); }

template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
std::string key_value(T value) {
    if constexpr (std::is_enum_v<T>) return fmt::format("{}", int(value));
    else return fmt::format("{}", value);
}
template <class T>
std::string key_value(const std::optional<T>& value) {
    return value ? key_value(*value) : std::string("not set");
}

}  // namespace dragoman::pipeline
