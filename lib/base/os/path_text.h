// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// A path's text is UTF-8 wherever the library takes or shows one. On Windows std::filesystem would read it in the
// system's code page; where paths are bytes, the bytes stay as they are.
namespace dragoman {

inline std::filesystem::path path_of(std::string_view utf8) { return std::u8string(utf8.begin(), utf8.end()); }

inline std::string text_of(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

}  // namespace dragoman
