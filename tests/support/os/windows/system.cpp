// SPDX-License-Identifier: Apache-2.0
#include "support/system.h"

#include <stdexcept>

#include "base/os/windows/api.h"

namespace dragoman::test {

bool on_wine() { return GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != nullptr; }

void make_named_pipe(const std::filesystem::path&) { throw std::logic_error("Windows has no pipes among its files"); }

int run_into(const std::string&, const std::string&, const std::vector<std::string>&) {
    throw std::logic_error("Windows has no such devices");
}

}  // namespace dragoman::test
