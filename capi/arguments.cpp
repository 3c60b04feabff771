// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <filesystem>

#include "base/utf8.h"

namespace dragoman::capi {

void check_count(std::size_t count, const char* name) {
    if (count == 0) fail(Status::invalid_argument, "{}: is 0", name);
    if (count > DRAGOMAN_MAX_INPUTS) {
        fail(Status::invalid_argument, "{}: {} is more than {}", name, count, DRAGOMAN_MAX_INPUTS);
    }
}

std::string Argument::text() const {
    std::string result = name;
    for (const std::size_t i : {index, token}) {
        if (i != kNone) result += fmt::format("[{}]", i);
    }
    return result;
}

std::string_view text(const dragoman_string& value, const Argument& place) {
    if (value.size == 0) return {};
    if (!value.data) fail(Status::invalid_argument, "{}: data is NULL, size is {}", place.text(), value.size);
    if (value.size > DRAGOMAN_MAX_TEXT_BYTES) {
        fail(Status::invalid_argument, "{}: {} bytes are more than {}", place.text(), value.size,
             DRAGOMAN_MAX_TEXT_BYTES);
    }
    const std::string_view view(value.data, value.size);
    if (const auto offset = first_invalid_utf8(view)) {
        fail(Status::invalid_argument, "{}: invalid UTF-8 at byte {}", place.text(), *offset);
    }
    return view;
}

std::string path_text(const char* path, const Argument& place) {
    constexpr bool bytes = sizeof(std::filesystem::path::value_type) == 1;
    if constexpr (bytes) return path ? path : "";
    return std::string(text(dragoman_str(path), place));
}

std::vector<std::string> tokens(const dragoman_tokens& value, Argument place) {
    std::vector<std::string> result;
    if (value.count == 0) return result;
    if (!value.data) fail(Status::invalid_argument, "{}: data is NULL, count is {}", place.text(), value.count);
    if (value.count > DRAGOMAN_MAX_TOKENS) {
        fail(Status::invalid_argument, "{}: {} tokens are more than {}", place.text(), value.count,
             DRAGOMAN_MAX_TOKENS);
    }
    result.reserve(value.count);
    for (std::size_t i = 0; i < value.count; ++i) {
        place.token = i;
        result.emplace_back(text(value.data[i], place));
    }
    return result;
}

void copy_name(char* target, std::size_t capacity, std::string_view value) {
    std::size_t size = std::min(value.size(), capacity - 1);
    if (size < value.size()) size = first_invalid_utf8(value.substr(0, size)).value_or(size);
    std::copy_n(value.data(), size, target);
    target[size] = '\0';
}

}  // namespace dragoman::capi
