// SPDX-License-Identifier: Apache-2.0
#include "base/os/windows/api.h"

namespace dragoman::os {

std::wstring system_path(const std::filesystem::path& path) {
    constexpr std::size_t kShort = 240;  // CreateDirectory leaves room for a file name in 8.3 form
    const std::wstring& given = path.native();
    if (given.size() < kShort) return given;
    std::wstring full(GetFullPathNameW(given.c_str(), 0, nullptr, nullptr), 0);
    full.resize(GetFullPathNameW(given.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
    // A path that has come through here already stays as it is.
    if (full.empty() || full.starts_with(L"\\\\?\\") || full.starts_with(L"\\\\.\\")) return given;
    return full.starts_with(L"\\\\") ? L"\\\\?\\UNC" + full.substr(1) : L"\\\\?\\" + full;
}

std::string utf8(std::wstring_view text) {
    const int size = static_cast<int>(text.size());
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
    std::string result(static_cast<std::size_t>(bytes), 0);
    WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), bytes, nullptr, nullptr);
    return result;
}

std::wstring wide(std::string_view utf8) {
    const int size = static_cast<int>(utf8.size());
    const int units = MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0);
    std::wstring result(static_cast<std::size_t>(units), 0);
    MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, result.data(), units);
    return result;
}

}  // namespace dragoman::os
