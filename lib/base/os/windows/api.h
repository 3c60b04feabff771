// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace dragoman::os {

inline std::error_code last_error() { return {static_cast<int>(GetLastError()), std::system_category()}; }

// The path without the limit of 260 characters that most programs have.
std::wstring system_path(const std::filesystem::path& path);

std::string utf8(std::wstring_view text);
std::wstring wide(std::string_view utf8);

}  // namespace dragoman::os
