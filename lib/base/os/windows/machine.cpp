// SPDX-License-Identifier: Apache-2.0
#include "base/os/machine.h"

namespace dragoman::os {

std::string system_name() { return {}; }

std::vector<std::string> loaded_libraries() { return {}; }

std::vector<Gpu> gpus(const std::filesystem::path&) { return {}; }

std::vector<std::string> closed_gpus() { return {}; }

}  // namespace dragoman::os
