// SPDX-License-Identifier: Apache-2.0
#include "base/os/environment.h"

#include "base/os/windows/api.h"

namespace dragoman::os {
namespace {

std::wstring variable(const wchar_t* name) {
    std::wstring value(GetEnvironmentVariableW(name, nullptr, 0), 0);
    value.resize(GetEnvironmentVariableW(name, value.data(), static_cast<DWORD>(value.size())));
    return value;
}

}  // namespace

std::string environment(const char* name) { return utf8(variable(wide(name).c_str())); }

std::filesystem::path cache_folder() { return variable(L"LOCALAPPDATA"); }
std::filesystem::path config_folder() { return variable(L"APPDATA"); }
std::filesystem::path data_folder() { return variable(L"LOCALAPPDATA"); }  // models are too large to roam
std::filesystem::path home_folder() { return variable(L"USERPROFILE"); }

}  // namespace dragoman::os
