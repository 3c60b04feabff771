// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "registry/registry.h"

namespace dragoman::registry {

// "https://host:8080" of an address; "" for what is no http or https address.
std::string_view server_of(std::string_view url);

// The address that is asked instead: the registry's mirror, where the environment names one, stands in the place of
// scheme, host and port; the rest stays. Throws invalid_argument for a mirror that is no address.
std::string mirrored(const Registry& registry, const std::string& url);

}  // namespace dragoman::registry
